// SpreadsheetApp: read-only in a formula, a journal of writes elsewhere.
import { expect, test } from 'vitest';
import type { Journal, Workbook } from '../../../addon/host/types.ts';
import { cell, cells, click, hostOf, OWNER, WORKBOOK } from './host.ts';

const SHEET = 'const sheet = SpreadsheetApp.getActiveSheet();';

test('a formula can read the spreadsheet', async () => {
  const body = `const book = SpreadsheetApp.getActiveSpreadsheet(); const sheet = book.getSheetByName('Sheet1');
    return [book.getId(), book.getName(), book.getSpreadsheetLocale(), book.getSpreadsheetTimeZone(), book.getOwner().getEmail(),
      book.getSheets().map((one) => one.getName() + one.getSheetId()).join(), sheet.getLastRow(), sheet.getLastColumn(),
      book.getSheetByName('None'), book.getSheetByName('Other').getLastRow(), sheet.getMaxRows(), sheet.getMaxColumns()]`;
  expect((await cells(body)).flat()).toEqual([
    'book',
    'Prospects',
    'en_GB',
    'Europe/Berlin',
    OWNER,
    'Sheet111,Other12',
    3,
    2,
    '',
    0,
    1000,
    26,
  ]);
});

test('a range gives values, what cells show, formulas and its place', async () => {
  const body = `${SHEET} const range = sheet.getRange('A2:B3');
    return [range.getValues(), range.getDisplayValues(), range.getFormulas(), range.getValue(), range.getFormula(),
      range.getA1Notation(), range.getRow(), range.getColumn(), range.getNumRows(), range.getNumColumns(),
      range.getSheet().getName(), range.getCell(2, 2).getA1Notation(), range.offset(1, 1).getA1Notation(), range.isBlank()]`;
  expect(await click(body)).toEqual(
    [
      [
        ['a.example', 12],
        ['', true],
      ],
      [
        ['a.example', '12'],
        ['', 'TRUE'],
      ],
      [
        ['', ''],
        ['', ''],
      ],
      'a.example',
      '',
      'A2:B3',
      2,
      1,
      2,
      2,
      'Sheet1',
      'B3',
      'B3:C4',
      false,
    ].map((value, index) =>
      index === 2
        ? [
            ['', '=LEN(A2)'],
            ['', ''],
          ]
        : value,
    ),
  );
});

test.each([
  ['getRange("B2")', 'B2'],
  ['getRange("$A$1:$C$2")', 'A1:C2'],
  ['getRange("C2:A1")', 'A1:C2'],
  ['getRange("A:B")', 'A1:B1000'],
  ['getRange("2:3")', 'A2:Z3'],
  ['getRange("A2:A")', 'A2:A1000'],
  ['getRange("AA1".slice(1))', 'A1'],
  ['getRange(3, 2)', 'B3'],
  ['getRange(3, 2, 2)', 'B3:B4'],
  ['getRange(3, 2, 2, 3)', 'B3:D4'],
  ['getDataRange()', 'A1:B3'],
])('%s is %s', async (call, a1) => {
  expect(await cell(`${SHEET} return sheet.${call}.getA1Notation()`)).toBe(a1);
});

test('a notation with a sheet’s name is looked up in that sheet', async () => {
  const workbook: Workbook = {
    id: 'b',
    name: 'B',
    sheets: [
      { id: 1, name: 'One', values: [] },
      { id: 2, name: "Bob's", values: [['x']] },
    ],
  };
  expect(
    await cell(`return SpreadsheetApp.getActive().getRange("'Bob''s'!A1").getValue()`, { workbook }),
  ).toBe('x');
});

test.each([
  ['getRange("nonsense!")', 'Range not found'],
  ['getRange("None!A1")', 'Range not found'],
  ['getRange(0, 1)', 'The starting row of the range is too small.'],
  ['getRange(1, 0)', 'The starting column of the range is too small.'],
  ['getRange(1, 1, 0)', 'The number of rows in the range must be at least 1.'],
  ['getRange(1, 1, 1, 0)', 'The number of columns in the range must be at least 1.'],
  ['getRange(1001, 1)', 'The coordinates of the range are outside the dimensions of the sheet.'],
  ['getRange(1, 26, 1, 2)', 'The coordinates of the range are outside the dimensions of the sheet.'],
  [
    'getRange("1", 1)',
    "The parameters (String,number) don't match the method signature for SpreadsheetApp.Sheet.getRange.",
  ],
])('%s throws', async (call, words) => {
  await expect(cell(`${SHEET} sheet.${call}`)).rejects.toThrow(words);
});

