// The states of the sidebar's tabs: what the script answers, what a person does, what they see then.
import type { Page } from 'playwright-core';
import type { Status } from '../../addon/server/api/index.ts';
import { type Answers, never, Refused } from './sidebar.ts';
import { disconnected, plan, progress } from './sidebar-answers.ts';

export const PROVIDER_DOWN =
  'The data provider cannot take calls right now. Try again in a few minutes. Nothing was charged.';

interface Step {
  name: string;
  answers?: Answers;
  /** What a person does first. */
  act?: (page: Page) => Promise<void>;
  /** What they see then. */
  see: string | RegExp;
}

/** A tab in a state, and what it comes to from there. */
export interface State extends Step {
  tab: Status['tab'];
  next?: Step[];
}

export const press = (name: string | RegExp) => (page: Page) => page.getByRole('button', { name }).click();
export const unfold = (title: string) => (page: Page) => page.locator('summary', { hasText: title }).click();

/** Those of the tabs that look things up, and of what was written. */
export const states: State[] = [
  { name: 'search-loading', tab: 'search', answers: { status: never }, see: 'Search' },
  {
    name: 'search-not-connected',
    tab: 'search',
    answers: { status: () => disconnected },
    see: 'Connect to your team',
  },
  { name: 'search-form', tab: 'search', see: /20 rows cost 10 credits/ },
  {
    name: 'search-columns',
    tab: 'search',
    act: async (page) => {
      await unfold('Columns')(page);
      await page.locator('.columns').scrollIntoViewIfNeeded();
    },
    see: 'Columns, in order',
  },
  {
    name: 'search-query-fault',
    tab: 'search',
    act: async (page) => {
      await press('Query')(page);
      await page.getByLabel('Query (JSON)').fill('{\n  "match": {"industry": "software"\n}');
    },
    see: /^Line 3/,
  },
  {
    name: 'search-refused',
    tab: 'search',
    answers: { planSearch: () => new Refused(PROVIDER_DOWN) },
    see: PROVIDER_DOWN,
  },
  {
    name: 'search-nothing',
    tab: 'search',
    answers: {
      planSearch: () => ({
        ...plan,
        total: 0,
        rows: 0,
        credits: 0,
        without: [
          { condition: 'country', total: 1966 },
          { condition: 'industry', total: 12 },
        ],
      }),
    },
    see: /^Nothing matches/,
  },
  {
    name: 'search-question',
    tab: 'search',
    answers: {
      planSearch: () => ({
        ...plan,
        willOverwrite: {
          cells: 3,
          sample: [{ cell: 'Sheet1!B3', value: 'my note' }],
          question: 'Replace 3 cells that you typed?',
        },
      }),
    },
    act: press('Write 20 rows'),
    see: 'Replace 3 cells that you typed?',
  },
  {
    name: 'search-paused',
    tab: 'search',
    answers: {
      step: () => progress(40, 'paused', { failure: { message: 'The budget for this call is used up.' } }),
    },
    act: press('Write 20 rows'),
    see: 'The budget for this call is used up.',
  },
  {
    name: 'search-done',
    tab: 'search',
    answers: { step: () => progress(100, 'done', { failed: { '#NOT_FOUND': 3 }, saved: 20 }) },
    act: press('Write 20 rows'),
    see: '100 of 100',
  },
  { name: 'enrich-nothing', tab: 'enrich', answers: { columns: () => [] }, see: 'No column to look up yet' },
  { name: 'enrich-plan', tab: 'enrich', see: '14 rows · 70 credits' },
  { name: 'tables-none', tab: 'tables', answers: { tables: () => [] }, see: 'No tables yet' },
  {
    name: 'tables-list',
    tab: 'tables',
    act: (page) => page.getByRole('article', { name: 'Old list' }).scrollIntoViewIfNeeded(),
    see: /^Its sheet was deleted/,
  },
  {
    name: 'tables-refresh',
    tab: 'tables',
    act: press('Refresh Companies: software'),
    see: '100 rows · up to 50 credits',
  },
  { name: 'activity-meters', tab: 'activity', see: '460 of 500' },
  {
    name: 'activity-link-refused',
    tab: 'activity',
    answers: {
      status: () => ({ ...disconnected, tab: 'activity' }),
      connect: () => new Refused('This is not a connection link. Copy the whole link and paste it again.'),
    },
    act: async (page) => {
      await page.getByLabel('Connection link').fill('nonsense');
      await press('Connect')(page);
    },
    see: /^This is not a connection link/,
  },
];
