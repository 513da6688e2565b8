// Tracked tables: locating, refreshing, untracking and storing them.
import { describe, expect, it } from 'vitest';
import type { MetadataEntry } from '../../../../addon/dev/host/types.ts';
import type { SearchOrder } from '../../../../addon/server/api/index.ts';
import { longIt } from '../../../pick-cases.ts';
import { createSearchOrder, runSearch as search } from '../orders.ts';
import { completeRun, openSidebar, type Sidebar, tryStartRun } from '../sidebar.ts';
import { padRows } from '../state.ts';

const columns = ['id', 'name', 'website', 'industry'];

const order = (more: Partial<SearchOrder> = {}): SearchOrder =>
  createSearchOrder({ columns, pages: 1, ...more });

async function written(sidebar: Sidebar, more: Partial<SearchOrder> = {}): Promise<string> {
  return (await search(sidebar, order(more))).tableId;
}

const SHEET = 'Companies';

describe('a table', () => {
  it.each<[string, (sidebar: Sidebar) => void, string]>([
    [
      'its rows are filtered',
      (sidebar) =>
        sidebar.editSheet(SHEET, () => ({
          filter: { row: 1, column: 1, rows: 21, columns: 4 },
        })),
      'A1:D21',
    ],
    [
      'its headings were renamed, and all are the same',
      (sidebar) =>
        sidebar.editSheet(SHEET, ({ values: [, ...rows] }) => ({
          values: [Array(4).fill('Spalte'), ...rows],
        })),
      'A1:D21',
    ],
  ])('is found and refreshed after %s', async (_, change, range) => {
    const sidebar = await openSidebar();
    const id = await written(sidebar, { mode: 'update' });
    change(sidebar);
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

  longIt('can be renamed, and each names its last run to the person who can undo it', async () => {
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
    expect(await sidebar.callOk('undo', { runId: String(undo) })).toMatchObject({ before: { runId } });
    expect(await list()).toEqual([['Customers', runId, 1]]);
    expect(await sidebar.call('renameTable', { id: other.tableId, title: 'Gone' })).toMatchObject({
      code: 'gone',
    });
  });

  longIt('of the open sheet is listed first', async () => {
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
    expect(await sidebar.callOk('untrackTable', { id })).toMatchObject({ tables: [] });
    expect(Object.keys(sidebar.getProperties())).toEqual(['CDAPI_CONNECTION']);
  });

  it('comes back with Undo after it was frozen or is no longer tracked', async () => {
    const sidebar = await openSidebar();
    const id = await written(sidebar);
    const before = sidebar.getValues('Companies');
    for (const [method, tables] of [
      ['freezeTable', [{ id, frozen: true }]],
      ['untrackTable', []],
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

  it('no longer writes a column that was deleted, and says so', async () => {
    const sidebar = await openSidebar();
    const id = await written(sidebar, { mode: 'update' });
    const sheet = sidebar.getSheet(SHEET).id;
    sidebar.apply([
      { kind: 'deleteColumns', sheet, column: 4, count: 1 },
      { kind: 'deleteRows', sheet, row: 3, count: 1 },
    ]);
    const plan = await sidebar.callOk('planRefresh', { id, only: 'all' });
    expect(plan.warnings).toEqual([expect.stringMatching(/“Industry” was deleted/)]);
    // No other cell has changed.
    expect(plan).not.toHaveProperty('willOverwrite');
    await completeRun(sidebar, 'refreshTable', { id, only: 'all' });
    const values = sidebar.getValues(SHEET);
    expect(values).toHaveLength(21);
    expect(values.map((row) => row[3] ?? '')).toEqual(Array(21).fill(''));
  });

  it.each([
    ['its column of ids', { kind: 'deleteColumns', column: 1 }, /column “ID” was deleted/],
    ['its heading row', { kind: 'deleteRows', row: 1 }, /heading row was deleted/],
    ['all of its columns', { kind: 'deleteColumns', column: 1, count: 4 }, /columns were deleted/],
  ] as const)('stops with a reason after %s was deleted, and buys nothing', async (_, change, gone) => {
    const sidebar = await openSidebar();
    const id = await written(sidebar, { mode: 'update' });
    const sheet = sidebar.getSheet(SHEET).id;
    sidebar.apply([{ count: 1, ...change, sheet } as const]);
    const calls = sidebar.listCalls().length;
    expect(await sidebar.callOk('tables', {})).toMatchObject([{ id, gone: expect.stringMatching(gone) }]);
    const reply = await tryStartRun(sidebar, 'refreshTable', { id, only: 'all' });
    expect(reply).toMatchObject({ ok: false, code: 'gone', message: expect.stringMatching(gone) });
    expect(sidebar.listCalls().slice(calls)).toEqual([]);
  });

  it('stays with its sheet: copies of rows, columns and sheets with its marks are not the table', async () => {
    const sidebar = await openSidebar();
    const id = await written(sidebar, { mode: 'update' });
    const { id: sheet, ...copy } = sidebar.getSheet(SHEET);
    const marks = sidebar.getWorkbook().metadata ?? [];
    const copyMark = (mark: MetadataEntry, at: object): MetadataEntry => ({
      ...mark,
      id: mark.id + 1,
      location: { ...mark.location, ...at } as MetadataEntry['location'],
    });
    sidebar.edit((workbook) => ({
      ...workbook,
      sheets: [...workbook.sheets, { ...copy, id: 77, name: 'Copy' }],
      metadata: [...marks, ...marks.map((mark) => copyMark(mark, { sheet: 77 }))],
    }));
    const before = sidebar.getSheet('Copy');
    sidebar.editSheet(SHEET, ({ values: [, ...rows] }) => ({
      values: [['a', 'b', 'c', 'd'], ...rows.slice(5)],
    }));
    expect(await completeRun(sidebar, 'refreshTable', { id, only: 'all' })).toMatchObject({ state: 'done' });
    expect(sidebar.getValues(SHEET)).toHaveLength(21);
    expect(sidebar.getSheet('Copy')).toEqual(before);
    // The copy can become another table, without an automatic refresh.
    expect(await sidebar.callOk('tables', {})).toMatchObject([{ copies: [{ sheetId: 77, sheet: 'Copy' }] }]);
    const tracked = await sidebar.callOk('trackCopy', { id, sheetId: 77 });
    expect(tracked).toMatchObject([
      { id, title: 'Companies', sheet: SHEET },
      { title: 'Companies 2', sheet: 'Copy', rows: 20 },
    ]);
    expect(tracked[0]).not.toHaveProperty('copies');
    const second = tracked[1]?.id ?? '';
    expect(await sidebar.callOk('planRefresh', { id: second, only: 'all' })).not.toHaveProperty(
      'willOverwrite',
    );
    expect(sidebar.getSheet('Copy')).toEqual(before);
    await sidebar.callOk('untrackTable', { id: second });
    const [column] = marks.filter(({ location }) => location.type === 'COLUMN');
    if (column === undefined) throw new Error('no mark');
    sidebar.edit((workbook) => ({
      ...workbook,
      metadata: [...(workbook.metadata ?? []), { ...copyMark(column, { at: 9 }), id: 12_345 }],
    }));
    expect(await sidebar.callOk('tables', {})).toMatchObject([{ gone: expect.stringMatching(/twice/) }]);
    expect(sheet).not.toBe(77);
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
    sidebar.apply([
      { kind: 'insertRows', sheet: 1, row: 1, count: 1 },
      { kind: 'insertColumns', sheet: 1, column: 1, count: 1 },
    ]);
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
