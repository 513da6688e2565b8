// Registered tables: access, deletion, pushes, and rows of their runs.
import { env } from 'cloudflare:workers';
import { describe, expect, it } from 'vitest';
import type { MeResponse } from '../../../../shared/api/account.ts';
import type { DataRequestRows } from '../../../../shared/api/data-requests.ts';
import { maxTables, type TableList, type TableView } from '../../../../shared/api/tables.ts';
import { recordChange } from '../../../../worker/tables/changes.ts';
import { longIt } from '../../../pick-cases.ts';
import { readPageText } from '../../data-requests/ingest/files.ts';
import { clock } from '../../platform.ts';
import { storeRows } from '../../tables/harness.ts';
import { EMAIL } from '../../tables/push/fake-google.ts';
import { createClient } from './callers.ts';
import {
  countRows,
  createPushGateway,
  createTeamClient,
  insertDataRequest,
  insertRun,
  listTitles,
  newId,
  newTeam,
  putTable,
  validTable,
} from './fixtures.ts';

describe('a table', () => {
  it('is returned as it was registered', async () => {
    const client = await createTeamClient();
    const id = newId();
    const table = await putTable(client, {}, id);
    expect(table).toEqual({
      ...validTable,
      id,
      last_push: null,
      created_at: expect.any(String),
      updated_at: table.created_at,
    });
    expect(await client.ok('GET', `/tables/${id}`)).toEqual(table);
    expect(await client.ok('GET', '/tables')).toEqual({ tables: [table], push_account: null });
  });

  it('keeps its creation time when it changes', async () => {
    const client = await createTeamClient();
    const first = await putTable(client);
    clock.now += 60_000;
    const second = await putTable(
      client,
      { title: 'Brewers', mode: 'update', as_of: '2026-02-01T00:00:00.000Z' },
      first.id,
    );
    expect(second).toMatchObject({ title: 'Brewers', mode: 'update', created_at: first.created_at });
    expect(Date.parse(second.updated_at)).toBeGreaterThan(Date.parse(first.updated_at));
    expect(await listTitles(client)).toEqual(['Brewers']);
  });

  it('keeps the later time of the same source, and restarts with another source', async () => {
    const client = await createTeamClient();
    const late = '2026-03-01T00:00:00.000Z';
    const { id } = await putTable(client, { as_of: late });
    expect(await putTable(client, { title: 'Brewers' }, id)).toMatchObject({ title: 'Brewers', as_of: late });
    const other = { kind: 'search' as const, query: { text: 'industry:brewers' } };
    expect(await putTable(client, { source: other }, id)).toMatchObject({
      source: other,
      as_of: validTable.as_of,
    });
  });

  it('limits a time in the future', async () => {
    const table = await putTable(await createTeamClient(), { as_of: '9999-01-01T00:00:00.000Z' });
    expect(Date.parse(table.as_of)).toBeLessThanOrEqual(clock.now);
  });

  it('is deleted with its schedule, pushes, changes and rows', async () => {
    const team = newTeam();
    const client = await createClient(team, {}, createPushGateway());
    const { id } = await putTable(client, { push: true });
    const other = await putTable(client, { title: 'Other', push: true });
    const runs = [await insertRun(team, id), await insertRun(team, other.id)] as const;
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
    await client.ok('DELETE', `/tables/${id}`);
    expect(await client.problem('DELETE', `/tables/${id}`)).toMatchObject({ status: 404 });
    expect(await listTitles(client)).toEqual(['Other']);
    for (const name of ['schedules', 'pushes', 'changes', 'table_runs'])
      expect(await countRows(name, team)).toBe(1);
    expect(await readPageText(runs[0])).toBe('');
    expect(await readPageText(runs[1])).toContain('Company 3');
    const left = await env.DB.prepare('SELECT count(*) AS n FROM request_rows WHERE request_id = ?').bind(
      runs[0],
    );
    expect(await left.first('n')).toBe(0);
  });
});

