// Retention of rows in D1.
import { env } from 'cloudflare:workers';
import { beforeEach, describe, expect, it } from 'vitest';
import { deadLetterKinds } from '../../../shared/api/admin-data-requests.ts';
import type { TableRow } from '../../../worker/db/schema.ts';
import { runSweeps } from '../../../worker/jobs/job-consumer.ts';
import { insertDataRequest, newId, newTeam } from '../routes/sheets/fixtures.ts';
import { deleteTables, HOUR_MS, TablesHarness } from '../tables/harness.ts';

const DAY_MS = 86_400_000;

let harness: TablesHarness;
let table: TableRow;
beforeEach(async () => {
  await deleteTables();
  await env.DB.batch(
    ['request_files', 'requests', 'runs', 'usage_days', 'alert_messages'].map((name) =>
      env.DB.prepare(`DELETE FROM ${name}`),
    ),
  );
  harness = new TablesHarness();
  table = await harness.registerTable();
});

/** Runs the cron of the next full hour. */
async function runHourlySweep(): Promise<void> {
  harness.now = Math.ceil(harness.now / HOUR_MS) * HOUR_MS;
  await runSweeps(harness.context);
}

const daysAgo = (days: number): number => harness.now - days * DAY_MS;

async function listValues(sql: string): Promise<unknown[]> {
  const { results } = await env.DB.prepare(sql).all();
  return results.flatMap((row) => Object.values(row));
}

describe('a dead letter', () => {
  const insert = 'INSERT INTO dead_letters (id, at, kind, request_id, body, error) VALUES (?, ?, ?, ?, ?, ?)';
  const insertLetter = (id: string, kind: string, subject: string, days: number) =>
    env.DB.prepare(insert).bind(id, daysAgo(days), kind, subject, '', 'It broke.').run();

  /** Inserts a subject for each kind, so that its dead letters can be replayed. */
  async function insertSubjects(): Promise<Record<string, string>> {
    const [hook, relay, push, alert] = [
      await insertDataRequest('team', { dueAt: harness.now, phase: 'running', endedAt: null }),
      await insertDataRequest('team', { relayUrl: 'https://caller.example/' }),
      newId(),
      newId(),
    ];
    await env.DB.prepare(
      `INSERT INTO pushes (id, team_id, table_id, rows_id, state, created_at, updated_at) VALUES (?, 'team', ?, 'x', 'failed', ?, ?)`,
    )
      .bind(push, table.id, harness.now, harness.now)
      .run();
    await env.DB.prepare(
      `INSERT INTO alert_messages (id, alert_id, subject, body, created_at) VALUES (?, 'alert', 'x', '{}', ?)`,
    )
      .bind(alert, harness.now)
      .run();
    return { hook, relay, push, alert };
  }

  it.each(deadLetterKinds)('of kind %s is kept for 30 days', async (kind) => {
    const subject = (await insertSubjects())[kind] ?? '';
    await insertLetter(`${kind}-old`, kind, subject, 31);
    await insertLetter(`${kind}-young`, kind, subject, 29);
    await runHourlySweep();
    expect(await listValues('SELECT id FROM dead_letters')).toEqual([`${kind}-young`]);
  });

  it.each(deadLetterKinds)('of kind %s that cannot be replayed is deleted after a day', async (kind) => {
    // An ended data request without a webhook.
    const subject = await insertDataRequest('team');
    await insertLetter(`${kind}-gone`, kind, subject, 2);
    await insertLetter(`${kind}-fresh`, kind, subject, 0.5);
    await runHourlySweep();
    expect(await listValues('SELECT id FROM dead_letters')).toEqual([`${kind}-fresh`]);
  });

  it('is not deleted between full hours', async () => {
    await insertLetter('old', 'hook', 'nobody', 31);
    await runSweeps(harness.context);
    expect(await listValues('SELECT id FROM dead_letters')).toEqual(['old']);
  });
});

