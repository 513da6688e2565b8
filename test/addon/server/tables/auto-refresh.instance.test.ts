// Schedules and alerts from the sidebar, against the running instance.
import { describe, expect, inject, it } from 'vitest';
import type { HostRequest, HostResponse } from '../../../../addon/dev/host/types.ts';
import type { IssuedToken } from '../../../../shared/api/admin.ts';
import type { Schedule } from '../../../../shared/api/schedules.ts';
import type { SheetsResponse } from '../../../../shared/api/sheets-endpoints.ts';
import type { TableList } from '../../../../shared/api/tables.ts';
import { connectionProperty } from '../../../../shared/connection.ts';
import { callAdmin } from '../../functions/teams.ts';
import { createResponse, realFetch } from '../../spreadsheet.ts';
import { callAsTeam, writeDelivery } from '../bulk/bulk-orders.ts';
import { runSearch } from '../orders.ts';
import { openInstanceSidebar, type Sidebar } from '../sidebar.ts';
import { padRows } from '../state.ts';

const daily = { every: 'day', max_credits: 50, paused: false } as const;

const scheduleOf = async (table: string): Promise<Schedule | undefined> =>
  (await callAsTeam<SheetsResponse<'listSchedules'>>('GET', 'schedules')).schedules.find(
    (each) => each.table === table,
  );

const registered = async (id: string) =>
  (await callAsTeam<TableList>('GET', 'tables')).tables.find((table) => table.id === id);

/** Document properties of a connected spreadsheet. */
function connection(token = inject('session').team_token): Record<string, string> {
  return { [connectionProperty]: JSON.stringify({ url: inject('session').url, token }) };
}

/** Creates a team with three tokens: of a leaver, of a colleague, and one for searches only. */
async function issueTokens() {
  const { id: team } = await callAdmin<{ id: string }>('POST', 'teams', { name: 'Takeover' });
  const issue = async (more: object = {}) => {
    const { id, token } = await callAdmin<IssuedToken>('POST', `teams/${team}/tokens`, more);
    return { token, revoke: () => callAdmin('DELETE', `teams/${team}/tokens/${id}`) };
  };
  return {
    leaver: await issue(),
    colleague: await issue(),
    searcher: await issue({ operations: ['search'] }),
  };
}

/** Creates a search table with a daily schedule. */
async function kept(
  more: Parameters<typeof openInstanceSidebar>[0] = {},
): Promise<{ sidebar: Sidebar; tableId: string }> {
  const sidebar = await openInstanceSidebar(more);
  const { tableId } = await runSearch(sidebar, { pages: 1, mode: 'update' });
  await sidebar.callOk('setAutoRefresh', { tableId, schedule: daily, push: false });
  return { sidebar, tableId };
}