describe('a table of a data request', () => {
  it('requires a data request of the same team and family', async () => {
    const team = newTeam();
    const client = await createClient(team);
    const own = await insertDataRequest(team);
    await putTable(client, { source: { kind: 'request', request: own } });
    for (const [id, reason] of [
      [await insertDataRequest('team'), 'not a bulk order of the team'],
      [newId(), 'not a bulk order of the team'],
      [await insertDataRequest(team, { phase: 'reserving' }), 'not a bulk order of the team'],
      [await insertDataRequest(team, { family: 'company_base' }), 'company_base'],
    ] as const) {
      const refused = await client.problem('PUT', `/tables/${newId()}`, {
        ...validTable,
        source: { kind: 'request', request: id },
      });
      expect(refused).toMatchObject({ status: 422, code: 'invalid_request' });
      expect(refused.detail).toContain(reason);
    }
  });

  it('receives rows that are newer than the table', async () => {
    const team = newTeam();
    const client = await createClient(team, {}, createPushGateway());
    const source = { kind: 'request', request: await insertDataRequest(team) } as const;
    expect((await putTable(client, { source, push: true })).last_push).toMatchObject({
      state: 'waiting',
      rows: 0,
    });
    for (const change of [{ endedAt: Date.parse(validTable.as_of) }, { clearedAt: clock.now }]) {
      const other = { kind: 'request', request: await insertDataRequest(team, change) } as const;
      expect((await putTable(client, { source: other, push: true })).last_push).toBeNull();
    }
    const withoutPush = { kind: 'request', request: await insertDataRequest(team) } as const;
    expect((await putTable(client, { source: withoutPush })).last_push).toBeNull();
  });
});

