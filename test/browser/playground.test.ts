// The playground, as a person meets it: the ready workbook, typing, spilling, errors.
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import * as z from 'zod';
import { type Cell, Spreadsheet } from './spreadsheet.ts';

const { url, team_token } = inject('session');
const session = z.object({ examples: z.array(z.string()) });
const dated = z.object({
  rows: z.tuple([z.object({ record: z.object({ last_updated: z.string() }) })]),
});

let sheet: Spreadsheet;
let websites: string[] = [];

beforeAll(async () => {
  const answer = await fetch(`${url}/playground/session`);
  websites = session.parse(await answer.json()).examples;
  sheet = await Spreadsheet.open(url);
}, 60_000);

afterAll(async () => {
  await sheet?.close();
});

/** The cells of the ready workbook's row of this website, from a column on. */
async function knownRow(website: string, columns: number): Promise<Cell[]> {
  const row = (await sheet.read('A2:F13')).find(([first]) => first === website) ?? [];
  return row.slice(1, 1 + columns);
}

describe('playground', { timeout: 60_000 }, () => {
  it('opens with websites and their companies', async () => {
    expect(websites.length).toBeGreaterThanOrEqual(3);
    await expect.poll(async () => (await sheet.read('C2'))[0]?.[0], { timeout: 20_000 }).toMatch(/./);
    const rows = await sheet.read('A1:F15');
    expect(rows[0]).toEqual(['Website', 'Name', 'Industry', 'Size', 'Country', 'Founded']);
    for (const [website, name] of rows.slice(1, -2)) {
      expect(websites).toContain(website);
      expect(name).toMatch(/^[^#]/);
    }
  });

  it('says in its row why a website has no company', async () => {
    await sheet.shows('B14:B15', [['#NOT_FOUND'], ['#INVALID_KEY']]);
    await sheet.goTo('B14');
    await expect.poll(() => sheet.status()).toMatch(/^B14: No record exists for this key/);
  });

  it('answers a typed formula for typed websites, and spills', async () => {
    const [one = '', two = ''] = websites;
    await sheet.type('H2', one);
    await sheet.type('H3', two);
    await sheet.type('H5', 'no-such-company.example');
    await sheet.shows('H2:H5', [[one], [two], [null], ['no-such-company.example']]);
    await sheet.type('I2', '=CDAPI_ENRICH(H2:H5, "name, industry")');
    await sheet.shows('I2:J5', [
      await knownRow(one, 2),
      await knownRow(two, 2),
      ['', ''],
      ['#NOT_FOUND', ''],
    ]);
  });

  it('shows an error and says what it means', async () => {
    await sheet.type('M2', '=CDAPI_ENRICH(A2, "name", "no_such_option")');
    await sheet.shows('M2', [['#ERROR!']]);
    await sheet.goTo('M2');
    await expect.poll(() => sheet.status()).toMatch(/^M2: "no_such_option" is not an option/);
  });

  it('shows a date as the record has it, whatever the zone of the browser', async () => {
    const [website = ''] = websites;
    const answer = await fetch(`${url}/sheets/v1/lookup`, {
      method: 'POST',
      headers: { authorization: `Bearer ${team_token}`, 'content-type': 'application/json' },
      body: JSON.stringify({
        family: 'company_clean',
        by: 'website',
        keys: [website],
        fields: ['last_updated'],
      }),
    });
    const { last_updated } = dated.parse(await answer.json()).rows[0].record;
    await sheet.type('Q2', `=CDAPI_ENRICH("${website}", "last_updated")`);
    await sheet.shows('Q2', [[last_updated]]);
  });

  it('explains a formula while it is typed', async () => {
    await sheet.goTo('M4');
    await sheet.page.keyboard.type('=CDAPI_EN');
    await sheet.page.getByText('Company data for a website').waitFor();
    await sheet.page.keyboard.type('RICH(');
    await sheet.page.getByText('[options]').waitFor();
    await sheet.page.keyboard.press('Escape');
    await sheet.page.keyboard.press('Escape');
  });

  it('logs no error and asks no other host', () => {
    expect(sheet.faults).toEqual([]);
  });
});
