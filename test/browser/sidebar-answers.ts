// Default answers of the sidebar's script; tests change some of them.
import type {
  Activity,
  CandidateColumn,
  EnrichPlan,
  FormulaList,
  Progress,
  RefreshPlan,
  SearchPlan,
  Status,
  Table,
  TemplateView,
} from '../../addon/server/api/index.ts';
import { bulkAnswers } from './sidebar-bulk-answers.ts';
import type { Answers } from './sidebar-canned.ts';

/** The time of all test data. */
export const NOW = new Date('2026-11-22T12:00:00Z');

export const status: Status = {
  connection: {
    for: 'sheet',
    team: 'Sales',
    mode: 'remote',
    budget: { day: 500, month: 10_000 },
    spent: { day: 40, month: 1200 },
    saved: { day: 30, month: 2200 },
    remaining: 460,
    spending: true,
    confirmAbove: 50_000,
    scopes: { families: null, operations: null },
  },
  sheetSpending: true,
  canConnectSheet: true,
  hasCompanyConnection: false,
  tab: 'search',
  active: { sheet: 'Companies', range: 'A1', rows: 1 },
  unfinished: 0,
};

export const disconnected: Status = { ...status, connection: null };

export const plan: SearchPlan = {
  total: 1240,
  without: [],
  pages: 1,
  rows: 20,
  credits: 10,
  approval: { credits: 10, digest: 'search' },
  warnings: [],
};

/** The table that has the search already. */
export const existing: NonNullable<SearchPlan['existing']> = {
  tableId: 'one',
  title: 'Companies: software',
  columns: ['id', 'name', 'website'],
  credits: 0,
};

/** Typed cells that a run would replace. */
export const overwrite = {
  digest: 'abcd',
  cells: 3,
  sample: [{ cell: 'Sheet1!B3', value: 'my note' }],
  question: 'Replace 3 cells that you typed?',
};

export const enrichPlan: EnrichPlan = {
  rows: 14,
  distinct: 12,
  cached: 5,
  stale: 1,
  toFetch: 7,
  credits: 70,
  approval: { credits: 70, digest: 'enrich' },
  invalid: 2,
  notKeys: { name: 1, mail: 1 },
  columns: [
    { heading: 'Name', letter: 'B', isNew: true },
    { heading: 'Industry', letter: 'C', isNew: true },
  ],
  warnings: [],
};

export const refreshPlan: RefreshPlan = {
  rows: 100,
  credits: 50,
  approval: { credits: 50, digest: 'refresh' },
  warnings: [],
};

export const templates: TemplateView[] = [
  {
    ...{ id: 'prospects', title: 'Prospect list', credits: 100 },
    summary: 'Companies that match your filters. Counting and listing is free, their details cost credits.',
  },
  {
    ...{ id: 'hygiene', title: 'Data hygiene', credits: 30, now: 20 },
    summary: 'Fills blank names, and finds duplicates and companies that moved.',
  },
];

/** A run of 100 rows. */
export function progress(done: number, state: Progress['state'], more: Partial<Progress> = {}): Progress {
  return {
    runId: 'run',
    kind: 'search',
    title: 'Companies: software',
    family: 'company_base',
    state,
    done,
    total: 100,
    rows: done,
    failed: {},
    credits: done / 2,
    saved: 0,
    maxCredits: 50,
    sheet: 'Companies: software',
    tableId: 'one',
    startedAt: '2026-11-22T11:59:00Z',
    undo: { possible: true },
    ...more,
  };
}

export const table: Table = {
  id: 'one',
  title: 'Companies: software',
  kind: 'search',
  sheet: 'Software',
  range: 'A1:G1',
  family: 'company_base',
  query: { filters: { industry: 'software', country: 'Germany' } },
  columns: ['id', 'name', 'website'],
  mode: 'replace',
  rows: 100,
  lastRun: { at: '2026-11-20T11:00:00Z', rows: 100, credits: 50, saved: 10 },
  credits: 150,
  frozen: false,
  hasIds: true,
};

/** A search with a column of full records. */
export const withRecords: Table = {
  ...table,
  id: 'records',
  title: 'Founders',
  columns: ['name', 'founded'],
  rows: 16,
};

