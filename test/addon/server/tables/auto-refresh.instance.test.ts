// Tables that refresh by themselves, and whom the team has told, against the running instance.
import { describe, expect, inject, it } from 'vitest';
import type { HostRequest, HostResponse } from '../../../../addon/dev/host/types.ts';
import type { Schedule, ScheduleList } from '../../../../shared/api/schedules.ts';
import type { TableList } from '../../../../shared/api/tables.ts';
import { connectionProperty } from '../../../../shared/connection.ts';
import { answer, network } from '../../spreadsheet.ts';
import { landed, team } from '../bulk/bulk-orders.ts';
import { written } from '../orders.ts';
import { openConnected, type Sidebar } from '../sidebar.ts';
import { square } from '../state.ts';

const daily = { every: 'day', max_credits: 50, paused: false } as const;

const scheduleOf = async (table: string): Promise<Schedule | undefined> =>
  (await team<ScheduleList>('GET', 'schedules')).schedules.find((each) => each.table === table);

const registered = async (id: string) =>
  (await team<TableList>('GET', 'tables')).tables.find((table) => table.id === id);

/** The property of a spreadsheet that is connected. */
function connection(): Record<string, string> {
  const { url, team_token: token } = inject('session');
  return { [connectionProperty]: JSON.stringify({ url, token }) };
}

/** A spreadsheet with a search that refreshes by itself every day. */
async function kept(
  more: Parameters<typeof openConnected>[0] = {},
): Promise<{ bar: Sidebar; tableId: string }> {
  const bar = await openConnected(more);
  const { tableId } = await written(bar, { pages: 1, mode: 'update' });
  await bar.value('setAutoRefresh', { tableId, schedule: daily, push: false });
  return { bar, tableId };
}

