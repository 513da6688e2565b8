// Registered tables: access, deletion, pushes, and rows of their runs.
import { env } from 'cloudflare:workers';
import { describe, expect, it } from 'vitest';
import type { MeResponse } from '../../../../shared/api/account.ts';
import type { DataRequestRows } from '../../../../shared/api/data-requests.ts';
import { maxTables, type TableList, type TableView } from '../../../../shared/api/tables.ts';
import { recordChange } from '../../../../worker/tables/changes.ts';
import { readPageText } from '../../data-requests/ingest/files.ts';
import { buildCompanyResponse, createGateway } from '../../harness.ts';
import { clock } from '../../platform.ts';
import { storeRows } from '../../tables/harness.ts';
import { EMAIL } from '../../tables/push/fake-google.ts';
import { callsWith, tokenOf } from './callers.ts';
import { countOf, good, listed, newCaller, newId, newTeam, pushing, put, request, run } from './tables.ts';

describe('a table', () => {
  it('is returned as it was registered', async () => {
    const at = await newCaller();
    const id = newId();
    const table = await put(at, {}, id);
    expect(table).toEqual({
      ...good,
      id,
      pushed: null,
      created_at: expect.any(String),
      updated_at: table.created_at,
    });
    expect(await at.ok('GET', `/tables/${id}`)).toEqual(table);
    expect(await at.ok('GET', '/tables')).toEqual({ tables: [table], push_account: null });
  });

  it('keeps its creation time when it changes', async () => {
    const at = await newCaller();
    const first = await put(at);
    clock.now += 60_000;
    const second = await put(
      at,
      { title: 'Brewers', mode: 'update', as_of: '2026-02-01T00:00:00.000Z' },
      first.id,
    );
    expect(second).toMatchObject({ title: 'Brewers', mode: 'update', created_at: first.created_at });
    expect(Date.parse(second.updated_at)).toBeGreaterThan(Date.parse(first.updated_at));
    expect(await listed(at)).toEqual(['Brewers']);
  });

  it('keeps the later time of the same source, and restarts with another source', async () => {
    const at = await newCaller();
    const late = '2026-03-01T00:00:00.000Z';
    const { id } = await put(at, { as_of: late });
    expect(await put(at, { title: 'Brewers' }, id)).toMatchObject({ title: 'Brewers', as_of: late });
    const other = { kind: 'search' as const, query: { text: 'industry:brewers' } };
    expect(await put(at, { source: other }, id)).toMatchObject({ source: other, as_of: good.as_of });
  });

  it('limits a time in the future', async () => {
    const table = await put(await newCaller(), { as_of: '9999-01-01T00:00:00.000Z' });
    expect(Date.parse(table.as_of)).toBeLessThanOrEqual(clock.now);
  });

  it('is deleted with its schedule, pushes, changes and rows', async () => {
    const team = newTeam();
    const at = callsWith(await tokenOf(team), pushing());
    const { id } = await put(at, { push: true });
    const other = await put(at, { title: 'Other', push: true });
    const runs = [await run(team, id), await run(team, other.id)] as const;
    for (const [own, table] of [
      [runs[0], id],
      [runs[1], other.id],
    ] as const) {
      await storeRows(own, 3);
      await recordChange(
        env,
        { teamId: team, kind: 'table', subject: table, run: own, hasRows: true },
        clock.now,
      );
      await env.DB.prepare(
        `INSERT INTO schedules (team_id, table_id, token_id, every, max_credits, state, created_at, updated_at)
           VALUES (?, ?, 'token', 'day', 1, 'on', 0, 0)`,
      )
        .bind(team, table)
        .run();
    }
    await at.ok('DELETE', `/tables/${id}`);
    expect(await at.problem('DELETE', `/tables/${id}`)).toMatchObject({ status: 404 });
    expect(await listed(at)).toEqual(['Other']);
    for (const name of ['schedules', 'pushes', 'changes', 'table_runs'])
      expect(await countOf(name, team)).toBe(1);
    expect(await readPageText(runs[0])).toBe('');
    expect(await readPageText(runs[1])).toContain('Company 3');
    const left = await env.DB.prepare('SELECT count(*) AS n FROM request_rows WHERE request_id = ?').bind(
      runs[0],
    );
    expect(await left.first('n')).toBe(0);
  });
});

