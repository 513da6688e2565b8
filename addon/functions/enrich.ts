// CDAPI_ENRICH: clean companies by their websites.
import type { Cell } from '../lib/cells.ts';
import { lookUpRecords } from './lookup.ts';

/**
 * Shows company data for websites.
 * @param website - a website, or a column of them
 * @param fields - the fields to show
 * @param options - `header`, `max_age=7d`, `variant=multi-source`
 * @returns a row for each website
 * @throws Error with one sentence, where the whole call failed
 */
export function CDAPI_ENRICH(website: unknown, fields?: unknown, options?: unknown): Cell[][] | Cell {
  return lookUpRecords('company_clean', 'website', website, fields, options);
}
