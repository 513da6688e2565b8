// Retention of rows in D1.
import { env } from 'cloudflare:workers';
import { drizzle } from 'drizzle-orm/d1';
import { beforeEach, describe, expect, it } from 'vitest';
import { deadLetterKinds } from '../../../shared/api/admin-data-requests.ts';
import type { TableRow } from '../../../worker/db/schema.ts';
import { upsertHour } from '../../../worker/gateway/ledger/usage-counters.ts';
import { keepHouse } from '../../../worker/jobs/retention.ts';
import { emptyHistogram } from '../../../worker/lib/latency-histogram.ts';
import { planJob } from '../job-rows.ts';
import { insertDataRequest, newId } from '../routes/sheets/fixtures.ts';
import { deleteTables, TablesHarness } from '../tables/harness.ts';

const DAY_MS = 86_400_000;

let harness: TablesHarness;
let table: TableRow;
beforeEach(async () => {
  await deleteTables();
  const tables = ['request_files', 'requests', 'alert_messages'];
  await env.DB.batch(tables.map((name) => env.DB.prepare(`DELETE FROM ${name}`)));
  harness = new TablesHarness();
  table = await harness.registerTable();
});

/** Runs the hourly job once. */
async function runHourlyJob(): Promise<void> {
  await planJob('housekeeping', 'hourly', harness.now);
  await keepHouse(harness.context);
}

const daysAgo = (days: number): number => harness.now - days * DAY_MS;

async function run(sql: string, ...values: unknown[]): Promise<void> {
  await env.DB.prepare(sql)
    .bind(...values)
    .run();
}

async function listValues(sql: string): Promise<unknown[]> {
  const { results } = await env.DB.prepare(sql).all();
  return results.flatMap((row) => Object.values(row));
}

describe('a dead letter', () => {
  const insertLetter = (id: string, kind: string, subject: string, days: number) =>
    run(
      "INSERT INTO dead_letters (id, at, kind, team_id, request_id, body, code, error) VALUES (?, ?, ?, 'team', ?, '', 'no_answer', 'Failed.')",
      id,
      daysAgo(days),
      kind,
      subject,
    );

  /** Inserts a subject for each kind, so that its dead letters can be replayed. */
  async function insertSubjects(): Promise<Record<string, string>> {
    const [push, alert] = [newId(), newId()];
    await run(
      `INSERT INTO pushes (id, team_id, table_id, rows_id, state, created_at, updated_at)
         VALUES (?, 'team', ?, 'x', 'failed', 0, 0)`,
      push,
      table.id,
    );
    await run(
      `INSERT INTO alert_messages (id, alert_id, subject, body, created_at) VALUES (?, 'alert', 'x', '{}', ?)`,
      alert,
      harness.now,
    );
    return {
      webhook: await insertDataRequest('team', { webhookUrl: 'https://caller.example/' }),
      push,
      alert,
    };
  }

  it.each(deadLetterKinds)(
    'of kind %s is kept for 30 days, or for one if it cannot be replayed',
    async (kind) => {
      const subject = (await insertSubjects())[kind] ?? '';
      const endedRequest = await insertDataRequest('team');
      await insertLetter('old', kind, subject, 31);
      await insertLetter('kept', kind, subject, 29);
      await insertLetter('useless', kind, endedRequest, 2);
      await insertLetter('useless but new', kind, endedRequest, 0.5);
      await runHourlyJob();
      expect(await listValues('SELECT id FROM dead_letters ORDER BY id')).toEqual([
        'kept',
        'useless but new',
      ]);
    },
  );
});

it('a data request is kept for 400 days, and longer if it is used, has rows or is unclear', async () => {
  const [createdAt, clearedAt] = [daysAgo(401), 1];
  const [used = '', ...others] = [
    await insertDataRequest('team', { createdAt, clearedAt }),
    await insertDataRequest('team', { createdAt }),
    await insertDataRequest('team', { createdAt, clearedAt, phase: 'unclear' }),
    await insertDataRequest('team', { createdAt: daysAgo(399), clearedAt }),
  ];
  const old = await insertDataRequest('team', { createdAt, clearedAt });
  for (const id of [used, ...others, old])
    await run("INSERT INTO request_files (request_id, file_index, name) VALUES (?, 0, 'x')", id);
  await run('UPDATE tables SET request_id = ? WHERE id = ?', used, table.id);
  await runHourlyJob();
  const kept = [used, ...others].toSorted();
  expect(await listValues('SELECT id FROM requests ORDER BY id')).toEqual(kept);
  expect(await listValues('SELECT request_id FROM request_files ORDER BY request_id')).toEqual(kept);
});

it('runs are kept for 90 days, hourly usage for 90 days, daily usage for three years, webhook secrets of deleted teams for 60 days', async () => {
  const teams: [id: string, deletedAt: number | null][] = [
    ['deleted 61 days ago', daysAgo(61)],
    ['deleted 59 days ago', daysAgo(59)],
    ['inactive', null],
  ];
  for (const [id, deletedAt] of teams) {
    await run("INSERT INTO teams (id, name, created_at, deleted_at) VALUES (?, 'x', 0, ?)", id, deletedAt);
    await run("INSERT INTO webhook_secrets (team_id, secret, created_at) VALUES (?, 'x', 0)", id);
  }
  for (const days of [91, 89])
    await run(
      `INSERT INTO runs (team_id, id, kind, title, family, rows, failed, credits, saved, started_at, ended_at, state, received_at)
         VALUES ('inactive', ?, 'search', 'Bakers', 'company_base', 1, 0, 0, 0, 0, 0, 'done', ?)`,
      String(days),
      daysAgo(days),
    );
  const formatDay = (days: number): string => new Date(daysAgo(days)).toISOString().slice(0, 10);
  for (const days of [1102, 1096])
    await run(
      `INSERT INTO usage_days (day, team_id, token_id, family, operation, hit, stale, coalesced, fetched, not_found, failed,
         credits, saved, latency_ms) VALUES (?, 'inactive', 't', 'company_base', 'collect', 1, 0, 0, 0, 0, 0, 0, 0, 0)`,
      formatDay(days),
    );
  const [expired, keptHour] = [daysAgo(91), daysAgo(89)];
  const counts = { calls: 1, failed: 0, latencyMs: 1, durations: emptyHistogram };
  const orm = drizzle(env.DB);
  for (const hour of [expired, keptHour]) await upsertHour(orm, 'inactive', { hour, ...counts });
  const kept = formatDay(1096);
  await runHourlyJob();
  expect(await listValues("SELECT id FROM runs WHERE team_id = 'inactive'")).toEqual(['89']);
  expect(await listValues("SELECT day FROM usage_days WHERE team_id = 'inactive'")).toEqual([kept]);
  expect(await listValues("SELECT hour FROM usage_hours WHERE team_id = 'inactive'")).toEqual([keptHour]);
  expect(await listValues('SELECT team_id FROM webhook_secrets ORDER BY 1')).toEqual([
    'deleted 59 days ago',
    'inactive',
  ]);
});
