// Hourly calls and durations: from the buffer of an isolate through the ledger to D1.
import { evictDurableObject, runDurableObjectAlarm, runInDurableObject } from 'cloudflare:test';
import { env } from 'cloudflare:workers';
import { asc, eq } from 'drizzle-orm';
import { drizzle } from 'drizzle-orm/d1';
import { describe, expect, it } from 'vitest';
import { usageHours } from '../../../../worker/db/schema.ts';
import { readLatency } from '../../../../worker/gateway/ledger/latency-report.ts';
import { getLedger } from '../../../../worker/gateway/ledger/ledger-object.ts';
import type { CallUsage, Usage } from '../../../../worker/gateway/ledger/types.ts';
import { createUsage, UsageBuffer } from '../../../../worker/gateway/ledger/usage-buffer.ts';
import {
  createHistogram,
  emptyHistogram,
  latencyBoundsMs,
} from '../../../../worker/lib/latency-histogram.ts';
import { captureErrorLog } from '../../logged-errors.ts';
import { clock } from '../../platform.ts';
import { createDatabase, ledgerTest, NOON } from './ledger-harness.ts';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

/** The usage of one request. */
function request(latencyMs: number, outcomes: CallUsage['outcomes'] = { hit: 1 }): Usage {
  return createUsage('token', {
    family: 'company_clean',
    operation: 'enrich',
    outcomes,
    saved: 0,
    latencyMs,
  });
}

/** Reads the hours of a team in D1. */
const listHours = (team: string) =>
  drizzle(env.DB).select().from(usageHours).where(eq(usageHours.teamId, team)).orderBy(asc(usageHours.hour));

const countCalls = async (team: string) =>
  (await listHours(team)).map(({ hour, calls, failed }) => [hour, calls, failed]);

/** Reads the histograms of a team in D1, by hour. */
const listDurations = async (team: string) =>
  (await readLatency(drizzle(env.DB), { by: 'hour', from: 0, to: NOON + 900 * DAY_MS, team })).map(
    ({ durations }) => durations,
  );

