// Rows that come by themselves meet what stands in their table: found wherever it is, kept, marked, or asked about.
import { describe, expect, it } from 'vitest';
import { shownOf, withSheet } from '../state.ts';
import { landed, waiting } from './bulk-orders.ts';

describe('rows that came', () => {
  it('say so where their table is gone, and write nothing', async () => {
    const { bar, delivery } = await waiting();
    bar.edit((workbook) => ({
      ...workbook,
      sheets: workbook.sheets.filter(({ name }) => name !== 'People'),
    }));
    const before = bar.workbook();
    expect(await bar.ask('writeDelivery', delivery)).toMatchObject({
      ok: false,
      code: 'gone',
      message: expect.stringMatching(/can’t be found any more.*stop tracking the table/),
    });
    expect(bar.workbook()).toEqual(before);
    expect(await bar.value('forgetTable', { id: delivery.tableId })).toEqual([]);
    expect(await bar.value('deliveries', {})).toEqual({ deliveries: [] });
  });

  it('are not written into a sheet that refuses them, which stays as it was', async () => {
    const { bar, delivery } = await waiting();
    bar.edit((workbook) =>
      withSheet(workbook, 'People', () => ({ merges: [{ row: 3, column: 1, rows: 2, columns: 2 }] })),
    );
    const before = shownOf(bar.sheet('People'));
    const paused = await landed(bar, delivery);
    expect(paused).toMatchObject({
      state: 'paused',
      rows: 0,
      failure: { code: 'sheet_refused', message: expect.stringMatching(/merged cells/) },
    });
    expect(shownOf(bar.sheet('People'))).toEqual(before);
    expect(await bar.value('deliveries', {})).toEqual({ deliveries: [] });
    bar.edit((workbook) => withSheet(workbook, 'People', () => ({ merges: [] })));
    const [left] = await bar.value('unfinished', {});
    const done = await bar.finish(await bar.value('step', { runId: left?.runId ?? '' }));
    expect(done).toMatchObject({ state: 'done', rows: 20 });
  });
});
