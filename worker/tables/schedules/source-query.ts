// Reads the query of the data request behind a table, so that a schedule can repeat it.
import * as z from 'zod';
import type { Query } from '../../../shared/api/query.ts';
import { getSelection, isQueryKind } from '../../data-requests/order/selection-store.ts';
import type { RequestRow } from '../../db/schema.ts';
import type { Env } from '../../env.ts';

const object = z.record(z.string(), z.unknown());

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
  const query = object.parse(JSON.parse(selection.query));
  return kind === 'filter' ? { filters: query } : { es_dsl: query };
}