describe('hourly calls', () => {
  ledgerTest('are in D1 with the roll-up of the day, each column with its own range', async (bench) => {
    const usages = [...latencyBoundsMs, 30_001].map((ms, at) => request(ms, { fetched: at, failed: 1 }));
    bench.ledger.recordUsage(usages);
    await bench.advance(60_000);
    const expected = usages.map((_, at) => at + 1);
    expect(await listDurations(bench.team)).toEqual([expected]);
    const latencyMs = usages.reduce((sum, usage) => sum + usage.latencyMs, 0);
    const columns = ['1Ms', '3Ms', '10Ms', '30Ms', '100Ms', '300Ms', '1S', '3S', '10S', '30S'];
    expect(await listHours(bench.team)).toEqual([
      {
        hour: NOON,
        teamId: bench.team,
        calls: expected.reduce((sum, count) => sum + count, 0),
        failed: usages.length,
        latencyMs,
        ...Object.fromEntries(columns.map((column, at) => [`within${column}`, at + 1])),
        slower: usages.length,
      },
    ]);
  });

  ledgerTest('belong to the hour in which the ledger learns of them', async (bench) => {
    await bench.advance(HOUR_MS - 1);
    bench.ledger.recordUsage([request(5), request(5, { failed: 2 })]);
    await bench.advance(1);
    bench.ledger.recordUsage([request(500)]);
    await bench.advance(60_000);
    expect(await countCalls(bench.team)).toEqual([
      [NOON, 3, 2],
      [NOON + HOUR_MS, 1, 0],
    ]);
    expect(await listDurations(bench.team)).toEqual([createHistogram(3, 5), createHistogram(1, 500)]);
  });

  ledgerTest('add up over roll-ups and restarts', async (bench) => {
    bench.ledger.recordUsage([request(5)]);
    await bench.advance(60_000);
    bench.restart().recordUsage([request(5)]);
    await bench.advance(60_000);
    expect(await listDurations(bench.team)).toEqual([createHistogram(2, 5)]);
  });

  ledgerTest('are copied again if D1 fails over the end of an hour', async (bench) => {
    captureErrorLog();
    let isDown = true;
    let sent = 0;
    bench.restart(
      createDatabase((send) => {
        sent += 1;
        return isDown ? Promise.reject(new Error('D1_ERROR')) : send();
      }),
    );
    bench.ledger.recordUsage([request(5)]);
    await bench.advance(2 * HOUR_MS);
    bench.ledger.recordUsage([request(500)]);
    isDown = false;
    await bench.advance(60_000);
    expect(await countCalls(bench.team)).toEqual([
      [NOON, 1, 0],
      [NOON + 2 * HOUR_MS, 1, 0],
    ]);
    const before = sent;
    await bench.advance(HOUR_MS);
    expect(sent).toBe(before);
  });

  ledgerTest('that change during a roll-up at the end of their hour are copied again', async (bench) => {
    await bench.advance(HOUR_MS - 30_001);
    let batches = 0;
    bench.restart(
      createDatabase(async (send) => {
        batches += 1;
        const answer = await send();
        if (batches === 1) {
          bench.ledger.recordUsage([request(500)]);
          bench.clock.now += 1000;
        }
        return answer;
      }),
    );
    bench.ledger.recordUsage([request(5)]);
    await bench.advance(120_000);
    expect(await countCalls(bench.team)).toEqual([[NOON, 2, 0]]);
    expect(batches).toBe(2);
  });

  ledgerTest('are copied to a restored database from a day on, and deleted after 35 days', async (bench) => {
    for (const _ of [1, 2, 3]) {
      bench.ledger.recordUsage([request(5)]);
      await bench.advance(DAY_MS);
    }
    await env.DB.prepare('DELETE FROM usage_hours WHERE team_id = ?').bind(bench.team).run();
    bench.ledger.recoverFromRestore('2026-09-16');
    await bench.advance(60_000);
    expect(await countCalls(bench.team)).toEqual([
      [NOON + DAY_MS, 1, 0],
      [NOON + 2 * DAY_MS, 1, 0],
    ]);
    await bench.advance(35 * DAY_MS);
    bench.ledger.recordUsage([request(5)]);
    await bench.advance(60_000);
    const stored = bench.sql.exec<{ hour: number }>('SELECT hour FROM hours').toArray();
    expect(stored).toEqual([{ hour: NOON + 38 * DAY_MS }]);
  });
});

describe('an isolate', () => {
  it('adds up durations, keeps them if the ledger fails, and hands them over to the object once', async () => {
    const team = `hours-${crypto.randomUUID()}`;
    const ledger = getLedger(env, team);
    await ledger.setBudget({});
    const buffer = new UsageBuffer();
    buffer.add(team, 'token', request(5));
    buffer.add(team, 'token', request(5, { hit: 2 }));
    await expect(buffer.flush(team, () => Promise.reject(new Error('lost')))).rejects.toThrow('lost');
    buffer.add(team, 'token', request(500));
    await buffer.flush(team, async (usages) => {
      expect(usages).toHaveLength(1);
      await ledger.lease('token', { usages });
    });
    await buffer.flush(team, async (usages) => expect(usages).toEqual([]));
    await evictDurableObject(ledger);
    const stored = await runInDurableObject(ledger, (_, { storage }) =>
      storage.sql.exec<{ calls: number; durations: string }>('SELECT calls, durations FROM hours').toArray(),
    );
    const expected = emptyHistogram.with(2, 3).with(6, 1);
    expect(stored.map(({ calls, durations }) => [calls, JSON.parse(durations)])).toEqual([[4, expected]]);
    clock.now = Date.now() + 60_000;
    await runDurableObjectAlarm(ledger);
    const [row] = await listHours(team);
    expect(row).toMatchObject({ calls: 4, failed: 0, latencyMs: 510, within10Ms: 3, within1S: 1 });
  });
});
