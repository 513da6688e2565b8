// Families that say of a record only on which day it changed: what a run of a day has brought is not bought again by the later
// runs of that day. The first run of a day asks for everything, so that what changed once more comes with the next day.
import { drizzle } from 'drizzle-orm/d1';
import type { Query } from '../../../shared/api/query.ts';
import { maxSavedQueryLength } from '../../../shared/api/saved-searches.ts';
import { addSinceCondition, hasDayPrecision } from '../../../shared/query/since.ts';
import { isInList } from '../../db/json-list.ts';
import { requestRows, type TableRow, type TableRunRow } from '../../db/schema.ts';
import type { Env } from '../../env.ts';
import type { RunStore } from './run-store.ts';

/** More ids than that make a query that is too long, however short they are. */
const MAX_IDS = maxSavedQueryLength / 4;

/** The ids of records that are kept as rows under some ids, in their order. */
async function listRecordIds({ DB }: Env, rowsIds: readonly string[]): Promise<string[]> {
  const rows = await drizzle(DB)
    .selectDistinct({ id: requestRows.recordId })
    .from(requestRows)
    .where(isInList(requestRows.requestId, rowsIds))
    .orderBy(requestRows.recordId)
    .limit(MAX_IDS);
  return rows.map(({ id }) => id);
}

/** @returns undefined where that makes a longer query than the provider takes */
function excludeIds(query: Query, ids: readonly string[]): Query | undefined {
  if (!('es_dsl' in query)) return query;
  const { es_dsl: body } = query;
  const rest = { bool: { must: [body.query], must_not: [{ ids: { values: ids } }] } };
  const whole = { ...body, query: rest };
  return JSON.stringify(whole).length <= maxSavedQueryLength ? { es_dsl: whole } : undefined;
}

/**
 * What a run asks for: what is new or changed since, without what this day has brought already.
 * @param query - of the table's source
 * @returns undefined where this day has brought so much that it can't be told apart: the next day's first run brings the rest
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
  const ids = await listRecordIds(env, rowsIds);
  return ids.length === 0 ? since : excludeIds(since, ids);
}
