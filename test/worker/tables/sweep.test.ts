// Jobs of pushes, and what the hourly job deletes.
import { env } from 'cloudflare:workers';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { deleteExpiredRows } from '../../../worker/db/retention.ts';
import { consumeJobs } from '../../../worker/jobs/run-jobs.ts';
import { type NewChange, recordChange } from '../../../worker/tables/changes.ts';
import { deleteExpiredTableData, retentionRules } from '../../../worker/tables/retention.ts';
import { readPageText } from '../data-requests/ingest/files.ts';
import { listDueJobs, readJob } from '../job-rows.ts';
import { deleteTables, getOnlyPush, listPushes, PUSH_DELAY_MS, storeRows, TablesHarness } from './harness.ts';

const DAY_MS = 86_400_000;

let harness: TablesHarness;
beforeEach(async () => {
  await deleteTables();
  harness = new TablesHarness();
});

const readyRows = ({ id }: { id: string }, run: string): NewChange => ({
  teamId: 'team',
  kind: 'table',
  subject: id,
  run,
  hasRows: true,
});

async function addRun(table: { id: string }, id: string, startedAt: number, state = 'done'): Promise<void> {
  await env.DB.prepare(
    `INSERT INTO table_runs (id, team_id, table_id, state, since, started_at) VALUES (?, 'team', ?, ?, 0, ?)`,
  )
    .bind(id, table.id, state, startedAt)
    .run();
}

/** Creates a queue batch. */
function createBatch(bodies: readonly unknown[]): MessageBatch {
  const messages = bodies.map((body, at) => ({
    id: `message-${at}`,
    timestamp: new Date(harness.now),
    attempts: 1,
    body,
    ack: () => {},
    retry: () => {},
  }));
  const metadata = { metrics: { backlogCount: 0, backlogBytes: 0 } };
  return { queue: 'cdapi-jobs', messages, metadata, ackAll: () => {}, retryAll: () => {} };
}

describe('the cron', () => {
  it('enqueues a due push whose message was lost', async () => {
    const table = await harness.registerTable();
    await storeRows('run-1', 1);
    const broken = {
      ...env,
      JOBS: new Proxy(env.JOBS, {
        get: () => () => Promise.reject(new Error('the queue is down')),
      }),
    };
    await recordChange(broken, readyRows(table, 'run-1'), harness.now);
    harness.now += PUSH_DELAY_MS;
    const [push] = await listPushes(table);
    expect(await listDueJobs('push', harness.now)).toEqual([push?.id]);
    await harness.runDue();
    expect(await listDueJobs('push', harness.now)).toEqual([]);
  });

  it('enqueues a leased push at once after a restart', async () => {
    const { table } = await harness.tableWithRows(1);
    const { id } = await getOnlyPush(table);
    void harness.runPush(id, () => new Promise(() => {}));
    await vi.waitFor(async () =>
      expect((await readJob('push', id))?.leaseUntil).toBeGreaterThan(harness.now),
    );
    expect(await listDueJobs('push', harness.now)).toEqual([]);
    expect(await listDueJobs('push', harness.now, true)).toEqual([id]);
  });

  it('deletes the rows of runs after 30 days and keeps the runs', async () => {
    const table = await harness.registerTable();
    await addRun(table, 'old-run', harness.now - 31 * DAY_MS);
    await addRun(table, 'young-run', harness.now - 29 * DAY_MS);
    await storeRows('old-run', 3);
    await storeRows('young-run', 3);
    await deleteExpiredTableData(env, harness.now);
    expect(await readPageText('old-run')).toBe('');
    expect(await readPageText('young-run')).toContain('Company 1');
    const runs = await env.DB.prepare('SELECT id, cleared_at FROM table_runs ORDER BY id').all();
    expect(runs.results).toEqual([
      { id: 'old-run', cleared_at: harness.now },
      { id: 'young-run', cleared_at: null },
    ]);
  });
});

describe('the job queue', () => {
  it('runs jobs and drops invalid messages', async () => {
    harness.context.env = { ...env, GOOGLE_SERVICE_ACCOUNT: '' };
    const table = await harness.registerTable();
    await storeRows('run-2', 1);
    await recordChange(env, readyRows(table, 'run-2'), harness.now);
    const [push] = await listPushes(table);
    harness.now += PUSH_DELAY_MS;
    const batch = createBatch([
      { kind: 'push', id: push?.id },
      { kind: 'push', id: 'nobody' },
      { kind: 'unknown', id: 'x' },
      'text',
    ]);
    await consumeJobs(batch, harness.context);
    expect(await listPushes(table)).toMatchObject([
      { state: 'waiting', problem: { problem: 'push_not_configured' } },
    ]);
  });
});

describe('the hourly job', () => {
  it('deletes changes after 30 days', async () => {
    for (const [run, days] of [
      ['old', 31],
      ['young', 29],
    ] as const) {
      await recordChange(
        env,
        { ...readyRows({ id: 'table' }, run), hasRows: false },
        harness.now - days * DAY_MS,
      );
    }
    const listRuns = () => env.DB.prepare('SELECT run FROM changes').all<{ run: string }>();
    await deleteExpiredRows(env.DB, retentionRules, harness.now);
    expect((await listRuns()).results).toEqual([{ run: 'young' }]);
  });

  it('deletes pushes 30 days after their end, except the last one of a table', async () => {
    const table = await harness.registerTable();
    for (const [run, days] of [
      ['first', 40],
      ['second', 35],
    ] as const) {
      harness.now -= days * DAY_MS;
      await storeRows(run, 1);
      await harness.completeRun(table, run);
      await harness.runDue();
      harness.now += days * DAY_MS;
    }
    await deleteExpiredRows(env.DB, retentionRules, harness.now);
    expect(await listPushes(table)).toMatchObject([{ rowsId: 'second', state: 'done' }]);
  });

  it('deletes schedules and runs of deleted tables, running ones after a day', async () => {
    const deleted = { id: crypto.randomUUID() };
    await addRun(deleted, 'ended', harness.now - DAY_MS / 2);
    await addRun(deleted, 'running', harness.now - DAY_MS / 2, 'running');
    await storeRows('ended', 1);
    await storeRows('running', 1);
    await env.DB.prepare(
      `INSERT INTO schedules (team_id, table_id, token_id, every, max_credits, state, created_at, updated_at)
         VALUES ('team', ?, 'token', 'day', 1, 'on', 0, 0)`,
    )
      .bind(deleted.id)
      .run();
    const runs = async () => (await env.DB.prepare('SELECT id FROM table_runs').all()).results;
    await deleteExpiredTableData(env, harness.now);
    expect(await readPageText('ended')).toBe('');
    expect(await runs()).toEqual([{ id: 'running' }]);
    expect(await env.DB.prepare('SELECT count(*) AS n FROM schedules').first('n')).toBe(0);
    await deleteExpiredTableData(env, harness.now + DAY_MS);
    expect(await readPageText('running')).toBe('');
    expect(await runs()).toEqual([]);
  });
});
