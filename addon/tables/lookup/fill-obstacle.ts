// Tells which looked-up tables can be kept filled.
import type { TableRecord } from '../registry.ts';
import { hasNames, listKeyColumns } from './keys.ts';
import { hasOwnColumns } from './rows.ts';

/** Explains why a table can't be kept filled: cause and next step. Undefined if it can. */
export function findFillObstacle(table: TableRecord): string | undefined {
  if (table.frozen) return 'This table is frozen, so it can’t be filled.';
  if (table.kind === 'count')
    return 'New rows aren’t counted by themselves. Refresh counts all rows again, for free.';
  if (hasNames(table))
    return 'Names are decided by a person, so new rows aren’t filled. Enrich by website to keep a column filled.';
  if (hasOwnColumns(table))
    return 'It fills columns of your own, so new rows aren’t filled. Enrich into new columns to keep them filled.';
  if (listKeyColumns(table).length > 1)
    return 'It tries several columns, so new rows aren’t filled. Enrich by one column to keep it filled.';
  return undefined;
}
