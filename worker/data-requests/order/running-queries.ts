// Keeps orders of one query apart by their limits: the provider refuses a query that is running with the same limit.
import { maxRequestRecords } from '../../../shared/limits.ts';
import type { BulkOperation } from '../../../shared/operations.ts';
import type { Env } from '../../env.ts';
import { canonicalizeJson } from '../../gateway/cache/canonical-json.ts';
import { DataRequestRepository } from '../repository.ts';
import type { QueryPricing, QuerySelection } from './order.ts';
import { getSelection } from './selection-store.ts';

/** Reads one object of R2 each. */
const MAX_RUNNING = 50;

/** Returns the limit that the caller named; null for none. */
const getRequestedLimit = ({ limit, requestedLimit }: QuerySelection): number | null =>
  requestedLimit === undefined ? (limit ?? null) : requestedLimit;

/** Lists the selections of data requests that are running with a query, however it is written. */
async function listRunning(
  env: Env,
  { family, kind }: BulkOperation,
  query: string,
): Promise<QuerySelection[]> {
  const canonical = canonicalizeJson(query);
  const rows = await new DataRequestRepository(env.DB).listRunning(family, kind, MAX_RUNNING);
  const selections = await Promise.all(rows.map(({ id }) => getSelection(env, id)));
  return selections.flatMap((selection) =>
    selection !== undefined && 'query' in selection && canonicalizeJson(selection.query) === canonical
      ? [selection]
      : [],
  );
}

/**
 * Chooses the limit to submit. The number of matches may replace the limits of several callers; then each gets another number.
 * A query that is running with the same limit of its caller is submitted as it was, so that the provider refuses it.
 */
export async function separateFromRunning(
  env: Env,
  operation: BulkOperation,
  pricing: QueryPricing,
): Promise<QueryPricing> {
  const { selection, records } = pricing;
  const requested = getRequestedLimit(selection);
  const running = await listRunning(env, operation, selection.query);
  const repeated = running.find((other) => getRequestedLimit(other) === requested);
  const taken = new Set(running.map(({ limit }) => limit));
  const highest = Math.min(requested ?? maxRequestRecords, maxRequestRecords);
  let limit = records;
  while (limit < highest && taken.has(limit)) limit += 1;
  const submitted = repeated === undefined ? limit : (repeated.limit ?? records);
  return submitted === records
    ? pricing
    : { ...pricing, records: submitted, selection: { ...selection, limit: submitted } };
}