describe('a pushed table', () => {
  it('requires a service account', async () => {
    for (const client of [
      await createTeamClient(),
      await createClient(newTeam(), {}, createPushGateway('{}')),
    ]) {
      expect(await client.problem('PUT', `/tables/${newId()}`, { ...validTable, push: true })).toMatchObject({
        status: 503,
        code: 'push_not_configured',
        fix: expect.stringContaining('GOOGLE_SERVICE_ACCOUNT'),
      });
      expect(await listTitles(client)).toEqual([]);
      expect((await client.ok<MeResponse>('GET', '/me')).push_account).toBeNull();
    }
  });

  it('has the account to share with, and the result of the last push', async () => {
    const team = newTeam();
    const client = await createClient(team, {}, createPushGateway());
    const { id } = await putTable(client, { push: true });
    expect((await client.ok<MeResponse>('GET', '/me')).push_account).toBe(EMAIL);
    expect((await client.ok<TableList>('GET', '/tables')).push_account).toBe(EMAIL);
    const insert = env.DB.prepare(
      `INSERT INTO pushes (id, team_id, table_id, rows_id, state, rows_written, problem, created_at, updated_at)
         VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)`,
    );
    await env.DB.batch([
      insert.bind(newId(), team, id, 'a', 'failed', 0, '{"problem":"sheet_missing"}', 1_000, 5_000),
      insert.bind(newId(), team, id, 'b', 'done', 12, null, 2_000, 3_000),
    ]);
    const done = { state: 'done', at: new Date(3_000).toISOString(), rows: 12 };
    expect((await client.ok<TableView>('GET', `/tables/${id}`)).last_push).toEqual(done);
    const problem = JSON.stringify({ problem: 'sheet_not_shared', detail: 'Not shared.', fix: 'Share it.' });
    await insert.bind(newId(), team, id, 'c', 'waiting', 0, problem, 3_000, 3_000).run();
    expect((await client.ok<TableList>('GET', '/tables')).tables[0]?.last_push).toEqual({
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
    const client = await createClient(team);
    const { id } = await putTable(client);
    const own = await insertRun(team, id);
    await storeRows(own, 5);
    const rows: unknown[][] = [];
    let after = '';
    do {
      const page: DataRequestRows = await client.ok('GET', `/tables/${id}/runs/${own}/rows?limit=2${after}`);
      expect(page.columns.map(({ name }) => name)).toEqual(['id', 'name']);
      rows.push(...page.rows);
      after = page.after === null ? '' : `&after=${page.after}`;
    } while (after !== '');
    expect(rows).toEqual([1, 2, 3, 4, 5].map((nth) => [nth, `Company ${nth}`]));
  });

  it('come from the data request of the run', async () => {
    const team = newTeam();
    const client = await createClient(team);
    const { id } = await putTable(client);
    const source = await insertDataRequest(team);
    await storeRows(source, 2);
    const own = await insertRun(team, id, { request: source });
    expect((await client.ok<DataRequestRows>('GET', `/tables/${id}/runs/${own}/rows`)).rows).toHaveLength(2);
  });

  it('are pending during the run and not found after deletion', async () => {
    const team = newTeam();
    const client = await createClient(team);
    const { id } = await putTable(client);
    const other = await putTable(client);
    const running = await insertRun(team, id, { state: 'running' });
    expect(await client.problem('GET', `/tables/${id}/runs/${running}/rows`)).toMatchObject({
      code: 'pending',
    });
    const cleared = await insertRun(team, id);
    await env.DB.prepare('UPDATE table_runs SET cleared_at = 1 WHERE id = ?').bind(cleared).run();
    for (const path of [
      `/tables/${id}/runs/${cleared}/rows`,
      `/tables/${other.id}/runs/${running}/rows`,
      `/tables/${id}/runs/none/rows`,
    ]) {
      expect(await client.problem('GET', path)).toMatchObject({ status: 404, code: 'not_found' });
    }
    expect(
      await client.problem('GET', `/tables/${id}/runs/${await insertRun(team, id)}/rows?after=x`),
    ).toMatchObject({
      code: 'invalid_request',
    });
  });
});

/** Inserts registered tables with a time of their last content. */
async function insertTables(team: string, count: number, asOf: number): Promise<void> {
  const insert = env.DB.prepare(
    `INSERT INTO tables (id, team_id, token_id, title, family, spreadsheet_id, sheet_id, "columns", source,
       mode, push, awaits_headings, as_of, created_at, updated_at)
       VALUES (?, ?, 'token', 'Old', 'company_clean', 'x', 0, ?, ?, 'append', 0, 0, ?, 0, 0)`,
  );
  const [columns, source] = [JSON.stringify(validTable.columns), JSON.stringify(validTable.source)];
  await env.DB.batch(Array.from({ length: count }, () => insert.bind(newId(), team, columns, source, asOf)));
}

it('limits a team to 200 tables, even if they arrive at once', async () => {
  const team = newTeam();
  const client = await createClient(team);
  await insertTables(team, maxTables - 3, clock.now);
  const answers = await Promise.all(
    Array.from({ length: 8 }, () => client.call('PUT', `/tables/${newId()}`, validTable)),
  );
  expect(answers.map(({ status }) => status).sort()).toEqual([200, 200, 200, ...Array(5).fill(409)]);
  const { tables } = await client.ok<TableList>('GET', '/tables');
  expect(tables).toHaveLength(maxTables);
  expect(await client.problem('PUT', `/tables/${newId()}`, validTable)).toMatchObject({ code: 'too_many' });
  await putTable(client, { title: 'Changed' }, tables[0]?.id);
  expect((await listTitles(client))[0]).toBe('Changed');
});

longIt('replaces the longest unused table that is neither scheduled nor pushed', async () => {
  const team = newTeam();
  const client = await createClient(team, {}, createPushGateway());
  const daysAgo = (days: number): number => clock.now - days * 86_400_000;
  const isoDaysAgo = (days: number): string => new Date(daysAgo(days)).toISOString();
  const scheduled = await putTable(client, {
    title: 'Scheduled',
    as_of: isoDaysAgo(400),
    family: 'company_base',
  });
  await client.ok('PUT', `/schedules/${scheduled.id}`, { every: 'day', max_credits: 1, paused: true });
  await putTable(client, { title: 'Pushed', as_of: isoDaysAgo(400), push: true });
  await putTable(client, { title: 'Unused', as_of: isoDaysAgo(40) });
  await putTable(client, { title: 'Longest unused', as_of: isoDaysAgo(50) });
  await insertTables(team, maxTables - 4, daysAgo(29));
  expect(await client.problem('PUT', `/tables/${newId()}`, validTable)).toMatchObject({ code: 'too_many' });
  // The tables were not registered again since.
  await env.DB.prepare('UPDATE tables SET updated_at = as_of WHERE team_id = ?').bind(team).run();
  await putTable(client, { title: 'New', as_of: isoDaysAgo(400) });
  const titles = async () => new Set(await listTitles(client));
  expect(await titles()).toEqual(new Set(['Scheduled', 'Pushed', 'Unused', 'Old', 'New']));
  await putTable(client, { title: 'Newer', as_of: isoDaysAgo(0) });
  expect(await titles()).toEqual(new Set(['Scheduled', 'Pushed', 'Old', 'New', 'Newer']));
  expect(await client.problem('PUT', `/tables/${newId()}`, validTable)).toMatchObject({ code: 'too_many' });
  expect(await listTitles(client)).toHaveLength(maxTables);
});
