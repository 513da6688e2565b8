// Leaves the records of a table out of a search, so that each bought page has new rows.
import type { Query } from '../../../shared/api/query.ts';
import { toIdText } from '../../../shared/table/cells.ts';
import { createError } from '../../lib/addon-error.ts';
import type { SearchOrder } from '../../server/api/index.ts';
import { t } from '../../texts/texts.ts';
import { requireTable } from '../located-table.ts';
import { readRowsById } from '../rows/write-page.ts';
import { findIdColumn } from '../rows/write-rows.ts';

/** Characters of the query with its ids. The provider accepts 15,000 (provider API, "Credits and limits"). */
const MAX_CHARACTERS = 14_000;

/** A query without the records of a table. */
interface NarrowedQuery {
  query: Query;
  /** Number of records that did not fit into the query. */
  left: number;
}

function toBody(query: Exclude<Query, { filters: unknown }>): Record<string, unknown> {
  if ('text' in query) return { query: { query_string: { query: query.text } } };
  return 'query' in query.es_dsl ? query.es_dsl : { query: query.es_dsl };
}

function readIds(tableId: string): number[] {
  const { table, location } = requireTable(tableId);
  const at = findIdColumn(table);
  const ids = readRowsById(table, location).values.map((line) => toIdText(line[at]));
  return [...new Set(ids)].filter((id) => /^\d{1,15}$/.test(id)).map(Number);
}

/**
 * Returns the query that a run sends: the order's, without the records of its table if the order says so.
 * @throws AddonError if the query is one of filters
 */
export function narrowQuery({ query, where, excludeExisting }: SearchOrder): NarrowedQuery {
  if (excludeExisting !== true || where.kind !== 'table') return { query, left: 0 };
  if ('filters' in query)
    throw createError('bad_call', 'Searches with filters can’t leave rows out. Clear that choice.');
  const ids = readIds(where.tableId);
  const body = toBody(query);
  let room = MAX_CHARACTERS - JSON.stringify(body).length;
  const fitting = ids.filter((id) => {
    room -= String(id).length + 1;
    return room >= 0;
  });
  if (fitting.length === 0) return { query, left: ids.length };
  const bool = { must: [body.query], must_not: [{ terms: { id: fitting } }] };
  const options = query.any_fields === undefined ? {} : { any_fields: query.any_fields };
  return { query: { ...options, es_dsl: { ...body, query: { bool } } }, left: ids.length - fitting.length };
}

/** Warns about rows that the query could not leave out; empty if there are none. */
export function warnAboutKnown(left: number): string[] {
  if (left === 0) return [];
  return [
    t(
      '{left} rows of the table don’t fit into the search. They aren’t written twice, but their pages are paid for.',
      { left },
    ),
  ];
}
