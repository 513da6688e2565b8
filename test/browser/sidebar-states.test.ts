// Every tab of the sidebar in every state, light and dark: nothing that a person can't use, nothing wider than 300 px, and
// the picture that was kept.
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { comparePicture } from './pictures.ts';
import { Sidebar } from './sidebar.ts';
import { answers, NOW, status } from './sidebar-answers.ts';
import { bulkStates } from './sidebar-bulk-states.ts';
import { states } from './sidebar-states.ts';
import { startBrowser } from './sidebar-window.ts';

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

describe.each([...states, ...bulkStates])('$name', ({ tab, next = [], ...first }) => {
  let sidebar: Sidebar;

  beforeAll(async () => {
    const own = { ...answers, status: () => ({ ...status, tab }), ...first.answers };
    sidebar = await Sidebar.open(browser, own, { now: NOW });
    await sidebar.page.locator('.tabs').waitFor();
  });
  afterAll(() => sidebar?.close());

  describe.each([first, ...next])('$name', ({ name, answers: changed, act, see }) => {
    beforeAll(async () => {
      Object.assign(sidebar.answers, changed);
      await act?.(sidebar.page);
      await sidebar.page.getByText(see).filter({ visible: true }).first().waitFor();
      // A price that is still asked for would be on the picture or not, as it happens.
      const pricing = sidebar.page.getByText('Finding out what it costs').filter({ visible: true });
      await pricing.first().waitFor({ state: 'hidden' });
    });

    it.each(['light', 'dark'] as const)('%s', async (colorScheme) => {
      await sidebar.page.emulateMedia({ colorScheme });
      expect(await sidebar.findings()).toEqual([]);
      expect(await sidebar.overflow()).toBeLessThanOrEqual(0);
      const compared = await comparePicture(sidebar.page, blank, `${name}-${colorScheme}`);
      const { changed: different = 0, ...size } = compared;
      expect(size).toEqual({ width: 300, height: 640 });
      expect(different).toBeLessThanOrEqual(MAY_DIFFER);
    });
  });

  it('leaves no fault', () => expect(sidebar.faults).toEqual([]));
});
