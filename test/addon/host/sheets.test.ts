// Sheets as a script changes them: rows, columns, names and sizes, and the journal that tells of it.
import { expect, test } from 'vitest';
import type { Workbook } from '../../../addon/host/types.ts';
import { cell, click, hostOf, ran, SHEET, small, WORKBOOK } from './host.ts';

test('a sheet is found by name, by id and by place, and tells its own', async () => {
  const { value } =
    await ran(`return [book.getSheetById(12).getName(), book.getSheetById(99), book.getSheetByName('Other').getIndex(),
    book.getNumSheets(), sheet.isSheetHidden(), sheet.getRange('B2').getGridId()]`);
  expect(value).toEqual(['Other', null, 2, 2, false, 11]);
});

test('a sheet can be inserted at a place, renamed and deleted', async () => {
  const { value, writes, book } = await ran(`const made = book.insertSheet('Results', 0).setName('Found');
    book.insertSheet(1); book.deleteSheet(book.getSheetByName('Other'));
    return [made.getName(), made.getSheetId(), book.getSheets().map((one) => one.getName()).join(), book.getActiveSheet().getName()]`);
  expect(value).toEqual(['Found', 13, 'Found,Sheet4,Sheet1', 'Sheet4']);
  expect(writes).toEqual([
    { kind: 'insertSheet', sheet: 13, name: 'Results', index: 0 },
    { kind: 'select', sheet: 13, row: 1, column: 1, rows: 1, columns: 1 },
    { kind: 'renameSheet', sheet: 13, name: 'Found' },
    { kind: 'insertSheet', sheet: 14, name: 'Sheet4', index: 1 },
    { kind: 'select', sheet: 14, row: 1, column: 1, rows: 1, columns: 1 },
    { kind: 'deleteSheet', sheet: 12 },
  ]);
  expect(book.sheets.map(({ name }) => name)).toEqual(['Found', 'Sheet4', 'Sheet1']);
});

test('what is put in among frozen rows is frozen too, and what is taken out is not', async () => {
  const { value } =
    await ran(`sheet.setFrozenRows(3); const frozen = () => sheet.getFrozenRows(); const seen = [];
    sheet.insertRowsAfter(1, 2); seen.push(frozen()); sheet.insertRowAfter(5); seen.push(frozen());
    sheet.deleteRows(4, 4); seen.push(frozen()); sheet.setFrozenColumns(2); sheet.deleteColumn(1);
    return [...seen, sheet.getFrozenColumns()]`);
  expect(value).toEqual([5, 5, 3, 1]);
});

test('formulas follow a sheet that is renamed, and break where it is deleted', async () => {
  const { value } =
    await ran(`const range = sheet.getRange('A1').setFormula('=Other!B2'); const other = book.getSheetByName('Other');
    other.setName('New one'); const renamed = range.getFormula(); other.deleteRow(1); const moved = range.getFormula();
    book.deleteSheet(other); return [renamed, moved, range.getFormula()]`);
  expect(value).toEqual(["='New one'!B2", "='New one'!B1", '=#REF!']);
});

test('sheets that two executions insert at the same time get different ids', async () => {
  const host = hostOf(
    `function go(name) { return SpreadsheetApp.getActive().insertSheet(name).getSheetId() }`,
  );
  const ids = await Promise.all([host.run('go', ['A']), host.run('go', ['B'])]);
  expect(new Set(ids).size).toBe(2);
  expect(host.workbook.sheets).toHaveLength(4);
});

