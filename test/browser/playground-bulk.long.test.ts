// The example bulk order of the playground when it is refused, and when somebody types where its rows would be.
import { expect, inject, it } from 'vitest';
import { eventually, PATIENCE } from './browser.ts';
import { Spreadsheet } from './spreadsheet.ts';

const SHEET = 'Bulk order';

const readProgress = async (sheet: Spreadsheet) => String((await sheet.read('A2', SHEET))[0]?.[0] ?? '');
const readRows = (sheet: Spreadsheet) => sheet.read('A3:G34', SHEET);

it('shows the gateway’s error and does not overwrite typed cells', async () => {
  const sheet = await Spreadsheet.open(inject('session'));
  try {
    const path = '**/sheets/v1/requests';
    const json = { detail: 'The budget is spent.', fix: 'Ask for more.' };
    await sheet.page.route(path, (route) => route.fulfill({ status: 402, json }));
    await sheet.runSample(SHEET);
    await eventually(() => readProgress(sheet)).toBe('The budget is spent. Ask for more.');
    // It can be placed again.
    await sheet.offer.waitFor();
    await sheet.page.unroute(path);

    await sheet.page.reload();
    await sheet.waitUntilReady();
    await sheet.page.route(path, async (route) => {
      await expect.poll(async () => (await sheet.read('A4', SHEET))[0]?.[0], PATIENCE).toBe('mine');
      await route.continue();
    });
    await sheet.runSample(SHEET);
    // Opening the sheet selects its heading: typing before that would go there.
    await eventually(() => sheet.page.evaluate('window.cdapiPlayground.selected()')).toBe('A3');
    await sheet.type('A4', 'mine');
    await eventually(() => readProgress(sheet)).toMatch(/^The cells below hold something/);
    expect((await readRows(sheet)).flat().filter(Boolean)).toEqual(['mine']);
  } finally {
    await sheet.close();
  }
});