describe('access', () => {
  it('is limited to the team; other teams may use the same id', async () => {
    const [one, other] = [await newCaller(), await newCaller()];
    const { id } = await put(one);
    for (const [method, path] of [
      ['GET', `/tables/${id}`],
      ['DELETE', `/tables/${id}`],
      ['GET', `/tables/${id}/runs/${newId()}/rows`],
    ] as const) {
      expect(await other.problem(method, path)).toMatchObject({ status: 404, code: 'not_found' });
    }
    await put(other, { title: 'Theirs' }, id);
    expect(await one.ok('GET', `/tables/${id}`)).toMatchObject({ title: 'Bakers' });
    await other.ok('DELETE', `/tables/${id}`);
    expect(await listed(one)).toEqual(['Bakers']);
  });

  it('requires the family', async () => {
    const team = newTeam();
    const { id } = await put(callsWith(await tokenOf(team)));
    const jobs = callsWith(await tokenOf(team, { families: ['job_base'] }));
    expect(await listed(jobs)).toEqual([]);
    for (const [method, path, body] of [
      ['PUT', `/tables/${newId()}`, good],
      // Replaces a table of a forbidden family.
      ['PUT', `/tables/${id}`, { ...good, family: 'job_base' }],
      ['GET', `/tables/${id}`],
      ['DELETE', `/tables/${id}`],
      ['GET', `/tables/${id}/runs/${newId()}/rows`],
    ] as const) {
      expect(await jobs.problem(method, path, body)).toMatchObject({ status: 403, code: 'forbidden_scope' });
    }
  });

  it('a deleted team has no tables', async () => {
    const team = newTeam();
    await put(callsWith(await tokenOf(team)));
    const headers = { authorization: `Bearer ${env.ADMIN_TOKEN}` };
    const { request: admin } = createGateway(buildCompanyResponse);
    expect((await admin(`/admin/v1/teams/${team}`, { method: 'DELETE', headers })).status).toBe(204);
    expect(await countOf('tables', team)).toBe(0);
  });
});

describe('a table of a data request', () => {
  it('requires a data request of the same team and family', async () => {
    const team = newTeam();
    const at = callsWith(await tokenOf(team));
    const own = await request(team);
    await put(at, { source: { kind: 'request', request: own } });
    for (const [id, what] of [
      [await request('team'), 'not a bulk order of the team'],
      [newId(), 'not a bulk order of the team'],
      [await request(team, { phase: 'reserving' }), 'not a bulk order of the team'],
      [await request(team, { family: 'company_base' }), 'company_base'],
    ] as const) {
      const refused = await at.problem('PUT', `/tables/${newId()}`, {
        ...good,
        source: { kind: 'request', request: id },
      });
      expect(refused).toMatchObject({ status: 422, code: 'invalid_request' });
      expect(refused.detail).toContain(what);
    }
  });

  it('receives rows that are newer than the table', async () => {
    const team = newTeam();
    const at = callsWith(await tokenOf(team), pushing());
    const source = { kind: 'request', request: await request(team) } as const;
    expect((await put(at, { source, push: true })).pushed).toMatchObject({ state: 'waiting', rows: 0 });
    const before = await request(team, { endedAt: Date.parse(good.as_of) });
    expect((await put(at, { source: { kind: 'request', request: before }, push: true })).pushed).toBeNull();
    const cleared = await request(team, { clearedAt: clock.now });
    expect((await put(at, { source: { kind: 'request', request: cleared }, push: true })).pushed).toBeNull();
    const off = await request(team);
    expect((await put(at, { source: { kind: 'request', request: off } })).pushed).toBeNull();
  });
});

