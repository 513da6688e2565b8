// The admin console in Chromium: every page without serious findings of axe, in both colour schemes and on a phone, by keyboard,
// without scripts, and with two admins at once.
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { Browser, BrowserContext, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { eventually, startBrowser } from './browser.ts';
import { callGateway } from './spreadsheet.ts';

const session = inject('session');
const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
const MAX_BYTES = 150_000;
/** Pages of one kind, such as those of teams, that are visited. */
const MAX_OF_KIND = 2;
/** Pages that links must lead to. */
const sections = ['', '/setup', '/teams', '/ledger', '/activity', '/records', '/settings', '/settings/audit'];
/** Colour schemes, with the rules of axe that are checked in each: only those about colours differ. */
const schemes = [
  ['light', {}],
  ['dark', { runOnly: ['color-contrast', 'link-in-text-block'] }],
] as const;
/** Visiting each page takes minutes on a busy machine. */
const CRAWL_TIMEOUT_MS = 240_000;
const PHONE = { width: 390, height: 844 };

let browser: Browser;
beforeAll(async () => {
  browser = await startBrowser();
  // The overview shows it after half a minute.
  await callGateway('lookup', { family: 'company_clean', by: 'website', keys: ['a.example'] });
});
afterAll(() => browser?.close());

/** Signs in by keyboard alone. */
async function signIn(context: BrowserContext): Promise<Page> {
  const page = await context.newPage();
  await page.goto(`${session.url}/console`);
  await page.locator('input:focus').waitFor();
  await page.keyboard.type(session.admin_token);
  await page.keyboard.press('Enter');
  await page.waitForURL(`${session.url}/console`);
  return page;
}

/** Collects what a page must not do: errors, failed requests, requests to other hosts. */
function watch(page: Page): string[] {
  const faults: string[] = [];
  page.on('console', (message) => {
    if (message.type() === 'error' || message.type() === 'warning') faults.push(message.text());
  });
  page.on('pageerror', (error) => faults.push(error.message));
  page.on('request', (request) => {
    if (!/^(?:data:|blob:)/.test(request.url()) && new URL(request.url()).origin !== session.url)
      faults.push(`other host: ${request.url()}`);
  });
  return faults;
}

const listLinks = (page: Page): Promise<string[]> =>
  page.$$eval('a[href^="/console"]', (links) => links.map((link) => link.getAttribute('href') ?? ''));

/** Replaces ids, so that addresses of the same kind of page are equal. */
const toKind = (path: string): string =>
  path.replace(/\?.*/, '').replaceAll(/\/(?:development|[0-9a-f-]{16,}|\d+)(?=\/|$)/g, '/{id}');

/** Visits every page that links lead to. @param visit - called on each page */
async function crawl(page: Page, visit: (path: string) => Promise<void>): Promise<Set<string>> {
  const queue = ['/console', '/console/setup'];
  const counts = new Map<string, number>();
  const seen = new Set<string>();
  for (let path = queue.shift(); path !== undefined; path = queue.shift()) {
    const kind = toKind(path);
    const count = counts.get(kind) ?? 0;
    if (seen.has(path) || count >= MAX_OF_KIND || kind.endsWith('.csv') || kind.endsWith('/export')) continue;
    seen.add(path);
    counts.set(kind, count + 1);
    const response = await page.goto(session.url + path);
    expect(response?.status(), path).toBe(200);
    expect((await response?.body())?.byteLength, path).toBeLessThan(MAX_BYTES);
    await visit(path);
    queue.push(...(await listLinks(page)));
  }
  return new Set(counts.keys());
}

/**
 * Returns serious and critical findings of axe. It runs outside of the page's content security policy.
 * @param options - of `axe.run`
 */
const findBarriers = (page: Page, options: object): Promise<string[]> =>
  page.evaluate<string[]>(
    `${AXE}; axe.run(document, ${JSON.stringify(options)}).then(({ violations }) => violations
      .filter(({ impact }) => impact === 'serious' || impact === 'critical')
      .map(({ id, nodes }) => id + ': ' + nodes.map(({ html }) => html).join(' ')))`,
  );

describe('every page', { timeout: CRAWL_TIMEOUT_MS }, () => {
  it('is accessible, quiet and small, in light and dark colours', async () => {
    const context = await browser.newContext();
    const page = await signIn(context);
    const faults = watch(page);
    const kinds = await crawl(page, async (path) => {
      expect(await page.locator('h1').count(), path).toBe(1);
      for (const [colorScheme, options] of schemes) {
        await page.emulateMedia({ colorScheme });
        expect([path, colorScheme, await findBarriers(page, options)]).toEqual([path, colorScheme, []]);
      }
    });
    expect([...kinds]).toEqual(expect.arrayContaining(sections.map((section) => `/console${section}`)));
    expect(faults).toEqual([]);
    await context.close();
  });

  it('fits a phone, without scripts', async () => {
    const context = await browser.newContext({ viewport: PHONE, javaScriptEnabled: false });
    const page = await signIn(context);
    await crawl(page, async (path) => {
      const width = await page.locator('body').evaluate((body) => body.scrollWidth);
      expect([path, width]).toEqual([path, PHONE.width]);
    });
    await context.close();
  });
});

it('a team is created by keyboard, with its mistakes explained, and another admin sees it at once', async () => {
  const [context, other] = [await browser.newContext(), await browser.newContext()];
  const [page, colleague] = [await signIn(context), await signIn(other)];
  await page.goto(`${session.url}/console/new-team`);
  await page.getByLabel('Name').focus();
  await page.keyboard.type('Keyboard team');
  await page.keyboard.press('Tab');
  await page.keyboard.type('many');
  await page.keyboard.press('Enter');
  await eventually(() => page.getByRole('alert').textContent()).toContain('budget.day');
  expect(await page.getByLabel('Name').inputValue()).toBe('Keyboard team');
  await page.getByLabel('Credits per day').fill('2,500');
  await page.keyboard.press('Enter');
  await page.getByRole('status').waitFor();
  await colleague.goto(`${session.url}/console/teams`);
  await eventually(() => colleague.locator('body').textContent()).toMatch(/Keyboard team.*of 2,500/);
  await Promise.all([context.close(), other.close()]);
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

it('a bulk order shows its progress by itself', async () => {
  const context = await browser.newContext();
  const page = await signIn(context);
  const order = { kind: 'es_dsl', family: 'employee_clean', es_dsl: { query: { match_all: {} } }, limit: 3 };
  const { id } = await callGateway<{ id: string }>('requests', order);
  await page.goto(`${session.url}/console/activity/orders/${id}`);
  await eventually(() => page.locator('#order').textContent()).toMatch(/Stateready.*Ready: 3 rows/s);
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
  expect(await page.getByRole('img', { name: 'Connection link as a QR code' }).isVisible()).toBe(true);
  await page.getByRole('link', { name: 'I have saved it' }).click();
  await eventually(() => page.locator('body').textContent()).not.toContain('/connect#cds_');
  await page.getByRole('link', { name: 'Browser token' }).click();
  await page.getByRole('link', { name: 'Revoke' }).click();
  await page.getByRole('button', { name: 'Revoke the token' }).click();
  await eventually(() => page.getByRole('status').textContent()).toContain('The token was revoked.');
  await context.close();
});

it('a company is looked up, erased and refused, and its key is in no address', async () => {
  const context = await browser.newContext();
  const page = await signIn(context);
  const addresses: string[] = [];
  page.on('request', (request) => addresses.push(request.url()));
  const key = 'console-erases.example';
  await callGateway('lookup', { family: 'company_clean', by: 'website', keys: [key] });
  const lookUp = async () => {
    await page.getByRole('link', { name: 'Records' }).click();
    await page.getByLabel('Key').fill(key);
    await page.getByRole('button', { name: 'Look it up' }).click();
  };
  await lookUp();
  await page.getByRole('button', { name: 'See what would be erased' }).click();
  await eventually(() => page.locator('main').textContent()).toContain('This can’t be undone.');
  await page.getByRole('button', { name: 'Erase it everywhere' }).click();
  await eventually(() => page.locator('#proof').textContent()).toContain('complete');
  await lookUp();
  await eventually(() => page.locator('main').textContent()).toContain(
    'erased: every look-up of it is refused',
  );
  expect(addresses.filter((address) => address.includes('console-erases'))).toEqual([]);
  await context.close();
});
