// Restricts queries to records that changed since a time. Schedules use it.

import type { DataRequestKind } from '../api/data-requests.ts';
import type { Query } from '../api/query.ts';
import type { ChangedAt } from '../families/definition.ts';
import { changedAt, type Family } from '../families/registry.ts';
import { DAY_MS } from '../lib/durations.ts';

/**
 * Checks whether a table can be refreshed by querying changed records.
 * @param source - `search` for previews of a search, otherwise the kind of the data request
 */
export function canSchedule(family: Family, source: 'search' | DataRequestKind): boolean {
  const changed = changedAt[family];
  if (changed === null) return false;
  return source === 'search' || source === 'es_dsl' || (source === 'filter' && changed.filter !== undefined);
}

/**
 * Checks whether a family stores the last change as a day only. Refreshes then repeat the records of the day before.
 */
export function hasDayPrecision(family: Family): boolean {
  return changedAt[family]?.precision === 'day';
}

/** Formats a time as `2026-01-31 09:30:00` (UTC), or as the day before, `2026-01-30`, for families with day precision. */
function formatSince(sinceMs: number, precision: ChangedAt['precision']): string {
  // Years need four digits, and no record is older than 1970.
  const since = Math.max(DAY_MS, sinceMs);
  if (precision === 'day') return new Date(since - DAY_MS).toISOString().slice(0, 10);
  return new Date(since).toISOString().slice(0, 19).replace('T', ' ');
}

function toDslBody(query: Exclude<Query, { filters: unknown }>): Record<string, unknown> {
  if ('text' in query) return { query: { query_string: { query: query.text } } };
  return 'query' in query.es_dsl ? query.es_dsl : { query: query.es_dsl };
}

/**
 * Restricts a query to records changed since a time. Ranking and sort order stay. Invalid queries are not detected
 * here.
 * @param sinceMs - milliseconds since 1970
 * @returns the unchanged query if the family does not support it: see {@link canSchedule}
 */
export function addSinceCondition(family: Family, query: Query, sinceMs: number): Query {
  const changed = changedAt[family];
  if (changed === null) return query;
  const { field, precision, filter } = changed;
  const since = formatSince(sinceMs, precision);
  if ('filters' in query) {
    if (filter === undefined) return query;
    const existing = query.filters[filter];
    const later = typeof existing === 'string' && existing > since ? existing : since;
    return { filters: { ...query.filters, [filter]: later } };
  }
  const body = toDslBody(query);
  const range = { range: { [field]: { gte: since } } };
  return { es_dsl: { ...body, query: { bool: { must: [body.query], filter: [range] } } } };
}
