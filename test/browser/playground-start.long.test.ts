// A new visitor of the playground: the first steps.
import { beforeAll, expect, inject, it } from 'vitest';
import { invalidateCache } from '../invalidate-cache.ts';
import { readPlaygroundSession } from '../playground-session.ts';
import { eventually } from './browser.ts';
import { callGateway, setUpPlayground } from './spreadsheet.ts';

const instance = inject('session');
// Other suites may have bought the websites of the first steps.
beforeAll(() => invalidateCache(instance));
const open = setUpPlayground({ firstSheet: 'My companies' });

async function readSpent(): Promise<number> {
  return (await callGateway<{ spent: { month: number } }>('me')).spent.month;
}

it('the first steps show a price above zero before Enrich runs, which is then charged; they are dismissed', {
  timeout: 60_000,
}, async () => {
  const sheet = open();
  const before = await readSpent();
  const steps = sheet.page.getByRole('region', { name: 'First steps' });
  const countDone = () => steps.getByRole('img', { name: 'Done' }).count();
  expect(await countDone()).toBe(0);
  await eventually(() => sheet.page.locator('header .about').allTextContents()).not.toContain('npm');
  const { examples } = await readPlaygroundSession(instance);
  await sheet.type('A7', examples[0] ?? '');
  await eventually(countDone).toBe(1);
  await sheet.sidebar.getByRole('button', { name: 'Look for columns again' }).click();
  await eventually(countDone).toBe(2);
  await sheet.text(/^6 rows · \d+ credits$/).waitFor();
  const [credits = ''] = /\d+ credits/.exec((await sheet.text(/^6 rows · /).textContent()) ?? '') ?? [];
  expect(Number.parseInt(credits, 10)).toBeGreaterThan(0);
  // Neither opening the page nor the price costs anything.
  expect(await readSpent()).toBe(before);
  await sheet.press(`Enrich 6 rows · ${credits}`, /^Done/);
  await eventually(async () => `${(await readSpent()) - before} credits`).toBe(credits);
  await eventually(countDone).toBe(3);
  const line = sheet.page.locator('#activity');
  await eventually(() => line.textContent()).toMatch(
    /^Your team today: [\d,]+ credits spent · [\d,]+ credits left$/,
  );
  await steps.getByRole('button', { name: 'Dismiss first steps' }).click();
  await eventually(() => steps.isVisible()).toBe(false);
  await sheet.page.reload();
  await sheet.waitUntilReady();
  await eventually(() => steps.isVisible()).toBe(false);
});

it('the sample of a sheet costs what the sidebar says', async () => {
  const sheet = open();
  await sheet.openSheet('Companies');
  const price = sheet.offer.getByText(
    /^This sheet has 1 formula\. Running it costs \d+ of your [\d,]+ fictional/,
  );
  await price.waitFor();
  const [, credits] = /costs (\d+)/.exec((await price.textContent()) ?? '') ?? [];
  await sheet.text(`14 rows · ${credits} credits`).waitFor();
});
