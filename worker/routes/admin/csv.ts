// Comma-separated values as RFC 4180 has them, with nothing in them that a spreadsheet would run.

/** A cell; null is an empty one. */
export type Cell = string | number | null;

const FORMULA_START = /^[=+\-@\t\r\n＝＋－＠]/;
const NEEDS_QUOTES = /[",\r\n]/;

/** A text that a spreadsheet would take for a formula gets an apostrophe before it. Numbers are none. */
function formatCell(cell: Cell): string {
  if (cell === null) return '';
  if (typeof cell === 'number') return String(cell);
  return FORMULA_START.test(cell) ? `'${cell}` : cell;
}

function quote(text: string): string {
  return NEEDS_QUOTES.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

/**
 * Writes a row.
 * @returns it with the line break at its end
 */
export function formatCsvRow(cells: readonly Cell[]): string {
  return `${cells.map((cell) => quote(formatCell(cell))).join(',')}\r\n`;
}
