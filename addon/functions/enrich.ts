// CDAPI_ENRICH: clean companies by website.
import type { Cell } from '../lib/dates.ts';
import { lookUpRecords } from './lookup.ts';

/**
 * Looks up companies by website.
 * @param website - a website, or a column of them
 * @param fields - the fields to show
 * @param options - `header`, `max_age=7d`, `variant=multi-source`
 * @returns one row per website
 * @throws Error if the whole call failed
 */
export function CDAPI_ENRICH(website: unknown, fields?: unknown, options?: unknown): Cell[][] | Cell {
  return lookUpRecords('CDAPI_ENRICH', website, fields, options);
}
