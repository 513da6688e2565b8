// Plans an upsert of records into the rows of a sheet. The id column identifies rows.
import { toIdText } from './cells.ts';

/** Records split by whether the sheet has rows for them. */
export interface RowMatches<Incoming> {
  /** Records whose id is in the sheet, with the indexes of all their rows. */
  existing: { record: Incoming; rows: readonly number[] }[];
  /** The other records, in their original order. */
  added: Incoming[];
}

/**
 * Matches records with rows by id.
 * @param records - a record with an empty id matches no row
 */
export function matchRows<Incoming extends { id: string }>(
  records: readonly Incoming[],
  ids: readonly unknown[],
): RowMatches<Incoming> {
  const rowsById = new Map<string, number[]>();
  for (const [row, cell] of ids.entries()) {
    const id = toIdText(cell);
    const rows = rowsById.get(id);
    if (rows === undefined) rowsById.set(id, [row]);
    else rows.push(row);
  }
  rowsById.delete('');
  const matches: RowMatches<Incoming> = { existing: [], added: [] };
  for (const record of records) {
    const rows = rowsById.get(record.id);
    if (rows === undefined) matches.added.push(record);
    else matches.existing.push({ record, rows });
  }
  return matches;
}

/** Settings for comparing a record with a row. */
export interface RowComparison<Entry, Cell> {
  /** Indexes of the writable columns. */
  columns: readonly number[];
  idColumn: number;
  /** Checks whether a cell already holds an entry. */
  isEqual: (cell: Cell, entry: Entry) => boolean;
  /** Checks whether the cell of a column is marked as changed. Default: no cell is. */
  isMarked?: (column: number) => boolean;
}

/** Changes to a row, as column indexes. */
export interface RowChange {
  changed: number[];
  /** Unchanged cells that lose their change mark. */
  unmarked: number[];
}

/**
 * Compares a record with its row. An existing id is never rewritten, because it identifies the row.
 * @param entries - the record's values, in the order of the table's columns
 */
export function compareRow<Entry, Cell>(
  entries: readonly Entry[],
  cells: readonly Cell[],
  { columns, idColumn, isEqual, isMarked = () => false }: RowComparison<Entry, Cell>,
): RowChange {
  const writable = new Set(columns);
  const isChanged = (entry: Entry, column: number): boolean => {
    const cell = cells[column];
    if (!writable.has(column)) return false;
    if (cell === undefined) return true;
    return !(column === idColumn && toIdText(cell) !== '') && !isEqual(cell, entry);
  };
  const change: RowChange = { changed: [], unmarked: [] };
  for (const [column, entry] of entries.entries()) {
    if (isChanged(entry, column)) change.changed.push(column);
    else if (isMarked(column)) change.unmarked.push(column);
  }
  return change;
}
