// States of the sidebar's tabs, and their test: no accessibility findings, no horizontal overflow, light and dark.
import type { Browser, Page } from 'playwright-core';
import { beforeAll, expect, it } from 'vitest';
import type { Status } from '../../addon/server/api/index.ts';
import { shareBrowser } from './browser.ts';
import {
  answers,
  disconnected,
  existing,
  lookedUp,
  NOW,
  overwrite,
  plan,
  progress,
  status,
} from './sidebar-answers.ts';
import {
  bulkList,
  orphanedAutoRefresh,
  others,
  request,
  stoppedAutoRefresh,
} from './sidebar-bulk-answers.ts';
import { type Answers, never, openCanned, Refused } from './sidebar-canned.ts';

/** A state of a tab. */
export interface State {
  tab: Status['tab'];
  /** A text of the state. */
  see: string | RegExp;
  /** Shown by `npm test`; the others by `npm run test:all`. */
  isTypical?: true;
  answers?: Answers;
  /** Brings the tab into the state. */
  act?: (page: Page) => Promise<void>;
}

const press = (name: string | RegExp) => (page: Page) => page.getByRole('button', { name }).click();
const unfold = (title: string) => (page: Page) => page.locator('summary', { hasText: title }).click();
const scrollTo = (page: Page, selector: string) => page.locator(selector).last().scrollIntoViewIfNeeded();
const paused = progress(40, 'paused', { failure: { message: 'The budget for this call is used up.' } });
const delivery = { tableId: 'bulk', title: 'Companies', rowsId: 'r1', kind: 'request' } as const;

async function enterSearch(page: Page): Promise<void> {
  await page.getByRole('tab', { name: 'Search' }).click();
  await page.getByRole('textbox', { name: 'Industry', exact: true }).fill('software');
  await page.getByRole('tab', { name: 'Bulk' }).click();
}