describe('a pushed table', () => {
  it('requires a service account', async () => {
    for (const at of [await newCaller(), callsWith(await tokenOf(newTeam()), pushing('{}'))]) {
      expect(await at.problem('PUT', `/tables/${newId()}`, { ...good, push: true })).toMatchObject({
        status: 503,
        code: 'push_not_configured',
        fix: expect.stringContaining('GOOGLE_SERVICE_ACCOUNT'),
      });
      expect(await listed(at)).toEqual([]);
      expect((await at.ok<MeResponse>('GET', '/me')).push_account).toBeNull();
    }
  });

  it('has the account to share with, and the result of the last push', async () => {
    const team = newTeam();
    const at = callsWith(await tokenOf(team), pushing());
    const { id } = await put(at, { push: true });
    expect((await at.ok<MeResponse>('GET', '/me')).push_account).toBe(EMAIL);
    expect((await at.ok<TableList>('GET', '/tables')).push_account).toBe(EMAIL);
    const insert = env.DB.prepare(
      `INSERT INTO pushes (id, team_id, table_id, rows_id, state, landed, problem, created_at, updated_at)
         VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)`,
    );
    await env.DB.batch([
      insert.bind(newId(), team, id, 'a', 'failed', 0, '{"problem":"sheet_missing"}', 1_000, 5_000),
      insert.bind(newId(), team, id, 'b', 'done', 12, null, 2_000, 3_000),
    ]);
    const done = { state: 'done', at: new Date(3_000).toISOString(), rows: 12 };
    expect((await at.ok<TableView>('GET', `/tables/${id}`)).pushed).toEqual(done);
    const problem = JSON.stringify({ problem: 'sheet_not_shared', detail: 'Not shared.', fix: 'Share it.' });
    await insert.bind(newId(), team, id, 'c', 'waiting', 0, problem, 3_000, 3_000).run();
    expect((await at.ok<TableList>('GET', '/tables')).tables[0]?.pushed).toEqual({
      state: 'waiting',
      at: new Date(3_000).toISOString(),
      rows: 0,
      problem: { code: 'sheet_not_shared', detail: 'Not shared.', fix: 'Share it.' },
    });
  });
});

describe('rows of a run', () => {
  it('are returned in pages, in the table’s preview columns', async () => {
    const team = newTeam();
    const at = callsWith(await tokenOf(team));
    const { id } = await put(at);
    const own = await run(team, id);
    await storeRows(own, 5);
    const rows: unknown[][] = [];
    let after = '';
    do {
      const page: DataRequestRows = await at.ok('GET', `/tables/${id}/runs/${own}/rows?limit=2${after}`);
      expect(page.columns.map(({ name }) => name)).toEqual(['id', 'name']);
      rows.push(...page.rows);
      after = page.after === null ? '' : `&after=${page.after}`;
    } while (after !== '');
    expect(rows).toEqual([1, 2, 3, 4, 5].map((nth) => [nth, `Company ${nth}`]));
  });

  it('come from the data request of the run', async () => {
    const team = newTeam();
    const at = callsWith(await tokenOf(team));
    const { id } = await put(at);
    const source = await request(team);
    await storeRows(source, 2);
    const own = await run(team, id, { request: source });
    expect((await at.ok<DataRequestRows>('GET', `/tables/${id}/runs/${own}/rows`)).rows).toHaveLength(2);
  });

  it('are pending during the run and not found after deletion', async () => {
    const team = newTeam();
    const at = callsWith(await tokenOf(team));
    const { id } = await put(at);
    const other = await put(at);
    const running = await run(team, id, { state: 'running' });
    expect(await at.problem('GET', `/tables/${id}/runs/${running}/rows`)).toMatchObject({ code: 'pending' });
    const cleared = await run(team, id);
    await env.DB.prepare('UPDATE table_runs SET cleared_at = 1 WHERE id = ?').bind(cleared).run();
    for (const path of [
      `/tables/${id}/runs/${cleared}/rows`,
      `/tables/${other.id}/runs/${running}/rows`,
      `/tables/${id}/runs/none/rows`,
    ]) {
      expect(await at.problem('GET', path)).toMatchObject({ status: 404, code: 'not_found' });
    }
    expect(await at.problem('GET', `/tables/${id}/runs/${await run(team, id)}/rows?after=x`)).toMatchObject({
      code: 'invalid_request',
    });
  });
});

