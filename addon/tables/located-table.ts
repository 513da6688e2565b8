// A tracked table together with its location.

import { AddonError } from '../lib/addon-error.ts';
import { toA1 } from '../sheet/area.ts';
import { locateTables, type TableLocation } from './locate.ts';
import { findTable, listTables, saveTable, type TableRecord } from './registry.ts';

/** A table, its location, and the locations of the other tables. */
export interface LocatedTable {
  table: TableRecord;
  location: TableLocation;
  others: TableLocation[];
}

/** Finds a tracked table. @throws AddonError `gone` */
export function requireTracked(id: string): TableRecord {
  const table = findTable(id);
  if (table === undefined) throw new AddonError('gone', 'This table is no longer tracked here.');
  return table;
}

/**
 * Locates a tracked table.
 * @throws AddonError `gone` if it is not tracked, or its headings are missing
 */
export function requireTable(id: string): LocatedTable {
  const table = requireTracked(id);
  const all = locateTables(listTables());
  const location = all.get(id);
  if (location === undefined) {
    throw new AddonError(
      'gone',
      `The headings of “${table.title}” can’t be found any more: they were deleted or renamed. Put them back, or stop tracking the table.`,
    );
  }
  const others = [...all].flatMap(([otherId, place]) => (otherId === id ? [] : place));
  return { table, location, others };
}

/** Returns the table with its current place. */
export function withPlace(table: TableRecord, location: TableLocation): TableRecord {
  const columns = location.columns.map((column, at) => column ?? table.place.columns[at] ?? 1);
  const { sheet, row } = location;
  return { ...table, place: { sheetId: sheet.getSheetId(), sheet: sheet.getName(), row, columns } };
}

/**
 * Locates a table again after other changes of the sheet, and saves its place.
 * @throws AddonError `gone` as {@link requireTable}
 */
export function relocateTable(id: string): LocatedTable {
  SpreadsheetApp.flush();
  const { table, location, others } = requireTable(id);
  const moved = withPlace(table, location);
  if (JSON.stringify(moved.place) !== JSON.stringify(table.place)) saveTable(moved);
  return { table: moved, location, others };
}

/** Formats the range of a table's headings and the rows below them in A1 notation. */
export function getTableRange(location: TableLocation, rows = 0): string {
  const columns = location.columns.flatMap((column) => column ?? []);
  const column = Math.min(...columns);
  return toA1({ row: location.row, column, rows: rows + 1, columns: Math.max(...columns) - column + 1 });
}