export const lookedUp: Table = {
  ...table,
  id: 'two',
  title: 'Website',
  kind: 'enrich',
  family: 'company_clean',
  sheet: 'Companies',
  frozen: true,
  hasIds: false,
};

export const tables: Table[] = [
  table,
  lookedUp,
  {
    ...table,
    id: 'three',
    title: 'Old list',
    sheet: 'Deleted',
    range: '',
    rows: 0,
    gone: 'Its sheet was deleted. Its schedule has stopped and buys nothing.',
    sheetDeleted: true,
    autoRefresh: { every: 'day', state: 'stopped', nextAt: null, maxCredits: 30, spent: 20 },
  },
];

export const activity: Activity = {
  team: 'Sales',
  budget: { day: 500, month: 10_000 },
  spent: { day: 460, month: 1200 },
  saved: { day: 30, month: 2200 },
  remaining: 40,
  reserved: 0,
  hitRate: 0.64,
  usage: {
    from: '2026-10-24',
    to: '2026-11-22',
    total: { spent: 1840, saved: 2210 },
    days: [
      ...Array.from({ length: 12 }, (_, at) => ({
        day: `2026-11-${String(at + 1).padStart(2, '0')}`,
        spent: (at % 5) * 40,
        saved: ((at * 3) % 7) * 60,
      })),
      { day: '2026-11-20', spent: 460, saved: 120 },
      { day: '2026-11-22', spent: 460, saved: 30 },
    ],
    families: [
      { family: 'company_clean', spent: 1400, saved: 2000 },
      { family: 'employee_clean', spent: 280, saved: 210 },
    ],
    sources: [
      { source: 'table', spent: 900, saved: 1400 },
      { source: 'formula', spent: 400, saved: 800 },
      { source: 'bulk', spent: 300, saved: 0 },
      { source: 'schedule', spent: 70, saved: 10 },
      { source: 'other', spent: 10, saved: 0 },
      { source: 'late', spent: 160, saved: 0 },
    ],
    people: [
      { name: 'ana@example.com', spent: 1180, saved: 1210 },
      { name: 'Sheet of the sales team', spent: 500, saved: 1000 },
    ],
  },
  today: [
    { source: 'table', spent: 200, saved: 0 },
    { source: 'formula', spent: 100, saved: 30 },
    { source: 'late', spent: 160, saved: 0 },
  ],
  others: [
    // Nothing was spent: the line would only confuse.
    { source: 'table', spent: 0, saved: 120 },
    { source: 'formula', spent: 100, saved: 30 },
    { source: 'late', spent: 160, saved: 0 },
  ],
  undoable: ['1'],
  undone: ['2'],
  runs: [
    {
      id: '1',
      kind: 'search',
      title: 'Companies: software',
      family: 'company_base',
      rows: 100,
      failed: 3,
      credits: 50,
      saved: 10,
      started_at: '2026-11-20T10:00:00Z',
      ended_at: '2026-11-20T10:01:00Z',
      state: 'stopped',
    },
  ],
  errors: [
    {
      at: '2026-11-21T10:00:00Z',
      message: 'The data provider cannot take calls right now. Try again in a few minutes.',
    },
  ],
};

/** A column of lookups with errors, and formulas of another sheet without spending. */
export const formulaList: FormulaList = {
  sheets: [
    {
      ...{ sheetId: 1, sheet: 'Companies', spending: true, single: 1000 },
      entries: [
        {
          ...{
            name: 'CDAPI_ENRICH',
            column: 2,
            fills: ['Name', 'Industry'],
            range: 'B2:C1001',
            formulas: 1000,
          },
          ...{ loading: 12, pending: 3, failed: 5, errors: { '#NOT_FOUND': 3, '#BUDGET': 5 } },
          ...{ credits: 50, lookup: { found: 982, notFound: 3, toBuy: 5, oldest: '2026-11-10T12:00:00Z' } },
          family: 'company_base',
        },
      ],
    },
    {
      ...{
        sheetId: 2,
        sheet: 'A sheet with a very long name: people at companies',
        spending: false,
        single: 0,
      },
      entries: [
        {
          ...{ name: 'CDAPI_PREVIEW', column: 1, fills: [], range: 'A1', formulas: 1 },
          ...{ loading: 0, pending: 0, failed: 1, errors: { '#ERROR!': 1 }, credits: null, most: 10 },
        },
      ],
    },
  ],
  unread: 2,
  lastError: { at: '2026-11-22T11:00:00Z', message: 'The data provider cannot take calls right now.' },
};

