// What nobody was told of is found, and what nobody may read any more goes.
import { env } from 'cloudflare:workers';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { consumeJobs } from '../../../worker/jobs/job-consumer.ts';
import { recordChange } from '../../../worker/tables/changes.ts';
import { deleteExpired, sweepTables } from '../../../worker/tables/sweep.ts';
import { readPageText } from '../data-requests/ingest/files.ts';
import { deleteTables, getOnlyPush, listPushes, storeRows, TablesHarness } from './harness.ts';

const DAY_MS = 86_400_000;

let house: TablesHarness;
beforeEach(async () => {
  await deleteTables();
  house = new TablesHarness();
});

/** The queue, as the sweep is to speak to it. */
function listening(): string[] {
  const heard: string[] = [];
  house.context.env = {
    ...env,
    JOBS: new Proxy(env.JOBS, {
      get: (queue, name) =>
        name === 'sendBatch'
          ? async (messages: { body: { kind: string; id: string } }[]) => {
              for (const { body } of messages) heard.push(`${body.kind} ${body.id}`);
            }
          : Reflect.get(queue, name),
    }),
  };
  return heard;
}

async function addRun(table: { id: string }, id: string, startedAt: number, state = 'done'): Promise<void> {
  await env.DB.prepare(
    `INSERT INTO table_runs (id, team_id, table_id, state, since, started_at) VALUES (?, 'team', ?, ?, 0, ?)`,
  )
    .bind(id, table.id, state, startedAt)
    .run();
}

/** A batch of the queue. @returns what became of each message */
function batchOf(queue: string, bodies: readonly unknown[]): { batch: MessageBatch; became: string[] } {
  const became = bodies.map(() => 'nothing');
  const messages = bodies.map((body, at) => ({
    id: `message-${at}`,
    timestamp: new Date(house.now),
    attempts: 1,
    body,
    ack: () => {
      became[at] = 'done';
    },
    retry: () => {
      became[at] = 'again';
    },
  }));
  const metadata = { metrics: { backlogCount: 0, backlogBytes: 0 } };
  return { batch: { queue, messages, metadata, ackAll: () => {}, retryAll: () => {} }, became };
}

describe('a push', () => {
  it('that nobody was told of is found by the sweep once it is due', async () => {
    const table = await house.registerTable();
    await storeRows('run-1', 1);
    const arrival = {
      teamId: 'team',
      kind: 'table',
      subject: table.id,
      run: 'run-1',
      hasRows: true,
    } as const;
    const broken = {
      ...env,
      JOBS: new Proxy(env.JOBS, {
        get: () => () => Promise.reject(new Error('the queue is down')),
      }),
    };
    await recordChange(broken, arrival, house.now);
    house.now += 120_000;
    const [push] = await listPushes(table);
    const heard = listening();
    await sweepTables(house.context, false);
    expect(heard).toEqual([`push ${push?.id}`]);
    await house.work();
    await sweepTables(house.context, false);
    expect(heard).toHaveLength(1);
  });
});

it('a push that somebody was working on is gone on with at once after a restart', async () => {
  const { table } = await house.tableWithRows(1);
  const { id } = await getOnlyPush(table);
  // It never comes back.
  void house.runPush(id, () => new Promise(() => {}));
  await vi.waitFor(async () => expect((await getOnlyPush(table)).dueAt).toBeGreaterThan(house.now));
  const heard = listening();
  await sweepTables(house.context, false);
  expect(heard).toEqual([]);
  await sweepTables(house.context, true);
  expect(heard).toEqual([`push ${id}`]);
});

