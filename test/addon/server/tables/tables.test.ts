// Tracked tables: locating, refreshing, untracking and storing them.
import { describe, expect, it } from 'vitest';
import type { CellValue, SheetData } from '../../../../addon/dev/host/types.ts';
import type { SearchOrder } from '../../../../addon/server/api/index.ts';
import { createSearchOrder, runSearch as search } from '../orders.ts';
import { completeRun, openSidebar, type Sidebar, tryStartRun } from '../sidebar.ts';
import { padRows } from '../state.ts';

const columns = ['id', 'name', 'website', 'industry'];

const order = (more: Partial<SearchOrder> = {}): SearchOrder =>
  createSearchOrder({ columns, pages: 1, ...more });

async function written(sidebar: Sidebar, more: Partial<SearchOrder> = {}): Promise<string> {
  return (await search(sidebar, order(more))).tableId;
}

/** Reorders the columns of rows. */
const pick = (values: readonly (readonly CellValue[])[], at: readonly number[]): CellValue[][] =>
  values.map((row) => at.map((column) => row[column] ?? ''));

const sorted = ([head = [], ...rows]: CellValue[][]): CellValue[][] => [
  head,
  ...rows.toSorted((a, b) => String(a[1]).localeCompare(String(b[1]))),
];

describe('a table', () => {
  it.each<[string, (values: CellValue[][]) => Partial<SheetData>, string]>([
    ['its sheet was renamed', () => ({ name: 'Mine' }), 'A1:D21'],
    ['it was sorted', (values) => ({ values: sorted(values) }), 'A1:D21'],
    [
      'its rows are filtered',
      () => ({ filter: { row: 1, column: 1, rows: 21, columns: 4 }, filteredRows: [3, 4] }),
      'A1:D21',
    ],
    ['its columns were reordered', (values) => ({ values: pick(values, [3, 1, 0, 2]) }), 'A1:D21'],
    [
      'it was moved',
      (values) => ({ values: [['My'], [], ...values.map((row) => ['', '', ...row])] }),
      'C3:F23',
    ],
    [
      'a column of someone’s own was put into it',
      (values) => ({ values: values.map(([id = '', ...row], at) => [id, at === 0 ? 'Mine' : at, ...row]) }),
      'A1:E21',
    ],
  ])('is found and refreshed after %s', async (_, change, range) => {
    const sidebar = await openSidebar();
    const id = await written(sidebar, { mode: 'update' });
    sidebar.editSheet('Companies', ({ values }) => change(padRows(values)));
    const [table] = await sidebar.callOk('tables', {});
    expect(table).toMatchObject({ id, range, rows: 20, hasIds: true });
    expect(table).not.toHaveProperty('gone');
    const before = sidebar.getWorkbook();
    expect(await sidebar.callOk('planRefresh', { id, only: 'all' })).toMatchObject({ rows: 20, credits: 10 });
    expect(await sidebar.callOk('planRefresh', { id, only: 'all' })).not.toHaveProperty('willOverwrite');
    const done = await completeRun(sidebar, 'refreshTable', { id, only: 'all' });
    expect(done).toMatchObject({ state: 'done', rows: 0 });
    expect(sidebar.getWorkbook().sheets).toEqual(before.sheets);
  });

  it('can be renamed, and each names its last run to the person who can undo it', async () => {
    const sidebar = await openSidebar();
    const { runId, tableId: id } = await search(sidebar, order());
    const other = await search(sidebar, order({ title: 'Other' }));
    const list = async () =>
      (await sidebar.callOk('tables', {})).map(({ title, undo, pages }) => [title, undo, pages]);
    expect(await list()).toEqual([
      ['Other', other.runId, 1],
      ['Companies', runId, 1],
    ]);
    expect((await sidebar.callOk('activity', {})).undoable).toEqual([other.runId, runId]);
    expect(await sidebar.callOk('undo', { runId: other.runId })).toMatchObject({ sheet: 'Other' });
    expect((await sidebar.callOk('activity', {})).undone).toEqual([other.runId]);
    expect(await list()).toEqual([['Companies', runId, 1]]);
    await sidebar.callOk('renameTable', { id, title: ' Accounts ' });
    await sidebar.callOk('renameTable', { id, title: ' ' });
    expect(await list()).toEqual([['Accounts', runId, 1]]);
    await completeRun(sidebar, 'refreshTable', { id, only: 'stale' });
    const [[, undo = ''] = []] = await list();
    expect(await sidebar.call('undo', { runId })).toMatchObject({
      ok: false,
      message: 'A later run has changed the same table. Undo that one first.',
    });
    await sidebar.callOk('renameTable', { id, title: 'Customers' });
    expect(await list()).toEqual([['Customers', expect.any(String), 1]]);
    expect(await sidebar.callOk('undo', { runId: String(undo) })).toMatchObject({ before: runId });
    expect(await list()).toEqual([['Customers', runId, 1]]);
    expect(await sidebar.call('renameTable', { id: other.tableId, title: 'Gone' })).toMatchObject({
      code: 'gone',
    });
  });

  it('of the open sheet is listed first', async () => {
    const sidebar = await openSidebar();
    for (const title of ['First', 'Second']) await search(sidebar, order({ title }));
    const titles = async () => (await sidebar.callOk('tables', {})).map(({ title }) => title);
    for (const [sheet, listed] of [
      ['Sheet1', ['Second', 'First']],
      ['First', ['First', 'Second']],
      ['Second', ['Second', 'First']],
    ] as const) {
      sidebar.edit((workbook) => ({ ...workbook, active: { sheet, row: 1, column: 1 } }));
      expect(await titles()).toEqual(listed);
    }
  });

  it('is reported as missing after its sheet was deleted, and can be untracked', async () => {
    const sidebar = await openSidebar();
    const id = await written(sidebar);
    sidebar.edit((workbook) => ({
      ...workbook,
      sheets: workbook.sheets.filter(({ name }) => name !== 'Companies'),
    }));
    expect(await sidebar.callOk('tables', {})).toMatchObject([
      { id, range: '', gone: expect.stringMatching(/^Its sheet was deleted\.$/) },
    ]);
    const order = { id, only: 'all' } as const;
    for (const reply of [
      await sidebar.call('planRefresh', order),
      await tryStartRun(sidebar, 'refreshTable', order),
    ]) {
      expect(reply).toMatchObject({ ok: false, code: 'gone' });
    }
    expect(await sidebar.callOk('forgetTable', { id })).toMatchObject({ tables: [] });
    expect(Object.keys(sidebar.getProperties())).toEqual(['CDAPI_CONNECTION']);
  });

  it('comes back with Undo after it was frozen or is no longer tracked', async () => {
    const sidebar = await openSidebar();
    const id = await written(sidebar);
    const before = sidebar.getValues('Companies');
    for (const [method, tables] of [
      ['freezeTable', [{ id, frozen: true }]],
      ['forgetTable', []],
    ] as const) {
      const ended = await sidebar.callOk(method, { id });
      expect(ended.tables).toMatchObject(tables);
      expect(await sidebar.callOk('undo', { runId: ended.runId })).toEqual({ cells: 0 });
      expect(await sidebar.callOk('tables', {})).toMatchObject([{ id, frozen: false, rows: 20 }]);
    }
    expect(sidebar.getValues('Companies')).toEqual(before);
    // The rows are still known as unchanged.
    expect(await sidebar.callOk('planRefresh', { id, only: 'all' })).not.toHaveProperty('willOverwrite');
  });

  it('keeps a column with a renamed heading and warns', async () => {
    const sidebar = await openSidebar();
    const id = await written(sidebar, { mode: 'update' });
    sidebar.editSheet('Companies', ({ values }) => ({
      values: values.map((row, at) => [...row.slice(0, 3), at === 0 ? 'What they do' : 'mine']),
    }));
    const plan = await sidebar.callOk('planRefresh', { id, only: 'all' });
    expect(plan.warnings).toEqual([expect.stringMatching(/“Industry” is missing/)]);
    await completeRun(sidebar, 'refreshTable', { id, only: 'all', confirmed: true });
    expect(sidebar.getValues('Companies').map((row) => row[3])).toEqual([
      'What they do',
      ...Array(20).fill('mine'),
    ]);
  });

  it('is distinguished from tables with the same headings beside or below it', async () => {
    const sidebar = await openSidebar();
    const cursor = (row: number, column: number) =>
      sidebar.edit((workbook) => ({ ...workbook, active: { sheet: 'Sheet1', row, column } }));
    const ids: string[] = [];
    for (const [row, column, title] of [
      [1, 1, 'Left'],
      [1, 6, 'Right'],
      [30, 1, 'Below'],
    ] as const) {
      cursor(row, column);
      ids.push(await written(sidebar, { where: { kind: 'cursor' }, title }));
    }
    const ranges = async () =>
      Object.fromEntries(
        (await sidebar.callOk('tables', {})).map(({ title, range, rows }) => [title, [range, rows]]),
      );
    expect(await ranges()).toEqual({ Left: ['A1:D21', 20], Right: ['F1:I21', 20], Below: ['A30:D50', 20] });
    sidebar.editSheet('Sheet1', ({ values }) => ({ values: [[], ...values.map((row) => ['', ...row])] }));
    expect(await ranges()).toEqual({ Left: ['B2:E22', 20], Right: ['G2:J22', 20], Below: ['B31:E51', 20] });
    const right = padRows(sidebar.getValues('Sheet1')).map((row) => row.slice(6, 10));
    await completeRun(sidebar, 'refreshTable', { id: ids[0] ?? '', only: 'all', confirmed: true });
    expect(padRows(sidebar.getValues('Sheet1')).map((row) => row.slice(6, 10))).toEqual(right);
  });

  it('is stored within the limits of properties, whatever its query', async () => {
    const sidebar = await openSidebar();
    const text = Array.from({ length: 600 }, (_, at) => `name:"Ünïcode ${at}"`)
      .join(' OR ')
      .slice(0, 10_000);
    const query = {
      es_dsl: { query: { bool: { should: [{ match_all: {} }], must_not: [{ term: { name: text } }] } } },
    };
    const id = await written(sidebar, { query });
    expect(
      Math.max(...Object.values(sidebar.getProperties()).map((value) => Buffer.byteLength(value))),
    ).toBeLessThan(9216);
    expect(await sidebar.callOk('tables', {})).toMatchObject([{ id, query }]);
  });

  it('is refused when the storage is full or missing', async () => {
    const full = Object.fromEntries(Array.from({ length: 57 }, (_, at) => [`other ${at}`, 'x'.repeat(9000)]));
    const sidebar = await openSidebar();
    const { CDAPI_CONNECTION = '' } = sidebar.getProperties();
    const crowded = await openSidebar({
      language: 'ja',
      properties: { document: { ...full, CDAPI_CONNECTION } },
    });
    expect(await tryStartRun(crowded, 'startSearch', order())).toMatchObject({
      message: expect.stringMatching(/storage is full/),
    });
    const nowhere = await openSidebar({
      properties: { document: null, user: { 'viewer@team.example': { CDAPI_CONNECTION } } },
    });
    expect(await tryStartRun(nowhere, 'startSearch', order())).toMatchObject({
      message: expect.stringMatching(/Open the spreadsheet itself/),
    });
  });
});
