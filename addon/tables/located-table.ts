// A remembered table and its place in the spreadsheet.

import { AddonError } from '../lib/addon-error.ts';
import { toA1 } from '../sheet/area.ts';
import { locateTables, type TableLocation } from './locate.ts';
import { listTables, saveTable, type TableRecord } from './registry.ts';

/** A table that is there, and everything that is near it. */
export interface LocatedTable {
  table: TableRecord;
  location: TableLocation;
  others: TableLocation[];
}

/**
 * Finds a table in the spreadsheet.
 * @throws AddonError `gone` where it is not remembered, or not there
 */
export function requireTable(id: string): LocatedTable {
  const tables = listTables();
  const table = tables.find((each) => each.id === id);
  if (table === undefined) throw new AddonError('gone', 'This table is not remembered here any more.');
  const all = locateTables(tables);
  const location = all.get(id);
  if (location === undefined) {
    throw new AddonError(
      'gone',
      `The headings of “${table.title}” can’t be found any more: they were deleted or renamed. Put them back, or stop tracking the table.`,
    );
  }
  const others = [...all].flatMap(([other, place]) => (other === id ? [] : place));
  return { table, location, others };
}

/** Keeps where a table was found. */
export function withPlace(table: TableRecord, location: TableLocation): TableRecord {
  const columns = location.columns.map((column, at) => column ?? table.place.columns[at] ?? 1);
  const { sheet, row } = location;
  return { ...table, place: { sheetId: sheet.getSheetId(), sheet: sheet.getName(), row, columns } };
}

/**
 * Looks where a table is at this moment, what people did meanwhile included, and remembers it.
 * @throws AddonError `gone` as {@link requireTable}
 */
export function relocateTable(id: string): LocatedTable {
  SpreadsheetApp.flush();
  const { table, location, others } = requireTable(id);
  const moved = withPlace(table, location);
  if (JSON.stringify(moved.place) !== JSON.stringify(table.place)) saveTable(moved);
  return { table: moved, location, others };
}

/** Where a table's headings are, in A1 notation. */
export function getHeadingRange(location: TableLocation): string {
  const columns = location.columns.flatMap((column) => column ?? []);
  const column = Math.min(...columns);
  return toA1({ row: location.row, column, rows: 1, columns: Math.max(...columns) - column + 1 });
}
