// Protected ranges and sheets: who may write where.
import { expect, test } from 'vitest';
import type { ProtectionData, Workbook } from '../../../addon/host/types.ts';
import { click, hostOf, OWNER, VIEWER } from './host.ts';

const REFUSED =
  'You are trying to edit a protected cell or object. Please contact the spreadsheet owner to remove protection if you need to edit.';

const AREA = { row: 2, column: 1, rows: 2, columns: 2 };

function book(...protections: readonly ProtectionData[]): { workbook: Workbook } {
  const sheet = {
    id: 1,
    name: 'S',
    values: [
      ['a', 'b', 'c'],
      [1, 2, 3],
    ],
    protections,
  };
  return { workbook: { id: 'b', name: 'B', sheets: [sheet, { id: 2, name: 'T', values: [] }] } };
}

const SHEET = 'const sheet = SpreadsheetApp.getActiveSheet();';

test.each([
  'getRange("A2").setValue(1)',
  'getRange("A1:C2").setValues([[1, 2, 3], [4, 5, 6]])',
  'getRange("B3").setFormula("=A1")',
  'getRange("B3").setNote("x")',
  'getRange("B3").setBackground("#ffffff")',
  'getRange("B3").setNumberFormats([["@"]])',
  'getRange("B3").setRichTextValue(SpreadsheetApp.newRichTextValue().setText("x").build())',
  'getRange("A:A").clearContent()',
  'getRange("A1:B3").sort(1)',
  'clear()',
  'deleteRow(3)',
  'deleteColumn(1)',
])('an editor who may not edit a protected range is refused %s, and nothing changes', async (call) => {
  const host = hostOf(`function go() { ${SHEET} sheet.${call} }`, book({ area: AREA, editors: [] }));
  const before = host.workbook;
  await expect(host.run('go')).rejects.toThrow(REFUSED);
  expect(host.workbook).toEqual(before);
});

test('rows and columns can be put in beside a protected range, not within it', async () => {
  const insert = (call: string) => click(`${SHEET} sheet.${call}`, book({ area: AREA, editors: [] }));
  await insert('insertRowAfter(1)');
  await insert('insertRowAfter(3)');
  await insert('insertColumnBefore(1)');
  await expect(insert('insertRowAfter(2)')).rejects.toThrow(REFUSED);
  await expect(insert('insertColumnAfter(1)')).rejects.toThrow(REFUSED);
});

test('cells beside a protected range can be written', async () => {
  const host = hostOf(
    `function go() { ${SHEET} sheet.getRange('C2:C3').setValue('x'); sheet.getRange('A1:B1').clear() }`,
    book({ area: AREA, editors: [] }),
  );
  await host.run('go');
  expect(host.workbook.sheets[0]?.values).toEqual([
    ['', '', 'c'],
    [1, 2, 'x'],
    ['', '', 'x'],
  ]);
});

test.each([
  ['the owner', OWNER, { area: AREA, editors: [] }],
  ['one of its editors', VIEWER, { area: AREA, editors: [VIEWER] }],
  ['anyone, where it only warns', VIEWER, { area: AREA, editors: [], warningOnly: true }],
])('a protected range can be written by %s', async (_who, viewer, protection) => {
  const host = hostOf(
    `function go() { ${SHEET} sheet.getRange('A2').setValue('x'); return sheet.getRange('A2').canEdit() }`,
    {
      ...book(protection),
      people: { owner: OWNER, viewer },
    },
  );
  expect(await host.run('go')).toBe(true);
});

test('a protected sheet can be written only where it is excepted', async () => {
  const body = (call: string) => click(`${SHEET} sheet.${call}`, book({ editors: [], except: [AREA] }));
  await body('getRange("A2:B3").setValue(1)');
  await expect(body('getRange("A1:B3").setValue(1)')).rejects.toThrow(REFUSED);
  await expect(body('insertRowAfter(1)')).rejects.toThrow(REFUSED);
  await expect(body('getParent().deleteSheet(sheet)')).rejects.toThrow(REFUSED);
});

test('protections tell where they are and who may edit them', async () => {
  const body = `${SHEET} const { RANGE, SHEET: WHOLE } = SpreadsheetApp.ProtectionType; const book = SpreadsheetApp.getActive();
    const [range] = sheet.getProtections(RANGE); const [whole] = book.getProtections(WHOLE);
    return [range.getRange().getA1Notation(), range.canEdit(), range.getDescription(), range.isWarningOnly(), range.getProtectionType() === RANGE,
      range.getEditors().map((user) => user.getEmail()).join(), whole.getRange().getNumRows(), whole.getUnprotectedRanges()[0].getA1Notation(),
      whole.canEdit(), book.getProtections(RANGE).length, book.getSheetByName('T').getProtections(RANGE).length,
      sheet.getRange('A2').canEdit(), sheet.getRange('C9').canEdit()]`;
  const protections = book(
    { area: AREA, editors: [OWNER], description: 'Totals' },
    { editors: [VIEWER], except: [AREA] },
  );
  expect(await click(body, protections)).toEqual([
    'A2:B3',
    false,
    'Totals',
    false,
    true,
    OWNER,
    1000,
    'A2:B3',
    true,
    1,
    0,
    false,
    true,
  ]);
  await expect(click(`${SHEET} sheet.protect()`, protections)).rejects.toThrow(
    'not emulated: SpreadsheetApp.Sheet.protect',
  );
});