/** Inserts registered tables with a time of their last content. */
async function insertTables(team: string, count: number, asOf: number): Promise<void> {
  const insert = env.DB.prepare(
    `INSERT INTO tables (id, team_id, token_id, title, family, spreadsheet_id, sheet_id, heading_row, "columns", source,
       mode, push, as_of, created_at, updated_at)
       VALUES (?, ?, 'token', 'Old', 'company_clean', 'x', 0, 1, ?, ?, 'append', 0, ?, 0, 0)`,
  );
  const [columns, source] = [JSON.stringify(good.columns), JSON.stringify(good.source)];
  await env.DB.batch(Array.from({ length: count }, () => insert.bind(newId(), team, columns, source, asOf)));
}

it('limits a team to 200 tables, even if they arrive at once', async () => {
  const team = newTeam();
  const at = callsWith(await tokenOf(team));
  await insertTables(team, maxTables - 3, clock.now);
  const answers = await Promise.all(
    Array.from({ length: 8 }, () => at.call('PUT', `/tables/${newId()}`, good)),
  );
  expect(answers.map(({ status }) => status).sort()).toEqual([200, 200, 200, ...Array(5).fill(409)]);
  const { tables } = await at.ok<TableList>('GET', '/tables');
  expect(tables).toHaveLength(maxTables);
  expect(await at.problem('PUT', `/tables/${newId()}`, good)).toMatchObject({ code: 'too_many' });
  await put(at, { title: 'Changed' }, tables[0]?.id);
  expect((await listed(at))[0]).toBe('Changed');
});

it('replaces the longest unused table that is neither scheduled nor pushed', async () => {
  const team = newTeam();
  const at = callsWith(await tokenOf(team), pushing());
  const daysAgo = (days: number): number => clock.now - days * 86_400_000;
  const isoDaysAgo = (days: number): string => new Date(daysAgo(days)).toISOString();
  const scheduled = await put(at, { title: 'Scheduled', as_of: isoDaysAgo(400), family: 'company_base' });
  await at.ok('PUT', `/schedules/${scheduled.id}`, { every: 'day', max_credits: 1, paused: true });
  await put(at, { title: 'Pushed', as_of: isoDaysAgo(400), push: true });
  await put(at, { title: 'Unused', as_of: isoDaysAgo(40) });
  await put(at, { title: 'Longest unused', as_of: isoDaysAgo(50) });
  await insertTables(team, maxTables - 4, daysAgo(29));
  expect(await at.problem('PUT', `/tables/${newId()}`, good)).toMatchObject({ code: 'too_many' });
  // The tables were not registered again since.
  await env.DB.prepare('UPDATE tables SET updated_at = as_of WHERE team_id = ?').bind(team).run();
  await put(at, { title: 'New', as_of: isoDaysAgo(400) });
  const listTitles = async () => new Set(await listed(at));
  expect(await listTitles()).toEqual(new Set(['Scheduled', 'Pushed', 'Unused', 'Old', 'New']));
  await put(at, { title: 'Newer', as_of: isoDaysAgo(0) });
  expect(await listTitles()).toEqual(new Set(['Scheduled', 'Pushed', 'Old', 'New', 'Newer']));
  expect(await at.problem('PUT', `/tables/${newId()}`, good)).toMatchObject({ code: 'too_many' });
  expect(await listed(at)).toHaveLength(maxTables);
});
