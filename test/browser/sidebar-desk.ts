// A person at the sidebar: opens it, finds what is on it, and has it closed after each test, which must have left no fault.
import type { Browser, Locator } from 'playwright-core';
import { afterAll, afterEach, beforeAll, expect } from 'vitest';
import { type Answers, Sidebar, type SidebarOptions } from './sidebar.ts';
import { answers } from './sidebar-answers.ts';
import { startBrowser } from './sidebar-window.ts';

/**
 * Starts a browser for the suite.
 * @returns opens a sidebar whose script answers everything, some of it otherwise
 */
export function sidebars(): (changed?: Answers, options?: SidebarOptions) => Promise<Sidebar> {
  let browser: Browser;
  let opened: Sidebar[] = [];
  beforeAll(async () => {
    browser = await startBrowser();
  });
  afterEach(async ({ task }) => {
    const those = opened;
    opened = [];
    for (const sidebar of those) await sidebar.close(task.result?.state !== 'fail');
    expect(those.flatMap(({ faults }) => faults)).toEqual([]);
  });
  afterAll(async () => {
    await browser?.close();
  });
  return async (changed = {}, options) => {
    const sidebar = await Sidebar.open(browser, { ...answers, ...changed }, options);
    opened.push(sidebar);
    return sidebar;
  };
}

/** What stands beside the button of the tab in front. */
export const price = ({ page }: Sidebar): Locator =>
  page.locator('.panel:not([hidden]) .price [role="status"]');

export const button = ({ page }: Sidebar, name: string | RegExp): Locator =>
  page.getByRole('button', { name });

export const field = ({ page }: Sidebar, name: string): Locator =>
  page.getByRole('textbox', { name, exact: true });

export const tab = ({ page }: Sidebar, name: string): Locator => page.getByRole('tab', { name });

/** Waits until this can be read somewhere. */
export const says = ({ page }: Sidebar, text: string | RegExp): Promise<void> =>
  page.getByText(text).filter({ visible: true }).first().waitFor();
