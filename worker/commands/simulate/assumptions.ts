// Assumptions about a team's work, and what each action uses.
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import * as z from 'zod';
import { root } from '../paths.ts';
import { UserError } from '../user-error.ts';

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
  /** Processor time of an invocation, milliseconds. */
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

/** The counted actions of sellers, as test/worker/operations/actions.ts runs them. */
export const sellerActionNames = [
  'formula_bought',
  '100_formulas_from_memory',
  'formula_from_kv',
  'range_of_1000_bought',
  'range_of_1000_from_kv',
  'range_of_1000_from_memory',
  'sidebar_opened',
  'search_page',
  'preview_page',
  'scheduled_run_of_20',
  'data_request_of_1000',
] as const;
export type SellerActionName = (typeof sellerActionNames)[number];

/** All counted actions: those of sellers, and the cron without other work. On the hour it also deletes expired data. */
export const actionNames = [...sellerActionNames, 'cron_idle', 'cron_idle_on_the_hour'] as const;

const schema = z.record(z.enum(actionNames), z.record(z.string(), z.number().min(0)));

/** Amount of each unit that an action uses, by the action's name. */
export type Operations = z.infer<typeof schema>;

const operationsFile = join(root, 'worker', 'commands', 'simulate', 'operations.json');

/** Reads the counts. @throws UserError if the file is missing or not complete */
export async function readOperations(file = operationsFile): Promise<Operations> {
  try {
    return schema.parse(JSON.parse(await readFile(file, 'utf8')));
  } catch {
    throw new UserError(`${file} has no complete counts. Count again: npm run simulate -- --count`);
  }
}
