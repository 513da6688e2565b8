// Tables with a deleted sheet: report, stopped schedule and move.
import { describe, expect, it } from 'vitest';
import type { Workbook } from '../../../../addon/dev/host/types.ts';
import type { Schedule } from '../../../../shared/api/schedules.ts';
import type { SheetsResponse } from '../../../../shared/api/sheets-endpoints.ts';
import type { TableList } from '../../../../shared/api/tables.ts';
import { callAsTeam } from '../bulk/bulk-orders.ts';
import { runSearch, searchHeadings } from '../orders.ts';
import { openInstanceSidebar, type Sidebar } from '../sidebar.ts';

const daily = { every: 'day', max_credits: 50, paused: false } as const;

const scheduleOf = async (table: string): Promise<Schedule | undefined> =>
  (await callAsTeam<SheetsResponse<'listSchedules'>>('GET', 'schedules')).schedules.find(
    (each) => each.table === table,
  );

const withoutSheet = (workbook: Workbook): Workbook => ({
  ...workbook,
  sheets: workbook.sheets.filter(({ name }) => name !== 'Companies'),
  active: { sheet: 'Sheet1', row: 1, column: 1, rows: 1, columns: 1 },
});

/** Creates a table with a daily schedule and deletes its sheet. */
async function deleted(): Promise<{ sidebar: Sidebar; tableId: string }> {
  const sidebar = await openInstanceSidebar();
  const { tableId } = await runSearch(sidebar, { pages: 1, mode: 'update' });
  await sidebar.callOk('setAutoRefresh', { tableId, schedule: daily, push: false });
  expect(await scheduleOf(tableId)).toMatchObject({ state: 'on' });
  sidebar.edit(withoutSheet);
  return { sidebar, tableId };
}

const reports = (sidebar: Sidebar): number =>
  sidebar.listCalls().filter((call) => call.endsWith('/missing')).length;

describe('a table whose sheet was deleted', () => {
  it.each([
    ['polls for deliveries', (sidebar: Sidebar) => sidebar.callOk('deliveries', {})],
    ['lists its tables', (sidebar: Sidebar) => sidebar.callOk('tables', {})],
  ])('is reported once when the sidebar %s, which stops its schedule', async (_, look) => {
    const { sidebar, tableId } = await deleted();
    await look(sidebar);
    await look(sidebar);
    expect(reports(sidebar)).toBe(1);
    expect(await scheduleOf(tableId)).toMatchObject({
      state: 'stopped',
      next_at: null,
      problem: { code: 'sheet_missing' },
    });
  });

  it('moves to a new sheet, where its schedule can be resumed', async () => {
    const { sidebar, tableId } = await deleted();
    const [table] = await sidebar.callOk('tables', {});
    const moved = await sidebar.callOk('moveTable', { id: tableId });
    expect(moved).toMatchObject([{ id: tableId, rows: 0, columns: table?.columns }]);
    expect(moved[0]).not.toHaveProperty('gone');
    expect(sidebar.getValues('Companies')).toEqual([searchHeadings]);
    const { tables } = await callAsTeam<TableList>('GET', 'tables');
    const sheetId = sidebar.getWorkbook().sheets.find(({ name }) => name === 'Companies')?.id;
    expect(tables.find(({ id }) => id === tableId)?.spreadsheet.sheet_id).toBe(sheetId);
    // Moving must not start spending.
    expect(await scheduleOf(tableId)).toMatchObject({ state: 'stopped' });
    await sidebar.callOk('setAutoRefresh', { tableId, schedule: daily, push: false });
    expect(await scheduleOf(tableId)).toMatchObject({ state: 'on' });
    // A second deletion is reported again.
    sidebar.edit(withoutSheet);
    await sidebar.callOk('deliveries', {});
    expect(await scheduleOf(tableId)).toMatchObject({ state: 'stopped' });
  });
});

describe('an existing table', () => {
  it('is neither reported nor moved when its headings were renamed or moved away', async () => {
    const sidebar = await openInstanceSidebar();
    const { tableId } = await runSearch(sidebar, { pages: 1, mode: 'update' });
    await sidebar.callOk('setAutoRefresh', { tableId, schedule: daily, push: false });
    expect(await sidebar.call('moveTable', { id: tableId })).toMatchObject({ ok: false, code: 'bad_call' });
    sidebar.editSheet('Companies', ({ values }) => ({
      values: values.map((row, at) => (at === 0 ? ['x'] : row)),
    }));
    expect((await sidebar.callOk('tables', {}))[0]).not.toHaveProperty('gone');
    sidebar.editSheet('Companies', ({ values }) => ({ values: [[], ...values.slice(1)] }));
    expect(await sidebar.callOk('tables', {})).toMatchObject([
      { gone: expect.stringMatching(/moved or deleted/) },
    ]);
    expect(reports(sidebar)).toBe(0);
    expect(await scheduleOf(tableId)).toMatchObject({ state: 'on' });
  });
});
