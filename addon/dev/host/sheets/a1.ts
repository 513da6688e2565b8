// A1 notation, and the order in which Sheets sorts cells.
import type { Area, CellValue } from './workbook.ts';

/** Sheets sorts numbers and dates before texts, then booleans; blank cells come last in both directions. */
export function compareCells(a: CellValue, b: CellValue, isAscending: boolean): number {
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

/** Converts a column number to letters: 1 → A, 27 → AA. */
export function toLetters(column: number): string {
  let letters = '';
  for (let remaining = column; remaining > 0; remaining = Math.floor((remaining - 1) / 26)) {
    letters = String.fromCharCode(65 + ((remaining - 1) % 26)) + letters;
  }
  return letters;
}

/** Converts letters to a column number: A → 1, AA → 27; 0 for ''. */
export function toColumn(letters: string): number {
  let column = 0;
  for (const letter of letters.toUpperCase()) column = column * 26 + letter.charCodeAt(0) - 64;
  return column;
}

/** Formats an area in A1 notation: `B2`, `A1:C9`. */
export function toA1(area: Area): string {
  const from = `${toLetters(area.column)}${area.row}`;
  if (area.rows === 1 && area.columns === 1) return from;
  return `${from}:${toLetters(area.column + area.columns - 1)}${area.row + area.rows - 1}`;
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
  const sheet =
    bang < 0
      ? null
      : text
          .slice(0, bang)
          .replace(/^'(.*)'$/, '$1')
          .replace(/''/g, "'");
  const [from = '', to = from, ...more] = text.slice(bang + 1).split(':');
  const first = CORNER.exec(from);
  const last = CORNER.exec(to);
  if (!first || !last || more.length > 0 || from === '' || to === '') return null;
  const isSingleCell = from === to && !text.includes(':');
  if (isSingleCell && (!first[1] || !first[2])) return null;
  const rows = span(first[2] && Number(first[2]), last[2] && Number(last[2]), grid.maxRows);
  const columns = span(first[1] && toColumn(first[1]), last[1] && toColumn(last[1]), grid.maxColumns);
  return {
    sheet,
    area: { row: rows.start, rows: rows.length, column: columns.start, columns: columns.length },
  };
}

function span(from: number | string | undefined, to: number | string | undefined, end: number) {
  const first = Number(from || 1);
  const last = Number(to || end);
  return { start: Math.min(first, last), length: Math.abs(last - first) + 1 };
}
