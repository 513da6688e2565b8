// The sheet of formulas, as a person meets it: every formula with its purpose, its price and a live answer.
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import * as z from 'zod';
import { formulas } from '../../shared/formulas.ts';
import { invalidateCache } from '../invalidate-cache.ts';
import { type Cell, Spreadsheet } from './spreadsheet.ts';

const session = inject('session');
const { url, team_token } = session;
const standing = z.object({ spent: z.object({ day: z.number() }) });

const ROWS = 'A2:H140';
const PATIENCE = { timeout: 40_000, interval: 100 };

let sheet: Spreadsheet;

/** A formula's rows on the sheet: its words, and the cells of its answer. */
interface Block {
  words: Cell[];
  answer: Cell[];
}

async function blocks(of: Spreadsheet): Promise<Block[]> {
  const found: Block[] = [];
  for (const row of await of.read(ROWS, 'Formulas')) {
    if (row[0] !== null && row[0] !== undefined) found.push({ words: row.slice(0, 4), answer: [] });
    found.at(-1)?.answer.push(...row.slice(4));
  }
  return found;
}

async function openFormulas(of: Spreadsheet): Promise<void> {
  await of.page.getByText('Formulas', { exact: true }).click();
}

/** Waits until every formula has an answer and is told what it spent. */
async function answered(of: Spreadsheet): Promise<Block[]> {
  await expect
    .poll(
      async () =>
        (await blocks(of)).filter(
          ({ words, answer }) => words[3] !== null && answer.some(Boolean) && !answer.includes('Loading…'),
        ).length,
      PATIENCE,
    )
    .toBe(formulas.length);
  return blocks(of);
}

async function spentToday(): Promise<number> {
  const answer = await fetch(`${url}/sheets/v1/me`, { headers: { authorization: `Bearer ${team_token}` } });
  return standing.parse(await answer.json()).spent.day;
}

const creditsIn = ({ words }: Block): number => Number.parseInt(String(words[3]), 10);

beforeAll(async () => {
  await invalidateCache(session);
  sheet = await Spreadsheet.open(url);
  // What the sheet of companies buys is no price of a formula here.
  await sheet.shows('B15', [['#INVALID_KEY']]);
}, 60_000);

afterAll(async () => {
  await sheet?.close();
});

describe('the sheet of formulas', { timeout: 90_000 }, () => {
  it('shows each formula with what it is for, its price, and an answer that is no error', async () => {
    const before = await spentToday();
    await openFormulas(sheet);
    const shown = await answered(sheet);
    shown.forEach(({ words, answer }, at) => {
      const formula = formulas[at];
      expect(words[0]).toMatch(new RegExp(`^=${formula?.name}\\(.*\\)$`));
      expect(words.slice(1, 3)).toEqual([formula?.help, formula?.cost]);
      for (const cell of answer) expect(String(cell ?? ''), String(words[0])).not.toMatch(/^#/);
    });
    // What is told is what the team was charged.
    const told = shown.reduce((sum, block) => sum + creditsIn(block), 0);
    expect(told).toBeGreaterThan(0);
    await expect.poll(async () => (await spentToday()) - before, PATIENCE).toBe(told);
  });

  it('spends nothing a second time', async () => {
    const before = await spentToday();
    const again = await Spreadsheet.open(url);
    try {
      await openFormulas(again);
      for (const block of await answered(again)) expect(block.words[3]).toBe('0 credits');
      expect(again.faults).toEqual([]);
    } finally {
      await again.close();
    }
    expect(await spentToday()).toBe(before);
  });

  it('logs no error and asks no other host', () => {
    expect(sheet.faults).toEqual([]);
  });
});

it('asks nothing of a provider whose answers cost money', { timeout: 90_000 }, async () => {
  const paid = await Spreadsheet.open(url);
  try {
    const { page } = paid;
    const told = await fetch(`${url}/playground/session`);
    const session = z.record(z.string(), z.unknown()).parse(await told.json());
    await page.route('**/playground/session', (route) =>
      route.fulfill({ json: { ...session, embedded: false } }),
    );
    await page.reload();
    const asked: string[] = [];
    page.on('request', (request) => asked.push(new URL(request.url()).pathname));
    await expect.poll(() => page.locator('#about-connected').isVisible(), PATIENCE).toBe(true);
    const paying = (): string[] => asked.filter((path) => /\/(lookup|preview|search|requests)$/.test(path));
    // The sidebar counts once, for free, what its form matches; after that nobody asks anything.
    await page
      .frameLocator('#sidebar iframe')
      .getByText(/\d [a-z]+ match/)
      .waitFor(PATIENCE);
    expect(['', '/sheets/v1/search']).toContain(paying().join());
    asked.length = 0;
    await openFormulas(paid);
    await expect.poll(() => paid.read('A2', 'Formulas'), PATIENCE).toEqual([[expect.stringMatching(/^=/)]]);
    const shown = await blocks(paid);
    expect(shown).toHaveLength(formulas.length);
    for (const { words, answer } of shown) expect([words[3], ...answer].filter(Boolean)).toEqual([]);
    await page.getByText('Bulk order', { exact: true }).click();
    await expect.poll(() => page.locator('[data-u-comp="defined-name"] input').inputValue()).toBe('A1');
    expect((await paid.read('A1:G40', 'Bulk order')).flat().filter(Boolean)).toHaveLength(1);
    expect(paying()).toEqual([]);
  } finally {
    await paid.close();
  }
});
