// Builds the query of a run. Some families date changes by day only: later runs of a day exclude the records that the
// day has already delivered. The first run of a day asks for everything, so that a second change on a day arrives the
// next day.
import type { Query } from '../../../shared/api/query.ts';
import { maxSavedQueryLength } from '../../../shared/api/saved-searches.ts';
import { isObject } from '../../../shared/lib/is-object.ts';
import { addSinceCondition, hasDayPrecision } from '../../../shared/query/since.ts';
import { RowIndex } from '../../data-requests/ingest/index.ts';
import { getSelection, isQueryKind } from '../../data-requests/order/selection-store.ts';
import type { RequestRow, TableRow, TableRunRow } from '../../db/schema.ts';
import type { Env } from '../../env.ts';
import { parseExactly } from '../../lib/exact-json.ts';
import type { RunStore } from './run-store.ts';

/** More ids always exceed the longest query. */
const MAX_IDS = maxSavedQueryLength / 4;

/** Excludes ids from a query. @returns undefined when the result exceeds the provider's limit */
function excludeIds(query: Query, ids: readonly string[]): Query | undefined {
  if (!('es_dsl' in query)) return query;
  const { es_dsl: body } = query;
  const filtered = { bool: { must: [body.query], must_not: [{ ids: { values: ids } }] } };
  const es_dsl = { ...body, query: filtered };
  return JSON.stringify(es_dsl).length <= maxSavedQueryLength ? { es_dsl } : undefined;
}

/**
 * Builds the query of a run: records that are new or changed since the previous run, minus those already delivered that
 * day.
 * @param query - query of the table's source
 * @returns undefined when too many ids would have to be excluded: the first run of the next day delivers the rest
 */
export async function buildRunQuery(
  { env, runs }: { env: Env; runs: RunStore },
  { run, table }: { run: TableRunRow; table: TableRow },
  query: Query,
): Promise<Query | undefined> {
  const since = addSinceCondition(table.family, query, run.since);
  if (!hasDayPrecision(table.family)) return since;
  const { isWhole, rowsIds } = await runs.getDayCoverage(run, table.updatedAt);
  if (!isWhole) return since;
  const ids = await new RowIndex(env.DB).listRecordIds(rowsIds, MAX_IDS);
  return ids.length === 0 ? since : excludeIds(since, ids);
}

/**
 * Reads the query of a data request.
 * @returns undefined for a request by keys, and when the stored query has expired
 */
export async function readSourceQuery(
  env: Env,
  { id, kind }: Pick<RequestRow, 'id' | 'kind'>,
): Promise<Query | undefined> {
  if (!isQueryKind(kind)) return undefined;
  const selection = await getSelection(env, id);
  if (selection === undefined || !('query' in selection)) return undefined;
  const query = parseExactly(selection.query);
  if (!isObject(query)) throw new Error('The stored query of a data request is no object.');
  return kind === 'filter' ? { filters: query } : { es_dsl: query };
}
