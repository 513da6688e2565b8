// A new visitor of the playground: the first steps, a template, and the list of formulas.
import { expect, it } from 'vitest';
import { eventually } from './browser.ts';
import { callGateway, setUpPlayground } from './spreadsheet.ts';

const open = setUpPlayground();
const TEMPLATE = 'Prospect list';

async function readSpent(): Promise<number> {
  return (await callGateway<{ spent: { month: number } }>('me')).spent.month;
}

it('the first steps get their check marks: pasted websites, Enrich, the price; then they are dismissed', {
  timeout: 60_000,
}, async () => {
  const sheet = open();
  const steps = sheet.page.getByRole('region', { name: 'First steps' });
  const countDone = () => steps.getByRole('img', { name: 'Done' }).count();
  await sheet.shows('B15', [['#INVALID_KEY']]);
  expect(await countDone()).toBe(0);
  await eventually(() => sheet.page.locator('header .about').allTextContents()).not.toContain('npm');
  await sheet.type('A17', 'pasted.example');
  await eventually(countDone).toBe(1);
  await sheet.sidebar.getByRole('tab', { name: 'Enrich' }).click();
  await eventually(countDone).toBe(3);
  await steps.getByRole('button', { name: 'Dismiss first steps' }).click();
  await eventually(() => steps.isVisible()).toBe(false);
  await sheet.page.reload();
  await sheet.waitUntilReady();
  await eventually(() => steps.isVisible()).toBe(false);
});

it('a template costs nothing until its limit is raised; spending is switched off for its sheet alone', {
  timeout: 90_000,
}, async () => {
  const sheet = open();
  const before = await readSpent();
  await sheet.sidebar.getByRole('tab', { name: 'Tables' }).click();
  await sheet.button('Templates').click();
  await sheet.press(`Build sheet: ${TEMPLATE}`, /is built. Nothing was bought/);
  // Other suites may have bought some of these records.
  const readPrice = async () => (await sheet.read('B4', TEMPLATE))[0]?.[0];
  const readNames = async () => (await sheet.read('B13:B22', TEMPLATE)).flat();
  await eventually(async () => (await readNames()).every(Boolean)).toBe(true);
  await eventually(async () => Number(await readPrice()) / 10).toBe(
    (await readNames()).filter((name) => name === '#BUDGET').length,
  );
  const price = Number(await readPrice());
  expect(await readSpent()).toBe(before);
  await sheet.type('B3', String(price));
  await eventually(async () => (await readSpent()) - before).toBe(price);
  await eventually(async () => (await readNames()).filter((name) => /^#|…$/.test(String(name)))).toEqual([]);
  await sheet.button('Formulas').click();
  await sheet.text('CDAPI_COMPANY B13').waitFor();
  const isSpending = sheet.sidebar.getByLabel('Formulas here spend credits').first();
  await isSpending.click();
  await eventually(() => isSpending.isChecked()).toBe(false);
  await sheet.type('H1', '=CDAPI_ENRICH("never-bought.example", "name")');
  await sheet.shows('H1', [['#BUDGET']], TEMPLATE);
});
