// Signs in to the admin console, visits its pages and examines them.
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { BrowserContext, Page } from 'playwright-core';
import { expect, inject } from 'vitest';

const session = inject('session');
const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
const MAX_BYTES = 150_000;
/** Visiting each page takes minutes on a busy machine. */
export const CRAWL_TIMEOUT_MS = 240_000;
export const PHONE = { width: 390, height: 844 };

/** Returns the width of a page's content in pixels. */
export const getWidth = (page: Page): Promise<number> =>
  page.locator('body').evaluate((body) => body.scrollWidth);

/** Signs in by keyboard alone. */
export async function signIn(context: BrowserContext): Promise<Page> {
  const page = await context.newPage();
  await page.goto(`${session.url}/console`);
  await page.locator('input:focus').waitFor();
  await page.keyboard.type(session.admin_token);
  await page.keyboard.press('Enter');
  await page.waitForURL(`${session.url}/console`);
  return page;
}

/** Collects what a page must not do: errors, failed requests, requests to other hosts. */
export function watch(page: Page): string[] {
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

/**
 * Visits the pages that links lead to.
 * @param maxOfKind - number of pages of one kind, such as those of teams
 * @param visit - called on each page
 * @returns the kinds
 */
export async function crawl(
  page: Page,
  maxOfKind: number,
  visit: (path: string) => Promise<void>,
): Promise<Set<string>> {
  const queue = ['/console', '/console/setup'];
  const counts = new Map<string, number>();
  const seen = new Set<string>();
  for (let path = queue.shift(); path !== undefined; path = queue.shift()) {
    const kind = toKind(path);
    const count = counts.get(kind) ?? 0;
    if (seen.has(path) || count >= maxOfKind || kind.endsWith('.csv') || kind.endsWith('/export')) continue;
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
export const findBarriers = (page: Page, options: object): Promise<string[]> =>
  page.evaluate<string[]>(
    `${AXE}; axe.run(document, ${JSON.stringify(options)}).then(({ violations }) => violations
      .filter(({ impact }) => impact === 'serious' || impact === 'critical')
      .map(({ id, nodes }) => id + ': ' + nodes.map(({ html }) => html).join(' ')))`,
  );
