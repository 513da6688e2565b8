// Keep filled in the playground: a new website is bought once, a known one is free; undone, and ignored once it is off.
import { expect, inject, it } from 'vitest';
import { findRecordOperation } from '../../shared/operations.ts';
import { measureSpending } from '../addon/functions/sheets.ts';
import { invalidateCache } from '../invalidate-cache.ts';
import { eventually, matchSpaces } from './browser.ts';
import { setUpPlayground } from './spreadsheet.ts';

const PRICE = findRecordOperation('company_clean', 'website')?.credits ?? 0;

const open = setUpPlayground();
const pane = () => open().sidebar.locator('.panel:not([hidden])');
const price = () => pane().locator('.price [role="status"]').textContent();

/** Opens the sidebar again: it checks for new rows at once, otherwise every half minute. */
async function reopenSidebar(): Promise<void> {
  const { sidebar } = open();
  await sidebar.locator('body').evaluate((body) => body.classList.add('earlier'));
  await open().choose('Open sidebar');
  await sidebar.locator('body:not(.earlier) .panel:not([hidden])').waitFor();
}

async function openSettings(): Promise<void> {
  await open().sidebar.getByRole('tab', { name: 'Tables' }).click();
  await open()
    .button(/^Keep filled ./)
    .click();
  await pane().getByLabel('Maximum credits per run').waitFor();
}

it('a new row below the table is filled for the price of one record, and undone; after “Turn off” none is', {
  timeout: 120_000,
}, async () => {
  const sheet = open();
  await eventually(async () => (await sheet.read('B13'))[0]?.[0]).toMatch(/[^….]\.?$/);
  const [present = '', added = '', late = ''] = (await sheet.read('A2:A4')).flat().map(String);
  const [, name] = (await sheet.read('B2:B3')).flat();
  await invalidateCache(inject('session'));

  const spent = await measureSpending(async () => {
    await sheet.type('P1', 'Website');
    await sheet.type('P2', present);
    await sheet.lookForColumns();
    await sheet.sidebar.getByLabel(matchSpaces(/P · Website/)).check();
    await eventually(price).toBe(`1 row · ${PRICE} credits`);
    await sheet.press(/^Enrich 1 row/, /^Done/);

    await openSettings();
    await pane()
      .getByLabel('Maximum credits per run')
      .fill(String(2 * PRICE));
    await pane()
      .getByLabel('Maximum credits per month')
      .fill(String(3 * PRICE));
    await sheet.text('To refresh old values on a schedule, ask your admin for a service account.').waitFor();
    await sheet.press(/^Keep filled$/, /^New rows are filled within half a minute\.$/);
    await sheet.text(`0 of ${3 * PRICE} credits spent this month`).waitFor();

    // In one step: the sidebar may look for new rows at any time.
    await sheet.enter('P3:P4', [[`="${added}"`], [`="${present}"`]]);
    await reopenSidebar();
    await sheet.text(new RegExp(`^2 new rows in .+ were filled for ${PRICE} credits\\.$`)).waitFor();
    await openSettings();
    await sheet.text(`${PRICE} of ${3 * PRICE} credits spent this month`).waitFor();
    await sheet.text(new RegExp(`^Last fill .+: 2 rows filled · ${PRICE} credits$`)).waitFor();
    expect((await sheet.read('P3:V3')).flat()).toContain(name);
    await sheet.text('Kept filled').waitFor();

    const [first, repeated] = [await sheet.read('Q2:V2'), await sheet.read('Q4:V4')];
    expect(repeated).toEqual(first);

    await sheet.press(/^Undo fill · 2 rows$/, /^Undone/);
    expect((await sheet.read('Q3:V4')).flat().every((cell) => cell === null)).toBe(true);
    await sheet.press(/^Turn off$/, /^New rows are filled\./);
    await sheet.type('P5', late);
    await reopenSidebar();
    await openSettings();
    await sheet.text(/^New rows are filled\./).waitFor();
  });
  expect(spent).toBe(2 * PRICE);
  expect((await sheet.read('P3:V5')).map((row) => row.filter((cell) => cell !== null))).toEqual([
    [added],
    [present],
    [late],
  ]);
});
