// A template in the playground: it buys nothing until its limit is raised; spending is switched off for its sheet alone.
import { expect, it } from 'vitest';
import { eventually } from './browser.ts';
import { callGateway, setUpPlayground } from './spreadsheet.ts';

const open = setUpPlayground({ firstSheet: 'My companies' });
const TEMPLATE = 'Prospect list';

async function readSpent(): Promise<number> {
  return (await callGateway<{ spent: { month: number } }>('me')).spent.month;
}

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
    (await readNames()).filter((name) => name === 'Set B3 to run').length,
  );
  const price = Number(await readPrice());
  expect(await readSpent()).toBe(before);
  await sheet.type('B3', String(price));
  await eventually(async () => (await readSpent()) - before).toBe(price);
  await eventually(async () => (await readNames()).filter((name) => /^#|…$|^Set/.test(String(name)))).toEqual(
    [],
  );
  await sheet.button('Formulas').click();
  await sheet.text(`${TEMPLATE} · B13:`).waitFor();
  const isSpending = sheet.sidebar.getByLabel('Formulas here spend credits').first();
  await isSpending.click();
  await eventually(() => isSpending.isChecked()).toBe(false);
  await sheet.type('H1', '=CDAPI_ENRICH("never-bought.example", "name")');
  await sheet.shows('H1', [['#BUDGET']], TEMPLATE);
});
