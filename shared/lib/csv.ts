// Formats CSV (RFC 4180) without formula injection.

/** A cell. null is empty. */
export type Cell = string | number | null;

/** Starts a CSV file: without a byte order mark, Excel reads it in the encoding of its language. */
export const csvStart = '\ufeff';

const FORMULA_START = /^(?:\s*[=+\-@＝＋－＠]|[\t\r\n])/;
/** In many languages, spreadsheets split lines at semicolons, also inside a quoted cell. */
const FORMULA_BEHIND_SEPARATOR = /(?=[=+\-@＝＋－＠])(?<=[;\t\r\n]\s*)/g;
const NEEDS_QUOTES = /[",\r\n]/;

/** Formats a cell. Text that a spreadsheet would run as a formula gets an apostrophe before it. */
function formatCell(cell: Cell): string {
  if (cell === null) return '';
  if (typeof cell === 'number') return String(cell);
  const guarded = cell.replace(FORMULA_BEHIND_SEPARATOR, "'");
  return FORMULA_START.test(guarded) ? `'${guarded}` : guarded;
}

function quote(text: string): string {
  return NEEDS_QUOTES.test(text) ? `"${text.replace(/"/g, '""')}"` : text;
}

/**
 * Formats a row, including its line break.
 */
export function formatCsvRow(cells: readonly Cell[]): string {
  return `${cells.map((cell) => quote(formatCell(cell))).join(',')}\r\n`;
}