/** A column of websites beside a column of the person. */
export const websites: CandidateColumn = {
  sheet: 'Companies',
  column: 1,
  letter: 'A',
  heading: 'Website',
  headingRow: 1,
  kind: 'website',
  families: ['company_clean', 'company_multi_source'],
  keys: 14,
  distinct: 12,
  examples: ['acme.example', 'globex.example'],
  beside: [{ column: 5, letter: 'E', heading: 'Sector' }],
};

/** A successful answer for every method. */
export const answers: Answers = {
  ...bulkAnswers,
  status: () => status,
  setTab: () => ({}),
  saveDraft: () => ({}),
  sampleRows: () => ({ rows: [] }),
  connect: () => status,
  connectCompany: () => status,
  disconnect: () => disconnected,
  setSpending: ({ on }) => ({ ...status, sheetSpending: on }),
  count: () => ({ total: plan.total, without: [] }),
  counts: ({ queries }) => ({ totals: queries.map((_, at) => 1000 - at) }),
  fields: () => ({
    columns: [
      'name',
      'websites_main',
      'industry',
      'size_range',
      'founded',
      'funding_rounds.last_round_type',
    ].map((name) => ({
      name,
      type: 'text',
    })),
    preview: [],
    defaults: ['name', 'industry'],
  }),
  planSearch: ({ pages }) => ({ ...plan, pages, rows: pages * 20, credits: pages * 10 }),
  startSearch: () => progress(0, 'running'),
  columns: () => [
    websites,
    {
      sheet: 'People',
      column: 3,
      letter: 'C',
      heading: 'Profile',
      headingRow: 1,
      kind: 'url',
      families: ['employee_clean'],
      keys: 120,
      distinct: 120,
      examples: ['https://www.professional-network.example/in/jane-doe-1234567'],
    },
  ],
  uncertainNames: () => ({ undecided: [], decided: [] }),
  planEnrich: () => enrichPlan,
  writeBulk: () => progress(0, 'running', { kind: 'bulk' }),
  writeDelivery: () => progress(0, 'running', { kind: 'bulk' }),
  startEnrich: () => progress(0, 'running', { kind: 'enrich', title: 'Website' }),
  step: () => progress(100, 'done'),
  cancelStep: () => ({}),
  stop: () => progress(40, 'stopped'),
  undo: () => ({ cells: 300 }),
  unfinished: () => [progress(40, 'paused', { runId: 'left', kind: 'enrich', title: 'Website' })],
  discardRun: () => ({}),
  tables: () => tables,
  planRefresh: () => refreshPlan,
  refreshTable: () => progress(0, 'running', { kind: 'refresh' }),
  freezeTable: () => ({ tables, runId: 'end' }),
  forgetTable: () => ({ tables: tables.slice(1), runId: 'end' }),
  renameTable: ({ title }) => [{ ...table, title }],
  showTable: () => ({}),
  planRecords: () => enrichPlan,
  startRecords: () => progress(0, 'running', { kind: 'records' }),
  activity: () => activity,
  templates: () => templates,
  buildTemplate: () => ({ sheet: 'Prospect list', runId: 'template' }),
  savedSearches: () => [],
  saveSearch: (saved) => [
    { ...saved, id: 'saved', created_at: '2026-11-22T12:00:00Z', updated_at: '2026-11-22T12:00:00Z' },
  ],
  deleteSearch: () => [],
  insertFormula: ({ formula }) => ({ cell: 'Companies!B2', formula: `=${formula}("company_clean", "…")` }),
  pending: () => ({ formulas: 0 }),
  formulas: () => formulaList,
  planRerun: () => ({ formulas: 5, credits: 50, approval: { credits: 50, digest: 'rerun' } }),
  rerunFormulas: () => ({ formulas: 5 }),
  freezeFormulas: () => ({ frozen: 992, skipped: 8, runId: 'freeze' }),
  showFormulas: () => ({}),
  setFormulaSpending: () => formulaList,
  planMerge: () => ({ offer: null }),
  completePending: () => ({ again: 0, left: 0 }),
};