test('writes are handed over in one journal at the end, and the workbook has them', async () => {
  const journals: Journal[] = [];
  const host = hostOf(
    `function go() { ${SHEET} sheet.getRange(5, 1, 2, 2).setValues([['a', 1], [true, '']]);
    sheet.getRange('C5').setFormula('SUM(B5:B6)'); sheet.getRange('B2').clearContent(); return sheet.getRange('A5:C5').getValues()[0] }`,
    {
      onWrites: (journal) => void journals.push(journal),
    },
  );
  expect(await host.run('go')).toEqual(['a', 1, '']);
  expect(journals).toEqual([
    [
      {
        kind: 'values',
        sheet: 11,
        row: 5,
        column: 1,
        values: [
          ['a', 1],
          [true, ''],
        ],
      },
      { kind: 'formulas', sheet: 11, row: 5, column: 3, formulas: [['=SUM(B5:B6)']] },
      { kind: 'clear', sheet: 11, row: 2, column: 2, rows: 1, columns: 1 },
    ],
  ]);
  expect(host.workbook.sheets[0]?.values[4]).toEqual(['a', 1, '']);
  expect(host.workbook.sheets[0]?.formulas?.[4]).toEqual(['', '', '=SUM(B5:B6)']);
  expect(host.workbook.sheets[0]?.formulas?.[1]).toEqual(['', '']);
});

test('flush hands over what was written so far, and the script then sees the workbook as it is', async () => {
  let shown = 'before';
  const journals: Journal[] = [];
  const seen = await click(
    `${SHEET} const range = sheet.getRange('A1'); const first = range.getValue(); range.setValue('mine');
     const own = range.getValue(); SpreadsheetApp.flush(); return [first, own, range.getValue()]`,
    {
      workbook: () => ({ id: 'b', name: 'B', sheets: [{ id: 1, name: 'S', values: [[shown]] }] }),
      onWrites: (journal) => {
        journals.push(journal);
        shown = 'someone else';
      },
    },
  );
  expect(seen).toEqual(['before', 'mine', 'someone else']);
  expect(journals).toHaveLength(1);
});

test('what a script wrote before it failed stays written', async () => {
  const host = hostOf(
    `function go() { ${SHEET} sheet.getRange('A9').setValue('kept'); throw new Error('then') }`,
  );
  await expect(host.run('go')).rejects.toThrow('then');
  expect(host.workbook.sheets[0]?.values[8]).toEqual(['kept']);
});

test.each([
  ['123', 123, ''],
  ['1234567890123456789', 1234567890123456800, ''],
  ['12%', 0.12, ''],
  ['1,234.5', 1234.5, ''],
  ['TRUE', true, ''],
  ['2026-02-01', new Date('2026-01-31T23:00:00Z'), ''],
  ['2/1/2026 10:30', new Date('2026-02-01T09:30:00Z'), ''],
  ['=A1', '', '=A1'],
  ['+A1', '', '=+A1'],
  ['-cmd', '', '=-cmd'],
  ["'=A1", '=A1', ''],
  ['plain, text', 'plain, text', ''],
  ['13/13/2026', '13/13/2026', ''],
])('setValue of the text %s is read as if typed', async (text, value, formula) => {
  const host = hostOf(`function go(text) { ${SHEET} sheet.getRange('A1').setValue(text) }`);
  await host.run('go', [text]);
  expect([host.workbook.sheets[0]?.values[0]?.[0], host.workbook.sheets[0]?.formulas?.[0]?.[0]]).toEqual([
    value,
    formula,
  ]);
});

test('in a cell with the format @ a text stays text', async () => {
  const body = `${SHEET} const range = sheet.getRange('A1:A2'); range.setNumberFormat('@');
    range.setValues([['=HYPERLINK("x")'], ['1234567890123456789']]); return [range.getValues(), range.getFormulas()]`;
  expect(await click(body)).toEqual([
    [['=HYPERLINK("x")'], ['1234567890123456789']],
    [[''], ['']],
  ]);
});

