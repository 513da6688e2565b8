// The playground: initial workbook, typed formulas, errors, menu and dialogs.
import { describe, expect, inject, it } from 'vitest';
import { formatPlaygroundUrl } from '../../shared/playground.ts';
import { longIt } from '../pick-cases.ts';
import { eventually, shareBrowser } from './browser.ts';
import { callGateway, setUpPlayground } from './spreadsheet.ts';

const session = inject('session');

/** The results of the initial formula. */
const RESULTS = 'B2:F15';
const open = setUpPlayground();

async function readWebsites(): Promise<string[]> {
  return (await open().read('A2:A4')).flat().map(String);
}

describe('the address', () => {
  it('loses the nonce once the page is open, and a reload works without it', async () => {
    const { page } = open();
    expect(page.url()).toBe(`${session.url}/`);
    await page.reload();
    await open().waitUntilReady();
    await eventually(() => page.locator('#notice').isVisible()).toBe(false);
    await eventually(() => page.locator('#records').textContent()).toMatch(/companies/);
  });

  longIt('without the nonce says what to open, and works in the same tab once it is pasted', async () => {
    const page = await (await shareBrowser()).newPage();
    await page.goto(session.url);
    await eventually(() => page.locator('#notice').textContent()).toBe(
      'Not connected. Open the address that npm start printed.',
    );
    await page.goto(formatPlaygroundUrl(session));
    await eventually(() => page.locator('#records').textContent()).toMatch(/companies/);
    await page.close();
  });
});

describe('the initial workbook', () => {
  it('looks up companies and explains the keys without a record', async () => {
    const sheet = open();
    await sheet.shows('B14:B15', [['#NOT_FOUND'], ['#INVALID_KEY']]);
    const [headings, ...rows] = await sheet.read('A1:F13');
    expect(headings).toEqual(['Website', 'Name', 'Industry', 'Size', 'Country', 'Founded']);
    for (const [website, name] of rows) expect([website, name].join()).toMatch(/^\S+\.example,[^#]/);
    await sheet.goTo('B14');
    await eventually(() => sheet.status()).toMatch(/^B14: No record was found/);
  });
});

describe('a typed formula', () => {
  it('spills results for typed websites', async () => {
    const sheet = open();
    const [website = ''] = await readWebsites();
    await sheet.type('H2', website);
    await sheet.type('H4', 'no-such-company.example');
    await sheet.type('I2', '=CDAPI_ENRICH(H2:H4, "name, industry")');
    const known = (await sheet.read('B2:C2')).flat();
    await sheet.shows('I2:J4', [known, ['', ''], ['#NOT_FOUND', '']]);
    await eventually(() => sheet.page.locator('#activity').textContent()).toMatch(
      /^Last formulas: 0 credits · Your team today: [\d,]+ credits spent · [\d,]+ credits left$/,
    );
  });

  longIt('explains an invalid option', async () => {
    const sheet = open();
    await sheet.type('M2', '=CDAPI_ENRICH(A2, "name", "no_such_option")');
    await sheet.shows('M2', [['#ERROR!']]);
    await sheet.goTo('M2');
    await eventually(() => sheet.status()).toMatch(/^M2: "no_such_option" is not an option/);
  });

  it('names the cell that blocks its results', async () => {
    const sheet = open();
    await sheet.type('N10', 'mine');
    await sheet.type('M8', '=CDAPI_ENRICH(A2:A4, "name, industry")');
    await sheet.shows('M8', [['#SPILL!']]);
    await sheet.goTo('M8');
    await eventually(() => sheet.status()).toBe('M8: N10 is in the way. Clear it to show the results.');
    await sheet.goTo('N10');
    await sheet.page.keyboard.press('Delete');
    await sheet.shows('M8:N10', await sheet.read('B2:C4'));
  });

  longIt('shows a date of a record regardless of the browser’s time zone', async () => {
    const [website = ''] = await readWebsites();
    const lookup = { family: 'company_clean', by: 'website', keys: [website], fields: ['last_updated'] };
    const { rows } = await callGateway<{ rows: { record: { last_updated: string } }[] }>('lookup', lookup);
    await open().type('Q2', `=CDAPI_ENRICH("${website}", "last_updated")`);
    await open().shows('Q2', [[rows[0]?.record.last_updated ?? null]]);
  });

  longIt('is explained while it is typed', async () => {
    const { page } = open();
    await open().goTo('M20');
    await page.keyboard.type('=CDAPI_EN');
    await page.getByText('Company data for a website').waitFor();
    await page.keyboard.type('RICH(');
    await page.getByText('[options]').waitFor();
    await page.keyboard.press('Escape');
    await page.keyboard.press('Escape');
  });
});

describe('the add-on’s menu', () => {
  const menu = () => open().page.getByRole('menu', { name: 'Extensions → CDAPI' });
  const dialog = () => open().page.getByRole('dialog');
  const focused = () => open().page.locator(':focus').textContent();

  async function choose(item: string): Promise<void> {
    await open().page.getByRole('button', { name: 'Extensions → CDAPI', exact: true }).click();
    await menu().getByRole('menuitem', { name: item, exact: true }).click();
  }

  longIt('can be used with the keyboard', async () => {
    const { keyboard } = open().page;
    await open().page.getByRole('button', { name: 'Extensions → CDAPI', exact: true }).focus();
    const steps = { Enter: 'Open sidebar', ArrowDown: 'Connect', End: 'Help', Home: 'Open sidebar' };
    for (const [key, item] of Object.entries(steps)) {
      await keyboard.press(key);
      await eventually(focused).toBe(item);
    }
    await keyboard.press('Escape');
    await eventually(() => menu().isVisible()).toBe(false);
    expect((await focused())?.trim()).toBe('Extensions → CDAPI');
  });

  it('shows prompts and alerts', async () => {
    const { keyboard } = open().page;
    await choose('Connect');
    await dialog().getByRole('textbox').waitFor();
    await keyboard.type('no link');
    await keyboard.press('Enter');
    await dialog().getByText('This is not a connection link').waitFor();
    await keyboard.press('Escape');
    await eventually(() => dialog().count()).toBe(0);
  });

  it('freezes formulas to values', async () => {
    const sheet = open();
    // Blank results become empty cells.
    const readResults = async () => JSON.stringify(await sheet.read(RESULTS)).replaceAll('""', 'null');
    const before = await readResults();
    const [, second = ''] = await readWebsites();
    await sheet.goTo('B2');
    await choose('Selection');
    await dialog().getByRole('button', { name: 'Yes' }).click();
    const toast = 'CDAPI: 1 formula became values. Undo brings formulas back.';
    await eventually(() => sheet.page.locator('#toast').textContent()).toBe(toast);
    expect(await readResults()).toBe(before);
    await sheet.type('R2', '=A2');
    await sheet.type('A2', second);
    await sheet.shows('R2', [[second]]);
    expect(await readResults()).toBe(before);
  });
});
