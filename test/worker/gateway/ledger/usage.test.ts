// Usage: counted by day, token, family and operation, and copied to D1.
import { env } from 'cloudflare:workers';
import { drizzle } from 'drizzle-orm/d1';
import { eq } from 'drizzle-orm/sql';
import { describe, expect } from 'vitest';
import type { RecordedSource } from '../../../../shared/sources.ts';
import { usageDays } from '../../../../worker/db/schema.ts';
import type { Settlement, Usage } from '../../../../worker/gateway/ledger/types.ts';
import { createUsage } from '../../../../worker/gateway/ledger/usage-buffer.ts';
import { captureErrorLog } from '../../logged-errors.ts';
import {
  call,
  createDatabase,
  hits,
  type LedgerBench,
  ledgerTest,
  NOON,
  reserveOne,
  setCaps,
} from './ledger-harness.ts';

const DAY_MS = 86_400_000;

/** Reads the rows of a team in D1. */
function listUsageDays({ team }: LedgerBench) {
  return drizzle(env.DB)
    .select()
    .from(usageDays)
    .where(eq(usageDays.teamId, team))
    .orderBy(usageDays.day, usageDays.tokenId, usageDays.family, usageDays.operation);
}

const noSources = {
  formulaSpent: 0,
  formulaSaved: 0,
  tableSpent: 0,
  tableSaved: 0,
  scheduleSpent: 0,
  scheduleSaved: 0,
  assistantSpent: 0,
  assistantSaved: 0,
};

const mixed: Usage = createUsage('token', {
  family: 'job_base',
  operation: 'search',
  outcomes: { hit: 1, stale: 2, coalesced: 3, fetched: 4, not_found: 5, failed: 6 },
  saved: 7,
  latencyMs: 8.6,
});

