// What D1 keeps of what has ended: as long as it is said, and no longer.
import { env } from 'cloudflare:workers';
import { beforeEach, describe, expect, it } from 'vitest';
import { deadLetterKinds } from '../../../shared/api/admin-data-requests.ts';
import type { TableRow } from '../../../worker/db/schema.ts';
import { runSweeps } from '../../../worker/jobs/job-consumer.ts';
import { newId, newTeam, request } from '../routes/sheets/tables.ts';
import { deleteTables, HOUR_MS, TablesHarness } from '../tables/harness.ts';

const DAY_MS = 86_400_000;

let house: TablesHarness;
let table: TableRow;
beforeEach(async () => {
  await deleteTables();
  await env.DB.batch(
    ['request_files', 'requests', 'runs', 'usage_days', 'alert_messages'].map((name) =>
      env.DB.prepare(`DELETE FROM ${name}`),
    ),
  );
  house = new TablesHarness();
  table = await house.registerTable();
});

/** What the cron of the next full hour does. */
async function nextHour(): Promise<void> {
  house.now = Math.ceil(house.now / HOUR_MS) * HOUR_MS;
  await runSweeps(house.context);
}

const ago = (days: number): number => house.now - days * DAY_MS;

async function column(sql: string): Promise<unknown[]> {
  const { results } = await env.DB.prepare(sql).all();
  return results.flatMap((row) => Object.values(row));
}

describe('a dead letter', () => {
  const insert = 'INSERT INTO dead_letters (id, at, kind, request_id, body, error) VALUES (?, ?, ?, ?, ?, ?)';
  const letter = (id: string, kind: string, about: string, days: number) =>
    env.DB.prepare(insert).bind(id, ago(days), kind, about, '', 'It broke.').run();

  /** Something of each kind that can be tried again. */
  async function subjects(): Promise<Record<string, string>> {
    const [hook, relay, push, alert] = [
      await request('team', { dueAt: house.now, phase: 'running', endedAt: null }),
      await request('team', { relayUrl: 'https://caller.example/' }),
      newId(),
      newId(),
    ];
    await env.DB.prepare(
      `INSERT INTO pushes (id, team_id, table_id, rows_id, state, created_at, updated_at) VALUES (?, 'team', ?, 'x', 'failed', ?, ?)`,
    )
      .bind(push, table.id, house.now, house.now)
      .run();
    await env.DB.prepare(
      `INSERT INTO alert_messages (id, alert_id, subject, body, created_at) VALUES (?, 'alert', 'x', '{}', ?)`,
    )
      .bind(alert, house.now)
      .run();
    return { hook, relay, push, alert };
  }

  it.each(deadLetterKinds)('of the kind %s is kept for thirty days', async (kind) => {
    const about = (await subjects())[kind] ?? '';
    await letter(`${kind}-old`, kind, about, 31);
    await letter(`${kind}-young`, kind, about, 29);
    await nextHour();
    expect(await column('SELECT id FROM dead_letters')).toEqual([`${kind}-young`]);
  });

  it.each(deadLetterKinds)('of the kind %s that is about nothing any more goes after a day', async (kind) => {
    // A request that has ended takes no more word, and this one’s caller wants none.
    const about = await request('team');
    await letter(`${kind}-gone`, kind, about, 2);
    await letter(`${kind}-fresh`, kind, about, 0.5);
    await nextHour();
    expect(await column('SELECT id FROM dead_letters')).toEqual([`${kind}-fresh`]);
  });

  it('stays until the hour is full', async () => {
    await letter('old', 'hook', 'nobody', 31);
    await runSweeps(house.context);
    expect(await column('SELECT id FROM dead_letters')).toEqual(['old']);
  });
});

describe('a bulk request', () => {
  const cleared = { clearedAt: 1 };
  const withFile = async (id: string): Promise<void> => {
    await env.DB.prepare('INSERT INTO request_files (request_id, file_index, name) VALUES (?, 0, ?)')
      .bind(id, 'part-0.json.gz')
      .run();
  };

  it('is history for 400 days, with its files', async () => {
    const [old, young] = [
      await request('team', { createdAt: ago(401), ...cleared }),
      await request('team', { createdAt: ago(399), ...cleared }),
    ];
    await withFile(old);
    await withFile(young);
    await nextHour();
    expect(await column('SELECT id FROM requests')).toEqual([young]);
    expect(await column('SELECT request_id FROM request_files')).toEqual([young]);
  });

  it('stays where a table is made of it, where its rows are still there, and where nobody knows what it cost', async () => {
    const createdAt = ago(401);
    const kept = [
      await request('team', { createdAt, ...cleared }),
      await request('team', { createdAt }),
      await request('team', { createdAt, ...cleared, phase: 'unclear' }),
    ];
    for (const id of kept) await withFile(id);
    await env.DB.prepare('UPDATE tables SET request_id = ? WHERE id = ?').bind(kept[0], table.id).run();
    await nextHour();
    expect((await column('SELECT id FROM requests')).toSorted()).toEqual(kept.toSorted());
    expect(await column('SELECT request_id FROM request_files')).toHaveLength(3);
  });
});

it('what the add-on did is forgotten after 90 days, also of a team that does nothing any more', async () => {
  const team = newTeam();
  await env.DB.prepare("INSERT INTO teams (id, name, created_at) VALUES (?, 'Idle', 0)").bind(team).run();
  const insert = env.DB.prepare(
    `INSERT INTO runs (team_id, id, kind, title, family, rows, failed, credits, saved, started_at, ended_at, state, noted_at)
       VALUES (?, ?, 'search', 'Bakers', 'company_base', 1, 0, 0, 0, 0, 0, 'done', ?)`,
  );
  await env.DB.batch([insert.bind(team, 'old', ago(91)), insert.bind(team, 'young', ago(89))]);
  await nextHour();
  expect(await column(`SELECT id FROM runs WHERE team_id = '${team}'`)).toEqual(['young']);
});

it('usage is counted by day for three years', async () => {
  const dayOf = (days: number): string => new Date(ago(days)).toISOString().slice(0, 10);
  const insert = env.DB.prepare(
    `INSERT INTO usage_days (day, team_id, token_id, family, operation, hit, stale, coalesced, fetched, not_found, failed,
       credits, saved, latency_ms) VALUES (?, 'old-team', 't', 'company_base', 'collect', 1, 0, 0, 0, 0, 0, 0, 0, 0)`,
  );
  await env.DB.batch([insert.bind(dayOf(1102)), insert.bind(dayOf(1096))]);
  await nextHour();
  expect(await column("SELECT day FROM usage_days WHERE team_id = 'old-team'")).toEqual([dayOf(1096)]);
});

it('the secret of a team that is deleted outlives its last bulk request, and no more', async () => {
  const secret = async (deletedAt: number | null): Promise<string> => {
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
  const [gone, going, there] = [await secret(ago(61)), await secret(ago(59)), await secret(null)];
  await nextHour();
  const left = await column('SELECT team_id FROM webhook_secrets');
  expect(left).toEqual(expect.arrayContaining([going, there]));
  expect(left).not.toContain(gone);
});
