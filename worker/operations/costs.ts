// Calculates what a month costs: Cloudflare's bill, the provider's credits, and how much of each limit is used.
import * as z from 'zod';
import counted from './counted-operations.json' with { type: 'json' };

/** What can be chosen. */
export const costPlan = z.object({
  sellers: z.coerce.number().int().min(1).max(100_000_000).default(400),
  sellers_per_team: z.coerce.number().int().min(1).max(100_000).default(20),
  /** Bytes of a record: 4 KB for a company without lists, 90 KB for a person with all sources. */
  record_kb: z.coerce.number().min(1).max(1000).default(20),
  /** Purchases that a colleague has made before, while the record is fresh. */
  overlap_percent: z.coerce.number().int().min(0).max(99).default(0),
  kept_months: z.coerce.number().int().min(1).max(12).default(12),
  /** Calls a second that the provider allows; its slowest plan five. */
  provider_rate: z.coerce.number().int().min(1).max(9999).default(5),
});
export type CostPlan = z.output<typeof costPlan>;

type Units = Record<string, number>;

interface Action {
  name: Exclude<keyof typeof counted, 'cron_idle' | 'cron_idle_on_the_hour'>;
  /** On a seller's working day. Change it to yours. */
  times: number;
  /** What one buys, and its calls of the provider. */
  records?: number;
  credits?: number;
  calls?: number;
}

/** A seller's working day. */
const sellerDay: readonly Action[] = [
  { name: 'sidebar_opened', times: 10 },
  { name: '100_formulas_from_memory', times: 1 },
  { name: 'formula_from_kv', times: 50 },
  { name: 'formula_bought', times: 20, records: 1, credits: 10, calls: 1 },
  // A range of 1,000 cells names 300 companies. One a week is new, and is read again on two days.
  { name: 'range_of_1000_bought', times: 0.2, records: 300, credits: 3000, calls: 300 },
  { name: 'range_of_1000_from_kv', times: 0.4 },
  { name: 'range_of_1000_from_memory', times: 0.2 },
  { name: 'search_page', times: 20, calls: 1 },
  { name: 'preview_page', times: 5, credits: 10, calls: 2 },
  // One table in five sellers is refreshed each hour of a working day, and finds new rows.
  { name: 'scheduled_run_of_20', times: 1.6, credits: 10, calls: 2 },
  // One bulk order a month.
  { name: 'data_request_of_1000', times: 1 / 21, records: 1000, credits: 10_000, calls: 3 },
];
const DAYS = 21;
const MILLION = 1e6;

/** Prices above what Workers Paid includes, November 2026: product, unit, included, dollars, for how many units. */
const prices: readonly (readonly [
  product: string,
  unit: string,
  included: number,
  dollars: number,
  per: number,
])[] = [
  ['Workers', 'requests', 10 * MILLION, 0.3, MILLION],
  ['Workers', 'cpu_ms', 30 * MILLION, 0.02, MILLION],
  ['Durable Objects', 'object_requests', MILLION, 0.15, MILLION],
  ['Durable Objects', 'object_gb_seconds', 400_000, 12.5, MILLION],
  ['Durable Objects', 'object_rows_read', 25_000 * MILLION, 0.001, MILLION],
  ['Durable Objects', 'object_rows_written', 50 * MILLION, 1, MILLION],
  ['Durable Objects', 'object_gb', 5, 0.2, 1],
  ['KV', 'kv_reads', 10 * MILLION, 0.5, MILLION],
  ['KV', 'kv_writes', MILLION, 5, MILLION],
  ['KV', 'kv_gb', 1, 0.5, 1],
  ['D1', 'd1_rows_read', 25_000 * MILLION, 0.001, MILLION],
  ['D1', 'd1_rows_written', 50 * MILLION, 1, MILLION],
  ['D1', 'd1_gb', 5, 0.75, 1],
  ['R2', 'r2_writes', MILLION, 4.5, MILLION],
  ['R2', 'r2_reads', 10 * MILLION, 0.36, MILLION],
  ['R2', 'r2_gb', 10, 0.015, 1],
  ['Queues', 'queue_operations', MILLION, 0.4, MILLION],
  ['Logs', 'log_lines', 20 * MILLION, 0.6, MILLION],
];
const PLAN_DOLLARS = 5;

