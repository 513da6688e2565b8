// States of the sidebar's tabs, and their test: no accessibility findings, no horizontal overflow, light and dark.
import { expect, it } from 'vitest';
import type { Workbook } from '../../addon/dev/host/types.ts';
import type { Tab } from '../../addon/server/api/index.ts';
import { createProblemSummary } from '../../shared/problems.ts';
import { createBulkOrder, startBulk } from '../addon/server/bulk/bulk-orders.ts';
import { createEnrichOrder, createList, runEnrichment, runSearch } from '../addon/server/orders.ts';
import { createWorkbook, gateway, type Sidebar as Server } from '../addon/server/sidebar.ts';
import { NOW, never, type ServedSidebar, type SidebarOptions, setUpSidebars } from './sidebar.ts';
import { createFilled } from './sidebar-filled.ts';

/** A state of a tab. */
export interface State {
  tab: Tab;
  /** A text of the state. */
  see: string | RegExp;
  /** Shown by `npm test`; the others by `npm run test:all`. */
  isTypical?: true;
  options?: SidebarOptions;
  /** Brings the tab into the state. */
  act?: (sidebar: ServedSidebar) => Promise<unknown>;
}

const press = (name: string | RegExp) => (sidebar: ServedSidebar) => sidebar.button(name).click();
const unfold = ({ page }: ServedSidebar, title: string) =>
  page.locator('summary', { hasText: title }).click();
const refuse = (...refusal: Parameters<typeof gateway.refuse>): SidebarOptions => ({
  before: async () => gateway.refuse(...refusal),
});

const disconnected: SidebarOptions = { properties: { document: {} } };
const filled = createFilled();
const ACCOUNT = 'sheets@cdapi-gateway.iam.gserviceaccount.com';

/** A column of websites with a formula beside each. */
function createFormulas(count: number, formula: (row: number) => string, result: string): Workbook {
  const rows = Array.from({ length: count }, (_, at) => at + 1);
  const values = rows.map((row) => [`site-${row}.example`, result]);
  return createWorkbook(values, { formulas: rows.map((row) => ['', formula(row)]) });
}

/** Writes a search two days ago. */
async function searchBefore(server: Server): Promise<string> {
  gateway.now = () => NOW.getTime() - 2 * 86_400_000;
  const { tableId } = await runSearch(server, { title: 'Software' });
  gateway.now = () => NOW.getTime();
  return tableId;
}

/** Writes a search with a daily schedule, which pushes rows into the closed sheet. */
async function schedule(server: Server): Promise<void> {
  gateway.lists.pushAccount = ACCOUNT;
  const tableId = await searchBefore(server);
  const daily = { every: 'day', max_credits: 30, paused: false } as const;
  await server.callOk('setAutoRefresh', { tableId, schedule: daily, push: true });
}

/** Changes the schedules of a spreadsheet, and its tables. */
function changeScheduled(
  schedules: Partial<(typeof gateway.lists.schedules.items)[number]>,
  tables: Partial<(typeof gateway.lists.tables.items)[number]> = {},
): SidebarOptions {
  const before = async (server: Server): Promise<void> => {
    await schedule(server);
    const { lists } = gateway;
    lists.schedules.items = lists.schedules.items.map((each) => ({ ...each, ...schedules }));
    lists.tables.items = lists.tables.items.map((each) => ({ ...each, ...tables }));
  };
  return { before };
}

/** Keeps a looked-up table filled. */
async function keepFilled(server: Server): Promise<void> {
  const { tableId } = await runEnrichment(server, createEnrichOrder());
  const budgets = { max_credits: 100, month_credits: 1000, paused: false };
  const settings = { push: true, every: 'day', refresh_days: 30, ...budgets } as const;
  await server.callOk('setEnrichment', { tableId, settings });
}

const stopped = { state: 'stopped', next_at: null } as const;
const pushed = { at: '2026-11-21T15:31:00Z', rows: 0 } as const;
const fill = { runId: 'fill', at: NOW.toISOString(), rows: 3, notFound: 1, credits: 20, tables: [] };

