// Deliveries whose table is missing or refuses writes.
import { describe, expect, it } from 'vitest';
import { describeSheet, editSheet } from '../state.ts';
import { openWithDelivery, writeDelivery } from './bulk-orders.ts';

describe('rows that came', () => {
  it('reports a missing table and writes nothing', async () => {
    const { sidebar, delivery } = await openWithDelivery();
    sidebar.edit((workbook) => ({
      ...workbook,
      sheets: workbook.sheets.filter(({ name }) => name !== 'People'),
    }));
    const before = sidebar.getWorkbook();
    expect(await sidebar.call('writeDelivery', delivery)).toMatchObject({
      ok: false,
      code: 'gone',
      message: expect.stringMatching(/can’t be found any more.*stop tracking the table/),
    });
    expect(sidebar.getWorkbook()).toEqual(before);
    expect(await sidebar.callOk('forgetTable', { id: delivery.tableId })).toEqual([]);
    expect(await sidebar.callOk('deliveries', {})).toEqual({ deliveries: [] });
  });

  it('pauses at merged cells without changing the sheet, and resumes', async () => {
    const { sidebar, delivery } = await openWithDelivery();
    sidebar.edit((workbook) =>
      editSheet(workbook, 'People', () => ({ merges: [{ row: 3, column: 1, rows: 2, columns: 2 }] })),
    );
    const before = describeSheet(sidebar.getSheet('People'));
    const paused = await writeDelivery(sidebar, delivery);
    expect(paused).toMatchObject({
      state: 'paused',
      rows: 0,
      failure: { code: 'sheet_refused', message: expect.stringMatching(/merged cells/) },
    });
    expect(describeSheet(sidebar.getSheet('People'))).toEqual(before);
    expect(await sidebar.callOk('deliveries', {})).toEqual({ deliveries: [] });
    sidebar.edit((workbook) => editSheet(workbook, 'People', () => ({ merges: [] })));
    const [left] = await sidebar.callOk('unfinished', {});
    const done = await sidebar.finishRun(await sidebar.callOk('step', { runId: left?.runId ?? '' }));
    expect(done).toMatchObject({ state: 'done', rows: 20 });
  });
});
