// Pages of the admin console in a wide window, in both colour schemes, and on a phone without scripts.
import type { Browser } from 'playwright-core';
import { beforeAll, describe, expect, it } from 'vitest';
import { shareBrowser } from './browser.ts';
import { CRAWL_TIMEOUT_MS, crawl, findBarriers, getWidth, PHONE, signIn } from './console-pages.ts';

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
