// The add-on's menu in the playground, as a person meets it, and Freeze to values through it: values stay, formulas go.
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { type Cell, Spreadsheet } from './spreadsheet.ts';

const { url } = inject('session');
/** The formula of the ready workbook fills these cells from B2. */
const FILLED = 'B2:F15';
const PATIENCE = { timeout: 20_000, interval: 50 };

let sheet: Spreadsheet;
const lookups: string[] = [];

beforeAll(async () => {
  sheet = await Spreadsheet.open(url);
  sheet.page.on('request', (request) => {
    if (request.url().endsWith('/lookup')) lookups.push(request.url());
  });
}, 60_000);

afterAll(async () => {
  await sheet?.close();
});

const menu = () => sheet.page.getByRole('menu', { name: 'CDAPI' });
const dialog = () => sheet.page.getByRole('dialog');
const focused = () => sheet.page.locator(':focus').textContent();

async function choose(item: string): Promise<void> {
  await sheet.page.getByRole('button', { name: 'CDAPI', exact: true }).click();
  await menu().getByRole('menuitem', { name: item, exact: true }).click();
}

/** What the cells show: an empty text is an empty cell. */
async function filled(): Promise<Cell[][]> {
  return (await sheet.read(FILLED)).map((row) => row.map((cell) => (cell === '' ? null : cell)));
}

async function answered(): Promise<Cell[][]> {
  await expect.poll(async () => (await sheet.read('B15'))[0]?.[0], PATIENCE).toBe('#INVALID_KEY');
  return filled();
}

describe('the add-on’s menu in the playground', { timeout: 60_000 }, () => {
  it('is reached, walked through and left by keys', async () => {
    const { page } = sheet;
    // The grid takes the focus once, as it opens.
    await answered();
    const button = page.getByRole('button', { name: 'CDAPI', exact: true });
    await button.focus();
    await page.keyboard.press('Enter');
    await expect.poll(focused).toBe('Open sidebar');
    expect(await menu().getByRole('menuitem').allTextContents()).toEqual([
      'Open sidebar',
      'Connect',
      'Disconnect',
      'Refresh selection',
      'Selection',
      'This sheet',
      'Complete rows on opening',
      'Help',
    ]);
    await page.keyboard.press('ArrowDown');
    await expect.poll(focused).toBe('Connect');
    await page.keyboard.press('End');
    await expect.poll(focused).toBe('Help');
    await page.keyboard.press('ArrowDown');
    await expect.poll(focused).toBe('Open sidebar');
    await page.keyboard.press('Escape');
    await expect.poll(() => menu().isVisible()).toBe(false);
    expect((await focused())?.trim()).toBe('CDAPI');
  });

  it('asks in dialogs, takes what is typed, and says what is wrong with it', async () => {
    await choose('Connect');
    await dialog().getByRole('textbox').waitFor();
    await sheet.page.keyboard.type('no link');
    expect(await dialog().getByRole('textbox').inputValue()).toBe('no link');
    await sheet.page.keyboard.press('Enter');
    await dialog().getByText('This is not a connection link').waitFor();
    await sheet.page.keyboard.press('Escape');
    await expect.poll(() => dialog().count()).toBe(0);
  });
});

describe('Freeze to values', { timeout: 60_000 }, () => {
  it('leaves the values standing, also where a website changes afterwards', async () => {
    const before = await answered();
    expect(before.flat().filter((cell) => cell !== null).length).toBeGreaterThan(20);
    const [first, second] = (await sheet.read('A2:A3')).flat();
    await sheet.goTo('B2');
    await choose('Selection');
    await dialog().getByRole('button', { name: 'Yes' }).click();
    await expect
      .poll(() => sheet.page.locator('#toast').textContent(), PATIENCE)
      .toBe('CDAPI: 1 formula became values. Undo brings formulas back.');
    expect(await filled()).toEqual(before);
    lookups.length = 0;
    await sheet.type('H2', '=A2');
    await sheet.shows('H2', [[first ?? null]]);
    await sheet.type('A2', String(second));
    await sheet.shows('H2', [[second ?? null]]);
    expect(await filled()).toEqual(before);
    expect(lookups).toEqual([]);
  });

  it('logs no error and asks no other host', () => {
    expect(sheet.faults).toEqual([]);
  });
});