describe('a message', () => {
  it('of the queue is worked on; what is no message is dropped', async () => {
    house.context.env = { ...env, GOOGLE_SERVICE_ACCOUNT: '' };
    const table = await house.registerTable();
    await storeRows('run-2', 1);
    await recordChange(
      env,
      { teamId: 'team', kind: 'table', subject: table.id, run: 'run-2', hasRows: true },
      house.now,
    );
    const [push] = await listPushes(table);
    house.now += 120_000;
    house.now += 120_000;
    const { batch, became } = batchOf('cdapi-jobs', [
      { kind: 'push', id: push?.id },
      { kind: 'push', id: 'nobody' },
      { kind: 'unknown', id: 'x' },
      'text',
    ]);
    await consumeJobs(batch, house.context);
    expect(became).toEqual(['done', 'done', 'done', 'done']);
    expect(await listPushes(table)).toMatchObject([
      { state: 'waiting', problem: { problem: 'push_not_configured' } },
    ]);
  });

  it('that failed too often is a dead letter', async () => {
    const { batch, became } = batchOf('cdapi-jobs-dead', [{ kind: 'push', id: 'push-1' }]);
    await consumeJobs(batch, house.context);
    expect(became).toEqual(['done']);
    const letters = await env.DB.prepare('SELECT id, kind, request_id, at FROM dead_letters').all();
    expect(letters.results).toEqual([{ id: 'message-0', kind: 'push', request_id: 'push-1', at: house.now }]);
  });
});

describe('each minute', () => {
  it('rows of runs go 30 days after they began, the run stays', async () => {
    const table = await house.registerTable();
    await addRun(table, 'old-run', house.now - 31 * DAY_MS);
    await addRun(table, 'young-run', house.now - 29 * DAY_MS);
    await storeRows('old-run', 3);
    await storeRows('young-run', 3);
    await sweepTables(house.context, false);
    expect(await readPageText('old-run')).toBe('');
    expect(await readPageText('young-run')).toContain('Company 1');
    const runs = await env.DB.prepare('SELECT id, cleared_at FROM table_runs ORDER BY id').all();
    expect(runs.results).toEqual([
      { id: 'old-run', cleared_at: house.now },
      { id: 'young-run', cleared_at: null },
    ]);
  });
});

describe('once an hour', () => {
  it('what became ready more than 30 days ago is forgotten, and nothing else', async () => {
    for (const [run, days] of [
      ['old', 31],
      ['young', 29],
    ] as const) {
      const arrival = { teamId: 'team', kind: 'table', subject: 'table', run, hasRows: false } as const;
      await recordChange(env, arrival, house.now - days * DAY_MS);
    }
    const left = () => env.DB.prepare('SELECT run FROM changes').all<{ run: string }>();
    await sweepTables(house.context, false);
    expect((await left()).results).toHaveLength(2);
    house.now = Math.ceil(house.now / 3_600_000) * 3_600_000;
    await sweepTables(house.context, false);
    expect((await left()).results).toEqual([{ run: 'young' }]);
  });

  it('pushes go 30 days after they ended, but the last one of a table', async () => {
    const table = await house.registerTable();
    for (const [run, days] of [
      ['first', 40],
      ['second', 35],
    ] as const) {
      house.now -= days * DAY_MS;
      await storeRows(run, 1);
      await recordChange(
        env,
        { teamId: 'team', kind: 'table', subject: table.id, run, hasRows: true },
        house.now,
      );
      house.now += 120_000;
      house.now += 120_000;
      await house.work();
      house.now += days * DAY_MS;
    }
    await deleteExpired(env, house.now);
    expect(await listPushes(table)).toMatchObject([{ rowsId: 'second', state: 'done' }]);
  });

  it('what a table that is gone has left goes too; a run that is under way when it has ended', async () => {
    const gone = { id: crypto.randomUUID() };
    await addRun(gone, 'stray', house.now - DAY_MS / 2);
    await addRun(gone, 'running', house.now - DAY_MS / 2, 'running');
    await storeRows('stray', 1);
    await storeRows('running', 1);
    await env.DB.prepare(
      `INSERT INTO schedules (team_id, table_id, token_id, every, max_credits, state, created_at, updated_at)
         VALUES ('team', ?, 'token', 'day', 1, 'on', 0, 0)`,
    )
      .bind(gone.id)
      .run();
    const runs = async () => (await env.DB.prepare('SELECT id FROM table_runs').all()).results;
    await deleteExpired(env, house.now);
    expect(await readPageText('stray')).toBe('');
    expect(await runs()).toEqual([{ id: 'running' }]);
    expect(await env.DB.prepare('SELECT count(*) AS n FROM schedules').first('n')).toBe(0);
    await deleteExpired(env, house.now + DAY_MS);
    expect(await readPageText('running')).toBe('');
    expect(await runs()).toEqual([]);
  });
});