describe('a data request', () => {
  const cleared = { clearedAt: 1 };
  const insertFile = async (id: string): Promise<void> => {
    await env.DB.prepare('INSERT INTO request_files (request_id, file_index, name) VALUES (?, 0, ?)')
      .bind(id, 'part-0.json.gz')
      .run();
  };

  it('is kept for 400 days, with its files', async () => {
    const [old, young] = [
      await insertDataRequest('team', { createdAt: daysAgo(401), ...cleared }),
      await insertDataRequest('team', { createdAt: daysAgo(399), ...cleared }),
    ];
    await insertFile(old);
    await insertFile(young);
    await runHourlySweep();
    expect(await listValues('SELECT id FROM requests')).toEqual([young]);
    expect(await listValues('SELECT request_id FROM request_files')).toEqual([young]);
  });

  it('is kept while a table uses it, while its rows exist, and while it is unclear', async () => {
    const createdAt = daysAgo(401);
    const kept = [
      await insertDataRequest('team', { createdAt, ...cleared }),
      await insertDataRequest('team', { createdAt }),
      await insertDataRequest('team', { createdAt, ...cleared, phase: 'unclear' }),
    ];
    for (const id of kept) await insertFile(id);
    await env.DB.prepare('UPDATE tables SET request_id = ? WHERE id = ?').bind(kept[0], table.id).run();
    await runHourlySweep();
    expect((await listValues('SELECT id FROM requests')).toSorted()).toEqual(kept.toSorted());
    expect(await listValues('SELECT request_id FROM request_files')).toHaveLength(3);
  });
});

it('runs are deleted after 90 days, even of inactive teams', async () => {
  const team = newTeam();
  await env.DB.prepare("INSERT INTO teams (id, name, created_at) VALUES (?, 'Idle', 0)").bind(team).run();
  const insert = env.DB.prepare(
    `INSERT INTO runs (team_id, id, kind, title, family, rows, failed, credits, saved, started_at, ended_at, state, noted_at)
       VALUES (?, ?, 'search', 'Bakers', 'company_base', 1, 0, 0, 0, 0, 0, 'done', ?)`,
  );
  await env.DB.batch([insert.bind(team, 'old', daysAgo(91)), insert.bind(team, 'young', daysAgo(89))]);
  await runHourlySweep();
  expect(await listValues(`SELECT id FROM runs WHERE team_id = '${team}'`)).toEqual(['young']);
});

it('daily usage is kept for three years', async () => {
  const formatDay = (days: number): string => new Date(daysAgo(days)).toISOString().slice(0, 10);
  const insert = env.DB.prepare(
    `INSERT INTO usage_days (day, team_id, token_id, family, operation, hit, stale, coalesced, fetched, not_found, failed,
       credits, saved, latency_ms) VALUES (?, 'old-team', 't', 'company_base', 'collect', 1, 0, 0, 0, 0, 0, 0, 0, 0)`,
  );
  await env.DB.batch([insert.bind(formatDay(1102)), insert.bind(formatDay(1096))]);
  await runHourlySweep();
  expect(await listValues("SELECT day FROM usage_days WHERE team_id = 'old-team'")).toEqual([
    formatDay(1096),
  ]);
});

it('the webhook secret of a deleted team is kept for 60 days', async () => {
  const insertTeam = async (deletedAt: number | null): Promise<string> => {
    const team = newTeam();
    await env.DB.batch([
      env.DB.prepare("INSERT INTO teams (id, name, created_at, deleted_at) VALUES (?, 'x', 0, ?)").bind(
        team,
        deletedAt,
      ),
      env.DB.prepare("INSERT INTO webhook_secrets (team_id, secret, created_at) VALUES (?, 'x', 0)").bind(
        team,
      ),
    ]);
    return team;
  };
  const [expired, deleted, active] = [
    await insertTeam(daysAgo(61)),
    await insertTeam(daysAgo(59)),
    await insertTeam(null),
  ];
  await runHourlySweep();
  const left = await listValues('SELECT team_id FROM webhook_secrets');
  expect(left).toEqual(expect.arrayContaining([deleted, active]));
  expect(left).not.toContain(expired);
});
