// Columns of a registered table: those that incoming rows have values for, and the target of a push.
import type { NamedColumn } from '../../shared/api/tables.ts';
import { hasPreviewField } from '../../shared/families/previews.ts';
import type { TableRow } from '../db/schema.ts';
import type { PushTarget } from './push/find-table.ts';

/**
 * Selects the columns to read from incoming rows. A search schedule delivers previews, which lack most fields: those
 * columns keep their values in the sheet.
 */
export function incomingColumns({ source, family, columns }: TableRow): NamedColumn[] {
  return source.kind === 'search' ? columns.filter(({ path }) => hasPreviewField(family, path)) : columns;
}

/** Returns the table to write to. @param columns - those of the rows */
export const toPushTarget = (
  { id: tableId, spreadsheetId, sheetId, awaitsHeadings }: TableRow,
  columns: readonly NamedColumn[],
): PushTarget => ({
  spreadsheetId,
  sheetId,
  tableId,
  columns,
  keyId: columns.find(({ path }) => path === 'id')?.id ?? '',
  create: awaitsHeadings,
});
