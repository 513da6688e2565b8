// People at companies in the playground: counted for free, written for the shown price, undone, and free the second time.
import { expect, it } from 'vitest';
import { eventually, matchSpaces } from './browser.ts';
import { setUpPlayground } from './spreadsheet.ts';

const open = setUpPlayground();
const pane = () => open().sidebar.locator('.panel:not([hidden])');
const price = () => pane().locator('.price [role="status"]').textContent();

it('people are found at the companies of a column, for the price that is shown, and once only', {
  timeout: 90_000,
}, async () => {
  const sheet = open();
  await sheet.sidebar.getByRole('tab', { name: 'Search' }).click();
  await sheet.sidebar.getByLabel('Find').selectOption('People');
  await sheet.sidebar.getByLabel('At companies in a column').check();
  // Enrich lists the same column.
  await pane()
    .getByLabel(matchSpaces(/^Companies: A · Website/))
    .check();
  await sheet.sidebar.getByLabel('Rows for each company').selectOption('2');
  await eventually(price).toMatch(
    /^\d+ people at \d+ of 13 companies · \d+ rows (?:cost \d+ credits|are free) \(at most 2 for each company\)$/,
  );
  await sheet.press(/^Write \d+ rows/, /^Done/);
  const title = 'People at companies';
  const [heading = [], first = []] = await sheet.read('A1:H2', title);
  expect(heading).toEqual([
    'Company',
    'Full name',
    'Job title',
    'Company name',
    'Department',
    'Location',
    'Profile URL',
    'ID',
  ]);
  const [[website = null] = []] = await sheet.read('A2');
  expect(first[0]).toBe(website);
  await pane()
    .getByRole('status')
    .filter({ hasText: matchSpaces(/ · at most 2 for each company · /) })
    .waitFor();
  await eventually(price).toMatch(/ rows are free /);
  await sheet.press('Undo', /^Undone/);
  await sheet.page.getByText(title, { exact: true }).first().waitFor({ state: 'detached' });
});