test.each([
  [
    'setValues([["a"]])',
    'The number of rows in the data does not match the number of rows in the range. The data has 1 but the range has 2.',
  ],
  [
    'setValues([["a", "b"], ["c"]])',
    'The number of columns in the data does not match the number of columns in the range. The data has 1 but the range has 2.',
  ],
  [
    'setValues(["a"])',
    "The parameters (String[]) don't match the method signature for SpreadsheetApp.Range.setValues.",
  ],
  [
    'setValues([[undefined, 1], [1, 1]])',
    "don't match the method signature for SpreadsheetApp.Range.setValues.",
  ],
  [
    'setValue({})',
    "The parameters ((class)) don't match the method signature for SpreadsheetApp.Range.setValue.",
  ],
  [
    'setValue("x".repeat(50001))',
    'Your input contains more than the maximum of 50000 characters in a single cell.',
  ],
])('a range of two by two refuses %s', async (call, words) => {
  await expect(click(`${SHEET} sheet.getRange('A1:B2').${call}`)).rejects.toThrow(words);
});

test('sheets can be added, frozen and styled; the journal tells', async () => {
  const journals: Journal[] = [];
  const host = hostOf(
    `function go() { const book = SpreadsheetApp.getActiveSpreadsheet(); const sheet = book.insertSheet('Results');
    sheet.setFrozenRows(1); sheet.getRange('A1:B1').setFontWeight('bold').setWrap(true);
    return [book.insertSheet().getName(), book.getActiveSheet().getName(), sheet.getFrozenRows()] }`,
    { onWrites: (journal) => void journals.push(journal) },
  );
  expect(await host.run('go')).toEqual(['Sheet4', 'Sheet4', 1]);
  const block = { sheet: 13, row: 1, column: 1, rows: 1 };
  expect(journals[0]?.slice(0, 5)).toEqual([
    { kind: 'insertSheet', sheet: 13, name: 'Results', index: 2 },
    { kind: 'select', ...block, columns: 1 },
    { kind: 'freeze', sheet: 13, rows: 1 },
    { kind: 'style', ...block, columns: 2, style: 'fontWeight', value: 'bold' },
    { kind: 'style', ...block, columns: 2, style: 'wrap', value: 'true' },
  ]);
  expect(host.workbook.sheets.map(({ name }) => name)).toEqual(['Sheet1', 'Other', 'Results', 'Sheet4']);
  await expect(click(`SpreadsheetApp.getActive().insertSheet('Other')`)).rejects.toThrow(
    'A sheet with the name "Other" already exists.',
  );
});

test('a cell that a script changed shows its new value', async () => {
  const workbook: Workbook = {
    ...WORKBOOK,
    sheets: [{ id: 1, name: 'S', values: [[1, 2]], display: [['€1.00', '€2.00']] }],
  };
  const body = `${SHEET} sheet.getRange('A1').setValue(7); return sheet.getRange('A1:B1').getDisplayValues()[0]`;
  expect(await click(body, { workbook })).toEqual(['7', '€2.00']);
});

test('the selection of the spreadsheet is the active range of a menu', async () => {
  const active = { sheet: 'Other', row: 2, column: 1, rows: 3, columns: 2 };
  const body = `const range = SpreadsheetApp.getActiveRange(); return [SpreadsheetApp.getActiveSheet().getName(), range.getA1Notation(), SpreadsheetApp.getCurrentCell().getA1Notation()]`;
  expect(await click(body, { workbook: { ...WORKBOOK, active } })).toEqual(['Other', 'A2:B4', 'A2']);
});

test('a manifest that lists scopes must list one for spreadsheets', async () => {
  const manifest = { oauthScopes: ['https://www.googleapis.com/auth/script.external_request'] };
  await expect(cell('SpreadsheetApp.getActiveSpreadsheet()', { manifest })).rejects.toThrow(
    'Specified permissions are not sufficient to call SpreadsheetApp.getActiveSpreadsheet. Required permissions: (https://www.googleapis.com/auth/spreadsheets.currentonly || https://www.googleapis.com/auth/spreadsheets)',
  );
});
