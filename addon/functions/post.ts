// CDAPI_POST: posts by their ids.
import type { Cell } from '../lib/cells.ts';
import { lookUpRecords } from './lookup.ts';

/**
 * Shows posts by their ids.
 * @param post_id - an id, as text, or a column of them
 * @param fields - the fields to show
 * @param options - `header`, `max_age=7d`
 * @returns a row for each key
 * @throws Error with one sentence, where the whole call failed
 */
export function CDAPI_POST(post_id: unknown, fields?: unknown, options?: unknown): Cell[][] | Cell {
  return lookUpRecords('employee_post', 'auto', post_id, fields, options);
}
