// SpreadsheetApp: ranges, writes and their journal, parsing of input, rich text.
import { expect, test } from 'vitest';
import type { Journal } from '../../../../addon/dev/host/types.ts';
import { createHost, evaluateCell, runAndRecord, runAsMenu, SHEET, WORKBOOK } from './host.ts';

test.each([
  ['getRange("B2")', 'B2'],
  ['getRange("C2:A1")', 'A1:C2'],
  ['getRange("A:B")', 'A1:B1000'],
  ['getRange("2:3")', 'A2:Z3'],
  ['getRange("A2:A")', 'A2:A1000'],
  ['getRange(3, 2)', 'B3'],
  ['getRange(3, 2, 2, 3)', 'B3:D4'],
  ['getDataRange()', 'A1:B3'],
])('resolves %s to %s', async (call, a1) => {
  expect(await evaluateCell(`${SHEET} return sheet.${call}.getA1Notation()`)).toBe(a1);
});

test.each([
  ['getRange("nonsense!")', 'Range not found'],
  ['getRange("None!A1")', 'Range not found'],
  ['getRange(0, 1)', 'The starting row of the range is too small.'],
  ['getRange(1, 1, 0)', 'The number of rows in the range must be at least 1.'],
  ['getRange(1001, 1)', 'The coordinates of the range are outside the dimensions of the sheet.'],
  ['getRange("1", 1)', "The parameters (String,number) don't match the method signature"],
])('%s throws', async (call, message) => {
  await expect(evaluateCell(`${SHEET} sheet.${call}`)).rejects.toThrow(message);
});

test('emits all writes in one journal at the end and applies them', async () => {
  const journals: Journal[] = [];
  const body = `sheet.getRange(5, 1, 1, 2).setValues([['a', true]]); sheet.getRange('C5').setFormula('SUM(B5:B6)');
    sheet.getRange('B2').clearContent(); return sheet.getRange('A5:C5').getValues()[0]`;
  const onWrites = (journal: Journal) => void journals.push(journal);
  const host = createHost(`function go() { ${SHEET} ${body} }`, { onWrites });
  expect(await host.run('go')).toEqual(['a', true, '']);
  expect(journals).toEqual([
    [
      { kind: 'values', sheet: 11, row: 5, column: 1, values: [['a', true]] },
      { kind: 'formulas', sheet: 11, row: 5, column: 3, formulas: [['=SUM(B5:B6)']] },
      { kind: 'clear', sheet: 11, row: 2, column: 2, rows: 1, columns: 1 },
    ],
  ]);
  const { values, formulas } = host.workbook.sheets[0] ?? {};
  expect([values?.[4], formulas?.[4], formulas?.[1]]).toEqual([
    ['a', true, ''],
    ['', '', '=SUM(B5:B6)'],
    ['', ''],
  ]);
});

test('emits writes on flush and then reads the current workbook', async () => {
  let shown = 'before';
  const journals: Journal[] = [];
  const seen = await runAsMenu(
    `${SHEET} const range = sheet.getRange('A1'); const first = range.getValue(); range.setValue('mine');
     const written = range.getValue(); SpreadsheetApp.flush(); return [first, written, range.getValue()]`,
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
  ['en_US', 'de_DE', '=ROUND(2.5, LEN("1,5.5"))', '=ROUND(2,5; LEN("1,5.5"))'],
  ['de_DE', 'en_US', '=ROUND(2,5; LEN("1,5;5"))', '=ROUND(2.5, LEN("1,5;5"))'],
])('translates formulas from %s to %s', async (locale, to, formula, translated) => {
  const workbook = { ...WORKBOOK, locale };
  const body = `sheet.getRange('A1').setFormula('${formula}'); book.setSpreadsheetLocale('${to}')`;
  const { sheet } = await runAndRecord(body, workbook);
  expect(sheet?.formulas?.[0]?.[0]).toBe(translated);
});

test.each([
  ['setValues([["a"]])', 'The data has 1 but the range has 2.'],
  ['setValues(["a"])', "The parameters (String[]) don't match the method signature"],
  ['setValue({})', "The parameters ((class)) don't match the method signature"],
  ['setValue("x".repeat(50001))', 'more than the maximum of 50000 characters in a single cell.'],
])('refuses %s on a range of two by two', async (call, message) => {
  await expect(runAsMenu(`${SHEET} sheet.getRange('A1:B2').${call}`)).rejects.toThrow(message);
});
