// Schedules of tables from a data request, through the whole Worker over the sandbox.
import { env } from 'cloudflare:workers';
import { beforeAll, describe, expect, it, vi } from 'vitest';
import type { DataRequestRows } from '../../../../shared/api/data-requests.ts';
import type { Schedule } from '../../../../shared/api/schedules.ts';
import type { SheetsResponse } from '../../../../shared/api/sheets-endpoints.ts';
import type { TableBody } from '../../../../shared/api/tables.ts';
import type { Problem } from '../../../../shared/problems.ts';
import { createDevelopment } from '../../../../worker/development.ts';
import type { DevelopmentEnv } from '../../../../worker/env.ts';
import { toTeamJobId } from '../../../../worker/queue/jobs.ts';
import { runSchedule } from '../../../../worker/tables/schedules/run-schedule.ts';
import { call, createRequest, getSpending, waitUntilEnded } from '../../data-requests/bulk.ts';
import { createQueue, planJob } from '../../job-rows.ts';
import { control, put } from '../../sandbox/client.ts';

const TEAM = 'team';
const { platform } = createDevelopment();

const formatTime = (ms: number): string => new Date(ms).toISOString().slice(0, 19).replace('T', ' ');

const companies = (ids: number[], updated: number, name = 'Base') =>
  put(
    'company_base',
    ids.map((id) => ({ id, name: `${name} ${id}`, industry: 'Baking', last_updated: formatTime(updated) })),
  );

/** Makes a schedule due and runs its job. @param beforeRead - called before each read of R2 */
async function runJob(table: string, beforeRead: () => Promise<void>): Promise<void> {
  const dueAt = Date.now() - 1000;
  await env.DB.prepare('UPDATE schedules SET next_at = ? WHERE table_id = ?').bind(dueAt, table).run();
  await planJob('schedule', toTeamJobId(TEAM, table), dueAt);
  // The test runs the schedule, the queue its data request.
  const JOBS = createQueue((key) => key.kind === 'data_request' && env.JOBS.send(key));
  const ROWS = new Proxy(env.ROWS, {
    get: (bucket, name) => {
      const value: unknown = Reflect.get(bucket, name);
      if (typeof value !== 'function') return value;
      return async (...args: unknown[]) => {
        if (name === 'get') await beforeRead();
        return value.apply(bucket, args);
      };
    },
  });
  const context = { env: { ...env, JOBS, ROWS }, platform, waitUntil: () => {} };
  await runSchedule<DevelopmentEnv>(context, toTeamJobId(TEAM, table));
}

/** Runs jobs until the run is no longer waiting: the sandbox propagates changed records within a second. */
function runUntilOrdered(table: string, beforeRead: () => Promise<void> = async () => {}): Promise<void> {
  return vi.waitFor(
    async () => {
      await runJob(table, beforeRead);
      const waiting = env.DB.prepare(
        "SELECT count(*) AS n FROM table_runs WHERE table_id = ? AND state = 'running' AND request_id IS NULL",
      );
      expect(await waiting.bind(table).first('n')).toBe(0);
    },
    { timeout: 50_000, interval: 100 },
  );
}

/** Runs jobs until the schedule has ordered a data request. @returns its id */
function order(table: string): Promise<string> {
  return vi.waitFor(
    async () => {
      await runUntilOrdered(table);
      const id = await getRequestId(table);
      expect(id).not.toBe('');
      return id;
    },
    { timeout: 50_000, interval: 100 },
  );
}

async function callSheets<T>(path: string, method = 'GET', body?: unknown): Promise<T> {
  const init = { method, ...(body === undefined ? {} : { body: JSON.stringify(body) }) };
  return (await call(`/sheets/v1${path}`, init)).json();
}

const schedule = { every: 'day', max_credits: 100, paused: false };

