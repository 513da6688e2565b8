// A remembered table and its place in the spreadsheet.

import { Refusal } from '../lib/addon-error.ts';
import { a1 } from '../sheet/area.ts';
import { type Found, findTables } from './locate.ts';
import { allTables, keepTable, type TableRecord } from './registry.ts';

/** A table that is there, and everything that is near it. */
export interface Here {
  table: TableRecord;
  found: Found;
  others: Found[];
}

/**
 * Finds a table in the spreadsheet.
 * @throws Refusal `gone` where it is not remembered, or not there
 */
export function here(id: string): Here {
  const tables = allTables();
  const table = tables.find((each) => each.id === id);
  if (table === undefined) throw new Refusal('gone', 'This table is not remembered here any more.');
  const all = findTables(tables);
  const found = all.get(id);
  if (found === undefined) {
    throw new Refusal(
      'gone',
      `The headings of “${table.title}” can’t be found any more: they were deleted or renamed. Put them back, or stop tracking the table.`,
    );
  }
  const others = [...all].flatMap(([other, place]) => (other === id ? [] : place));
  return { table, found, others };
}

/** Keeps where a table was found. */
export function placed(table: TableRecord, found: Found): TableRecord {
  const columns = found.columns.map((column, at) => column ?? table.place.columns[at] ?? 1);
  const { sheet, row } = found;
  return { ...table, place: { sheetId: sheet.getSheetId(), sheet: sheet.getName(), row, columns } };
}

/**
 * Looks where a table is at this moment, what people did meanwhile included, and remembers it.
 * @throws Refusal `gone` as {@link here}
 */
export function lookAgain(id: string): Here {
  SpreadsheetApp.flush();
  const { table, found, others } = here(id);
  const moved = placed(table, found);
  if (JSON.stringify(moved.place) !== JSON.stringify(table.place)) keepTable(moved);
  return { table: moved, found, others };
}

/** Where a table's headings are, in A1 notation. */
export function headingRange(found: Found): string {
  const columns = found.columns.flatMap((column) => column ?? []);
  const column = Math.min(...columns);
  return a1({ row: found.row, column, rows: 1, columns: Math.max(...columns) - column + 1 });
}
