// Plans how records get into the rows of a sheet, each known by its id: rows that are there are updated, others are added.

/** The one spelling of an id: a number that someone stored as text is the same. */
export function toIdText(cell: unknown): string {
  return String(cell ?? '').trim();
}

/** Which records have rows. */
export interface RowMatches<Incoming> {
  /** Records whose id is in the sheet, each with the places of all its rows, from the top. */
  existing: { record: Incoming; rows: readonly number[] }[];
  /** The others, in the order in which they came. */
  added: Incoming[];
}

/**
 * Finds the rows of records.
 * @param records - one without an id has no row
 * @param ids - the cells of the column of ids, from the top
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

/** How a record is compared with a row. */
export interface RowComparison<Entry, Cell> {
  /** The columns that may be written, by their places in the table. */
  columns: readonly number[];
  /** The column of the ids, by its place in the table. */
  idColumn: number;
  /** Tells whether a cell holds an entry already. */
  isEqual: (cell: Cell, entry: Entry) => boolean;
  /** Tells whether the cell of a column has the mark of an earlier change; no cell has one where absent. */
  isMarked?: (column: number) => boolean;
}

/** What an update does to a row: places of columns in the table. */
export interface RowChange {
  /** Their cells get the record's entries. */
  changed: number[];
  /** Their cells stay and lose the mark of an earlier change. */
  unmarked: number[];
}

/**
 * Compares a record with a row that is to hold it. An id that is there stays as it is typed: the row was found by it.
 * @param entries - of the record, in the order of the table's columns
 * @param cells - of the row, in the same order; a new row has none
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
