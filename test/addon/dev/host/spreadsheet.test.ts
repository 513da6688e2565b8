// SpreadsheetApp: read-only in a formula, a journal of writes elsewhere.
import { expect, test } from 'vitest';
import type { Journal } from '../../../../addon/dev/host/types.ts';
import { cell, click, hostOf } from './host.ts';

const SHEET = 'const sheet = SpreadsheetApp.getActiveSheet();';

test.each([
  ['getRange("B2")', 'B2'],
  ['getRange("C2:A1")', 'A1:C2'],
  ['getRange("A:B")', 'A1:B1000'],
  ['getRange("2:3")', 'A2:Z3'],
  ['getRange("A2:A")', 'A2:A1000'],
  ['getRange(3, 2)', 'B3'],
  ['getRange(3, 2, 2, 3)', 'B3:D4'],
  ['getDataRange()', 'A1:B3'],
])('%s is %s', async (call, a1) => {
  expect(await cell(`${SHEET} return sheet.${call}.getA1Notation()`)).toBe(a1);
});

test.each([
  ['getRange("nonsense!")', 'Range not found'],
  ['getRange("None!A1")', 'Range not found'],
  ['getRange(0, 1)', 'The starting row of the range is too small.'],
  ['getRange(1, 1, 0)', 'The number of rows in the range must be at least 1.'],
  ['getRange(1001, 1)', 'The coordinates of the range are outside the dimensions of the sheet.'],
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
    'setValues(["a"])',
    "The parameters (String[]) don't match the method signature for SpreadsheetApp.Range.setValues.",
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
