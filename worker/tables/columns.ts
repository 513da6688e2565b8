// Which columns of a table rows that arrive have values for.
import type { NamedColumn } from '../../shared/api/tables.ts';
import { hasPreviewField } from '../../shared/families/previews.ts';
import type { TableRow } from '../db/schema.ts';

/**
 * The columns that are read of rows for a table. A schedule of a search brings previews, which have few: what else stands in
 * a row is not blanked by what they lack.
 */
export function incomingColumns({ source, family, columns }: TableRow): NamedColumn[] {
  return source.kind === 'search' ? columns.filter(({ path }) => hasPreviewField(family, path)) : columns;
}
