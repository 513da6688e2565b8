// How cells look in the playground while the add-on writes: links open, and what was taken back looks as it did.
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { type Cell, Spreadsheet } from './spreadsheet.ts';

const { url } = inject('session');
const PATIENCE = { timeout: 30_000, interval: 100 };

let sheet: Spreadsheet;
let sidebar: ReturnType<Spreadsheet['page']['frameLocator']>;

beforeAll(async () => {
  sheet = await Spreadsheet.open(url);
  sidebar = sheet.page.frameLocator('#sidebar iframe');
}, 60_000);
afterAll(async () => {
  await sheet?.close();
});

const button = (name: string | RegExp) =>
  sidebar.getByRole('button', { name }).filter({ visible: true }).first();
const shown = (text: RegExp) => sidebar.getByText(text).filter({ visible: true }).first();
const card = () => sheet.page.getByRole('region', { name: /^Links in / });
const cellNow = (row: Cell[] | undefined, at: number) => String(row?.[at] ?? '');

const looks = (range: string, name = 'Companies'): Promise<Record<string, string>[][]> =>
  sheet.page.evaluate(`window.cdapiPlayground.looks(${JSON.stringify(name)}, ${JSON.stringify(range)})`);

/** All that a block shows, and how. */
const state = async (range: string, name = 'Companies') => [
  await sheet.read(range, name),
  await looks(range, name),
];

/** Writes the first rows of a search, and says yes where something is replaced. */
async function write(replaces: boolean): Promise<void> {
  await button(/^Write \d+ rows/).click(PATIENCE);
  if (replaces) await button('Replace cells').click();
  await shown(/^Done/).waitFor();
}

async function takeBack(): Promise<void> {
  await button('Undo').click();
  await shown(/^Undone/).waitFor();
  await button('Close').click();
}

describe('links that the add-on writes', { timeout: 90_000 }, () => {
  it('are shown under the selected cell, and open in a tab that knows nothing of this one', async () => {
    await sidebar.getByText('Name and source').click();
    await sidebar.getByLabel('Name', { exact: true }).fill('Linked');
    await write(false);
    await button('Close').click();
    const [head = [], first] = await sheet.read('A1:I2', 'Linked');
    const at = head.indexOf('websites_professional_network_canonical');
    const link = cellNow(first, at);
    expect(link).toMatch(/^https:\/\//);
    await sheet.goTo(`${String.fromCharCode(65 + at)}2`);
    const anchor = card().getByRole('link');
    await anchor.waitFor();
    expect(await anchor.getAttribute('href')).toBe(link);
    expect(await anchor.getAttribute('target')).toBe('_blank');
    expect(await anchor.getAttribute('rel')).toContain('noopener');
    await expect.poll(() => sheet.status()).toMatch(/^[A-Z]2: Press Alt\+Enter to open the link\./);
    await sheet.page.context().route(link, (route) => route.fulfill({ body: 'there' }));
    const opened = sheet.page.context().waitForEvent('page');
    await anchor.click();
    const page = await opened;
    await page.waitForLoadState();
    expect(page.url()).toBe(link);
    expect(await page.evaluate('String(window.opener)')).toBe('null');
    await page.close();
  });

  it('are reached and left by keys', async () => {
    const { page } = sheet;
    await page.keyboard.press('ArrowDown');
    await expect.poll(() => card().getAttribute('aria-label')).toMatch(/3$/);
    const focused = (): Promise<string> => page.evaluate('document.activeElement.tagName');
    await page.keyboard.press('Alt+Enter');
    expect(await focused()).toBe('A');
    await page.keyboard.press('Escape');
    await expect.poll(() => card().count()).toBe(0);
    expect(await focused()).not.toBe('A');
  });

  it('go with their text: what is typed in its place is none', async () => {
    const { page } = sheet;
    await page.keyboard.press('ArrowUp');
    await card().waitFor();
    await page.keyboard.type('typed');
    await page.keyboard.press('Enter');
    await page.keyboard.press('ArrowUp');
    await expect.poll(() => sheet.status()).toBe('');
    expect(await card().count()).toBe(0);
  });
});

describe('what is taken back', { timeout: 90_000 }, () => {
  it('shows what it showed and looks as it looked: formulas, dates, weights, colours and links', async () => {
    const { page } = sheet;
    await page.getByText('Companies', { exact: true }).first().click();
    await sheet.type('K2', '=1+1');
    await sheet.type('L2', '2026-01-05');
    await sheet.type('M2', 'mine');
    await sheet.shows('K2', [[2]]);
    await sheet.goTo('K2:M3');
    await page.keyboard.press('Control+b');
    await expect
      .poll(async () => (await looks('L2'))[0]?.[0])
      .toEqual({ fontWeight: 'bold', format: 'yyyy-mm-dd' });
    const before = await state('J1:S25');
    await sheet.goTo('K2');
    await sidebar.getByLabel('Selected cell').check();
    await sidebar.getByLabel('Add a source column').selectOption({ label: 'As a note on the first cell' });
    await write(true);
    const written = await looks('K2:S3');
    expect(written[1]?.[0]?.note).toMatch(/credits?$/);
    expect(written.flat().some(({ links }) => links !== undefined)).toBe(true);
    await takeBack();
    await expect.poll(() => state('J1:S25'), PATIENCE).toEqual(before);
  });

  it('logs no error and asks no other host', () => {
    expect(sheet.faults.filter((fault) => !fault.startsWith('other host'))).toEqual([]);
  });
});
