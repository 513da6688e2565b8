// A table that a data request filled refreshes by another one for what is new, through the whole Worker over the sandbox.
import { env } from 'cloudflare:workers';
import { beforeAll, describe, expect, it, vi } from 'vitest';
import type { DataRequestRows } from '../../../../shared/api/data-requests.ts';
import type { Schedule } from '../../../../shared/api/schedules.ts';
import type { ChangeList, TableBody } from '../../../../shared/api/tables.ts';
import type { Problem } from '../../../../shared/problems.ts';
import { createDevelopment } from '../../../../worker/development.ts';
import type { DevelopmentEnv } from '../../../../worker/env.ts';
import { runSchedule, toJobId } from '../../../../worker/tables/schedules/run-schedule.ts';
import { call, createRequest, getSpending, waitUntilEnded } from '../../data-requests/bulk.ts';
import { control, put } from '../../sandbox/client.ts';

const TEAM = 'team';
const { platform } = createDevelopment();

const text = (ms: number): string => new Date(ms).toISOString().slice(0, 19).replace('T', ' ');

const companies = (ids: number[], updated: number, name = 'Base') =>
  put(
    'company_base',
    ids.map((id) => ({ id, name: `${name} ${id}`, industry: 'Baking', last_updated: text(updated) })),
  );

/** One turn of work on a schedule, whose time has come and which nobody holds. @param reading - before R2 is read */
async function oneTurn(table: string, reading: () => Promise<void>): Promise<void> {
  await env.DB.prepare('UPDATE schedules SET next_at = ?, leased_until = NULL WHERE table_id = ?')
    .bind(Date.now() - 1000, table)
    .run();
  const quiet: DevelopmentEnv['JOBS'] = { ...env.JOBS, sendBatch: async () => quietly };
  const ROWS = new Proxy(env.ROWS, {
    get: (bucket, name) => {
      const value: unknown = Reflect.get(bucket, name);
      if (typeof value !== 'function') return value;
      return async (...given: unknown[]) => {
        if (name === 'get') await reading();
        return value.apply(bucket, given);
      };
    },
  });
  const context = { env: { ...env, JOBS: quiet, ROWS }, platform, waitUntil: () => {} };
  await runSchedule<DevelopmentEnv>(context, toJobId({ teamId: TEAM, tableId: table }));
}

/**
 * The turns of work by which a run has what it waits for. That the provider's records are others is known everywhere within a
 * second; until then a run can't count them.
 */
function turn(table: string, reading: () => Promise<void> = async () => {}): Promise<void> {
  return vi.waitFor(
    async () => {
      await oneTurn(table, reading);
      const waiting = env.DB.prepare(
        "SELECT count(*) AS n FROM table_runs WHERE table_id = ? AND state = 'running' AND request_id IS NULL",
      );
      expect(await waiting.bind(table).first('n')).toBe(0);
    },
    { timeout: 20_000, interval: 100 },
  );
}
const quietly: QueueSendBatchResponse = { metadata: { metrics: { backlogCount: 0, backlogBytes: 0 } } };

/** The data request that a schedule orders, as soon as what is new is seen everywhere. */
function ordered(table: string): Promise<string> {
  return vi.waitFor(
    async () => {
      await turn(table);
      const id = await requestOf(table);
      expect(id).not.toBe('');
      return id;
    },
    { timeout: 20_000, interval: 100 },
  );
}

async function answer<T>(path: string, method = 'GET', body?: unknown): Promise<T> {
  const init = { method, ...(body === undefined ? {} : { body: JSON.stringify(body) }) };
  return (await call(`/sheets/v1${path}`, init)).json();
}

const order = { every: 'day', max_credits: 100, paused: false };

/** Registers a table of a request. @returns its id */
async function register(request: string, more: Partial<TableBody> = {}): Promise<string> {
  const id = crypto.randomUUID();
  const body: TableBody = {
    title: 'Bakers',
    family: 'company_base',
    spreadsheet: { id: 'spreadsheet', sheet_id: 0, row: 1 },
    columns: [
      { path: 'id', heading: 'ID' },
      { path: 'name', heading: 'Name' },
    ],
    source: { kind: 'request', request },
    mode: 'update',
    push: false,
    as_of: new Date().toISOString(),
    ...more,
  };
  expect((await call(`/sheets/v1/tables/${id}`, { method: 'PUT', body: JSON.stringify(body) })).status).toBe(
    200,
  );
  return id;
}

const look = (table: string) => answer<Schedule>(`/schedules/${table}`);

/** The data request of the run that is under way. */
async function requestOf(table: string): Promise<string> {
  const run = await env.DB.prepare(
    "SELECT request_id AS id FROM table_runs WHERE table_id = ? AND state = 'running'",
  )
    .bind(table)
    .first<{ id: string }>();
  return run?.id ?? '';
}

const query = { family: 'company_base', kind: 'filter', filters: { industry: 'Baking' } };
beforeAll(async () => {
  await control({ run_ms: 0, rate_per_s: 10_000 });
  await companies([1, 2, 3, 4, 5], Date.now() - 86_400_000);
});

