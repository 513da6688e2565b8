// Protected ranges: permissions of editors and owner.
import { expect, test } from 'vitest';
import type { ProtectionData, Workbook } from '../../../../addon/dev/host/types.ts';
import { createHost, OWNER, runAsMenu, SHEET, VIEWER } from './host.ts';

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

test.each([
  'getRange("A2").setValue(1)',
  'getRange("A1:C2").setValues([[1, 2, 3], [4, 5, 6]])',
  'getRange("B3").setNote("x")',
  'getRange("B3").setRichTextValue(SpreadsheetApp.newRichTextValue().setText("x").build())',
  'getRange("A:A").clearContent()',
  'deleteRows(3, 1)',
])('refuses %s on a protected range and changes nothing', async (call) => {
  const host = createHost(`function go() { ${SHEET} sheet.${call} }`, book({ area: AREA, editors: [] }));
  const before = host.workbook;
  await expect(host.run('go')).rejects.toThrow(REFUSED);
  expect(host.workbook).toEqual(before);
});

test.each([
  ['the owner', OWNER, { area: AREA, editors: [] }],
  ['one of its editors', VIEWER, { area: AREA, editors: [VIEWER] }],
  ['anyone (warning only)', VIEWER, { area: AREA, editors: [], warningOnly: true }],
])('lets %s edit a protected range', async (_, viewer, protection) => {
  const body = `${SHEET} sheet.getRange('A2').setValue('x'); return sheet.getRange('A2').canEdit()`;
  expect(await runAsMenu(body, { ...book(protection), people: { owner: OWNER, viewer } })).toBe(true);
});
