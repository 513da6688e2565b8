// What is new or changed since some time, asked of each family: the part of a query that says it, as data.
import type { DataRequestKind } from '../api/data-requests.ts';
import type { Query } from '../api/query.ts';
import type { ChangedAt } from '../families/definition.ts';
import { changedAt, type Family } from '../families/registry.ts';

const DAY_MS = 86_400_000;

/**
 * Can a table of a family be refreshed by asking for what is new or changed?
 * @param source - `search`: previews of a search; otherwise how a data request named its records
 */
export function canSchedule(family: Family, source: 'search' | DataRequestKind): boolean {
  const changed = changedAt[family];
  if (changed === null) return false;
  return source === 'search' || source === 'es_dsl' || (source === 'filter' && changed.filter !== undefined);
}

/**
 * Does a family say of its records only on which day they changed? Then what changed on the day before comes again.
 */
export function hasDayPrecision(family: Family): boolean {
  return changedAt[family]?.precision === 'day';
}

/** `2026-01-31 09:30:00`, UTC; of a family that knows days alone the day before, `2026-01-30`. */
function formatSince(sinceMs: number, precision: ChangedAt['precision']): string {
  // Nothing is older than 1970, and years have four digits.
  const since = Math.max(DAY_MS, sinceMs);
  if (precision === 'day') return new Date(since - DAY_MS).toISOString().slice(0, 10);
  return new Date(since).toISOString().slice(0, 19).replace('T', ' ');
}

/** The body of a DSL query, however it was said. */
function toDslBody(query: Exclude<Query, { filters: unknown }>): Record<string, unknown> {
  if ('text' in query) return { query: { query_string: { query: query.text } } };
  return 'query' in query.es_dsl ? query.es_dsl : { query: query.es_dsl };
}

/**
 * Makes the query that asks only for what is new or changed since. How it ranks and sorts stays as it was; what is wrong with
 * it stays for the provider to say.
 * @param query - as the table's source has it
 * @param sinceMs - milliseconds since 1970
 * @returns the query as it was where the family can't be asked so: see {@link canSchedule}
 */
export function addSinceCondition(family: Family, query: Query, sinceMs: number): Query {
  const changed = changedAt[family];
  if (changed === null) return query;
  const { field, precision, filter } = changed;
  const since = formatSince(sinceMs, precision);
  if ('filters' in query) {
    if (filter === undefined) return query;
    const own = query.filters[filter];
    const later = typeof own === 'string' && own > since ? own : since;
    return { filters: { ...query.filters, [filter]: later } };
  }
  const body = toDslBody(query);
  const range = { range: { [field]: { gte: since } } };
  return { es_dsl: { ...body, query: { bool: { must: [body.query], filter: [range] } } } };
}
