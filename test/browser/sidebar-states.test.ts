// Every tab of the sidebar in every state, light and dark: nothing that a person can't use, nothing wider than 300 px, and
// the picture that was kept.
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { comparePicture } from './pictures.ts';
import { type Answers, Sidebar, startBrowser } from './sidebar.ts';
import { answers, NOW, status } from './sidebar-answers.ts';
import { bulkStates } from './sidebar-bulk-states.ts';
import { states } from './sidebar-states.ts';

/** Letters are drawn a little otherwise by another build of the same browser. */
const MAY_DIFFER = 0.02;

let browser: Browser;
let blank: Page;

beforeAll(async () => {
  browser = await startBrowser();
  blank = await browser.newPage();
});
afterAll(async () => {
  await browser?.close();
});

describe.each(['light', 'dark'])('%s', (scheme) => {
  it.each([...states, ...bulkStates])('$name', async ({ tab, next = [], ...first }) => {
    const own: Answers = { ...answers, status: () => ({ ...status, tab }), ...first.answers };
    const sidebar = await Sidebar.open(browser, own, { dark: scheme === 'dark', now: NOW });
    const { page } = sidebar;
    try {
      await page.locator('.tabs').waitFor();
      for (const { name, answers: changed, act, see } of [first, ...next]) {
        Object.assign(sidebar.answers, changed);
        await act?.(page);
        await page.getByText(see).filter({ visible: true }).first().waitFor();
        expect(await sidebar.findings()).toEqual([]);
        expect(await sidebar.overflow()).toBeLessThanOrEqual(0);
        const { changed: different = 0, ...size } = await comparePicture(page, blank, `${name}-${scheme}`);
        expect(size).toEqual({ width: 300, height: 640 });
        expect(different, name).toBeLessThanOrEqual(MAY_DIFFER);
      }
      expect(sidebar.faults).toEqual([]);
    } finally {
      await sidebar.close();
    }
  });
});
