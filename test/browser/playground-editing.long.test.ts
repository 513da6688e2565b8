// Editing in the playground as in Sheets: references, copies, pasted texts, sorting, filters, F6, downloads and the locale.
import { readFile } from 'node:fs/promises';
import { beforeAll, describe, expect, it } from 'vitest';
import { eventually } from './browser.ts';
import { setUpPlayground } from './spreadsheet.ts';

const SHEET = 'My companies';
/** Heights of the grid's headings and rows, in pixels. */
const HEADINGS = 20;
const ROW = 24;

const open = setUpPlayground({ firstSheet: SHEET });

const fill = (range: string, formulas: string[][]): Promise<void> => open().enter(range, formulas, SHEET);
const readFormulas = (range: string) => open().readFormulas(range, SHEET);
const read = async (range: string) => (await open().read(range, SHEET)).flat();

async function choose(menu: string, item: string | RegExp): Promise<void> {
  const { page } = open();
  await page.getByRole('button', { name: menu, exact: true }).click();
  await page.getByRole('menuitem', { name: item }).click();
}

/** Inserts a row by the menu of a row's number. */
async function insertRowAbove(row: number): Promise<void> {
  const { page } = open();
  const canvas = page.locator('canvas[id^="univer-sheet-main-canvas"]');
  await canvas.click({ button: 'right', position: { x: 20, y: HEADINGS + row * ROW - ROW / 2 } });
  // Beside the number of rows.
  await page
    .getByText(/rows above/)
    .first()
    .click({ position: { x: 10, y: 12 } });
}

const setClipboard = (text: string) =>
  open().page.evaluate(`navigator.clipboard.writeText(${JSON.stringify(text)})`);

async function paste(address: string, text: string): Promise<void> {
  await setClipboard(text);
  await open().goTo(address);
  await open().page.keyboard.press('Control+v');
}

/** Copies a range by the keyboard. */
async function copy(from: string, to: string): Promise<void> {
  const sheet = open();
  await setClipboard('');
  await sheet.goTo(from);
  await sheet.page.keyboard.press('Control+c');
  await eventually(() => sheet.page.evaluate('navigator.clipboard.readText()')).not.toBe('');
  await sheet.goTo(to);
  await sheet.page.keyboard.press('Control+v');
}

beforeAll(() => open().page.context().grantPermissions(['clipboard-read', 'clipboard-write']));

it('lets references beside semicolons follow copies and inserted rows', async () => {
  await fill('H2:I4', [
    ['=SUM(I2;I4)', '=1'],
    ['', ''],
    ['', '=5'],
  ]);
  await eventually(() => read('H2')).toEqual([6]);
  await copy('H2', 'J6');
  await eventually(() => readFormulas('J6')).toEqual([['=SUM(K6;K8)']]);
  await insertRowAbove(3);
  await eventually(() => readFormulas('H2')).toEqual([['=SUM(I2;I5)']]);
});

it('copies results of a formula as values, and the formula with its own results', async () => {
  await fill('H10', [['=SEQUENCE(2; 2)']]);
  await eventually(() => read('H10:I11')).toEqual([1, 2, 3, 4]);
  await copy('I10:I11', 'K10');
  await eventually(() => read('K10:K11')).toEqual([2, 4]);
  expect((await readFormulas('K10:K11')).flat()).toEqual(['', '']);
  await copy('H10:I11', 'M10');
  await eventually(() => read('M10:N11')).toEqual([1, 2, 3, 4]);
  expect((await readFormulas('M10:N11')).flat()).toEqual(['=SEQUENCE(2; 2)', '', '', '']);
});

it.each(['Jane <jane@acme.example>', 'Jane <jane@acme.example>\nBob & <b>'])('pastes %s', async (text) => {
  await paste('P2', text);
  const lines = text.split('\n');
  await eventually(() => read(`P2:P${lines.length + 1}`)).toEqual(lines);
});

