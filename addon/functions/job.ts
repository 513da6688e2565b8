// CDAPI_JOB: job postings by their ids.
import type { Cell } from '../lib/cells.ts';
import { lookUpRecords } from './lookup.ts';

/**
 * Shows job postings by their ids.
 * @param job_id - an id, or a column of them
 * @param fields - the fields to show
 * @param options - `header`, `max_age=7d`, `variant=multi-source`
 * @returns a row for each key
 * @throws Error with one sentence, where the whole call failed
 */
export function CDAPI_JOB(job_id: unknown, fields?: unknown, options?: unknown): Cell[][] | Cell {
  return lookUpRecords('job_base', 'auto', job_id, fields, options);
}