describe('usage', () => {
  ledgerTest('tells at most 500 spreadsheets of a day apart, also after a restart', async (bench) => {
    const inSheet = (id: number): Usage => ({ ...hits(1), spreadsheet: `sheet ${id}` });
    bench.ledger.recordUsage(Array.from({ length: 400 }, (_, id) => inSheet(id)));
    bench.restart();
    bench.ledger.recordUsage(Array.from({ length: 400 }, (_, id) => inSheet(id + 200)));
    await bench.advance(59_999);
    const rows = await listUsageDays(bench);
    expect([rows.length, rows.find(({ spreadsheet }) => spreadsheet === '')?.hit]).toEqual([501, 100]);
  });

  ledgerTest('with a reference is counted once, also after a restart', async (bench) => {
    const order: Usage = { ...mixed, operation: 'bulk', outcomes: {}, saved: 40, reference: 'order' };
    bench.ledger.recordUsage([order, hits(1)]);
    bench.ledger.recordUsage([order]);
    bench.restart();
    bench.ledger.recordUsage([order, { ...order, reference: 'other' }]);
    expect(bench.ledger.getBudget().saved).toEqual({ day: 90, month: 90 });
    const entries = await bench.ledger.listEntries({ limit: 10 });
    expect(entries.filter(({ kind }) => kind === 'saved')).toMatchObject([
      { reference: 'order', operation: 'bulk', saved: 40, credits: 0, calls: 1 },
      { reference: 'other', operation: 'bulk', saved: 40 },
    ]);
    await bench.advance(59_999);
    expect(await listUsageDays(bench)).toMatchObject([
      { family: 'company_clean', saved: 10 },
      { family: 'job_base', operation: 'bulk', saved: 80, credits: 0 },
    ]);
  });

  ledgerTest('is in D1 within 60 seconds, with the charged credits', async (bench) => {
    bench.ledger.recordUsage([mixed, hits(3)]);
    const id = await reserveOne(bench, call(10));
    bench.ledger.settleMany([{ id, charged: 10 }]);
    expect(await listUsageDays(bench)).toEqual([]);
    await bench.advance(59_999);
    const key = { day: '2026-09-15', teamId: bench.team, tokenId: 'token', spreadsheet: '' };
    const none = { stale: 0, coalesced: 0, fetched: 0, notFound: 0, failed: 0 };
    const some = { hit: 1, stale: 2, coalesced: 3, fetched: 4, notFound: 5, failed: 6 };
    expect(await listUsageDays(bench)).toEqual([
      {
        ...key,
        family: 'company_clean',
        operation: 'enrich',
        ...none,
        hit: 3,
        credits: 10,
        saved: 30,
        latencyMs: 6,
        ...noSources,
      },
      {
        ...key,
        family: 'job_base',
        operation: 'search',
        ...some,
        credits: 0,
        saved: 7,
        latencyMs: 9,
        ...noSources,
      },
    ]);
  });

  ledgerTest('adds up over roll-ups and restarts by day, token, family and operation', async (bench) => {
    bench.ledger.recordUsage([hits(1), hits(2, 20, 'other')]);
    await bench.advance(60_000);
    bench.restart().recordUsage([hits(4)]);
    await bench.advance(60_000);
    await bench.advance(DAY_MS);
    bench.ledger.recordUsage([hits(8)]);
    await bench.advance(60_000);
    const rows = await listUsageDays(bench);
    expect(rows.map(({ day, tokenId, hit }) => [day, tokenId, hit])).toEqual([
      ['2026-09-15', 'other', 2],
      ['2026-09-15', 'token', 5],
      ['2026-09-16', 'token', 8],
    ]);
  });

  ledgerTest('counts credits and savings of each source as parts of the totals', async (bench) => {
    bench.ledger.recordUsage([
      { ...hits(3), source: 'formula' },
      { ...hits(2), source: 'table' },
      { ...hits(1), source: 'schedule' },
      hits(4),
    ]);
    const settle = async (charged: Settlement['charged'], source?: RecordedSource): Promise<string> => {
      const id = await reserveOne(bench, { ...call(10), source });
      bench.ledger.settleMany([{ id, charged }]);
      return id;
    };
    await settle(10, 'formula');
    await settle(10, 'table');
    await settle(0, 'table');
    await settle(10, 'schedule');
    await settle(10);
    const unclear = [await settle('unclear', 'table'), await settle('unclear', 'formula')];
    await bench.advance(60_000);
    const bySource = { formulaSaved: 30, tableSaved: 20, scheduleSpent: 10, scheduleSaved: 10 };
    expect(await listUsageDays(bench)).toMatchObject([
      { hit: 10, credits: 60, saved: 100, ...bySource, formulaSpent: 20, tableSpent: 20 },
    ]);
    // A correction returns the credits to the source that spent them, after a restart too.
    bench.restart().reconcile(unclear.slice(0, 1), false);
    await bench.advance(60_000);
    expect(await listUsageDays(bench)).toMatchObject([
      { credits: 50, saved: 100, ...bySource, formulaSpent: 20, tableSpent: 10 },
    ]);
  });

  ledgerTest('fits any number of tokens', async (bench) => {
    bench.ledger.recordUsage(Array.from({ length: 250 }, (_, number) => hits(1, 0, `token-${number}`)));
    await bench.advance(60_000);
    expect(await listUsageDays(bench)).toHaveLength(250);
  });

  ledgerTest('is kept and copied again if D1 fails', async (bench) => {
    const lines = captureErrorLog();
    let tries = 0;
    bench.restart(
      createDatabase((send) => {
        tries += 1;
        return tries < 4 ? Promise.reject(new Error('D1_ERROR: secret')) : send();
      }),
    );
    bench.ledger.recordUsage([hits(1)]);
    await reserveOne(bench, call(10));
    await bench.advance(60_000);
    expect(await listUsageDays(bench)).toEqual([]);
    // Reservations expire even while D1 is down.
    expect(bench.ledger.getBudget()).toMatchObject({ reserved: 0, unclear: 10 });
    bench.ledger.recordUsage([hits(2)]);
    await bench.advance(60_000);
    expect(await listUsageDays(bench)).toMatchObject([{ hit: 3 }]);
    await bench.advance(600_000);
    expect(tries).toBe(4);
    expect(lines).toMatchObject(Array(3).fill({ event: 'usage_rollup_failed', error: 'Error' }));
    expect(JSON.stringify(lines)).not.toContain('secret');
  });

  ledgerTest('that changes during a roll-up is copied again', async (bench) => {
    let calls = 0;
    bench.restart(
      createDatabase(async (send) => {
        calls += 1;
        const answer = await send();
        if (calls === 1) bench.ledger.recordUsage([hits(2)]);
        return answer;
      }),
    );
    bench.ledger.recordUsage([hits(1)]);
    await bench.advance(30_000);
    expect(await listUsageDays(bench)).toMatchObject([{ hit: 1 }]);
    await bench.advance(60_000);
    expect(await listUsageDays(bench)).toMatchObject([{ hit: 3 }]);
    expect(calls).toBe(2);
  });

  ledgerTest('is not counted twice after a crash in a roll-up', async (bench) => {
    bench.restart(
      createDatabase(async (send) => {
        await send();
        throw new Error('killed');
      }),
    );
    captureErrorLog();
    bench.ledger.recordUsage([hits(1)]);
    await bench.advance(30_000);
    expect(await listUsageDays(bench)).toMatchObject([{ hit: 1 }]);
    bench.restart();
    await bench.advance(60_000);
    expect(await listUsageDays(bench)).toMatchObject([{ hit: 1 }]);
    // The savings become an entry at the end of the hour.
    expect(bench.alarm.at).toBe(NOON + 3_600_000);
  });
});