test.each([
  ['sheet.setName("other")', 'A sheet with the name "other" already exists. Please enter another name.'],
  ['book.insertSheet("SHEET1")', 'A sheet with the name "SHEET1" already exists. Please enter another name.'],
  ['book.insertSheet("x".repeat(101))', 'Invalid argument: x'],
  ['book.insertSheet("New", 3)', 'Invalid argument: 3'],
  ['const gone = book.getSheetByName("Other"); book.deleteSheet(gone); gone.getName()', 'Sheet 12 not found'],
  [
    'book.deleteSheet(book.getSheetByName("Other")); book.deleteSheet(sheet)',
    "You can't remove all the sheets in a document.",
  ],
  [
    'book.deleteSheet("Other")',
    "don't match the method signature for SpreadsheetApp.Spreadsheet.deleteSheet.",
  ],
  ['sheet.insertRowsAfter(1001, 1)', 'Those rows are out of bounds.'],
  ['sheet.insertRowsAfter(1, 0)', 'Those rows are out of bounds.'],
  ['sheet.deleteRows(1000, 2)', 'Those rows are out of bounds.'],
  ['sheet.deleteColumn(27)', 'Those columns are out of bounds.'],
  ['sheet.deleteRows(1, 1000)', 'Sorry, it is not possible to delete all non-frozen rows.'],
  [
    'sheet.setFrozenRows(2); sheet.deleteRows(3, 998)',
    'Sorry, it is not possible to delete all non-frozen rows.',
  ],
  ['sheet.deleteColumns(1, 26)', 'Sorry, it is not possible to delete all non-frozen columns.'],
  ['sheet.setFrozenRows(1000)', "You can't freeze all visible rows on the sheet."],
  ['sheet.setFrozenColumns(26)', "You can't freeze all visible columns on the sheet."],
  [
    'sheet.insertRowsAfter(1000, 400000)',
    'This action would increase the number of cells in the workbook above the limit of 10000000 cells.',
  ],
  [
    'const range = sheet.getRange("A999:A1000"); sheet.deleteRow(5); range.getValues()',
    'outside the dimensions of the sheet',
  ],
  ['sheet.getRange("A1:B2").getCell(3, 1)', 'Cell reference out of range'],
  ['sheet.setColumnWidths(26, 2, 100)', 'Those columns are out of bounds.'],
  ['sheet.getRange("A1").sort(2)', 'Sort column is outside the range: 2'],
  ['sheet.getRange("A1:B3").sort(1)', 'not emulated: SpreadsheetApp.Range.sort of cells with formulas'],
  [
    'sheet.getRange("A1").clear({ validationsOnly: true })',
    'not emulated: SpreadsheetApp.Range.clear with validationsOnly',
  ],
  ['sheet.getRange("A1").setFontWeight("heavy")', 'Invalid argument: heavy'],
  ['sheet.getRange("A1:B1").setNotes([["one"]])', 'The data has 1 but the range has 2.'],
  [
    'sheet.getRange("A1").setRichTextValue("text")',
    "don't match the method signature for SpreadsheetApp.Range.setRichTextValue.",
  ],
  ['sheet.hideRows(1)', 'not emulated: SpreadsheetApp.Sheet.hideRows'],
  ['SpreadsheetApp.openById("x")', 'not emulated: SpreadsheetApp.openById'],
])('%s throws', async (body, words) => {
  await expect(click(`${SHEET} ${body}`)).rejects.toThrow(words);
});

test('thousands of formulas are one write, and a hundred thousand rows can be put in above them', async () => {
  const { value, sheet, writes } = await ran(`sheet.insertRowsAfter(1000, 199000);
    sheet.getRange(1, 1, 5000, 1).setValues(Array.from({ length: 5000 }, (_, row) => ['=ROW()+' + row]));
    sheet.insertRowsBefore(2, 150000); return sheet.getLastRow()`);
  expect(value).toBe(155_000);
  expect(writes.map(({ kind }) => kind)).toEqual(['insertRows', 'values', 'formulas', 'insertRows']);
  expect(sheet?.formulas?.[154_999]?.[0]).toBe('=ROW()+4999');
});

test('10 million cells are within the limit', async () => {
  const { value } = await ran('sheet.insertRowsAfter(1000, 383611); return sheet.getMaxRows()');
  // 384,611 × 26 + 20 × 5
  expect(value).toBe(384_611);
});

test('rows and columns that are put in or taken out take everything along', async () => {
  const { book, sheet, writes } = await ran(
    `sheet.insertRowsBefore(2, 2); sheet.insertColumnAfter(1); sheet.deleteRow(6); sheet.insertRowsAfter(7, 3);`,
    small({
      values: [
        ['a', 1],
        ['b', 2],
        ['c', 3],
        ['d', 4],
      ],
      formulas: [[], [], ['', '', '=SUM(B1:B4)']],
      notes: [[], ['note']],
      links: [[], [[{ start: 0, end: 1, link: 'https://a.example/' }]]],
      styles: { fontWeight: [['bold'], ['normal', 'bold']] },
      merges: [{ row: 1, column: 1, rows: 2, columns: 1 }],
      hiddenRows: [2, 4],
      hiddenColumns: [2],
      filter: { row: 1, column: 1, rows: 4, columns: 2 },
      protections: [{ area: { row: 4, column: 1, rows: 1, columns: 2 }, editors: ['viewer@example.com'] }],
    }),
  );
  expect(book.sheets[0]).toMatchObject({
    values: [['a', '', 1], [], [], ['b', '', 2], ['c', '', 3]],
    formulas: [[], [], [], [], ['', '', '', '=SUM(C1:C5)']],
    notes: [[], [], [], ['note']],
    links: [[], [], [], [[{ start: 0, end: 1, link: 'https://a.example/' }]]],
    styles: { fontWeight: [['bold', 'bold'], ...Array(3).fill(['normal', 'normal', 'bold'])] },
    merges: [{ row: 1, column: 1, rows: 4, columns: 1 }],
    hiddenRows: [4],
    hiddenColumns: [3],
    filter: { row: 1, column: 1, rows: 5, columns: 3 },
    protections: [],
  });
  expect([sheet?.maxRows, sheet?.maxColumns]).toEqual([10, 4]);
  expect(writes.filter(({ kind }) => /Rows|Columns/.test(kind))).toEqual([
    { kind: 'insertRows', sheet: 1, row: 2, count: 2 },
    { kind: 'insertColumns', sheet: 1, column: 2, count: 1 },
    { kind: 'deleteRows', sheet: 1, row: 6, count: 1 },
    { kind: 'insertRows', sheet: 1, row: 8, count: 3 },
  ]);
});

