// Reads the query of the data request behind a table, so that a schedule can repeat it.
import type { Query } from '../../../shared/api/query.ts';
import { isObject } from '../../../shared/lib/is-object.ts';
import { getSelection, isQueryKind } from '../../data-requests/order/selection-store.ts';
import type { RequestRow } from '../../db/schema.ts';
import type { Env } from '../../env.ts';
import { parseExactly } from '../../lib/exact-json.ts';

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
