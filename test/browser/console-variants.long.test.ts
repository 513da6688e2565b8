// Every page of the admin console: on a phone, in a wide window in both colour schemes, and without scripts.
import type { Browser } from 'playwright-core';
import { beforeAll, describe, expect, inject, it } from 'vitest';
import { eventually, shareBrowser } from './browser.ts';
import { CRAWL_TIMEOUT_MS, crawl, findBarriers, getWidth, PHONE, signIn, watch } from './console-pages.ts';
import { callGateway } from './spreadsheet.ts';

const session = inject('session');
/** Pages that links must lead to. */
const sections = [
  ...['', '/setup', '/costs/people', '/teams', '/team-rules', '/ledger', '/activity', '/records'],
  ...['/settings', '/settings/audit'],
];
const addresses = sections.map((section) => `/console${section}`);

/** Pages of one kind that are visited. */
const MAX_OF_KIND = 2;
/** Colour schemes, with the rules of axe that are checked in each: only those about colours differ. */
const schemes = [
  ['light', {}],
  ['dark', { runOnly: ['color-contrast', 'link-in-text-block'] }],
] as const;

let browser: Browser;
beforeAll(async () => {
  browser = await shareBrowser();
  // The overview shows it after half a minute.
  await callGateway('lookup', { family: 'company_clean', by: 'website', keys: ['a.example'] });
});

describe('every page', { timeout: CRAWL_TIMEOUT_MS }, () => {
  it('is accessible in light and dark colours', async () => {
    const context = await browser.newContext();
    const page = await signIn(context);
    await crawl(page, MAX_OF_KIND, async (path) => {
      for (const [colorScheme, options] of schemes) {
        await page.emulateMedia({ colorScheme });
        expect([path, colorScheme, await findBarriers(page, options)]).toEqual([path, colorScheme, []]);
      }
    });
    await context.close();
  });

  it('fits a phone, without scripts', async () => {
    const context = await browser.newContext({ viewport: PHONE, javaScriptEnabled: false });
    const page = await signIn(context);
    await crawl(page, MAX_OF_KIND, async (path) => {
      expect([path, await getWidth(page)]).toEqual([path, PHONE.width]);
    });
    await context.close();
  });
});

it('every page is quiet and small and fits a phone, and sections are accessible', {
  timeout: CRAWL_TIMEOUT_MS,
}, async () => {
  const context = await browser.newContext({ viewport: PHONE });
  const page = await signIn(context);
  const faults = watch(page);
  const kinds = await crawl(page, 1, async (path) => {
    expect(await page.locator('h1').count(), path).toBe(1);
    expect([path, await getWidth(page)]).toEqual([path, PHONE.width]);
    if (addresses.includes(path)) expect([path, await findBarriers(page, {})]).toEqual([path, []]);
  });
  expect([...kinds]).toEqual(expect.arrayContaining(addresses));
  expect(faults).toEqual([]);
  await context.close();
});

it('a bulk order shows its progress by itself', async () => {
  const context = await browser.newContext();
  const page = await signIn(context);
  const order = { kind: 'es_dsl', family: 'employee_clean', es_dsl: { query: { match_all: {} } }, limit: 3 };
  const { id } = await callGateway<{ id: string }>('requests', order);
  await page.goto(`${session.url}/console/activity/orders/${id}`);
  await eventually(() => page.locator('#order').textContent()).toMatch(/Stateready.*Ready: 3 rows/s);
  await context.close();
});

it('the overview shows what the playground has used', async () => {
  const context = await browser.newContext();
  const page = await signIn(context);
  await eventually(async () => {
    await page.reload();
    return page.locator('main').textContent();
  }).toMatch(/Development/);
  await context.close();
});

it('a token is shown once with its link, and revoked', async () => {
  const context = await browser.newContext();
  const page = await signIn(context);
  await page.getByRole('link', { name: 'Teams' }).click();
  await page.getByRole('link', { name: 'Development' }).first().click();
  await page.getByRole('link', { name: 'Create a token' }).click();
  await page.getByLabel('Name').fill('Browser token');
  await page.getByRole('button', { name: 'Create the token' }).click();
  await page.getByText(`${session.url}/connect#cds_`).waitFor();
  await eventually(() => page.getByRole('img', { name: 'Connection link as a QR code' }).isVisible()).toBe(
    true,
  );
  await page.getByRole('link', { name: 'I have saved it' }).click();
  await eventually(() => page.locator('body').textContent()).not.toContain('/connect#cds_');
  await page.getByRole('link', { name: 'Browser token' }).click();
  await page.getByRole('link', { name: 'Revoke' }).click();
  await page.getByRole('button', { name: 'Revoke the token' }).click();
  await eventually(() => page.getByRole('status').textContent()).toContain('The token was revoked.');
  await context.close();
});
