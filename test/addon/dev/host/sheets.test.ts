// Changes of sheets: rows, columns, names and sizes, and their journal.
import { expect, test } from 'vitest';
import { createSmallWorkbook, runAndRecord, runAsMenu, SHEET } from './host.ts';

test.each([
  ['sheet.setName("other")', 'A sheet with the name "other" already exists. Please enter another name.'],
  ['book.insertSheet("SHEET1")', 'A sheet with the name "SHEET1" already exists. Please enter another name.'],
  ['book.deleteSheet(book.getSheets()[1]); book.deleteSheet(sheet)', "You can't remove all the sheets"],
  ['book.deleteSheet(sheet); sheet.getName()', 'Sheet 11 not found'],
  ['sheet.insertRowsAfter(1001, 1)', 'Those rows are out of bounds.'],
  ['sheet.deleteRows(1000, 2)', 'Those rows are out of bounds.'],
  ['sheet.deleteRows(1, 1000)', 'Sorry, it is not possible to delete all non-frozen rows.'],
  ['sheet.setFrozenRows(2); sheet.deleteRows(3, 998)', 'not possible to delete all non-frozen rows.'],
  ['sheet.setFrozenRows(1000)', "You can't freeze all visible rows on the sheet."],
  ['sheet.insertRowsAfter(1000, 400000)', 'above the limit of 10000000 cells.'],
  ['const last = sheet.getRange("A1000"); sheet.deleteRows(5, 1); last.getValue()', 'outside the dimensions'],
  ['sheet.getRange("A1:B1").setNotes([["one"]])', 'The data has 1 but the range has 2.'],
  ['sheet.setColumnWidths(26, 2, 50)', 'outside the dimensions of the sheet.'],
  ['sheet.setColumnWidths(1, 1, -1)', 'Invalid argument: -1'],
  ['sheet.getColumnWidth(27)', 'outside the dimensions of the sheet.'],
  [
    'sheet.getRange("A1:B2").createFilter(); sheet.getRange("A1").createFilter()',
    "You can't create a filter in a sheet that already has a filter.",
  ],
  ['sheet.hideRows(1)', 'not emulated: SpreadsheetApp.Sheet.hideRows'],
])('%s throws', async (body, message) => {
  await expect(runAsMenu(`${SHEET} ${body}`)).rejects.toThrow(message);
});

test('shifts all data of a sheet when rows and columns are inserted or deleted', async () => {
  const { book, sheet, writes } = await runAndRecord(
    `sheet.insertRowsBefore(2, 2); sheet.insertColumnsAfter(1, 1); sheet.deleteRows(6, 1); sheet.insertRowsAfter(7, 3);`,
    createSmallWorkbook({
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

test('reads merges and the filter', async () => {
  const workbook = createSmallWorkbook({
    merges: [{ row: 5, column: 1, rows: 2, columns: 2 }],
    filter: { row: 1, column: 1, rows: 4, columns: 3 },
  });
  const { value } = await runAndRecord(
    `const merged = (a1) => sheet.getRange(a1).getMergedRanges().map((range) => range.getA1Notation()).join();
    return [merged('B6'), merged('A1:C4'), sheet.getFilter().getRange().getA1Notation(),
      SpreadsheetApp.getActiveSpreadsheet().getSheets()[0].getFilter() === null]`,
    workbook,
  );
  expect(value).toEqual(['A5:B6', '', 'A1:C4', false]);
  expect((await runAndRecord('return sheet.getFilter()')).value).toBeNull();
});

test('sets widths of columns and a filter, which shift with the columns', async () => {
  const { value, book } = await runAndRecord(
    `sheet.setColumnWidths(1, 1, 80).setColumnWidths(3, 2, 200);
    const filter = sheet.getRange('B1:C10').createFilter();
    sheet.insertColumnsBefore(3, 1);
    const seen = [filter.getRange().getA1Notation(), [1, 2, 3, 4, 5].map((at) => sheet.getColumnWidth(at)), filter.getColumnFilterCriteria(2)];
    sheet.getFilter().remove();
    return [...seen, sheet.getFilter()]`,
  );
  expect(value).toEqual(['B1:C10', [80, 100, 100, 200, 200], null, null]);
  expect(book.sheets[0]).toMatchObject({ columnWidths: { 1: 80, 4: 200, 5: 200 }, filter: null });
});
