// Formats CSV (RFC 4180) without formula injection.

/** A cell. null is empty. */
export type Cell = string | number | null;

const FORMULA_START = /^[=+\-@\t\r\n＝＋－＠]/;
const NEEDS_QUOTES = /[",\r\n]/;

/** Formats a cell. Text that a spreadsheet would run as a formula gets a leading apostrophe. */
function formatCell(cell: Cell): string {
  if (cell === null) return '';
  if (typeof cell === 'number') return String(cell);
  return FORMULA_START.test(cell) ? `'${cell}` : cell;
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