/** Registers a table of a data request. @returns its id */
async function register(request: string, more: Partial<TableBody> = {}): Promise<string> {
  const id = crypto.randomUUID();
  const body: TableBody = {
    title: 'Bakers',
    family: 'company_base',
    spreadsheet: { id: 'spreadsheet', sheet_id: 0 },
    columns: [
      { id: 'c1', path: 'id', heading: 'ID' },
      { id: 'c2', path: 'name', heading: 'Name' },
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

const getSchedule = (table: string) => callSheets<Schedule>(`/schedules/${table}`);

/** Returns the id of the data request of the running run. */
async function getRequestId(table: string): Promise<string> {
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

/** Creates a completed data request and a table of it with a schedule. */
async function createScheduledTable(): Promise<{ request: string; table: string }> {
  const { id } = await createRequest(query);
  await waitUntilEnded(id);
  const table = await register(id);
  expect(await callSheets(`/schedules/${table}`, 'PUT', schedule)).toMatchObject({ state: 'on' });
  return { request: id, table };
}

describe('a schedule of a table from a data request', () => {
  it('orders one data request for changed records and alerts once', async () => {
    const { table } = await createScheduledTable();
    await callSheets('/alerts', 'POST', { url: 'https://hooks.example.com/x', on: ['change', 'failure'] });
    await companies([2, 4], Date.now() + 60_000, 'Changed');
    const before = await getSpending();
    const request = await order(table);
    // A crash before the request id was stored must not order again.
    await env.DB.prepare('UPDATE table_runs SET request_id = NULL WHERE table_id = ?').bind(table).run();
    await runUntilOrdered(table);
    expect(await getRequestId(table)).toBe(request);
    await waitUntilEnded(request);
    await runUntilOrdered(table);
    const saved = await getSchedule(table);
    expect(saved).toMatchObject({
      state: 'on',
      last: { state: 'done', rows: 2, credits: 20 },
      month: { spent: 20 },
    });
    expect((await getSpending()).spent - before.spent).toBe(20);
    const { changes } = await callSheets<SheetsResponse<'listChanges'>>('/changes');
    const run = saved.last?.id;
    expect(changes).toContainEqual({ kind: 'table', id: table, run, at: expect.any(String) });
    const { rows } = await callSheets<DataRequestRows>(`/tables/${table}/runs/${run}/rows`);
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

  it('is rejected when the request named its records one by one', async () => {
    const first = await createRequest({ family: 'company_base', kind: 'ids', keys: ['1', '2'] });
    await waitUntilEnded(first.id);
    const table = await register(first.id);
    expect(await callSheets<Problem>(`/schedules/${table}`, 'PUT', schedule)).toMatchObject({
      code: 'invalid_request',
      detail: expect.stringContaining('one by one'),
      fix: expect.stringContaining('from a search'),
    });
  });

  it('is rejected when the query is no longer stored; an existing one continues', async () => {
    const { request: first, table: existing } = await createScheduledTable();
    const late = await register(first);
    await env.ROWS.delete(`selections/${first}.json`);
    expect(await callSheets<Problem>(`/schedules/${late}`, 'PUT', schedule)).toMatchObject({
      code: 'invalid_request',
      detail: expect.stringContaining('no longer stored'),
    });
    await companies([5], Date.now() + 180_000, 'Later');
    const request = await order(existing);
    expect(await waitUntilEnded(request)).toMatchObject({ state: 'ready' });
    await runUntilOrdered(existing);
    expect((await getSchedule(existing)).last).toMatchObject({ state: 'done' });
  });

  it('delivers an ordered request after its token was revoked and the table’s source has changed', async () => {
    await companies([3], Date.now() + 240_000, 'Paid');
    const { table } = await createScheduledTable();
    const request = await order(table);
    await waitUntilEnded(request);
    const payer = env.DB.prepare('UPDATE schedules SET token_id = ? WHERE table_id = ?');
    await payer.bind('revoked', table).run();
    const source = { kind: 'search', query: { filters: { industry: 'Baking' } } };
    await env.DB.prepare('UPDATE tables SET source = ?, request_id = NULL WHERE id = ?')
      .bind(JSON.stringify(source), table)
      .run();
    const before = await getSpending();
    await runUntilOrdered(table);
    const { last } = await getSchedule(table);
    expect(last?.state).toBe('done');
    const { rows } = await callSheets<DataRequestRows>(`/tables/${table}/runs/${last?.id}/rows`);
    expect(rows).toContainEqual([3, 'Paid 3']);
    expect(await getSpending()).toEqual(before);
  });

  it('buys nothing when it is deleted while a run counts matches', async () => {
    await companies([1], Date.now() + 300_000, 'Late');
    const { table } = await createScheduledTable();
    const before = await getSpending();
    await runUntilOrdered(table, async () => {
      expect((await call(`/sheets/v1/schedules/${table}`, { method: 'DELETE' })).status).toBe(204);
    });
    expect(await getSpending()).toEqual(before);
    const run = env.DB.prepare('SELECT state, request_id, credits FROM table_runs WHERE table_id = ?');
    expect(await run.bind(table).first()).toEqual({ state: 'failed', request_id: null, credits: 0 });
  });
});
