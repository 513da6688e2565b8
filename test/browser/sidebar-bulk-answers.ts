// Default answers about bulk orders, deliveries, schedules and alerts.
import type {
  AutoEnrich,
  AutoRefresh,
  BulkList,
  BulkOrder,
  BulkOrderStatus,
  BulkPlan,
} from '../../addon/server/api/index.ts';
import type { Enrichment } from '../../shared/api/lists.ts';
import type { Alert, Schedule } from '../../shared/api/schedules.ts';
import { type Answers, Refused } from './sidebar-canned.ts';

export const ACCOUNT = 'sheets@cdapi-gateway.iam.gserviceaccount.com';

const problem = (detail: string, fix: string) => ({ code: 'provider_unavailable', detail, fix }) as const;

export const bulkPlan: BulkPlan = {
  records: 1240,
  cached: 0,
  credits: 12_400,
  approval: { credits: 12_400, digest: 'bulk' },
  creditsPerRecord: 10,
  invalid: 0,
  warnings: [],
};

/** Plans up to 1,240 records of a search, or 120 keys. */
function planOrder(source: BulkOrder['source']): BulkPlan {
  const records = source.by === 'search' ? Math.min(bulkPlan.records, source.limit ?? 10_000) : 120;
  const credits = records * 10;
  return { ...bulkPlan, records, credits, approval: { ...bulkPlan.approval, credits } };
}

/** An order that the provider is processing. */
export const request: BulkOrderStatus = {
  id: 'running',
  title: 'Companies: software',
  state: 'running',
  family: 'company_base',
  kind: 'filter',
  watched: true,
  asked: 1240,
  cached: 0,
  rows: 0,
  credits: { reserved: 12_400, charged: null },
  files: [],
  columns: ['id', 'name'],
  created_at: '2026-11-22T11:56:00Z',
  updated_at: '2026-11-22T11:59:00Z',
  ended_at: null,
  rows_until: '2026-12-22T11:56:00Z',
  tableId: 'bulk',
  sheet: 'Software',
  written: false,
};

/** A delivered order. */
export const ready: BulkOrderStatus = {
  ...request,
  id: 'ready',
  title: 'Companies in Germany',
  state: 'ready',
  asked: 400,
  rows: 238,
  credits: { reserved: 0, charged: 2380 },
  files: [{ name: 'part-1.json.gz', rows: 238, bytes: 90_000 }],
  ended_at: '2026-11-22T11:58:00Z',
  sheet: 'Germany',
  written: true,
};

/** A failed and an abandoned order. */
export const others: BulkOrderStatus[] = [
  {
    ...request,
    id: 'failed',
    title: 'Jobs: engineer',
    family: 'job_base',
    state: 'failed',
    credits: { reserved: 0, charged: 0 },
    ended_at: '2026-11-22T11:50:00Z',
    problem: problem('The provider could not make the files.', 'Order it again; nothing was charged.'),
  },
  { ...request, id: 'abandoned', title: 'Companies: all of them', state: 'cancelled', watched: false },
];

export const bulkList: BulkList = { requests: [request, ready, ...others], pushAccount: ACCOUNT };

export const schedule: Schedule = {
  table: 'one',
  title: 'Companies: software',
  family: 'company_base',
  every: 'day',
  max_credits: 30,
  paused: false,
  state: 'on',
  next_at: '2026-11-22T15:30:00Z',
  last: { id: 'run', at: '2026-11-21T15:30:00Z', state: 'done', rows: 12, credits: 20 },
  month: { most: 930, spent: 120 },
};

export const autoRefresh: AutoRefresh = { schedule, push: false, pushed: null, pushAccount: ACCOUNT };

