// Reads the cells that formulas of the add-on refer to.
import type { Sheet } from '../sheet/area.ts';
import type { SheetCells } from '../sheet/formula-cells.ts';
import { type CellColumn, toSheetName } from '../sheet/lookup-calls.ts';

/** A sheet with formulas of the add-on. */
export interface ReadSheet {
  sheet: Sheet;
  name: string;
  cells: SheetCells;
}

/** Returns the number of a column: 1 for A. */
export const toColumn = (letters: string): number =>
  [...letters.toUpperCase()].reduce((sum, letter) => sum * 26 + letter.charCodeAt(0) - 64, 0);

/** Reads the cells of a column for a formula in a sheet, one in each row. */
export type KeyReader = (own: ReadSheet, cells: CellColumn) => unknown[][];

/** Creates a reader that reads each sheet once. @param known - sheets that were read already */
export function createKeyReader(known: readonly ReadSheet[]): KeyReader {
  const values = new Map(known.map(({ name, cells }) => [name, cells.values]));
  const readValues = (name: string): unknown[][] => {
    const sheet = SpreadsheetApp.getActiveSpreadsheet().getSheetByName(name);
    const read = values.get(name) ?? sheet?.getDataRange().getValues() ?? [];
    values.set(name, read);
    return read;
  };
  return (own, { sheet, column, from, to }) => {
    const rows = sheet === '' ? own.cells.values : readValues(toSheetName(sheet));
    const at = toColumn(column.replace('$', '')) - 1;
    return rows.slice(from - 1, to).map((row) => [row[at] ?? '']);
  };
}