export const states: readonly State[] = [
  { tab: 'search', see: 'Search', answers: { status: never } },
  { tab: 'search', see: 'Connect to your team', answers: { status: () => disconnected } },
  { tab: 'search', see: /20 rows cost 10 credits/, isTypical: true },
  {
    tab: 'search',
    see: '=CDAPI_ENRICH($A2:$A1001; "name, industry, funding_rounds[0].last_round_type")',
    answers: {
      planMerge: () => ({
        offer: {
          sheetId: 1,
          formulas: 2000,
          ranges: 2,
          columns: ['B', 'C'],
          example: '=CDAPI_ENRICH($A2:$A1001; "name, industry, funding_rounds[0].last_round_type")',
          credits: 120,
          approval: { credits: 120, digest: 'merge' },
        },
      }),
    },
  },
  {
    tab: 'search',
    see: 'Columns, in order',
    act: async (page) => {
      await unfold('Columns')(page);
      await scrollTo(page, '.columns');
    },
  },
  {
    tab: 'search',
    see: /^This is not JSON/,
    isTypical: true,
    act: async (page) => {
      await press('Query')(page);
      await page.getByLabel('Query (JSON)').fill('{\n  "match": {"industry": "software"\n}');
    },
  },
  {
    tab: 'search',
    see: /^The provider is down/,
    answers: { planSearch: () => new Refused('The provider is down.') },
  },
  {
    tab: 'search',
    see: /^Nothing matches/,
    answers: {
      planSearch: () => ({
        ...plan,
        total: 0,
        rows: 0,
        credits: 0,
        without: [{ condition: 'country', total: 12 }],
      }),
    },
  },
  {
    tab: 'search',
    see: 'Replace 3 cells that you typed?',
    isTypical: true,
    answers: { planSearch: () => ({ ...plan, willOverwrite: overwrite }) },
    act: press('Write 20 rows'),
  },
  {
    tab: 'search',
    see: /has this search\. Updating it is free\.$/,
    isTypical: true,
    answers: { planSearch: () => ({ ...plan, credits: 0, existing }) },
  },
  {
    tab: 'search',
    see: 'The budget for this call is used up.',
    answers: { step: () => paused },
    act: press('Write 20 rows'),
  },
  {
    tab: 'search',
    see: '100 of 103 found · 50 credits',
    answers: { step: () => progress(100, 'done', { failed: { '#NOT_FOUND': 3 }, saved: 20 }) },
    act: press('Write 20 rows'),
  },
  { tab: 'enrich', see: 'No column to look up yet', answers: { columns: () => [] } },
  { tab: 'enrich', see: '14 rows · 70 credits', isTypical: true },
  { tab: 'bulk', see: 'These columns cost 50 credits in Search.' },
  {
    tab: 'bulk',
    see: 'Copy the address, then choose Share in Google Sheets.',
    act: async (page) => {
      await enterSearch(page);
      await page.getByLabel('Update the sheet while it is closed').click();
      await page.getByText(/^100 records/).waitFor();
      await scrollTo(page, '#panel-bulk .fold');
    },
  },
  {
    tab: 'bulk',
    see: /still be charged up to 12,400 credits/,
    isTypical: true,
    act: async (page) => {
      await press(/^Orders/)(page);
      await press(/^Stop waiting/)(page);
    },
  },
  {
    tab: 'bulk',
    see: /^120 records/,
    act: (page) => page.getByLabel('From IDs or links in a column').click(),
  },
  {
    tab: 'bulk',
    see: /^The provider delivers the order/,
    answers: {
      bulkRequests: () => ({ ...bulkList, requests: [...others, { ...request, state: 'reserved' }] }),
      deliveries: () => ({ deliveries: [delivery] }),
      writeDelivery: () =>
        new Refused('The sheet “Companies” is protected. Ask its owner to let you edit it.'),
    },
    act: press(/^Orders/),
  },
  { tab: 'tables', see: 'No tables yet', answers: { tables: () => [] } },
  {
    tab: 'tables',
    see: /^Its sheet was deleted/,
    isTypical: true,
    act: (page) => page.getByRole('article', { name: 'Old list' }).scrollIntoViewIfNeeded(),
  },
  { tab: 'tables', see: '100 rows · 50 credits', act: press('Refresh Companies: software') },
  { tab: 'tables', see: '120 of 930 credits spent this month', act: press('Schedule Companies: software') },
  {
    tab: 'tables',
    see: 'The schedule has stopped.',
    isTypical: true,
    answers: { autoRefresh: () => stoppedAutoRefresh },
    act: press('Schedule Companies: software'),
  },
  {
    tab: 'tables',
    see: 'Take over schedule',
    answers: { autoRefresh: () => orphanedAutoRefresh },
    act: press('Schedule Companies: software'),
  },
  {
    tab: 'tables',
    see: 'Undo fill · 3 rows (1 not found)',
    answers: { tables: () => [{ ...lookedUp, frozen: false }] },
    act: press('Keep filled Website'),
  },
  {
    tab: 'tables',
    see: 'Costs up to 50 credits',
    isTypical: true,
    act: async (page) => {
      await press('Formulas')(page);
      await press(/^Run 5 failed again/)(page);
    },
  },
  {
    tab: 'tables',
    see: 'Running the examples costs at most 100 credits.',
    isTypical: true,
    act: press('Templates'),
  },
  { tab: 'activity', see: '460 of 500', isTypical: true },
  {
    tab: 'activity',
    see: /^This is not a connection link/,
    isTypical: true,
    answers: {
      status: () => ({ ...disconnected, tab: 'activity' }),
      connect: () => new Refused('This is not a connection link. Copy the whole link and paste it again.'),
    },
    act: async (page) => {
      await page.getByLabel('Connection link').fill('nonsense');
      await press('Connect')(page);
    },
  },
  {
    tab: 'activity',
    see: 'hooks.chat.example',
    act: async (page) => {
      await unfold('Add a webhook')(page);
      await page.getByRole('heading', { name: 'Alerts' }).evaluate((heading) => heading.scrollIntoView());
    },
  },
];

/** Themes, with the rules of axe that are checked in each: only those about colours differ. */
const themes = [
  ['light', {}],
  ['dark', { runOnly: ['color-contrast', 'link-in-text-block'] }],
] as const;

/** Tests states. */
export function testStates(tested: readonly State[]): void {
  let browser: Browser;
  beforeAll(async () => {
    browser = await shareBrowser();
  });

  it.each(tested)(
    'a state of $tab that shows "$see" is accessible and fits',
    async ({ tab, see, answers: changed, act }) => {
      const all = { ...answers, status: () => ({ ...status, tab }), ...changed };
      const sidebar = await openCanned(browser, all, { now: NOW });
      await sidebar.page.locator('.tabs').waitFor();
      await act?.(sidebar.page);
      await sidebar.shows(see);
      for (const [theme, options] of themes) {
        await sidebar.setTheme(theme);
        expect(await sidebar.findings(options), theme).toEqual([]);
        expect(await sidebar.overflow(), theme).toBeLessThanOrEqual(0);
      }
      await sidebar.close();
      expect(sidebar.faults).toEqual([]);
    },
  );
}