const enrichment: Enrichment = {
  id: '6d0f0c1e-58f4-4f0c-9a55-3a0a1d2f0c11',
  title: 'Website',
  family: 'company_clean',
  by: 'website',
  spreadsheet: { id: 'workbook', sheet_id: 1, row: 1 },
  key: 'Website',
  columns: [{ path: 'name', heading: 'Name' }],
  closed: true,
  every: 'day',
  max_credits: 100,
  month_credits: 1000,
  paused: false,
  state: 'on',
  next_at: '2026-11-22T15:30:00Z',
  refresh_days: 30,
  last: { at: '2026-11-21T15:30:00Z', rows: 2, changes: 5, credits: 80 },
  month_spent: 120,
};

/** A table that is kept filled, and has just been. */
export const autoEnrich: AutoEnrich = {
  enrichment,
  pushAccount: ACCOUNT,
  keys: { count: 1200, credits: 12_000 },
  unfilled: { blank: 3, invalid: 1, waiting: 2, credits: 20 },
  undo: {
    runId: 'fill',
    at: '2026-11-22T12:00:00Z',
    rows: 3,
    credits: 20,
    notFound: 1,
    tables: [{ id: 'two', title: 'Website' }],
  },
};

/** A schedule stopped at its limit; the spreadsheet is not shared. */
export const stoppedAutoRefresh: AutoRefresh = {
  schedule: {
    ...schedule,
    state: 'stopped',
    next_at: null,
    problem: problem(
      'A run would have cost 80 credits, and may cost 30.',
      'Allow more credits a run, then start it again.',
    ),
  },
  push: true,
  pushed: {
    state: 'failed',
    at: '2026-11-21T15:31:00Z',
    rows: 0,
    problem: problem(
      'The spreadsheet is not shared with the service account.',
      'Share it with the address below, as an editor.',
    ),
  },
  pushAccount: ACCOUNT,
};

/** A schedule and pushes whose token was revoked. */
export const orphanedAutoRefresh: AutoRefresh = {
  schedule: {
    ...schedule,
    state: 'stopped',
    next_at: null,
    problem: {
      code: 'unauthorised',
      detail: 'The connection that pays for this schedule has ended: its token has expired or was revoked.',
      fix: 'Take the schedule over.',
    },
  },
  push: true,
  pushed: { state: 'waiting', at: '2026-11-21T15:31:00Z', rows: 0 },
  pushProblem: {
    code: 'unauthorised',
    detail: 'The connection that updates this table while its sheet is closed has ended.',
    fix: 'Take the updates over.',
  },
  pushAccount: ACCOUNT,
};

export const alert: Alert = {
  id: 'alert',
  host: 'hooks.chat.example',
  on: ['failure', 'budget'],
  last: { at: '2026-11-20T11:00:00Z', delivered: true },
  created_at: '2026-11-01T10:00:00Z',
};

/** Successful answers without deliveries. */
export const bulkAnswers: Answers = {
  planBulk: ({ source }) => planOrder(source),
  startBulk: () => bulkList,
  bulkRequests: () => bulkList,
  bulkEvents: () => new Refused('There are no events here.'),
  stopBulk: ({ id }) => ({
    message: 'It was sent before: the provider charges it all the same.',
    list: {
      ...bulkList,
      requests: bulkList.requests.map((item) =>
        item.id === id ? { ...item, state: 'cancelled', watched: false } : item,
      ),
    },
  }),
  deliveries: () => ({ deliveries: [] }),
  autoRefresh: () => autoRefresh,
  setAutoRefresh: ({ schedule: changes, push }) => ({
    ...autoRefresh,
    push,
    schedule: changes && { ...schedule, ...changes, state: changes.paused ? 'paused' : 'on' },
  }),
  autoEnrich: () => autoEnrich,
  setAutoEnrich: () => autoEnrich,
  alerts: () => ({ alerts: [alert] }),
  addAlert: ({ url, on }) => ({
    alerts: [alert, { ...alert, id: 'new', host: new URL(url).host, on, last: null }],
  }),
  testAlert: () => ({ alerts: [{ ...alert, last: { at: '2026-11-22T12:00:00Z', delivered: false } }] }),
  removeAlert: () => ({ alerts: [] }),
};