describe('a table with a schedule', () => {
  it('is registered with its current place and columns', async () => {
    const { sidebar, tableId } = await kept();
    expect(await sidebar.callOk('autoRefresh', { tableId })).toMatchObject({
      schedule: { every: 'day', max_credits: 50, state: 'on' },
      push: false,
      lastPush: null,
    });
    expect(await registered(tableId)).toMatchObject({
      title: 'Companies',
      family: 'company_base',
      mode: 'update',
      push: false,
      source: { kind: 'search', query: { text: '*' } },
      spreadsheet: { id: 'workbook' },
      columns: expect.arrayContaining([{ id: 'c1', path: 'id', heading: 'ID' }]),
    });
    expect(await sidebar.callOk('tables', {})).toMatchObject([
      { id: tableId, autoRefresh: { every: 'day', state: 'on', spent: 0 } },
    ]);
    const paused = { ...daily, every: 'hour' as const, paused: true };
    const now = await sidebar.callOk('setAutoRefresh', { tableId, schedule: paused, push: false });
    expect(now.schedule).toMatchObject({ every: 'hour', state: 'paused' });
    await runSearch(sidebar, {
      where: { kind: 'table', tableId },
      query: { text: 'industry:*ing' },
      pages: 1,
    });
    expect(await registered(tableId)).toMatchObject({
      source: { kind: 'search', query: { text: 'industry:*ing' } },
    });
    const ended = await sidebar.callOk('setAutoRefresh', { tableId, schedule: null, push: false });
    expect(ended).toMatchObject({ schedule: null, push: false });
    expect(await scheduleOf(tableId)).toBeUndefined();
  });

  it('loses its schedule when it is frozen', async () => {
    const { sidebar, tableId } = await kept();
    expect(await scheduleOf(tableId)).toMatchObject({ state: 'on' });
    const frozen = await sidebar.callOk('freezeTable', { id: tableId });
    expect(frozen.tables).toMatchObject([{ frozen: true }]);
    expect(await scheduleOf(tableId)).toBeUndefined();
    expect(await registered(tableId)).toBeUndefined();
    const autoRefresh = await sidebar.callOk('autoRefresh', { tableId });
    expect(autoRefresh).toMatchObject({ schedule: null, obstacle: expect.stringMatching(/frozen/) });
    expect(await sidebar.call('setAutoRefresh', { tableId, schedule: daily, push: false })).toMatchObject({
      ok: false,
      message: expect.stringMatching(/frozen/),
    });
  });

  it.each(['untrackTable', 'freezeTable'] as const)(
    'is not left spending where %s can’t reach the gateway',
    async (method) => {
      let down = false;
      const { sidebar, tableId: id } = await kept({
        fetch: async (request) => {
          if (down && request.method === 'DELETE') throw new Error('Address unavailable');
          return realFetch(request);
        },
      });
      down = true;
      expect(await sidebar.call(method, { id })).toMatchObject({
        ok: false,
        code: 'gateway_unavailable',
        message: expect.stringMatching(
          /^“Companies” may still refresh automatically.*can't be reached.*try again/,
        ),
      });
      expect(await sidebar.callOk('tables', {})).toMatchObject([{ id, frozen: false }]);
      expect(await scheduleOf(id)).toMatchObject({ state: 'on' });
      await sidebar.callOk('disconnect', { for: 'sheet' });
      expect(await sidebar.call(method, { id })).toMatchObject({ ok: false, code: 'not_connected' });
      const again = await openInstanceSidebar({
        workbook: sidebar.getWorkbook(),
        properties: { document: { ...sidebar.getProperties(), ...connection() } },
      });
      expect(await again.call(method, { id })).toMatchObject({ ok: true });
      expect(await scheduleOf(id)).toBeUndefined();
    },
  );

  it('is taken over with another connection after its token was revoked', async () => {
    const { leaver, colleague, searcher } = await issueTokens();
    const { sidebar, tableId } = await kept({ properties: { document: connection(leaver.token) } });
    const openWith = (token: string) =>
      openInstanceSidebar({
        workbook: sidebar.getWorkbook(),
        properties: { document: { ...sidebar.getProperties(), ...connection(token) } },
      });
    const weak = await openWith(searcher.token);
    expect(await weak.call('untrackTable', { id: tableId })).toMatchObject({
      ok: false,
      code: 'forbidden_scope',
      message: expect.stringMatching(/because your connection may not end that: .* no scope .* preview\./),
    });
    await leaver.revoke();
    const again = await openWith(colleague.token);
    expect(await again.callOk('tables', {})).toMatchObject([
      { id: tableId, autoRefresh: { state: 'stopped' } },
    ]);
    const { schedule } = await again.callOk('autoRefresh', { tableId });
    expect(schedule).toMatchObject({ state: 'stopped', problem: { code: 'unauthorised' } });
    const taken = await again.callOk('setAutoRefresh', { tableId, schedule: daily, push: false });
    expect(taken.schedule).toMatchObject({ state: 'on' });
    expect(taken.schedule).not.toHaveProperty('problem');
  });

  it('shows that its pushes have stopped', async () => {
    const problem = { code: 'unauthorised', detail: 'It has ended.', fix: 'Take it over.' } as const;
    let id = '';
    const scripted = async (request: HostRequest): Promise<HostResponse> =>
      id !== '' && request.url.endsWith('/sheets/v1/tables')
        ? createResponse(200, { tables: [{ id, push_problem: problem }], push_account: null })
        : realFetch(request);
    const { sidebar, tableId } = await kept({ fetch: scripted });
    id = tableId;
    // The instance has no service account, but the table remembers the choice.
    await sidebar.call('setAutoRefresh', { tableId, schedule: daily, push: true });
    expect(await sidebar.callOk('tables', {})).toMatchObject([{ id: tableId, pushStopped: true }]);
  });

  it('receives the rows of its schedule: changed cells marked, new rows appended; without rows, Undo stays', async () => {
    const run = 'a-run';
    const runIds = ['empty', run, 'later'];
    let tableId = '';
    let rows: unknown[][] = [];
    const columns = ['id', 'name', 'website', 'industry', 'canonical_url'].map((name) => ({
      name,
      type: 'text',
    }));
    const scripted = async (request: HostRequest): Promise<HostResponse> => {
      const path = request.url.replace(/^.*\/sheets\/v1\//, '');
      if (path.startsWith('changes')) {
        const changes = runIds.map((id) => ({
          ...{ kind: 'table', id: tableId, run: id, at: new Date().toISOString() },
        }));
        return createResponse(200, {
          changes: path.includes('since') ? [] : changes,
          cursor: 'one',
          more: false,
        });
      }
      const [, id] = /^tables\/[^/]+\/runs\/([^/]+)\/rows/.exec(path) ?? [];
      return id === undefined
        ? realFetch(request)
        : createResponse(200, { columns, rows: id === 'empty' ? [] : rows, after: null });
    };
    const table = await kept({ fetch: scripted });
    const { sidebar } = table;
    tableId = table.tableId;
    const [, first = [], second = []] = padRows(sidebar.getValues('Companies'));
    rows = [
      [String(first[0]), 'Another Name', ...first.slice(2)],
      [String(second[0]), ...second.slice(1)],
      ['999999999', '=NOW()', '', '', ''],
    ];
    const getUndo = async () => (await sidebar.callOk('tables', {}))[0]?.undo;
    const undo = await getUndo();
    expect(undo).toBeTruthy();
    const { deliveries } = await sidebar.callOk('deliveries', {});
    const delivery = { tableId, kind: 'table', title: 'Companies' } as const;
    expect(deliveries).toEqual(runIds.map((rowsId) => ({ ...delivery, rowsId })));
    const write = (rowsId: string) => writeDelivery(sidebar, { ...delivery, rowsId });
    expect(await write('empty')).toMatchObject({ state: 'done', rows: 0, undo: { possible: false } });
    expect(await getUndo()).toBe(undo);
    const written = await write(run);
    expect(written).toMatchObject({ state: 'done', kind: 'refresh', rows: 2, undo: { possible: true } });
    expect(await getUndo()).toBe(written.runId);
    const now = padRows(sidebar.getValues('Companies'));
    expect(now).toHaveLength(22);
    expect(now[1]?.slice(0, 2)).toEqual([first[0], 'Another Name']);
    expect(sidebar.getSheet('Companies').notes?.[1]?.[1]).toContain(`Was “${first[1]}” until `);
    expect(now[21]?.slice(0, 2)).toEqual([999999999, '=NOW()']);
    expect(
      sidebar
        .getSheet('Companies')
        .formulas?.flat()
        .filter((formula) => formula !== '') ?? [],
    ).toEqual([]);
    // A row that a person has deleted stays away, if the schedule says so.
    const settings = { tableId, schedule: daily, push: false, skipDeleted: true } as const;
    expect(await sidebar.callOk('setAutoRefresh', settings)).toMatchObject({ skipDeleted: true });
    sidebar.editSheet('Companies', ({ values }) => ({ values: values.toSpliced(1, 1) }));
    rows = [
      [String(first[0]), 'A Third Name', ...first.slice(2)],
      [String(second[0]), 'Another Name', ...second.slice(2)],
    ];
    expect(await write('later')).toMatchObject({ state: 'done', rows: 1 });
    expect(
      padRows(sidebar.getValues('Companies'))
        .slice(1)
        .map(([id]) => id),
    ).not.toContain(first[0]);
    expect(await sidebar.callOk('deliveries', {})).toEqual({ deliveries: [] });
  });
});

describe('alerts', () => {
  it('are added, listed by host, tested and removed', async () => {
    const sidebar = await openInstanceSidebar();
    const url = 'http://127.0.0.1:9/hook/secret';
    const { alerts } = await sidebar.callOk('addAlert', { url, on: ['failure', 'budget'] });
    const added = alerts.find(({ host }) => host === '127.0.0.1:9');
    expect(added).toMatchObject({ on: ['failure', 'budget'], last: null });
    expect(JSON.stringify(alerts)).not.toContain('secret');
    const tried = await sidebar.callOk('testAlert', { id: added?.id ?? '' });
    // No server listens there.
    expect(tried.alerts.find(({ id }) => id === added?.id)).toMatchObject({ last: { delivered: false } });
    const remaining = await sidebar.callOk('removeAlert', { id: added?.id ?? '' });
    expect(remaining.alerts.some(({ id }) => id === added?.id)).toBe(false);
    expect(await sidebar.callOk('removeAlert', { id: added?.id ?? '' })).toEqual(remaining);
    expect(await sidebar.call('addAlert', { url: 'ftp://x', on: ['failure'] })).toMatchObject({ ok: false });
  });
});