test('new rows look like the row after or before which they are put, new columns likewise', async () => {
  const workbook = small({ formats: [['@'], ['0', '0.0']], styles: { fontWeight: [['bold']] } });
  const { writes } = await ran(
    `sheet.insertRowsAfter(1, 2); sheet.insertRowBefore(4); sheet.insertRowAfter(6); sheet.insertColumnBefore(1)`,
    workbook,
  );
  const row = (number: number) => ({ sheet: 1, row: number, column: 1 });
  expect(writes).toEqual([
    { kind: 'insertRows', sheet: 1, row: 2, count: 2 },
    { kind: 'formats', ...row(2), formats: [['@'], ['@']] },
    { kind: 'styles', ...row(2), style: 'fontWeight', styles: [['bold'], ['bold']] },
    { kind: 'insertRows', sheet: 1, row: 4, count: 1 },
    { kind: 'formats', ...row(4), formats: [['0', '0.0']] },
    { kind: 'insertRows', sheet: 1, row: 7, count: 1 },
    { kind: 'insertColumns', sheet: 1, column: 1, count: 1 },
    { kind: 'formats', ...row(1), formats: [['@'], ['@'], ['@'], ['0'], ['0']] },
    { kind: 'styles', ...row(1), style: 'fontWeight', styles: [['bold'], ['bold'], ['bold']] },
  ]);
});

test('a row is appended below what there is, and the grid grows for it', async () => {
  const full = small({ values: [[1], [2], [3], [4], [5], [6]] });
  const { sheet, writes } = await ran(`sheet.appendRow(['x', '=A1', true, 'wide'])`, full);
  expect(sheet?.values[6]).toEqual(['x', '', true, 'wide']);
  expect(sheet?.formulas?.[6]?.[1]).toBe('=A1');
  expect([sheet?.maxRows, sheet?.maxColumns]).toEqual([7, 4]);
  expect(writes.map(({ kind }) => kind)).toEqual(['insertRows', 'insertColumns', 'values', 'formulas']);
});

test('hidden rows, merges and the filter can be seen', async () => {
  const workbook = small({
    hiddenRows: [2],
    filteredRows: [3],
    hiddenColumns: [1],
    merges: [{ row: 5, column: 1, rows: 2, columns: 2 }],
    filter: { row: 1, column: 1, rows: 4, columns: 3 },
  });
  const { value } = await ran(
    `const merged = (a1) => sheet.getRange(a1).getMergedRanges().map((one) => one.getA1Notation()).join();
    return [sheet.isRowHiddenByUser(2), sheet.isRowHiddenByUser(3), sheet.isRowHiddenByFilter(3), sheet.isColumnHiddenByUser(1),
      merged('B6'), merged('A1:C4'), sheet.getRange('A1:C5').isPartOfMerge(), sheet.getFilter().getRange().getA1Notation(),
      SpreadsheetApp.getActive().getSheets()[0].getFilter() === null]`,
    workbook,
  );
  expect(value).toEqual([true, false, true, true, 'A5:B6', '', true, 'A1:C4', false]);
  expect((await ran('return sheet.getFilter()')).value).toBeNull();
});

test('the selection can be read in all its ranges and set', async () => {
  const workbook: Workbook = {
    ...WORKBOOK,
    active: { sheet: 'Sheet1', row: 3, column: 1 },
    selected: [
      { row: 1, column: 1, rows: 2, columns: 1 },
      { row: 3, column: 1, rows: 1, columns: 1 },
    ],
  };
  const body = `const list = () => book.getSelection().getActiveRangeList().getRanges().map((one) => one.getA1Notation()).join();
    const before = list(); SpreadsheetApp.setActiveSheet(book.getSheetByName('Other'));
    const other = [book.getActiveSheet().getName(), list()]; book.setActiveRange(sheet.getRange('B2:C3'));
    return [before, ...other, list(), book.getSelection().getCurrentCell().getA1Notation(), SpreadsheetApp.getActiveRange().getSheet().getName()]`;
  expect((await ran(body, workbook)).value).toEqual(['A1:A2,A3', 'Other', 'A1', 'B2:C3', 'B2', 'Sheet1']);
});

test('sizes of columns are told to who shows them', async () => {
  const { writes } = await ran(
    'sheet.setColumnWidth(1, 200).setColumnWidths(2, 3, 80).autoResizeColumns(1, 2).autoResizeColumn(4)',
  );
  expect(writes).toEqual([
    { kind: 'columnWidth', sheet: 11, column: 1, count: 1, width: 200 },
    { kind: 'columnWidth', sheet: 11, column: 2, count: 3, width: 80 },
    { kind: 'fitColumns', sheet: 11, column: 1, count: 2 },
    { kind: 'fitColumns', sheet: 11, column: 4, count: 1 },
  ]);
});

test.each([
  'deleteRow(1)',
  'insertRowAfter(1)',
  'appendRow([1])',
  'setName("x")',
  'autoResizeColumn(1)',
  'clear()',
])('a custom function may not call %s', async (call) => {
  await expect(cell(`SpreadsheetApp.getActiveSheet().${call}`)).rejects.toThrow(
    'You do not have permission to call',
  );
});