describe('a table', () => {
  const readRows = () => read('R2:S5');

  it('is sorted with its formulas, and the sort is undone', async () => {
    const sheet = open();
    await fill('R2:S5', [
      ['=10', '=R2*2'],
      ['=2', '=R3*2'],
      ['', ''],
      ['=3', '=R5*2'],
    ]);
    await eventually(readRows).toEqual([10, 20, 2, 4, null, null, 3, 6]);
    await sheet.goTo('R2:S5');
    await choose('Data', /A to Z/);
    await eventually(readRows).toEqual([2, 4, 3, 6, 10, 20, null, null]);
    expect((await readFormulas('S2:S4')).flat()).toEqual(['=R2*2', '=R3*2', '=R4*2']);
    await choose('Data', /Z to A/);
    await eventually(readRows).toEqual([10, 20, 3, 6, 2, 4, null, null]);
    await sheet.goTo('R2');
    await sheet.page.keyboard.press('Control+z');
    await eventually(readRows).toEqual([2, 4, 3, 6, 10, 20, null, null]);
  });

  it('is filtered by the values of a column', async () => {
    const sheet = open();
    const readSelected = () => sheet.page.evaluate('window.cdapiPlayground.selected()');
    await sheet.goTo('R2');
    await choose('Data', /^Filter/);
    const dialog = sheet.page.getByRole('dialog');
    await dialog.getByLabel('3', { exact: true }).uncheck();
    await dialog.getByRole('button', { name: 'Show rows' }).click();
    // The next row that is shown.
    await sheet.goTo('R2');
    await sheet.page.keyboard.press('ArrowDown');
    await eventually(readSelected).toBe('R4');
    await choose('Data', 'Remove filter');
    await sheet.goTo('R2');
    await sheet.page.keyboard.press('ArrowDown');
    await eventually(readSelected).toBe('R3');
  });
});

it('leaves the grid by F6, and comes back', async () => {
  const { page } = open();
  const readFocus = () => page.evaluate('document.activeElement.title || document.activeElement.id');
  await open().goTo('A2');
  await page.keyboard.press('F6');
  await eventually(readFocus).toBe('CDAPI');
  await page.keyboard.press('Shift+F6');
  await eventually(readFocus).toContain('INTERNAL_EDITOR');
  await page.keyboard.press('Shift+F6');
  await eventually(readFocus).not.toContain('INTERNAL_EDITOR');
});

it('downloads a large workbook as an Excel file', async () => {
  const { page } = open();
  const texts = Array.from({ length: 900 }, (_, row) =>
    Array.from(
      { length: 4 },
      (__, column) => `="${'text '.repeat(40)}${(row * 7919 + column * 104_729) % 99_991}"`,
    ),
  );
  await fill('U20:X919', texts);
  await eventually(async () => String((await read('X919'))[0])).toMatch(/^text/);
  const download = page.waitForEvent('download');
  await choose('File', /Excel/);
  const file = await readFile(await (await download).path());
  expect(file.subarray(0, 2).toString()).toBe('PK');
  await fill(
    'U20:X919',
    texts.map((row) => row.map(() => '')),
  );
});

it('explains the error of the selected cell, also one with several causes', async () => {
  const sheet = open();
  await fill('H15', [['="#BUDGET"']]);
  await sheet.goTo('H15');
  await eventually(() => sheet.status()).toMatch(/^H15: Nothing was charged/);
});

it('switches to German numbers, dates and separators, and back', async () => {
  const sheet = open();
  await fill('H17', [['=ROUND(2.5, 0)']]);
  await choose('File', /German numbers/);
  await sheet.waitUntilReady();
  await eventually(() => readFormulas('H17')).toEqual([['=ROUND(2,5; 0)']]);
  for (const [at, text] of ['1,5', '=I17*2,5', '31.12.2026', '1.234,5'].entries())
    await sheet.type(`I${17 + at}`, text);
  await eventually(() => read('I17:I20')).toEqual(['1,5', '3,75', '31.12.2026', '1234,5']);
  await paste('J17', '1,5\n1.234,5\nJane <jane@acme.example>');
  await eventually(() => read('J17:J19')).toEqual(['1,5', '1234,5', 'Jane <jane@acme.example>']);
  await choose('File', /US/);
  await sheet.waitUntilReady();
  await eventually(() => readFormulas('H17:I18')).toEqual([
    ['=ROUND(2.5, 0)', ''],
    ['', '=I17*2.5'],
  ]);
  await eventually(() => read('I17:I18')).toEqual([1.5, 3.75]);
});
