// What a seller does in a day, and what cannot be counted. Change the numbers to those of your sellers.
import type { SellerActionName } from './operations.ts';

/** How often a seller does something on a working day. The cron is counted separately. */
export const sellerDay: Readonly<Record<SellerActionName, number>> = {
  sidebar_opened: 10,
  // Formulas that a sheet recalculates.
  '100_formulas_from_memory': 1,
  formula_from_kv: 50,
  formula_bought: 20,
  // One range a week is new, and is read again on two days.
  range_of_1000_bought: 0.2,
  range_of_1000_from_kv: 0.4,
  range_of_1000_from_memory: 0.2,
  search_page: 20,
  preview_page: 5,
  // One table in five sellers is refreshed each hour of a working day, and finds new rows.
  scheduled_run_of_20: 1.6,
  // One bulk order of 1,000 records each month.
  data_request_of_1000: 1 / 21,
};

export const assumptions = {
  workingDaysPerMonth: 21,
  sellersPerTeam: 20,
  /** Share of a day's work in its busiest hour. */
  busiestHour: 0.2,
  /** The busiest second of that hour, compared with its average. */
  busiestSecond: 3,
  /** Processor time of an invocation or a Workflow step, milliseconds. */
  cpuMs: 5,
  /** How long an object is active for a call, milliseconds. It is billed with 128 MB. */
  objectActiveMs: 50,
} as const;

/** The platform bills an object with its full memory: 128 MB. */
export const OBJECT_GB = 0.128;
export const MINUTES_PER_MONTH = 43_200;
export const HOURS_PER_MONTH = 720;
/** A message is written, read and deleted (https://developers.cloudflare.com/queues/platform/pricing/). */
export const OPERATIONS_PER_MESSAGE = 3;
