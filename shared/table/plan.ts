// Plans how records come into the rows of a table. The add-on and the gateway apply the same plan, each through its own API.
import { toIdText } from './cells.ts';

export interface Incoming<Entry> {
  /** '' matches no row. */
  id: string;
  /** In the order of the table's columns; undefined keeps a cell. */
  entries: readonly (Entry | undefined)[];
}

/** Records split by whether the sheet has rows for them. */
export interface RowMatches<Row> {
  /** Each record with each of its rows, as an index below the headings. */
  existing: { record: Row; row: number }[];
  /** The other records, in their original order. */
  added: Row[];
}

/**
 * Matches records with rows by id. Of records with the same id, the last one counts.
 * @param ids - the cells of the id column
 */
export function matchRows<Row extends { id: string }>(
  records: readonly Row[],
  ids: readonly unknown[],
): RowMatches<Row> {
  const rowsById = new Map<string, number[]>();
  for (const [row, cell] of ids.entries()) {
    const id = toIdText(cell);
    const rows = rowsById.get(id);
    if (rows === undefined) rowsById.set(id, [row]);
    else rows.push(row);
  }
  rowsById.delete('');
  const distinct = new Map(records.map((record, at) => [record.id || at, record]));
  const matches: RowMatches<Row> = { existing: [], added: [] };
  for (const record of distinct.values()) {
    const rows = rowsById.get(record.id);
    if (rows === undefined) matches.added.push(record);
    else matches.existing.push(...rows.map((row) => ({ record, row })));
  }
  return matches;
}

/** Matches records with consecutive rows. @param length - number of rows that the table has */
export function placeRows<Row>(records: readonly Row[], from: number, length: number): RowMatches<Row> {
  const count = Math.max(0, length - from);
  const existing = records.slice(0, count).map((record, at) => ({ record, row: from + at }));
  return { existing, added: records.slice(count) };
}

/** How records are written. */
export interface PlanRules<Entry, Cell> {
  /** `append`: fills blank cells of the rows from `base` on. `update`: writes what differs. `replace`: writes every cell. */
  mode: 'append' | 'update' | 'replace';
  /** The first row of the run, if an interrupted one is completed. Default: none is. */
  base?: number;
  /** Indexes of the columns to write. */
  columns: readonly number[];
  /** Index of the id column; -1 if there is none. */
  idColumn: number;
  /** Columns whose values decide whether a row is updated. Default: all. */
  decisive?: readonly number[];
  isEqual: (cell: Cell, entry: Entry) => boolean;
  /** Tells whether a value in a cell is a person's, and stays. Default: none does. */
  isKept?: (row: number, column: number) => boolean;
  /** Tells whether a cell is marked as changed. Default: none is. */
  isMarked?: (row: number, column: number) => boolean;
}

/** A row of a plan. It is as it should be if nothing is changed or unmarked. */
export interface PlannedRow<Row> {
  record: Row;
  /** Index below the headings. */
  row: number;
  isNew: boolean;
  /** Columns that may be written. The other cells must not be touched. */
  columns: readonly number[];
  /** Those whose values change. */
  changed: readonly number[];
  /** Unchanged cells that lose their change mark. */
  unmarked: readonly number[];
}

const isBlank = (cell: unknown): boolean => (cell ?? '') === '';

/**
 * Plans the rows of records: first the existing, then the new ones. An existing id is never rewritten by an update, because it
 * identifies the row.
 * @param read - returns the cells of an existing row, in the order of the table's columns
 * @param end - the first new row
 */
export function planRows<Row extends Incoming<Entry>, Entry, Cell>(
  { existing, added }: RowMatches<Row>,
  { read, end }: { read: (row: number) => readonly Cell[]; end: number },
  rules: PlanRules<Entry, Cell>,
): PlannedRow<Row>[] {
  const { mode, base = Number.POSITIVE_INFINITY, idColumn, decisive, isEqual } = rules;
  const { isKept = () => false, isMarked = () => false } = rules;
  const listColumns = ({ entries }: Row): number[] =>
    rules.columns.filter((column) => entries[column] !== undefined);
  const planExisting = (record: Row, row: number): PlannedRow<Row> => {
    const cells = read(row);
    const isSame = (column: number): boolean => {
      const [cell, entry] = [cells[column], record.entries[column]];
      return cell !== undefined && entry !== undefined && isEqual(cell, entry);
    };
    const columns = listColumns(record).filter((column) => {
      if (isBlank(cells[column])) return true;
      if (column === idColumn && mode !== 'replace') return false;
      return isSame(column) || !(mode === 'append' || isKept(row, column));
    });
    const differing = mode === 'replace' ? columns : columns.filter((column) => !isSame(column));
    const unmarked = columns.filter((column) => !differing.includes(column) && isMarked(row, column));
    const isWritten = unmarked.length > 0 || differing.some((column) => decisive?.includes(column) ?? true);
    return { record, row, isNew: false, columns, changed: isWritten ? differing : [], unmarked };
  };
  const rows = existing.filter(({ row }) => mode !== 'append' || row >= base);
  return [
    ...rows.map(({ record, row }) => planExisting(record, row)),
    ...added.map((record, at): PlannedRow<Row> => {
      const columns = listColumns(record);
      return { record, row: end + at, isNew: true, columns, changed: columns, unmarked: [] };
    }),
  ];
}

export const changedCellColour = '#fff2cc';

/** Start of every change note. */
const NOTE_PREFIX = 'Was “';

/** Maximum length of the previous value in a note. */
const MAX_VALUE_LENGTH = 500;

/**
 * Formats the note of a changed cell.
 * @param shown - the previous value, as displayed
 * @param day - the day of the change: `2026-11-22`
 */
export function formatChangeNote(shown: string, day: string): string {
  return `${NOTE_PREFIX}${shown.slice(0, MAX_VALUE_LENGTH)}” until ${day}`;
}

/**
 * Checks whether a note marks a changed cell.
 * @param ignoredDays - days whose change notes do not count
 */
export function isChangeNote(note: string, ...ignoredDays: readonly string[]): boolean {
  return note.startsWith(NOTE_PREFIX) && !ignoredDays.some((day) => note.endsWith(` until ${day}`));
}