describe('deletion of old data', () => {
  /** Counts the rows of each table. */
  function countRows({ sql }: LedgerBench): Record<string, number> {
    const count = (table: string) => sql.exec(`SELECT * FROM ${table}`).toArray().length;
    return Object.fromEntries(
      ['reservations', 'usage', 'totals', 'entries'].map((table) => [table, count(table)]),
    );
  }

  ledgerTest('keeps entries, months and unclear calls after 35 days', async (bench) => {
    setCaps(bench, {});
    const ids = [await reserveOne(bench, call(10)), await reserveOne(bench, call(10))];
    bench.ledger.settleMany([{ id: ids[0] ?? '', charged: 10 }]);
    await bench.advance(DAY_MS);
    const settled = await reserveOne(bench, call(10));
    bench.ledger.settleMany([{ id: settled, charged: 10 }]);
    await bench.advance(34 * DAY_MS);
    bench.ledger.recordUsage([hits(1)]);
    await bench.advance(60_000);
    expect(countRows(bench)).toMatchObject({ reservations: 3, usage: 3 });

    await bench.advance(2 * DAY_MS);
    bench.ledger.recordUsage([hits(1)]);
    await bench.advance(60_000);
    // Left are the unclear reservation, its day, and the days with new usage.
    expect(countRows(bench)).toMatchObject({ reservations: 1, usage: 3 });
    expect(bench.ledger.reconcile([settled], false)).toBe(0);
    expect(bench.ledger.reconcile(ids, false)).toBe(1);
    await bench.advance(DAY_MS);
    bench.ledger.recordUsage([hits(1)]);
    await bench.advance(60_000);
    expect(countRows(bench)).toMatchObject({ reservations: 0, usage: 3 });
    const months = bench.sql.exec<{ spent: number }>(
      "SELECT sum(spent) AS spent FROM totals WHERE account = '' AND day LIKE '2026-09-%'",
    );
    expect(months.one().spent).toBe(20);
    expect(await listUsageDays(bench)).toMatchObject([
      { day: '2026-09-15', credits: 10 },
      { day: '2026-09-16', credits: 10 },
      { hit: 1 },
      { hit: 1 },
      { hit: 1 },
    ]);
  });
});

describe('countRecords', () => {
  ledgerTest('counts records by source, today and this month, without queries', async (bench) => {
    const usageOf = (hit: number, fetched: number): Usage => ({
      ...hits(0, 0),
      outcomes: { hit, stale: 1, coalesced: 1, fetched, not_found: 9, failed: 9 },
    });
    expect(bench.ledger.countRecords()).toEqual({
      cached: { day: 0, month: 0 },
      fetched: { day: 0, month: 0 },
    });
    bench.ledger.recordUsage([usageOf(100, 10), mixed]);
    await bench.advance(DAY_MS);
    bench.ledger.recordUsage([usageOf(5, 3), { ...usageOf(1, 1), token: 'other', operation: 'collect' }]);
    expect(bench.ledger.countRecords()).toEqual({
      cached: { day: 10, month: 112 },
      fetched: { day: 4, month: 14 },
    });
    await bench.advance(20 * DAY_MS);
    expect(bench.ledger.countRecords().cached).toEqual({ day: 0, month: 0 });
  });
});