describe('a table that refreshes by itself', () => {
  it('is registered as it stands, and told of', async () => {
    const { bar, tableId } = await kept();
    expect(await bar.value('autoRefresh', { tableId })).toMatchObject({
      schedule: { every: 'day', max_credits: 50, state: 'on' },
      push: false,
      pushed: null,
    });
    expect(await registered(tableId)).toMatchObject({
      title: 'Companies',
      family: 'company_base',
      mode: 'update',
      push: false,
      source: { kind: 'search', query: { text: '*' } },
      spreadsheet: { id: 'workbook', row: 1 },
      columns: expect.arrayContaining([{ path: 'id', heading: 'id' }]),
    });
    expect(await bar.value('tables', {})).toMatchObject([
      { id: tableId, autoRefresh: { every: 'day', state: 'on', spent: 0 } },
    ]);
    const paused = { ...daily, every: 'hour' as const, paused: true };
    const now = await bar.value('setAutoRefresh', { tableId, schedule: paused, push: false });
    expect(now.schedule).toMatchObject({ every: 'hour', state: 'paused' });
    await written(bar, { where: { kind: 'table', tableId }, query: { text: 'industry:*ing' }, pages: 1 });
    expect(await registered(tableId)).toMatchObject({
      source: { kind: 'search', query: { text: 'industry:*ing' } },
    });
    const ended = await bar.value('setAutoRefresh', { tableId, schedule: null, push: false });
    expect(ended).toMatchObject({ schedule: null, push: false });
    expect(await scheduleOf(tableId)).toBeUndefined();
  });

  it('ends its schedule when it is frozen', async () => {
    const { bar, tableId } = await kept();
    expect(await scheduleOf(tableId)).toMatchObject({ state: 'on' });
    expect(await bar.value('freezeTable', { id: tableId })).toMatchObject([{ frozen: true }]);
    expect(await scheduleOf(tableId)).toBeUndefined();
    expect(await registered(tableId)).toBeUndefined();
    const autoRefresh = await bar.value('autoRefresh', { tableId });
    expect(autoRefresh).toMatchObject({ schedule: null, obstacle: expect.stringMatching(/frozen/) });
    expect(await bar.ask('setAutoRefresh', { tableId, schedule: daily, push: false })).toMatchObject({
      ok: false,
      message: expect.stringMatching(/frozen/),
    });
  });

  it.each(['forgetTable', 'freezeTable'] as const)(
    'is not left spending where %s can’t reach the gateway',
    async (method) => {
      let down = false;
      const { bar, tableId: id } = await kept({
        fetch: async (request) => {
          if (down && request.method === 'DELETE') throw new Error('Address unavailable');
          return network(request);
        },
      });
      down = true;
      expect(await bar.ask(method, { id })).toMatchObject({
        ok: false,
        code: 'gateway_unavailable',
        message: expect.stringMatching(
          /^“Companies” may still refresh automatically.*can't be reached.*try again/,
        ),
      });
      expect(await bar.value('tables', {})).toMatchObject([{ id, frozen: false }]);
      expect(await scheduleOf(id)).toMatchObject({ state: 'on' });
      await bar.value('disconnect', { for: 'sheet' });
      expect(await bar.ask(method, { id })).toMatchObject({ ok: false, code: 'not_connected' });
      const again = await openConnected({
        workbook: bar.workbook(),
        properties: { document: { ...bar.properties(), ...connection() } },
      });
      expect(await again.ask(method, { id })).toMatchObject({ ok: true });
      expect(await scheduleOf(id)).toBeUndefined();
    },
  );

  it('gets the rows that its schedule brought: changed cells are marked, new rows come behind', async () => {
    const run = 'a-run';
    let tableId = '';
    let rows: unknown[][] = [];
    const columns = ['id', 'name', 'website', 'industry', 'canonical_url'].map((name) => ({
      name,
      type: 'text',
    }));
    const scripted = async (request: HostRequest): Promise<HostResponse> => {
      const path = request.url.replace(/^.*\/sheets\/v1\//, '');
      if (path.startsWith('changes')) {
        const changes = [{ kind: 'table', id: tableId, run, at: new Date().toISOString() }];
        return answer(200, { changes: path.includes('since') ? [] : changes, cursor: 'one', more: false });
      }
      return path.startsWith(`tables/${tableId}/runs/${run}/rows`)
        ? answer(200, { columns, rows, after: null })
        : network(request);
    };
    const table = await kept({ fetch: scripted });
    const { bar } = table;
    tableId = table.tableId;
    const [, one = [], two = []] = square(bar.values('Companies'));
    rows = [
      [String(one[0]), 'Another Name', ...one.slice(2)],
      [String(two[0]), ...two.slice(1)],
      ['999999999', '=NOW()', '', '', ''],
    ];
    const { deliveries } = await bar.value('deliveries', {});
    expect(deliveries).toEqual([{ tableId, rowsId: run, kind: 'table', title: 'Companies' }]);
    for (const delivery of deliveries) {
      expect(await landed(bar, delivery)).toMatchObject({ state: 'done', kind: 'refresh', rows: 2 });
    }
    const now = square(bar.values('Companies'));
    expect(now).toHaveLength(22);
    expect(now[1]?.slice(0, 2)).toEqual([one[0], 'Another Name']);
    expect(bar.sheet('Companies').notes?.[1]?.[1]).toContain(`Was “${one[1]}” until `);
    expect(now[21]?.slice(0, 2)).toEqual([999999999, '=NOW()']);
    expect(
      bar
        .sheet('Companies')
        .formulas?.flat()
        .filter((formula) => formula !== '') ?? [],
    ).toEqual([]);
    expect(await bar.value('deliveries', {})).toEqual({ deliveries: [] });
  });
});

describe('alerts', () => {
  it('are added, told by their hosts, tried out, and removed', async () => {
    const bar = await openConnected();
    const url = 'http://127.0.0.1:9/hook/secret';
    const { alerts } = await bar.value('addAlert', { url, on: ['failure', 'budget'] });
    const own = alerts.find(({ host }) => host === '127.0.0.1:9');
    expect(own).toMatchObject({ on: ['failure', 'budget'], last: null });
    expect(JSON.stringify(alerts)).not.toContain('secret');
    const tried = await bar.value('testAlert', { id: own?.id ?? '' });
    // Nobody listens there.
    expect(tried.alerts.find(({ id }) => id === own?.id)).toMatchObject({ last: { delivered: false } });
    const left = await bar.value('removeAlert', { id: own?.id ?? '' });
    expect(left.alerts.some(({ id }) => id === own?.id)).toBe(false);
    expect(await bar.value('removeAlert', { id: own?.id ?? '' })).toEqual(left);
    expect(await bar.ask('addAlert', { url: 'ftp://x', on: ['failure'] })).toMatchObject({ ok: false });
  });
});
