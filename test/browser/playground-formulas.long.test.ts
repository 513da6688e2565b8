// The sheet with all formulas: live results, their cost, and no requests without consent.
import { beforeAll, describe, expect, inject, it } from 'vitest';
import { formulas } from '../../shared/formulas.ts';
import { invalidateCache } from '../invalidate-cache.ts';
import { readPlaygroundSession } from '../playground-session.ts';
import { eventually, PATIENCE } from './browser.ts';
import { type Cell, callGateway, Spreadsheet, setUpPlayground } from './spreadsheet.ts';

const instance = inject('session');
// Before the page opens: otherwise its first sheet may buy before, and again when the page is reloaded.
beforeAll(() => invalidateCache(instance));
const open = setUpPlayground();

/** The block of a formula: its texts and its result. */
interface Block {
  texts: Cell[];
  result: Cell[];
}

async function readBlocks(sheet: Spreadsheet): Promise<Block[]> {
  const blocks: Block[] = [];
  for (const row of await sheet.read('A2:H140', 'Formulas')) {
    if (row[0] !== null && row[0] !== undefined) blocks.push({ texts: row.slice(0, 4), result: [] });
    blocks.at(-1)?.result.push(...row.slice(4));
  }
  return blocks;
}

/** Opens the sheet and waits until every formula shows its result and its cost. */
async function runFormulas(sheet: Spreadsheet): Promise<Block[]> {
  await sheet.runSample('Formulas');
  const isComplete = ({ texts, result }: Block) =>
    texts[3] !== null && result.some(Boolean) && !result.includes('Loading…');
  await eventually(async () => (await readBlocks(sheet)).filter(isComplete).length).toBe(formulas.length);
  return readBlocks(sheet);
}

/** Says "Not now" with the keyboard, which a reload keeps. @returns the price that the bar shows */
async function refuseAndReload(sheet: Spreadsheet): Promise<number> {
  await sheet.openSheet('Formulas');
  const text = sheet.offer.getByText(
    /^This sheet has \d+ formulas\. Running them costs up to \d+ of your [\d,]+ fictional credits\. Records that your team already bought are free\.$/,
  );
  await text.waitFor();
  const maximum = Number(/up to (\d+) of/.exec((await text.textContent()) ?? '')?.[1]);
  await sheet.offer.getByRole('button', { name: 'Not now' }).press('Enter');
  const refused = sheet.offer.getByText(`Not run yet: up to ${maximum} credits.`);
  await refused.waitFor();
  await sheet.page.reload();
  await sheet.waitUntilReady();
  await sheet.openSheet('Formulas');
  await refused.waitFor();
  expect(
    (await readBlocks(sheet)).flatMap(({ texts, result }) => [texts[3], ...result]).filter(Boolean),
  ).toEqual([]);
  return maximum;
}

async function readSpent(): Promise<number> {
  return (await callGateway<{ spent: { month: number } }>('me')).spent.month;
}

describe('the formula sheet', { timeout: 90_000 }, () => {
  beforeAll(async () => {
    // The first sheet's purchases must not count here.
    await open().shows('B15', [['#INVALID_KEY']]);
  });

  it('shows every formula with a result and its actual cost', async () => {
    const before = await readSpent();
    const maximum = await refuseAndReload(open());
    expect(await readSpent()).toBe(before);
    const blocks = await runFormulas(open());
    for (const [at, { texts, result }] of blocks.entries()) {
      const formula = formulas[at];
      expect(texts[0]).toMatch(new RegExp(`^=${formula?.name}\\(.*\\)$`));
      expect(texts.slice(1, 3)).toEqual([formula?.help, formula?.cost]);
      // A company may have no open job.
      const failed = formula?.name === 'CDAPI_JOBS' ? /^#(?!NOT_FOUND)/ : /^#/;
      for (const cell of result) expect(String(cell ?? ''), String(texts[0])).not.toMatch(failed);
    }
    const spent = blocks.reduce((sum, { texts }) => sum + Number.parseInt(String(texts[3]), 10), 0);
    expect(spent).toBeGreaterThan(0);
    expect(spent).toBeLessThanOrEqual(maximum);
    await eventually(async () => (await readSpent()) - before).toBe(spent);
  });

  it('costs nothing the second time', async () => {
    const before = await readSpent();
    await open().startOver();
    for (const { texts } of await runFormulas(open())) expect(texts[3]).toBe('0 credits');
    expect(await readSpent()).toBe(before);
  });
});

it('sends no paid requests to a paid provider without a click', { timeout: 90_000 }, async () => {
  const sheet = await Spreadsheet.open(instance);
  try {
    const { page } = sheet;
    const session = await readPlaygroundSession(instance);
    await page.route('**/playground/session', (route) =>
      route.fulfill({ json: { ...session, sandbox: false } }),
    );
    await page.reload();
    const paths: string[] = [];
    page.on('request', (request) => paths.push(new URL(request.url()).pathname));
    const paidPaths = () => paths.filter((path) => /\/(lookup|preview|search|requests)$/.test(path));
    await eventually(() => page.locator('#about-connected').isVisible()).toBe(true);
    await sheet.sidebar.getByRole('tab', { name: 'Search' }).click();
    // The sidebar counts the matches of its form once, for free.
    await sheet.sidebar.getByText(/\d [a-z]+ match/).waitFor(PATIENCE);
    expect(['', '/sheets/v1/search']).toContain(paidPaths().join());
    paths.length = 0;
    await sheet.openSheet('Formulas');
    await eventually(() => sheet.read('A2', 'Formulas')).toEqual([[expect.stringMatching(/^=/)]]);
    for (const { texts, result } of await readBlocks(sheet))
      expect([texts[3], ...result].filter(Boolean)).toEqual([]);
    expect(await sheet.offer.count()).toBe(0);
    await sheet.openSheet('Bulk order');
    await eventually(() => page.locator('[data-u-comp="defined-name"] input').inputValue()).toBe('A1');
    expect((await sheet.read('A1:G40', 'Bulk order')).flat().filter(Boolean)).toHaveLength(1);
    expect(paidPaths()).toEqual([]);
  } finally {
    await sheet.close();
  }
});
