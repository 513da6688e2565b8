// CDAPI_JOB: job postings by id.
import type { Cell } from '../lib/dates.ts';
import { lookUpRecords } from './lookup.ts';

/**
 * Looks up job postings.
 * @param job_id - an id, or a column of them
 * @param fields - the fields to show
 * @param options - `header`, `max_age=7d`, `variant=multi-source`
 * @returns one row per key
 * @throws Error if the whole call failed
 */
export function CDAPI_JOB(job_id: unknown, fields?: unknown, options?: unknown): Cell[][] | Cell {
  return lookUpRecords('CDAPI_JOB', job_id, fields, options);
}
