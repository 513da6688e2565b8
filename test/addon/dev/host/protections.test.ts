// Protected ranges and sheets: who may write where.
import { expect, test } from 'vitest';
import type { ProtectionData, Workbook } from '../../../../addon/dev/host/types.ts';
import { hostOf, OWNER, VIEWER } from './host.ts';

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
  'getRange("B3").setNote("x")',
  'getRange("B3").setRichTextValue(SpreadsheetApp.newRichTextValue().setText("x").build())',
  'getRange("A:A").clearContent()',
  'clear()',
  'deleteRow(3)',
])('an editor who may not edit a protected range is refused %s, and nothing changes', async (call) => {
  const host = hostOf(`function go() { ${SHEET} sheet.${call} }`, book({ area: AREA, editors: [] }));
  const before = host.workbook;
  await expect(host.run('go')).rejects.toThrow(REFUSED);
  expect(host.workbook).toEqual(before);
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
