// The counted operations of each action. `npm run simulate -- --count` writes them.
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import * as z from 'zod';
import { root } from '../paths.ts';
import { UserError } from '../user-error.ts';

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

export const operationsFile = join(root, 'worker', 'commands', 'simulate', 'operations.json');

/** Reads the counts. @throws UserError if the file is missing or not complete */
export async function readOperations(file = operationsFile): Promise<Operations> {
  try {
    return schema.parse(JSON.parse(await readFile(file, 'utf8')));
  } catch {
    throw new UserError(`${file} has no complete counts. Count again: npm run simulate -- --count`);
  }
}
