// CDAPI_FIELDS: the fields of a family.

import { requireFormulaConnection } from '../client/connection.ts';
import { getFields } from '../client/gateway.ts';
import type { Cell } from '../lib/cells.ts';
import { parseFamily } from './arguments/options.ts';

/**
 * Lists the fields that the records of a family are known to have.
 * @returns a heading, then a field's path and its type in each row
 * @throws Error with one sentence, where they can't be told
 */
export function CDAPI_FIELDS(family: unknown): Cell[][] {
  const answer = getFields(requireFormulaConnection(), parseFamily(family));
  if (!answer.ok) throw new Error(answer.message);
  return [['field', 'type'], ...answer.body.columns.map(({ name, type }) => [name, type])];
}
