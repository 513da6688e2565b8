// Selects the columns of a table that incoming rows have values for.
import type { NamedColumn } from '../../shared/api/tables.ts';
import { hasPreviewField } from '../../shared/families/previews.ts';
import type { TableRow } from '../db/schema.ts';

/**
 * Selects the columns to read from incoming rows. A search schedule delivers previews, which lack most fields: those
 * columns keep their values in the sheet.
 */
export function incomingColumns({ source, family, columns }: TableRow): NamedColumn[] {
  return source.kind === 'search' ? columns.filter(({ path }) => hasPreviewField(family, path)) : columns;
}
