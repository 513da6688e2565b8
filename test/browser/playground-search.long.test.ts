// A search in the playground: values with counts, a column of full records for the shown price, and sample rows.
import { expect, it } from 'vitest';
import { eventually, matchSpaces } from './browser.ts';
import { setUpPlayground } from './spreadsheet.ts';

const open = setUpPlayground();
const pane = () => open().sidebar.locator('.panel:not([hidden])');
const price = () => pane().locator('.price [role="status"]').textContent();

it('columns of full records are written for the shown price, and are sample rows afterwards', {
  timeout: 90_000,
}, async () => {
  const sheet = open();
  await sheet.sidebar.getByRole('tab', { name: 'Search' }).click();
  await pane().getByRole('button', { name: 'Choose country' }).click();
  await pane().getByRole('textbox', { name: 'Find a country' }).fill('germany');
  await pane()
    .getByRole('button', { name: /^Germany\s*[\d,]+$/ })
    .click();
  await pane().getByRole('button', { name: 'Done choosing country' }).click();
  await pane().getByText('Columns', { exact: true }).click();
  await pane().getByRole('button', { name: 'Add column' }).click();
  await pane().getByRole('textbox', { name: 'Find a column' }).fill('founded');
  await pane().getByRole('button', { name: 'Founded +10 credits a row' }).click();
  await eventually(price).toMatch(/^\d+ companies match · \d+ rows cost up to \d+ credits$/);
  await sheet.press(/^Write \d+ rows · up to \d+ credits/, /^Done/);
  const title = 'Companies Germany';
  const [heading = [], ...all] = await sheet.read('A1:H21', title);
  const rows = all.filter(([name]) => name);
  expect(rows.length).toBeGreaterThan(2);
  expect(heading).toEqual([
    'Name',
    'Website',
    'Industry',
    'Size',
    'Country',
    'Current profile URL',
    'ID',
    'Founded',
  ]);
  expect(rows.every((row) => row[4] === 'Germany')).toBe(true);
  expect(rows.some((row) => /^\d{4}$/.test(String(row[7])))).toBe(true);
  // The same search updates its table for free, and writes no second one.
  await eventually(price).toMatch(/ rows are free$/);
  await sheet.press(/^Update with \d+ rows · free$/, /^Done/);
  await pane()
    .getByRole('status')
    .filter({ hasText: matchSpaces(/, nothing changed · 0 credits charged/) })
    .waitFor();
  await eventually(() => sheet.page.getByText(`${title} 2`, { exact: true }).count()).toBe(0);
  expect((await sheet.read('A1:H21', title)).filter(([name]) => name)).toHaveLength(rows.length + 1);
  await sheet.press('Undo', /^Undone/);
  await pane().getByText('Sample rows').click();
  await eventually(() => pane().locator('.sample li').count()).toBe(3);
});