const add = (sums: Units, units: Readonly<Units>, times: number): void => {
  for (const [unit, amount] of Object.entries(units)) sums[unit] = (sums[unit] ?? 0) + amount * times;
};

/** Sums what a seller uses and buys on a working day. */
function sumDay(share: number): Units {
  const day: Units = {};
  for (const { name, times, records = 0, credits = 0, calls = 0 } of sellerDay) {
    add(day, counted[name], times);
    add(day, { credits, bought: credits * share, records: records * share, calls: calls * share }, times);
  }
  return day;
}

/** Calculates a month. Every figure of operations and credits is that of a busy month; stored data is that of a full year. */
export function calculateCosts(plan: CostPlan) {
  const day = sumDay(1 - plan.overlap_percent / 100);
  const month: Units = {};
  add(month, day, plan.sellers * DAYS);
  add(month, counted.cron_idle, 42_480);
  add(month, counted.cron_idle_on_the_hour, 720);
  const get = (unit: string): number => month[unit] ?? 0;
  const { requests = 0, kv_writes: keys = 0 } = month;
  const objectRequests = ['LEDGER', 'PROVIDER_THROTTLE', 'SINGLE_FLIGHT']
    .map((name) => get(`object_requests.${name}`))
    .reduce((sum, amount) => sum + amount);
  // One order a month.
  const orderRows = plan.sellers * 1000;
  const volume: Units = {
    ...month,
    requests,
    // 5 ms for an invocation; an object is active for 50 ms of a call, with 128 MB.
    cpu_ms: 5 * requests,
    object_requests: objectRequests,
    object_gb_seconds: objectRequests * 0.05 * 0.128,
    // A message is written, read and deleted.
    queue_operations: 3 * get('queue_messages'),
    kv_gb: (get('records') * plan.record_kb * plan.kept_months) / MILLION,
    // A ledger line has 200 bytes for 14 months; an entry of the list of copies 120 bytes, as long as the copy.
    object_gb: (get('records') * 14 * 0.2 + keys * plan.kept_months * 0.12) / MILLION,
    // Rows of an order are kept for 30 days: 250 bytes in D1, the record in R2.
    d1_gb: (orderRows * 0.25) / MILLION,
    r2_gb: (orderRows * plan.record_kb) / MILLION,
    // One line for each call that memory does not answer.
    log_lines: requests - 100 * DAYS * plan.sellers,
  };
  const lines = prices.map(([product, unit, included, dollars, per]) => {
    const amount = volume[unit] ?? 0;
    return { product, unit, amount, dollars: (Math.max(0, amount - included) / per) * dollars };
  });
  // A fifth of a day's work falls into its busiest hour, whose busiest second is three times as busy as the average.
  const peak = (unit: string): number => ((day[unit] ?? 0) * plan.sellers * 0.2 * 3) / 3600;
  const teams = Math.max(1, plan.sellers / plan.sellers_per_team);
  const limits = [
    ['calls of the provider a second', peak('calls'), plan.provider_rate],
    ['D1 queries of 1 ms a second', peak('d1_statements'), 1000],
    ['calls of one ledger a second', peak('object_requests.LEDGER') / teams, 1000],
    ['calls of the provider throttle a second', peak('object_requests.PROVIDER_THROTTLE'), 1000],
    ['calls of one single-flight object a second', peak('object_requests.SINGLE_FLIGHT') / 64, 1000],
    ['GB in D1', volume.d1_gb ?? 0, 10],
  ] as const;
  return {
    lines,
    total: lines.reduce((sum, { dollars }) => sum + dollars, PLAN_DOLLARS),
    credits: { withReuse: get('bought'), withoutReuse: get('credits') },
    limits: limits.map(([name, used, limit]) => ({ name, used, limit })),
  };
}
