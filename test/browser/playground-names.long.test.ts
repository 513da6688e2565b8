// Company names in the playground: matched, written, undone, and free the second time.
import { expect, it } from 'vitest';
import { eventually, matchSpaces, PATIENCE } from './browser.ts';
import { setUpPlayground } from './spreadsheet.ts';

const open = setUpPlayground();
const price = () => open().sidebar.locator('.panel:not([hidden]) .price [role="status"]').textContent();

it('names become records: free for a record that the team has, unknown names left out, and Undo', {
  timeout: 90_000,
}, async () => {
  const sheet = open();
  await eventually(async () => (await sheet.read('B2'))[0]?.[0]).toMatch(/[^….]\.?$/);
  const [[known = ''] = []] = await sheet.read('B2');
  await sheet.type('P1', 'Company');
  await sheet.type('P2', String(known).toUpperCase());
  await sheet.type('P3', 'Zzyzx Unheard Of');
  await sheet.lookForColumns();
  await sheet.sidebar.getByLabel(matchSpaces(/P · Company/)).check();
  // The formula of the sheet has bought the record, and its name can be compared with it.
  await eventually(price).toBe('2 rows · free');
  await sheet.press(/^Enrich 2 rows · free$/, /^Done/);
  await sheet.text(/ 0 credits charged/).waitFor();
  await sheet.text(/1 not found/).waitFor();
  const rows = await sheet.read('P1:V3');
  expect(rows[1]?.[1]).toBe(known);
  expect(rows[0]).toContain('Status');
  expect(rows[2]?.find((cell) => String(cell).startsWith('#'))).toMatch(/^#NOT_FOUND No company/);
  // A reload keeps what Undo needs, as Google's cache does.
  await sheet.page.getByText('Saved in this browser').waitFor(PATIENCE);
  await sheet.page.reload();
  await sheet.waitUntilReady();
  await sheet.sidebar.getByRole('tab', { name: 'Activity' }).click();
  await sheet.press(/^Undo Company/, /^Undone/);
  expect((await sheet.read('Q1:V3')).flat().every((cell) => cell === null)).toBe(true);
});
