// Tables whose sheet was deleted: “A table whose sheet is gone pauses its schedule at the next run and says so.”
import { describe, expect, it } from 'vitest';
import type { Workbook } from '../../../../addon/dev/host/types.ts';
import type { Schedule, ScheduleList } from '../../../../shared/api/schedules.ts';
import type { TableList } from '../../../../shared/api/tables.ts';
import { team } from '../bulk/bulk-orders.ts';
import { written } from '../orders.ts';
import { openConnected, type Sidebar } from '../sidebar.ts';
import { withSheet } from '../state.ts';

const daily = { every: 'day', max_credits: 50, paused: false } as const;

const scheduleOf = async (table: string): Promise<Schedule | undefined> =>
  (await team<ScheduleList>('GET', 'schedules')).schedules.find((each) => each.table === table);

const withoutSheet = (workbook: Workbook): Workbook => ({
  ...workbook,
  sheets: workbook.sheets.filter(({ name }) => name !== 'Companies'),
  active: { sheet: 'Sheet1', row: 1, column: 1, rows: 1, columns: 1 },
});

/** A spreadsheet with a search that refreshes every day, whose sheet was deleted. */
async function deleted(): Promise<{ bar: Sidebar; tableId: string }> {
  const bar = await openConnected();
  const { tableId } = await written(bar, { pages: 1, mode: 'update' });
  await bar.value('setAutoRefresh', { tableId, schedule: daily, push: false });
  expect(await scheduleOf(tableId)).toMatchObject({ state: 'on' });
  bar.edit(withoutSheet);
  return { bar, tableId };
}

const reports = (bar: Sidebar): number => bar.calls().filter((call) => call.endsWith('/missing')).length;

describe('a table whose sheet was deleted', () => {
  it.each([
    ['looks for rows that arrived', (bar: Sidebar) => bar.value('deliveries', {})],
    ['lists its tables', (bar: Sidebar) => bar.value('tables', {})],
  ])('is reported, once, when the sidebar %s: its schedule stops', async (_, look) => {
    const { bar, tableId } = await deleted();
    await look(bar);
    await look(bar);
    expect(reports(bar)).toBe(1);
    expect(await scheduleOf(tableId)).toMatchObject({
      state: 'stopped',
      next_at: null,
      problem: { code: 'sheet_missing' },
    });
  });

  it('moves to a new sheet, where its schedule is started again and its rows are refreshed', async () => {
    const { bar, tableId } = await deleted();
    const [table] = await bar.value('tables', {});
    const moved = await bar.value('moveTable', { id: tableId });
    expect(moved).toMatchObject([{ id: tableId, rows: 0, columns: table?.columns }]);
    expect(moved[0]).not.toHaveProperty('gone');
    expect(bar.values('Companies')).toEqual([table?.columns]);
    const { tables } = await team<TableList>('GET', 'tables');
    const sheetId = bar.workbook().sheets.find(({ name }) => name === 'Companies')?.id;
    expect(tables.find(({ id }) => id === tableId)?.spreadsheet.sheet_id).toBe(sheetId);
    // Nothing is bought before somebody starts it.
    expect(await scheduleOf(tableId)).toMatchObject({ state: 'stopped' });
    await bar.value('setAutoRefresh', { tableId, schedule: daily, push: false });
    expect(await scheduleOf(tableId)).toMatchObject({ state: 'on' });
    // Deleted once more, it is reported once more.
    bar.edit(withoutSheet);
    await bar.value('deliveries', {});
    expect(await scheduleOf(tableId)).toMatchObject({ state: 'stopped' });
  });
});

describe('a table that is still there', () => {
  it('is not reported where its headings were renamed, nor moved', async () => {
    const bar = await openConnected();
    const { tableId } = await written(bar, { pages: 1, mode: 'update' });
    await bar.value('setAutoRefresh', { tableId, schedule: daily, push: false });
    expect(await bar.ask('moveTable', { id: tableId })).toMatchObject({ ok: false, code: 'bad_call' });
    bar.edit((workbook) =>
      withSheet(workbook, 'Companies', ({ values }) => ({
        values: values.map((row, at) => (at === 0 ? ['x'] : row)),
      })),
    );
    expect(await bar.value('tables', {})).toMatchObject([
      { gone: expect.stringMatching(/deleted or renamed/) },
    ]);
    expect(reports(bar)).toBe(0);
    expect(await scheduleOf(tableId)).toMatchObject({ state: 'on' });
  });
});