export const states: readonly State[] = [
  { tab: 'search', see: 'Search', options: { changes: { status: never } } },
  { tab: 'search', see: 'Connect to your team', options: disconnected },
  { tab: 'search', see: /20 rows cost 10 credits/, isTypical: true },
  {
    tab: 'search',
    see: /^=CDAPI_ENRICH\(A1:A40/,
    options: {
      workbook: createFormulas(
        40,
        (row) => `=CDAPI_ENRICH(A${row}; "name, industry, funding_rounds[0].last_round_type")`,
        'A name',
      ),
    },
  },
  {
    tab: 'search',
    see: 'Columns, in order',
    act: (sidebar) => unfold(sidebar, 'Columns'),
  },
  {
    tab: 'search',
    see: /^This is not JSON/,
    act: async (sidebar) => {
      await sidebar.button('Query').click();
      await sidebar.page.getByLabel('Query (JSON)').fill('{\n  "match": {"industry": "software"\n}');
    },
  },
  {
    tab: 'search',
    see: /^The provider is down/,
    options: refuse('POST preview/estimate', 'provider_unavailable', 'The provider is down.'),
  },
  {
    tab: 'search',
    see: 'Nothing matches all these conditions.',
    act: async (sidebar) => {
      await sidebar.field('Industry').fill('mining');
      await sidebar.field('Country').fill('Chile');
    },
  },
  {
    tab: 'search',
    see: /cells are not empty in Companies/,
    isTypical: true,
    act: async (sidebar) => {
      await sidebar.page.getByLabel('Selected cell').check();
      await sidebar.button('Write 20 rows').click();
    },
  },
  {
    tab: 'search',
    see: /has this search\. Updating it is free\.$/,
    options: {
      before: (server) =>
        runSearch(server, {
          ...{ family: 'company_clean', query: { es_dsl: { query: { match_all: {} } } } },
          ...{ columns: ['id', 'name'], pages: 1 },
        }),
    },
  },
  {
    tab: 'search',
    see: 'The budget for this call is used up.',
    options: refuse('POST preview', 'over_budget', 'The budget for this call is used up.'),
    act: press('Write 20 rows'),
  },
  {
    tab: 'enrich',
    see: '2 of 3 found · 20 credits',
    options: { workbook: createList(['a.example', 'b.example', 'nobody.example']) },
    act: press('Enrich 3 rows'),
  },
  { tab: 'enrich', see: 'No column to look up yet', options: { workbook: createWorkbook([]) } },
  { tab: 'enrich', see: '14 rows · 120 credits', isTypical: true },
  {
    tab: 'bulk',
    see: 'These columns cost 50 credits in Search.',
    options: filled,
    act: async (sidebar) => {
      await sidebar.page.getByLabel('Update the sheet while it is closed').click();
      await sidebar.shows('Copy the address, then choose Share in Google Sheets.');
    },
  },
  {
    tab: 'bulk',
    see: /still be charged up to 200 credits/,
    isTypical: true,
    options: filled,
    act: async (sidebar) => {
      await sidebar.button(/^Orders/).click();
      await sidebar.button(/^Stop waiting/).click();
    },
  },
  {
    tab: 'bulk',
    see: /^B · Profile/,
    act: ({ page }) => page.getByLabel('From IDs or links in a column').click(),
  },
  {
    tab: 'bulk',
    see: /^The rows of “People” are ready, but/,
    options: {
      before: async (server) => {
        await startBulk(server, createBulkOrder());
        gateway.refuse('GET requests/00000000-0000-4000-8000-000000000001', 'internal');
      },
    },
    act: press(/^Orders/),
  },
  { tab: 'tables', see: 'No tables yet' },
  {
    tab: 'tables',
    see: /^Its sheet was deleted/,
    options: filled,
  },
  {
    tab: 'tables',
    see: '40 rows · 20 credits',
    options: { before: searchBefore },
    act: press('Refresh Software'),
  },
  {
    tab: 'tables',
    see: '120 of 930 credits spent this month',
    options: changeScheduled({ month: { max_credits: 930, spent: 120 } }),
    act: press('Schedule Software'),
  },
  {
    tab: 'tables',
    see: 'The schedule has stopped.',
    isTypical: true,
    options: changeScheduled(
      { ...stopped, problem: createProblemSummary('max_credits_reached') },
      { last_push: { ...pushed, state: 'failed', problem: createProblemSummary('sheet_not_shared') } },
    ),
    act: press('Schedule Software'),
  },
  {
    tab: 'tables',
    see: 'Take over schedule',
    options: changeScheduled(
      { ...stopped, problem: createProblemSummary('unauthorised') },
      { last_push: { ...pushed, state: 'waiting' }, push_problem: createProblemSummary('unauthorised') },
    ),
    act: press('Schedule Software'),
  },
  {
    tab: 'tables',
    see: 'Undo fill · 3 rows (1 not found)',
    options: {
      workbook: createList(['a.example', 'b.example']),
      before: keepFilled,
      changes: { enrichment: (view) => ({ ...view, undo: fill }) },
    },
    act: press(/^Keep filled/),
  },
  {
    tab: 'tables',
    see: /^Google stopped the last run of the triggers/,
    options: {
      workbook: createList(['a.example', 'b.example']),
      before: keepFilled,
      changes: { enrichment: (view) => ({ ...view, trigger: { state: 'stopped' } }) },
    },
    act: press(/^Keep filled/),
  },
  {
    tab: 'search',
    see: /^Formulas don’t work here yet/,
    options: { changes: { status: (status) => ({ ...status, mustAllowFormulas: true }) } },
  },
  {
    tab: 'tables',
    see: 'Costs up to 50 credits',
    options: { workbook: createFormulas(5, (row) => `=CDAPI_ENRICH(A${row}; "name")`, '#CONFIRM') },
    act: press('Formulas'),
  },
  {
    tab: 'tables',
    see: /Running the examples costs/,
    act: press('Templates'),
  },
  {
    tab: 'activity',
    see: 'Send test',
    options: filled,
    act: (sidebar) => unfold(sidebar, 'Add a webhook'),
  },
  {
    tab: 'activity',
    see: /^This is not a connection link/,
    options: disconnected,
    act: async (sidebar) => {
      await sidebar.field('Connection link').fill('nonsense');
      await sidebar.button('Connect').click();
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
  const open = setUpSidebars({ events: () => '' });

  it.each(tested)(
    'a state of $tab that shows "$see" is accessible and fits',
    async ({ tab, see, options, act }) => {
      const sidebar = await open({ tab, ...options });
      await sidebar.page.locator('.tabs').waitFor();
      await act?.(sidebar);
      await sidebar.shows(see);
      // axe judges only visible colours.
      await sidebar.page.setViewportSize({ width: 300, height: 3000 });
      for (const [theme, rules] of themes) {
        await sidebar.setTheme(theme);
        expect(await sidebar.findings(rules), theme).toEqual([]);
        expect(await sidebar.overflow(), theme).toBeLessThanOrEqual(0);
      }
      await sidebar.page.setViewportSize({ width: 300, height: 640 });
    },
  );
}
