// Locates a table by developer metadata: a mark on its heading row and on each column, which moves with the row or column.
// Headings are labels, and identify nothing.
import type { ColumnIdentity } from '../api/tables.ts';

/** Key of the developer metadata. */
export const markKey = 'cdapi';

/** The developer metadata of a row or a column. */
export interface Mark {
  /** From {@link formatMark}; editors of the spreadsheet can write any other. */
  value: string;
  sheetId: number;
  /** The row or the column, from 1. */
  at: number;
}

/** Formats the mark of a table's heading row or, with the id of a column, of that column. */
export const formatMark = (tableId: string, columnId?: string): string =>
  columnId === undefined ? tableId : `${tableId} ${columnId}`;

export function parseMark(value: string): { tableId: string; columnId?: string } {
  const [tableId = '', columnId] = value.split(' ');
  return columnId === undefined ? { tableId } : { tableId, columnId };
}

/** A table as the registry knows it. Marks count only in its sheet. */
export interface TableIdentity<Column extends ColumnIdentity = ColumnIdentity> {
  id: string;
  sheetId: number;
  columns: readonly Column[];
  /** The column by which rows are found; absent if there is none. */
  keyId?: string | undefined;
}

/** The rows and columns of a located table, from 1. */
export interface Place {
  row: number;
  /** One for each column of the table; undefined if it was deleted. */
  columns: (number | undefined)[];
}

/** Why a table can't be located, and what to do. */
export interface Loss {
  detail: string;
  fix: string;
}

const RESTORE = 'Undo that, or write the table to a new sheet.';

const losses = {
  row: { detail: 'Its heading row was deleted.', fix: RESTORE },
  columns: { detail: 'Its columns were deleted.', fix: RESTORE },
  blank: {
    detail: 'Its headings were moved or deleted, or sorted with the rows.',
    fix: `Put them back. ${RESTORE}`,
  },
  copied: {
    detail: 'A row or column of it is in its sheet twice, so it is unclear which one belongs to the table.',
    fix: 'Delete the copy.',
  },
} satisfies Record<string, Loss>;

const loseKey = (heading: string): Loss => ({
  detail: `Its column “${heading}” was deleted, by which rows are found.`,
  fix: RESTORE,
});

/**
 * Locates a table in its sheet.
 * @param marks - those of other tables and other sheets don't count
 */
export function locate(
  marks: readonly Mark[],
  { id, sheetId, columns, keyId }: TableIdentity,
): { place: Place } | { loss: Loss } {
  const places = new Map<string, number[]>();
  for (const mark of marks) {
    if (mark.sheetId === sheetId) places.set(mark.value, [...(places.get(mark.value) ?? []), mark.at]);
  }
  const [row, ...otherRows] = places.get(formatMark(id)) ?? [];
  const found = columns.map((column) => places.get(formatMark(id, column.id)) ?? []);
  if (otherRows.length > 0 || found.some(({ length }) => length > 1)) return { loss: losses.copied };
  if (found.every(({ length }) => length === 0)) return { loss: losses.columns };
  if (row === undefined) return { loss: losses.row };
  const key = columns.findIndex((column) => column.id === keyId);
  if (key >= 0 && found[key]?.length === 0) return { loss: loseKey(columns[key]?.heading ?? '') };
  return { place: { row, columns: found.map(([at]) => at) } };
}

/** An id, a link, a website in lower case or an e-mail address: the cell is of a record. */
const RECORD_KEY = /^(?:\d+|https?:\/\/\S+|(?:\S+@)?[a-z\d-]+(?:\.[a-z\d-]+)*\.[a-z]{2,}(?:\/\S*)?)$/;

/**
 * Reads the labels of a located table. If all are blank, or the key has none but a record's, the headings were moved away from
 * their row: cut, or sorted with the rows.
 * @param cells - the heading row, from the first column of the sheet on
 */
export function readHeadings(
  cells: readonly unknown[],
  { columns }: Place,
  { columns: known, keyId }: Pick<TableIdentity, 'columns' | 'keyId'>,
): { headings: string[] } | { loss: Loss } {
  const labels = columns.map((at) => (at === undefined ? '' : String(cells[at - 1] ?? '').trim()));
  const key = labels[known.findIndex(({ id }) => id === keyId)] ?? '';
  if (labels.every((label) => label === '') || RECORD_KEY.test(key)) return { loss: losses.blank };
  return { headings: labels.map((label, at) => label || (known[at]?.heading ?? '')) };
}

/** Finds the heading row of the next table below in any of the same columns; undefined if there is none. */
export function findTableBelow({ row, columns }: Place, others: Iterable<Place>): number | undefined {
  const own = new Set(columns.filter((at) => at !== undefined));
  const below = [...others].filter(
    (other) => other.row > row && other.columns.some((at) => at !== undefined && own.has(at)),
  );
  return below.length === 0 ? undefined : Math.min(...below.map((other) => other.row));
}

/** Returns the rows and columns that tables of a sheet have marked, whoever they belong to. */
export function listPlaces(marks: readonly Mark[], sheetId: number): Map<string, Place> {
  const places = new Map<string, Place>();
  for (const { value, sheetId: sheet, at } of marks) {
    if (sheet !== sheetId) continue;
    const { tableId, columnId } = parseMark(value);
    const { row, columns } = places.get(tableId) ?? { row: 0, columns: [] };
    places.set(tableId, columnId === undefined ? { row: at, columns } : { row, columns: [...columns, at] });
  }
  return places;
}

/** Creates ids of new columns, which no column of the table has or had. */
export function createColumnIds(columns: readonly Pick<ColumnIdentity, 'id'>[], count: number): string[] {
  const last = Math.max(0, ...columns.map(({ id }) => Number(id.slice(1)) || 0));
  return Array.from({ length: count }, (_, at) => `c${last + 1 + at}`);
}
