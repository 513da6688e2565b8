// The sidebar in the playground, everything real: page, script, host, Worker, grid.
import type { FrameLocator } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { eventually } from './sidebar.ts';
import { type Cell, Spreadsheet } from './spreadsheet.ts';

const { url } = inject('session');

let sheet: Spreadsheet;
let sidebar: FrameLocator;

beforeAll(async () => {
  sheet = await Spreadsheet.open(url);
  sidebar = sheet.page.frameLocator('#sidebar iframe');
}, 60_000);
afterAll(async () => {
  await sheet?.close();
});

const tab = (name: string) => sidebar.getByRole('tab', { name }).click();
const button = (name: string | RegExp) =>
  sidebar.getByRole('button', { name }).filter({ visible: true }).first();
const shown = (text: string | RegExp) => sidebar.getByText(text).filter({ visible: true }).first();
const price = () => sidebar.locator('.panel:not([hidden]) .price [role="status"]').textContent();

/** Rows that hold something below the heading. */
const filled = (rows: Cell[][]): number =>
  rows.slice(1).filter((row) => row.some((cell) => cell !== null && cell !== '')).length;

describe('the sidebar in the playground', { timeout: 60_000 }, () => {
  it('stands beside the grid, 300 pixels wide', async () => {
    await shown('Search').waitFor();
    const box = await sheet.page.locator('#sidebar iframe').boundingBox();
    expect(box?.width).toBe(300);
    const grid = await sheet.page.locator('#grid').boundingBox();
    expect((grid?.x ?? 0) + (grid?.width ?? 0)).toBeLessThanOrEqual(box?.x ?? 0);
  });

  it('searches: the price first, then rows in a new sheet, with a heading', async () => {
    await eventually(price).toMatch(
      /^[\d,]+ compan(y matches|ies match) · \d+ rows? (costs? \d+ credits|(is|are) free)$/,
    );
    await sidebar.getByText('Name and source').click();
    await sidebar.getByLabel('Name', { exact: true }).fill('Found');
    await button(/^Write \d+ rows/).click();
    await shown(/^Done/).waitFor();
    const rows = await sheet.read('A1:G30', 'Found');
    expect(rows[0]?.every((cell) => typeof cell === 'string' && cell !== '')).toBe(true);
    expect(filled(rows)).toBe(20);
  });

  it('takes back what it wrote, with the sheet that it made', async () => {
    await button('Undo').click();
    await shown(/^Undone/).waitFor();
    await eventually(() => sheet.read('A1:G30', 'Found')).toEqual([]);
    await button('Close').click();
  });

  it('writes at the cursor, and what it has bought before is free', async () => {
    await sheet.page.getByText('Companies', { exact: true }).click();
    await sheet.goTo('J20');
    await sidebar.getByLabel('Selected cell').check();
    await sidebar.getByLabel('Name', { exact: true }).fill('Again');
    await eventually(price).toMatch(/· 20 rows (cost|are free)/);
    await button('Write 20 rows').click();
    await shown(/^Done/).waitFor();
    expect(await shown(/^20 rows · /).textContent()).toMatch(/^20 rows · 0 credits · \d+ credits saved/);
    await button('Close').click();
    const rows = await sheet.read('J20:P40');
    expect(rows[0]?.every((cell) => typeof cell === 'string' && cell !== '')).toBe(true);
    expect(filled(rows)).toBe(20);
  });

  it('enriches the column of websites that it finds by what it holds', async () => {
    await tab('Enrich');
    await sidebar.getByLabel(/A · Website/).check();
    await eventually(price).toMatch(/^\d+ rows · \d+ credits?$/);
    await button(/^Enrich \d+ rows/).click();
    await shown(/^Done/).waitFor();
    expect(await shown(/ not found/).textContent()).toMatch(/1 not found/);
    await button('Close').click();
    // Beside the formula's own columns, which say the same of each company.
    const rows = await sheet.read('A2:G13');
    expect(rows.map((row) => row[6])).toEqual(rows.map((row) => row[1]));
  });

  it('orders records in bulk, follows them live, and writes them by itself when they are ready', async () => {
    await tab('Bulk');
    await shown('No search yet').waitFor();
    await tab('Search');
    await sidebar.getByRole('textbox', { name: 'Employees from' }).fill('1');
    await tab('Bulk');
    await sidebar.getByLabel('Maximum number of records').fill('30');
    await eventually(price).toMatch(/^30 records · (?:.* new: )?up to \d+ credits?, charged on delivery$/);
    await button(/^Order 30 records · \d+ credits?$/).click();
    await shown(/^30 rows arrived in /).waitFor();
    await shown(/^30 of 30 records(?:, \d+ already bought)? · \d+ credits?$/).waitFor();
    const [, title] =
      /^30 rows arrived in (.*)\.$/.exec((await shown(/^30 rows arrived/).textContent()) ?? '') ?? [];
    expect(filled(await sheet.read('A1:F60', title))).toBe(30);
  });

  it('says what was done, and what it cost', async () => {
    await tab('Activity');
    await shown('Your team’s recent runs').waitFor();
    await eventually(() => sidebar.locator('#panel-activity .entry').first().textContent()).toMatch(
      /rows · \d+ credits?/,
    );
  });

  it('sees nothing of the page around it, and reaches nobody', async () => {
    const frame = sheet.page.frames().find((one) => one.url().endsWith('/sidebar'));
    const seen = await frame?.evaluate<string[]>(`(async () => {
      const tries = [
        () => String(self.origin),
        () => parent.document.title,
        () => localStorage.length,
        async () => (await fetch('/playground/session')).status,
      ];
      const answers = [];
      for (const attempt of tries) {
        try { answers.push(String(await attempt())); } catch (error) { answers.push(error.name); }
      }
      return answers;
    })()`);
    expect(seen).toEqual(['null', 'SecurityError', 'SecurityError', 'TypeError']);
    // The attempt above is told on the console: it is the policy at work.
    expect(sheet.faults.splice(0).filter((fault) => !fault.includes('Content Security Policy'))).toEqual([]);
  });

  it('gets calls that overlap, failures as failures, and a runner for each handler, as in Google’s page', async () => {
    const frame = sheet.page.frames().find((one) => one.url().endsWith('/sidebar'));
    const told = await frame?.evaluate<
      unknown[]
    >(`Promise.all(['status', 'tables', 'no_such_method', 'status'].map(
      (method, at) => new Promise((resolve) => {
        google.script.run
          .withUserObject(at)
          .withFailureHandler((error, user) => resolve([user, error.name]))
          .withSuccessHandler((answer, user) => resolve([user, JSON.parse(answer).ok]))
          .cdapiSidebar(JSON.stringify({ method, payload: {} }));
      })).concat(new Promise((resolve) => {
        google.script.run.withFailureHandler((error) => resolve(error.name)).noSuchFunction();
      })))`);
    expect(told).toEqual([[0, true], [1, true], [2, false], [3, true], 'TypeError']);
  });

  it('can be hidden, and opens again as it was left in this sheet', async () => {
    const toggle = sheet.page.getByRole('button', { name: 'Sidebar', exact: true });
    await toggle.click();
    expect(await sheet.page.locator('#sidebar iframe').count()).toBe(0);
    expect(await toggle.getAttribute('aria-expanded')).toBe('false');
    await toggle.click();
    await shown('Your team’s recent runs').waitFor();
  });

  it('“footer, Activity and formulas show different balances after a purchase”: they show the same', async () => {
    const left = sidebar.locator('#panel-activity dt', { hasText: 'Credits left' }).locator('+ dd');
    await left.waitFor();
    const footer = async () =>
      /([\d,]+) credits left/.exec((await sheet.page.locator('#activity').textContent()) ?? '')?.[1];
    await eventually(footer).toBe(await left.textContent());
    await sheet.page.getByText('Companies', { exact: true }).click();
    await sheet.type('L1', '=CDAPI_CREDITS()');
    const credits = async () => Number((await sheet.read('L1:L1'))[0]?.[0]);
    await eventually(credits).toBe(Number((await left.textContent())?.replace(/,/g, '')));
  });

  it('logs no error and asks no other host', () => {
    expect(sheet.faults).toEqual([]);
  });
});
