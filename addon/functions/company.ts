// CDAPI_COMPANY: base companies by their keys.
import type { Cell } from '../lib/cells.ts';
import { lookUpRecords } from './lookup.ts';

/**
 * Shows base companies by their keys.
 * @param key - an id, a shorthand name or a profile URL, or a column of them
 * @param fields - the fields to show
 * @param options - `header`, `max_age=7d`, `variant=clean`
 * @returns a row for each key
 * @throws Error with one sentence, where the whole call failed
 */
export function CDAPI_COMPANY(key: unknown, fields?: unknown, options?: unknown): Cell[][] | Cell {
  return lookUpRecords('company_base', 'auto', key, fields, options);
}
