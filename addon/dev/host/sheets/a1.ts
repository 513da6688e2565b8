// A1 notation, and the order in which Sheets sorts cells.
import { toColumnNumber } from '../../../../shared/table/columns.ts';
import type { Area, CellValue } from './workbook.ts';

/** Returns the positions of cells in their order, from 0. Equal cells keep theirs. */
export function sortCells(cells: readonly CellValue[], isAscending: boolean): number[] {
  return [...cells.keys()].sort((a, b) => compareCells(cells[a] ?? '', cells[b] ?? '', isAscending) || a - b);
}

/** Sheets sorts numbers and dates before texts, then booleans; blank cells come last in both directions. */
function compareCells(a: CellValue, b: CellValue, isAscending: boolean): number {
  if (a === '' || b === '') return Number(a === '') - Number(b === '');
  const [[rank, value], [otherRank, otherValue]] = [toSortKey(a), toSortKey(b)];
  const order =
    rank - otherRank ||
    (typeof value === 'number' && typeof otherValue === 'number'
      ? value - otherValue
      : String(value).localeCompare(String(otherValue)));
  return isAscending ? order : -order;
}

function toSortKey(value: CellValue): readonly [rank: number, value: string | number] {
  if (typeof value === 'boolean') return [2, Number(value)];
  if (typeof value === 'string') return [1, value];
  return [0, Number(value)];
}

const CORNER = /^\$?([A-Za-z]{1,3})?\$?(\d{1,7})?$/;

/**
 * Parses `B2`, `A1:C9`, `A:C`, `2:5` or `A2:C`, optionally with a sheet's name and `!`.
 * Returns the sheet's name (null if omitted) and the area within the grid, or null if the notation is invalid.
 */
export function parseA1(
  text: string,
  grid: { readonly maxRows: number; readonly maxColumns: number },
): { readonly sheet: string | null; readonly area: Area } | null {
  const bang = text.lastIndexOf('!');
  const sheet = bang < 0 ? null : unquoteSheetName(text.slice(0, bang));
  const [from = '', to = from, ...more] = text.slice(bang + 1).split(':');
  const first = CORNER.exec(from);
  const last = CORNER.exec(to);
  if (!first || !last || more.length > 0 || from === '' || to === '') return null;
  const isSingleCell = from === to && !text.includes(':');
  if (isSingleCell && (!first[1] || !first[2])) return null;
  const rows = span(first[2] && Number(first[2]), last[2] && Number(last[2]), grid.maxRows);
  const columns = span(
    first[1] && toColumnNumber(first[1]),
    last[1] && toColumnNumber(last[1]),
    grid.maxColumns,
  );
  return {
    sheet,
    area: { row: rows.start, rows: rows.length, column: columns.start, columns: columns.length },
  };
}

/** Returns the name of a sheet in a notation. */
export function unquoteSheetName(text: string): string {
  return text.replace(/^'(.*)'$/, '$1').replace(/''/g, "'");
}

function span(from: number | string | undefined, to: number | string | undefined, end: number) {
  const first = Number(from || 1);
  const last = Number(to || end);
  return { start: Math.min(first, last), length: Math.abs(last - first) + 1 };
}
