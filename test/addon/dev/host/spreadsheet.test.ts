// SpreadsheetApp: ranges, writes and their journal, parsing of input, rich text.
import { expect, test } from 'vitest';
import type { Journal } from '../../../../addon/dev/host/types.ts';
import { createHost, evaluateCell, runAndRecord, runAsMenu, SHEET } from './host.ts';

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
  [
    'getRange("1", 1)',
    "The parameters (String,number) don't match the method signature for SpreadsheetApp.Sheet.getRange.",
  ],
])('%s throws', async (call, message) => {
  await expect(evaluateCell(`${SHEET} sheet.${call}`)).rejects.toThrow(message);
});

test('emits all writes in one journal at the end and applies them', async () => {
  const journals: Journal[] = [];
  const host = createHost(
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

test('emits writes on flush and then reads the current workbook', async () => {
  let shown = 'before';
  const journals: Journal[] = [];
  const seen = await runAsMenu(
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
])('parses the text %s of setValue as if typed', async (text, value, formula) => {
  const host = createHost(`function go(text) { ${SHEET} sheet.getRange('A1').setValue(text) }`);
  await host.run('go', [text]);
  expect([host.workbook.sheets[0]?.values[0]?.[0], host.workbook.sheets[0]?.formulas?.[0]?.[0]]).toEqual([
    value,
    formula,
  ]);
});

test('keeps text in a cell with the format @', async () => {
  const body = `${SHEET} const range = sheet.getRange('A1:A2'); range.setNumberFormat('@');
    range.setValues([['=HYPERLINK("x")'], ['1234567890123456789']]); return [range.getValues(), range.getFormulas()]`;
  expect(await runAsMenu(body)).toEqual([
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
])('refuses %s on a range of two by two', async (call, message) => {
  await expect(runAsMenu(`${SHEET} sheet.getRange('A1:B2').${call}`)).rejects.toThrow(message);
});

test('writes and reads texts with links', async () => {
  const { value, writes } =
    await runAndRecord(`const link = (text, url) => SpreadsheetApp.newRichTextValue().setText(text).setLinkUrl(url).build();
    const two = SpreadsheetApp.newRichTextValue().setText('see a or b').setLinkUrl(4, 5, 'https://a.example/').setLinkUrl(9, 10, 'https://b.example/').build();
    const range = sheet.getRange('A1:A3').setRichTextValues([[link('=A1', 'https://a.example/')], [two], [link('plain', null)]]);
    const [[first], [second], [third]] = range.getRichTextValues();
    return [first.getText(), first.getLinkUrl(), second.getLinkUrl(), second.getLinkUrl(4, 5), third.getLinkUrl(), third.getRuns().length,
      second.getRuns().map((run) => [run.getText(), run.getLinkUrl(), run.getStartIndex(), run.getEndIndex()]),
      second.copy().setLinkUrl(null).build().getLinkUrl(4, 5), sheet.getRange('A1').getFormula(), sheet.getRange('A1').getValue(),
      sheet.getRange('B3').getRichTextValue()]`);
  expect(value).toEqual([
    '=A1',
    'https://a.example/',
    null,
    'https://a.example/',
    null,
    1,
    [
      ['see ', null, 0, 4],
      ['a', 'https://a.example/', 4, 5],
      [' or ', null, 5, 9],
      ['b', 'https://b.example/', 9, 10],
    ],
    null,
    '',
    '=A1',
    null,
  ]);
  expect(writes).toEqual([
    {
      kind: 'richText',
      sheet: 11,
      row: 1,
      column: 1,
      texts: [
        [{ text: '=A1', runs: [{ start: 0, end: 3, link: 'https://a.example/' }] }],
        [
          {
            text: 'see a or b',
            runs: [
              { start: 4, end: 5, link: 'https://a.example/' },
              { start: 9, end: 10, link: 'https://b.example/' },
            ],
          },
        ],
        [{ text: 'plain', runs: [] }],
      ],
    },
  ]);
});
