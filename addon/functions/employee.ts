// CDAPI_EMPLOYEE: clean employees by key.
import type { Cell } from '../lib/dates.ts';
import { lookUpRecords } from './lookup.ts';

/**
 * Looks up clean employees.
 * @param key - an id, shorthand name or profile URL, or a column of them
 * @param fields - the fields to show
 * @param options - `header`, `max_age=7d`, `variant=base`
 * @returns one row per key
 * @throws Error if the whole call failed
 */
export function CDAPI_EMPLOYEE(key: unknown, fields?: unknown, options?: unknown): Cell[][] | Cell {
  return lookUpRecords('CDAPI_EMPLOYEE', key, fields, options);
}
