// Every tab of the sidebar in every state, light and dark: nothing that a person can't use, and nothing wider than 300 px.
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Sidebar } from './sidebar.ts';
import { answers, NOW, status } from './sidebar-answers.ts';
import { bulkStates } from './sidebar-bulk-states.ts';
import { states } from './sidebar-states.ts';
import { startBrowser } from './sidebar-window.ts';

let browser: Browser;

beforeAll(async () => {
  browser = await startBrowser();
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

  describe.each([first, ...next])('$name', ({ answers: changed, act, see }) => {
    beforeAll(async () => {
      Object.assign(sidebar.answers, changed);
      await act?.(sidebar.page);
      await sidebar.page.getByText(see).filter({ visible: true }).first().waitFor();
    });

    it.each(['light', 'dark'] as const)('%s', async (colorScheme) => {
      await sidebar.page.emulateMedia({ colorScheme });
      expect(await sidebar.findings()).toEqual([]);
      expect(await sidebar.overflow()).toBeLessThanOrEqual(0);
    });
  });

  it('leaves no fault', () => expect(sidebar.faults).toEqual([]));
});
