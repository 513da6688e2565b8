// CDAPI_FIELDS: the fields of a family.

import { requireFormulaConnection } from '../client/connection.ts';
import { getFields } from '../client/gateway.ts';
import type { Cell } from '../lib/dates.ts';
import { parseFamily, parseOptions, REFRESH_OPTIONS } from './arguments/options.ts';

/**
 * Lists the known fields of a family's records.
 * @param options - `refresh=1`
 * @returns a heading row, then the path and type of each field
 * @throws Error if the fields can't be read
 */
export function CDAPI_FIELDS(family: unknown, options?: unknown): Cell[][] {
  parseOptions(options, REFRESH_OPTIONS);
  const answer = getFields(requireFormulaConnection(), parseFamily(family));
  if (!answer.ok) throw new Error(answer.message);
  return [['field', 'type'], ...answer.body.columns.map(({ name, type }) => [name, type])];
}