describe('a table of a data request', () => {
  it('refreshes by another one for what is new, made once, and told of once', async () => {
    const first = await createRequest(query);
    await waitUntilEnded(first.id);
    const table = await register(first.id);
    expect(await answer(`/schedules/${table}`, 'PUT', order)).toMatchObject({ state: 'on' });
    await answer('/alerts', 'POST', { url: 'https://hooks.example.com/x', on: ['change', 'failure'] });
    await companies([2, 4], Date.now() + 60_000, 'Changed');
    const before = await getSpending();
    const request = await ordered(table);
    // Whoever was killed before it was noted makes no other one.
    await env.DB.prepare('UPDATE table_runs SET request_id = NULL WHERE table_id = ?').bind(table).run();
    await turn(table);
    expect(await requestOf(table)).toBe(request);
    await waitUntilEnded(request);
    await turn(table);
    const schedule = await look(table);
    expect(schedule).toMatchObject({
      state: 'on',
      last: { state: 'done', rows: 2, credits: 20 },
      month: { spent: 20 },
    });
    expect((await getSpending()).spent - before.spent).toBe(20);
    const { changes } = await answer<ChangeList>('/changes');
    const run = schedule.last?.id;
    expect(changes).toContainEqual({ kind: 'table', id: table, run, at: expect.any(String) });
    const { rows } = await answer<DataRequestRows>(`/tables/${table}/runs/${run}/rows`);
    expect(rows.toSorted()).toEqual([
      [2, 'Changed 2'],
      [4, 'Changed 4'],
    ]);
    const { results } = await env.DB.prepare('SELECT subject, body FROM alert_messages').all();
    await env.DB.prepare('DELETE FROM alerts').run();
    expect(results).toEqual([
      {
        subject: `run:${run}`,
        body: JSON.stringify({ text: 'Team: The table “Bakers” has 2 new or changed rows: 20 credits.' }),
      },
    ]);
  });

  it('that named its records one by one can’t refresh, and says what to do', async () => {
    const first = await createRequest({ family: 'company_base', kind: 'ids', keys: ['1', '2'] });
    await waitUntilEnded(first.id);
    const table = await register(first.id);
    expect(await answer<Problem>(`/schedules/${table}`, 'PUT', order)).toMatchObject({
      code: 'invalid_request',
      detail: expect.stringContaining('one by one'),
      fix: expect.stringContaining('from a search'),
    });
  });

  it('of which nobody knows any more what it asked for can’t refresh, but one that was set before goes on', async () => {
    const first = await createRequest(query);
    await waitUntilEnded(first.id);
    const [kept, late] = [await register(first.id), await register(first.id)];
    await answer(`/schedules/${kept}`, 'PUT', order);
    await env.ROWS.delete(`asked/${first.id}.json`);
    expect(await answer<Problem>(`/schedules/${late}`, 'PUT', order)).toMatchObject({
      code: 'invalid_request',
      detail: expect.stringContaining('no longer stored'),
    });
    await companies([5], Date.now() + 180_000, 'Later');
    const request = await ordered(kept);
    expect(await waitUntilEnded(request)).toMatchObject({ state: 'ready' });
    await turn(kept);
    expect((await look(kept)).last).toMatchObject({ state: 'done' });
  });

  it('gets what was ordered, though the token that ordered it was revoked meanwhile or the table has another source', async () => {
    await companies([3], Date.now() + 240_000, 'Paid');
    const first = await createRequest(query);
    await waitUntilEnded(first.id);
    const table = await register(first.id);
    await answer(`/schedules/${table}`, 'PUT', order);
    const request = await ordered(table);
    await waitUntilEnded(request);
    const payer = env.DB.prepare('UPDATE schedules SET token_id = ? WHERE table_id = ?');
    await payer.bind('revoked', table).run();
    const source = { kind: 'search', query: { filters: { industry: 'Baking' } } };
    await env.DB.prepare('UPDATE tables SET source = ?, request_id = NULL WHERE id = ?')
      .bind(JSON.stringify(source), table)
      .run();
    const before = await getSpending();
    await turn(table);
    const { last } = await look(table);
    expect(last?.state).toBe('done');
    const { rows } = await answer<DataRequestRows>(`/tables/${table}/runs/${last?.id}/rows`);
    expect(rows).toContainEqual([3, 'Paid 3']);
    expect(await getSpending()).toEqual(before);
  });

  it('buys nothing where its schedule is deleted while a run counts', async () => {
    await companies([1], Date.now() + 300_000, 'Late');
    const first = await createRequest(query);
    await waitUntilEnded(first.id);
    const table = await register(first.id);
    await answer(`/schedules/${table}`, 'PUT', order);
    const before = await getSpending();
    await turn(table, async () => {
      expect((await call(`/sheets/v1/schedules/${table}`, { method: 'DELETE' })).status).toBe(204);
    });
    expect(await getSpending()).toEqual(before);
    const run = env.DB.prepare('SELECT state, request_id, credits FROM table_runs WHERE table_id = ?');
    expect(await run.bind(table).first()).toEqual({ state: 'failed', request_id: null, credits: 0 });
  });
});
