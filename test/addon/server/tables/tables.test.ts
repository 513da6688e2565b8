// Tables that are remembered.
import { describe, expect, it } from 'vitest';
import type { CellValue, SheetData } from '../../../../addon/dev/host/types.ts';
import type { SearchOrder } from '../../../../addon/server/api/index.ts';
import { written as search, searchOrder } from '../orders.ts';
import { openSidebar, type Sidebar, startAsking, startRun } from '../sidebar.ts';
import { square, withSheet } from '../state.ts';

const columns = ['id', 'name', 'website', 'industry'];

const order = (more: Partial<SearchOrder> = {}): SearchOrder => searchOrder({ columns, pages: 1, ...more });

async function written(bar: Sidebar, more: Partial<SearchOrder> = {}): Promise<string> {
  return (await search(bar, order(more))).tableId;
}

/** The columns of rows in another order. */
const pick = (values: readonly (readonly CellValue[])[], at: readonly number[]): CellValue[][] =>
  values.map((row) => at.map((column) => row[column] ?? ''));

const sorted = ([head = [], ...rows]: CellValue[][]): CellValue[][] => [
  head,
  ...rows.toSorted((one, other) => String(one[1]).localeCompare(String(other[1]))),
];

describe('a table', () => {
  it.each<[string, (values: CellValue[][]) => Partial<SheetData>, string]>([
    ['its sheet was renamed', () => ({ name: 'Mine' }), 'A1:D1'],
    ['it was sorted', (values) => ({ values: sorted(values) }), 'A1:D1'],
    [
      'its rows are filtered',
      () => ({ filter: { row: 1, column: 1, rows: 21, columns: 4 }, filteredRows: [3, 4] }),
      'A1:D1',
    ],
    ['its columns were reordered', (values) => ({ values: pick(values, [3, 1, 0, 2]) }), 'A1:D1'],
    [
      'it was moved',
      (values) => ({ values: [['My'], [], ...values.map((row) => ['', '', ...row])] }),
      'C3:F3',
    ],
    [
      'a column of someone’s own was put into it',
      (values) => ({ values: values.map(([id = '', ...row], at) => [id, at === 0 ? 'Mine' : at, ...row]) }),
      'A1:E1',
    ],
  ])('is found again after %s, and refreshed where it is', async (_, change, range) => {
    const bar = await openSidebar();
    const id = await written(bar, { mode: 'update' });
    bar.edit((workbook) => withSheet(workbook, 'Companies', ({ values }) => change(square(values))));
    const [table] = await bar.value('tables', {});
    expect(table).toMatchObject({ id, range, rows: 20, hasIds: true });
    expect(table).not.toHaveProperty('gone');
    const before = bar.workbook();
    expect(await bar.value('planRefresh', { id, only: 'all' })).toMatchObject({ rows: 20, credits: 10 });
    expect(await bar.value('planRefresh', { id, only: 'all' })).not.toHaveProperty('willOverwrite');
    const done = await bar.finish(await startRun(bar, 'refreshTable', { id, only: 'all' }));
    expect(done).toMatchObject({ state: 'done', rows: 0 });
    expect(bar.workbook().sheets).toEqual(before.sheets);
  });

  it('that was deleted is said to be gone, and can be forgotten', async () => {
    const bar = await openSidebar();
    const id = await written(bar);
    bar.edit((workbook) => ({
      ...workbook,
      sheets: workbook.sheets.filter(({ name }) => name !== 'Companies'),
    }));
    expect(await bar.value('tables', {})).toMatchObject([
      { id, range: '', gone: expect.stringMatching(/^Its sheet was deleted\.$/) },
    ]);
    const order = { id, only: 'all' } as const;
    for (const reply of [
      await bar.ask('planRefresh', order),
      await startAsking(bar, 'refreshTable', order),
    ]) {
      expect(reply).toMatchObject({ ok: false, code: 'gone' });
    }
    expect(await bar.value('forgetTable', { id })).toEqual([]);
    expect(Object.keys(bar.properties())).toEqual(['CDAPI_CONNECTION', 'CDAPI_ERRORS']);
  });

  it('whose heading was renamed leaves that column alone, and says so', async () => {
    const bar = await openSidebar();
    const id = await written(bar, { mode: 'update' });
    bar.edit((workbook) =>
      withSheet(workbook, 'Companies', ({ values }) => ({
        values: values.map((row, at) => [...row.slice(0, 3), at === 0 ? 'What they do' : 'mine']),
      })),
    );
    const plan = await bar.value('planRefresh', { id, only: 'all' });
    expect(plan.warnings).toEqual([expect.stringMatching(/“industry” is missing/)]);
    await bar.finish(await startRun(bar, 'refreshTable', { id, only: 'all', confirmed: true }));
    expect(bar.values('Companies').map((row) => row[3])).toEqual(['What they do', ...Array(20).fill('mine')]);
  });

  it('is told from another of the same headings on the same sheet, side by side or below', async () => {
    const bar = await openSidebar();
    const cursor = (row: number, column: number) =>
      bar.edit((workbook) => ({ ...workbook, active: { sheet: 'Sheet1', row, column } }));
    const ids: string[] = [];
    for (const [row, column, title] of [
      [1, 1, 'Left'],
      [1, 6, 'Right'],
      [30, 1, 'Below'],
    ] as const) {
      cursor(row, column);
      ids.push(await written(bar, { where: { kind: 'cursor' }, title }));
    }
    const ranges = async () =>
      Object.fromEntries(
        (await bar.value('tables', {})).map(({ title, range, rows }) => [title, [range, rows]]),
      );
    expect(await ranges()).toEqual({ Left: ['A1:D1', 20], Right: ['F1:I1', 20], Below: ['A30:D30', 20] });
    bar.edit((workbook) =>
      withSheet(workbook, 'Sheet1', ({ values }) => ({ values: [[], ...values.map((row) => ['', ...row])] })),
    );
    expect(await ranges()).toEqual({ Left: ['B2:E2', 20], Right: ['G2:J2', 20], Below: ['B31:E31', 20] });
    const right = square(bar.values('Sheet1')).map((row) => row.slice(6, 10));
    await bar.finish(await startRun(bar, 'refreshTable', { id: ids[0] ?? '', only: 'all', confirmed: true }));
    expect(square(bar.values('Sheet1')).map((row) => row.slice(6, 10))).toEqual(right);
  });

  it('is remembered under the limits of properties, whatever its query', async () => {
    const bar = await openSidebar();
    const text = Array.from({ length: 600 }, (_, at) => `name:"Ünïcode ${at}"`)
      .join(' OR ')
      .slice(0, 10_000);
    const query = {
      es_dsl: { query: { bool: { should: [{ match_all: {} }], must_not: [{ term: { name: text } }] } } },
    };
    const id = await written(bar, { query });
    expect(
      Math.max(...Object.values(bar.properties()).map((value) => Buffer.byteLength(value))),
    ).toBeLessThan(9216);
    expect(await bar.value('tables', {})).toMatchObject([{ id, query }]);
  });

  it('says so where there is no room for it, and where there is nowhere to keep it', async () => {
    const full = Object.fromEntries(Array.from({ length: 57 }, (_, at) => [`other ${at}`, 'x'.repeat(9000)]));
    const bar = await openSidebar();
    const { CDAPI_CONNECTION = '' } = bar.properties();
    const crowded = await openSidebar({ properties: { document: { ...full, CDAPI_CONNECTION } } });
    expect(await startAsking(crowded, 'startSearch', order())).toMatchObject({
      message: expect.stringMatching(/storage is full/),
    });
    const nowhere = await openSidebar({
      properties: { document: null, user: { 'viewer@team.example': { CDAPI_CONNECTION } } },
    });
    expect(await startAsking(nowhere, 'startSearch', order())).toMatchObject({
      message: expect.stringMatching(/Open the spreadsheet itself/),
    });
  });
});
