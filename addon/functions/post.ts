// CDAPI_POST: posts by id.
import type { Cell } from '../lib/dates.ts';
import { lookUpRecords } from './lookup.ts';

/**
 * Looks up posts.
 * @param post_id - an id as text, or a column of them
 * @param fields - the fields to show
 * @param options - `header`, `max_age=7d`
 * @returns one row per key
 * @throws Error if the whole call failed
 */
export function CDAPI_POST(post_id: unknown, fields?: unknown, options?: unknown): Cell[][] | Cell {
  return lookUpRecords('CDAPI_POST', post_id, fields, options);
}
