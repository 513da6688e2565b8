// Rows that come by themselves meet what stands in their table: found wherever it is, kept, marked, or asked about.
import { describe, expect, it, vi } from 'vitest';
import type { CellValue } from '../../../addon/host/types.ts';
import { arrived, bulkOrder, byId, full, landed, startBulk, waiting } from './bulk-orders.ts';
import { idsOf } from './orders.ts';
import { shownOf, square, withSheet } from './state.ts';

/** A request takes its time, and longer where others are at work. */
vi.setConfig({ testTimeout: 180_000 });

describe('rows that came', () => {
  it.each<[string, (values: CellValue[][]) => { name?: string; values: CellValue[][] }]>([
    ['renamed', (values) => ({ name: 'Mine', values })],
    ['moved', (values) => ({ values: [['My'], [], ...values.map((row) => ['', '', ...row])] })],
    ['reordered', (values) => ({ values: values.map((row) => row.toReversed()) })],
  ])('find their table where it was %s', async (_, change) => {
    const { bar, arrival } = await waiting();
    bar.edit((workbook) => withSheet(workbook, 'People', ({ values }) => change(square(values))));
    const done = await landed(bar, arrival);
    expect(done).toMatchObject({ state: 'done', rows: 20 });
    const [table] = await bar.value('tables', {});
    const values = square(bar.values(table?.sheet ?? ''));
    const heads = values.findIndex((row) => row.includes('id'));
    const column = values[heads]?.indexOf('id') ?? -1;
    expect(new Set(values.slice(heads + 1).map((row) => row[column])).size).toBe(20);
    expect(values).toHaveLength(heads + 21);
  });

  it('say so where their table is gone, and write nothing', async () => {
    const { bar, arrival } = await waiting();
    bar.edit((workbook) => ({
      ...workbook,
      sheets: workbook.sheets.filter(({ name }) => name !== 'People'),
    }));
    const before = bar.workbook();
    expect(await bar.ask('writeArrival', arrival)).toMatchObject({
      ok: false,
      code: 'gone',
      message: expect.stringMatching(/can’t be found any more.*stop tracking the table/),
    });
    expect(bar.workbook()).toEqual(before);
    expect(await bar.value('forgetTable', { id: arrival.tableId })).toEqual([]);
    expect(await bar.value('arrivals', {})).toEqual({ arrivals: [] });
  });

  it('are not written into a sheet that refuses them, which stays as it was', async () => {
    const { bar, arrival } = await waiting();
    bar.edit((workbook) =>
      withSheet(workbook, 'People', () => ({ merges: [{ row: 3, column: 1, rows: 2, columns: 2 }] })),
    );
    const before = shownOf(bar.sheet('People'));
    const paused = await landed(bar, arrival);
    expect(paused).toMatchObject({
      state: 'paused',
      rows: 0,
      trouble: { code: 'sheet_refused', message: expect.stringMatching(/merged cells/) },
    });
    expect(shownOf(bar.sheet('People'))).toEqual(before);
    expect(await bar.value('arrivals', {})).toEqual({ arrivals: [] });
    bar.edit((workbook) => withSheet(workbook, 'People', () => ({ merges: [] })));
    const [left] = await bar.value('unfinished', {});
    const done = await bar.finish(await bar.value('step', { runId: left?.runId ?? '' }));
    expect(done).toMatchObject({ state: 'done', rows: 20 });
  });

  it('leave what the Worker has written already, in whatever order, and add what is missing', async () => {
    const { bar, arrival } = await waiting();
    await landed(bar, arrival);
    const rows = byId(bar.values('People'));
    const { bar: other } = await waiting();
    // As the Worker writes: in its own order.
    const pushed = rows.filter((_, at) => at % 2 === 0).toReversed();
    other.edit((workbook) =>
      withSheet(workbook, 'People', ({ values }) => ({ values: [...values, ...pushed] })),
    );
    const done = await landed(other, arrival);
    expect(done).toMatchObject({ state: 'done', rows: 10 });
    const now = full(other.values('People'));
    expect(now.slice(1, 11)).toEqual(pushed);
    expect(byId(now)).toEqual(rows);
    // Every row counts as written, so a later run need not ask for any.
    const plan = await other.value('planBulk', {
      ...bulkOrder({ where: { kind: 'table', tableId: arrival.tableId } }),
    });
    expect(plan).not.toHaveProperty('willOverwrite');
  });

  it('update rows of the same id with changed cells marked, and change nothing the second time', async () => {
    const { bar, arrival } = await waiting();
    const { tableId } = await landed(bar, arrival);
    const [head = [], one = [], ...others] = square(bar.values('People'));
    bar.edit((workbook) =>
      withSheet(workbook, 'People', () => ({
        values: [head, ...others.slice(0, 10), [one[0] ?? '', 'Old Name', ...one.slice(2)]],
      })),
    );
    const order = {
      id: arrival.rowsId,
      where: { kind: 'table' as const, tableId },
      mode: 'update' as const,
      title: 'People',
    };
    expect(await bar.ask('writeBulk', order)).toMatchObject({ ok: false, code: 'confirm_first' });
    const done = await bar.finish(await bar.value('writeBulk', { ...order, confirmed: true }));
    expect(done).toMatchObject({ state: 'done', rows: 10 });
    const now = square(bar.values('People'));
    expect(now[11]).toEqual(one);
    expect(bar.sheet('People').notes?.[11]?.[1]).toMatch(/^Was “Old Name” until /);
    expect(new Set(idsOf(now)).size).toBe(20);
    bar.edit((workbook) => withSheet(workbook, 'People', () => ({ notes: [], styles: {} })));
    const before = shownOf(bar.sheet('People'));
    const again = await bar.finish(await bar.value('writeBulk', order));
    expect(again).toMatchObject({ state: 'done', rows: 0 });
    expect(shownOf(bar.sheet('People'))).toEqual(before);
  });

  it('replace a table only where nothing was changed by hand since they were asked for', async () => {
    const { bar, arrival: first } = await waiting();
    const { tableId } = await landed(bar, first);
    const where = { kind: 'table', tableId } as const;
    const fewer = { by: 'search', query: { text: '*' }, limit: 5 } as const;
    await startBulk(bar, bulkOrder({ where, source: fewer }));
    const arrival = await arrived(bar);
    bar.edit((workbook) =>
      withSheet(workbook, 'People', ({ values }) => ({
        values: values.map((row, at) => (at === 2 ? [row[0] ?? '', 'typed', ...row.slice(2)] : row)),
      })),
    );
    const before = bar.workbook();
    expect(await bar.ask('writeArrival', arrival)).toMatchObject({ ok: false, code: 'confirm_first' });
    expect(bar.workbook()).toEqual(before);
    const order = { id: arrival.rowsId, where, mode: 'replace', title: 'People' } as const;
    expect(await bar.ask('writeBulk', order)).toMatchObject({ ok: false, code: 'confirm_first' });
    const done = await bar.finish(await bar.value('writeBulk', { ...order, confirmed: true }));
    expect(done).toMatchObject({ state: 'done', rows: 5 });
    expect(full(bar.values('People'))).toHaveLength(6);
    expect(await bar.value('arrivals', {})).toEqual({ arrivals: [] });
    await bar.value('undo', { runId: done.runId });
    expect(square(bar.values('People'))).toEqual(square(before.sheets[1]?.values ?? []));
  });

  it('go to the cursor or a new sheet again, with other columns, for free', async () => {
    const { bar, arrival } = await waiting();
    const { tableId } = await landed(bar, arrival);
    bar.edit((workbook) => withSheet(workbook, 'Sheet1', () => ({ values: [['mine']] })));
    bar.edit((workbook) => ({ ...workbook, active: { sheet: 'Sheet1', row: 1, column: 1 } }));
    const id = arrival.rowsId;
    const order = { id, mode: 'replace' as const, title: 'Again', columns: ['full_name'] };
    expect(await bar.ask('writeBulk', { ...order, where: { kind: 'cursor' } })).toMatchObject({
      code: 'confirm_first',
    });
    const done = await bar.finish(await bar.value('writeBulk', { ...order, where: { kind: 'newSheet' } }));
    expect(done).toMatchObject({ state: 'done', rows: 20, credits: 0, sheet: 'Again' });
    expect(bar.values('Again')[0]).toEqual(['id', 'full_name']);
    const names = byId(bar.values('People')).map(([own, name]) => [own, name]);
    expect(byId(bar.values('Again'))).toEqual(names);
    expect(done.tableId).not.toBe(tableId);
    const many = Array.from({ length: 90 }, (_, at) => `some_long_name_of_a_field_${at}`);
    expect(
      await bar.ask('writeBulk', { ...order, where: { kind: 'newSheet' }, columns: many }),
    ).toMatchObject({ code: 'bad_call', message: expect.stringMatching(/Choose fewer/) });
  });
});
