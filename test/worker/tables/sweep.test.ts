// Minute sweep of tables and the job queue.
import { env } from 'cloudflare:workers';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { consumeJobs } from '../../../worker/jobs/job-consumer.ts';
import { type NewChange, recordChange } from '../../../worker/tables/changes.ts';
import { deleteExpired, sweepTables } from '../../../worker/tables/sweep.ts';
import { readPageText } from '../data-requests/ingest/files.ts';
import { deleteTables, getOnlyPush, listPushes, PUSH_DELAY_MS, storeRows, TablesHarness } from './harness.ts';

const DAY_MS = 86_400_000;

let harness: TablesHarness;
beforeEach(async () => {
  await deleteTables();
  harness = new TablesHarness();
});

/** Records the messages that the sweep enqueues. */
function recordMessages(): string[] {
  const enqueued: string[] = [];
  harness.context.env = {
    ...env,
    JOBS: new Proxy(env.JOBS, {
      get: (queue, name) =>
        name === 'sendBatch'
          ? async (messages: { body: { kind: string; id: string } }[]) => {
              for (const { body } of messages) enqueued.push(`${body.kind} ${body.id}`);
            }
          : Reflect.get(queue, name),
    }),
  };
  return enqueued;
}

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

/** Creates a queue batch. @returns it and the outcome of each message */
function createBatch(queue: string, bodies: readonly unknown[]): { batch: MessageBatch; outcomes: string[] } {
  const outcomes = bodies.map(() => 'none');
  const messages = bodies.map((body, at) => ({
    id: `message-${at}`,
    timestamp: new Date(harness.now),
    attempts: 1,
    body,
    ack: () => {
      outcomes[at] = 'ack';
    },
    retry: () => {
      outcomes[at] = 'retry';
    },
  }));
  const metadata = { metrics: { backlogCount: 0, backlogBytes: 0 } };
  return { batch: { queue, messages, metadata, ackAll: () => {}, retryAll: () => {} }, outcomes };
}

describe('the minute sweep', () => {
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
    const enqueued = recordMessages();
    await sweepTables(harness.context, false);
    expect(enqueued).toEqual([`push ${push?.id}`]);
    await harness.runDue();
    await sweepTables(harness.context, false);
    expect(enqueued).toHaveLength(1);
  });

  it('enqueues a leased push at once after a restart', async () => {
    const { table } = await harness.tableWithRows(1);
    const { id } = await getOnlyPush(table);
    void harness.runPush(id, () => new Promise(() => {}));
    await vi.waitFor(async () => expect((await getOnlyPush(table)).dueAt).toBeGreaterThan(harness.now));
    const enqueued = recordMessages();
    await sweepTables(harness.context, false);
    expect(enqueued).toEqual([]);
    await sweepTables(harness.context, true);
    expect(enqueued).toEqual([`push ${id}`]);
  });

  it('deletes the rows of runs after 30 days and keeps the runs', async () => {
    const table = await harness.registerTable();
    await addRun(table, 'old-run', harness.now - 31 * DAY_MS);
    await addRun(table, 'young-run', harness.now - 29 * DAY_MS);
    await storeRows('old-run', 3);
    await storeRows('young-run', 3);
    await sweepTables(harness.context, false);
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
    const { batch, outcomes } = createBatch('cdapi-jobs', [
      { kind: 'push', id: push?.id },
      { kind: 'push', id: 'nobody' },
      { kind: 'unknown', id: 'x' },
      'text',
    ]);
    await consumeJobs(batch, harness.context);
    expect(outcomes).toEqual(['ack', 'ack', 'ack', 'ack']);
    expect(await listPushes(table)).toMatchObject([
      { state: 'waiting', problem: { problem: 'push_not_configured' } },
    ]);
  });

  it('stores dead letters', async () => {
    const { batch, outcomes } = createBatch('cdapi-jobs-dead', [{ kind: 'push', id: 'push-1' }]);
    await consumeJobs(batch, harness.context);
    expect(outcomes).toEqual(['ack']);
    const letters = await env.DB.prepare('SELECT id, kind, request_id, at FROM dead_letters').all();
    expect(letters.results).toEqual([
      { id: 'message-0', kind: 'push', request_id: 'push-1', at: harness.now },
    ]);
  });
});

describe('the hourly sweep', () => {
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
    await sweepTables(harness.context, false);
    expect((await listRuns()).results).toHaveLength(2);
    harness.now = Math.ceil(harness.now / 3_600_000) * 3_600_000;
    await sweepTables(harness.context, false);
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
    await deleteExpired(env, harness.now);
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
    await deleteExpired(env, harness.now);
    expect(await readPageText('ended')).toBe('');
    expect(await runs()).toEqual([{ id: 'running' }]);
    expect(await env.DB.prepare('SELECT count(*) AS n FROM schedules').first('n')).toBe(0);
    await deleteExpired(env, harness.now + DAY_MS);
    expect(await readPageText('running')).toBe('');
    expect(await runs()).toEqual([]);
  });
});
