// Keys in the playground: an uncertain name is decided by a click, and several columns are tried in order.
import { expect, it } from 'vitest';
import { eventually, matchSpaces } from './browser.ts';
import { setUpPlayground } from './spreadsheet.ts';

const open = setUpPlayground();
const pane = () => open().sidebar.locator('.panel:not([hidden])');
const price = () => pane().locator('.dock .price [role="status"]').textContent();

it('an uncertain name is decided by a click, for the price of one record, and undecided after Undo', {
  timeout: 90_000,
}, async () => {
  const sheet = open();
  await eventually(async () => (await sheet.read('B3'))[0]?.[0]).toMatch(/[^….]\.?$/);
  const [[whole = ''] = []] = await sheet.read('B3');
  const [short = ''] = String(whole).split(' ');
  await sheet.type('P1', 'Company');
  await sheet.type('P2', short);
  await sheet.lookForColumns();
  await sheet.sidebar.getByLabel(matchSpaces(/P · Company/)).check();
  await eventually(price).toMatch(
    /^1 row · (up to \d+ credits: 10 for up to 1 record, 20 to compare names|\d+ credits|free)$/,
  );
  await sheet.press(/^Enrich 1 row/, /^Done/);
  await sheet.text('1 name to decide').waitFor();
  await pane().locator('summary').filter({ hasText: short }).click();
  await pane().getByLabel(String(whole)).check();
  await sheet.press(/^Decide 1 name/, /^Done/);
  await eventually(async () => (await sheet.read('Q2'))[0]?.[0]).toBe(whole);
  await sheet.text('Decided names').waitFor();
  await sheet.press('Undo', /^Undone/);
  await sheet.text('1 name to decide').waitFor();
  expect((await sheet.read('Q2'))[0]?.[0]).toBeNull();
});

it('several columns are tried in the order that the keyboard sets, and the status says which one matched', {
  timeout: 90_000,
}, async () => {
  const sheet = open();
  const [[known = ''] = []] = await sheet.read('A2');
  await sheet.type('H1', 'Domain');
  await sheet.type('H2', 'nobody-here.example');
  await sheet.type('I1', 'Second domain');
  await sheet.type('I2', String(known));
  await sheet.lookForColumns();
  await sheet.sidebar.getByLabel(matchSpaces(/H · Domain/)).check();
  await pane().locator('summary').filter({ hasText: 'Columns to try' }).click();
  await pane().getByRole('button', { name: 'Add column' }).first().click();
  await pane().getByRole('textbox', { name: 'Find a column' }).fill('second');
  await pane().getByRole('textbox', { name: 'Find a column' }).press('Enter');
  const second = pane().getByLabel(matchSpaces(/^I · Second domain, column 2 of 2/));
  await second.press('Alt+ArrowUp');
  await pane()
    .getByLabel(matchSpaces(/^I · Second domain, column 1 of 2/))
    .press('Alt+ArrowDown');
  await second.waitFor();
  await sheet.sidebar
    .getByLabel(matchSpaces(/H · Domain/))
    .first()
    .waitFor();
  await eventually(price).toMatch(/^1 row · /);
  await sheet.press(/^Enrich 1 row/, /^Done/);
  const [[...headings] = [], [...cells] = []] = await sheet.read('H1:O2');
  expect(cells[headings.findIndex((heading) => String(heading).startsWith('Status'))]).toMatch(
    /^(?:bought|already bought), by Second domain$/,
  );
});

it('a column of the person with the heading of a field is filled, and the card of the table leads to it and undoes it', {
  timeout: 90_000,
}, async () => {
  const sheet = open();
  const [[first = ''] = [], [second = ''] = []] = await sheet.read('A2:A3');
  const cells = { X1: 'Website', X2: first, Y1: 'Names (CRM)', Y3: 'Mine' };
  for (const [address, text] of Object.entries(cells)) await sheet.type(address, String(text));
  await sheet.lookForColumns();
  await sheet.sidebar.getByLabel(matchSpaces(/X · Website/)).check();
  await sheet.text('to Y, only empty cells').waitFor();
  await eventually(price).toMatch(/^1 row · /);
  // The price follows without a pointer in the sidebar.
  await sheet.type('X3', String(second));
  const before = await sheet.read('X1:Z3');
  await eventually(price).toMatch(/^2 rows · (?:\d+ credits|free(?:, already looked up)?)$/);
  await sheet.press(/^Enrich 2 rows/, /^Done/);
  const [headings = [], ...rows] = await sheet.read('X1:Z3');
  expect(headings).not.toContain('Name 2');
  expect(rows.map(([, name]) => name)).toEqual([(await sheet.read('B2'))[0]?.[0], 'Mine']);

  await sheet.sidebar.getByRole('tab', { name: 'Tables' }).click();
  const card = pane()
    .getByRole('article')
    .filter({ hasText: matchSpaces(/Companies · X1:/) });
  await card.getByText(matchSpaces(/^Last run just now: 2 found · 0 credits/)).waitFor();
  await card.getByRole('button', { name: matchSpaces(/^Go to Companies · X1:/) }).click();
  await eventually(() => sheet.page.evaluate('window.cdapiPlayground.selected()')).toMatch(/^X1:/);
  await card.locator('summary').click();
  await card.getByRole('button', { name: /^Undo last run/ }).click();
  await sheet.text(/^Undone/).waitFor();
  await eventually(() => card.count()).toBe(0);
  expect(await sheet.read('X1:Z3')).toEqual(before);
  // Undo deleted columns with selected cells.
  await eventually(() => sheet.page.evaluate('window.cdapiPlayground.selected()')).toBe('A1');
});
