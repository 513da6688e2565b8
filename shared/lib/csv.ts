// Formats CSV (RFC 4180) without formula injection, and reads it.

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

/** A row, with the number of its first line. */
export interface CsvRow {
  line: number;
  cells: string[];
}

const separators = [',', ';', '\t'] as const;
const CELLS: Readonly<Record<(typeof separators)[number], RegExp>> = {
  ',': /(?:"([^"]*(?:""[^"]*)*)"|([^",\r\n]*))(,|\r\n|\n|\r|$)/y,
  ';': /(?:"([^"]*(?:""[^"]*)*)"|([^";\r\n]*))(;|\r\n|\n|\r|$)/y,
  '\t': /(?:"([^"]*(?:""[^"]*)*)"|([^"\t\r\n]*))(\t|\r\n|\n|\r|$)/y,
};
/** The apostrophe that {@link formatCsvRow} puts before a text, and the text. */
const GUARDED = /^'(?=\s*[=+\-@＝＋－＠])/;

/**
 * Reads CSV as spreadsheets save it: separated by commas, semicolons or tabs, whichever the first line has. Leaves empty lines out.
 * @returns `brokenLine`: the line with a quotation mark that is not closed, or not at an edge of a cell; what follows was not read
 */
export function readCsv(text: string): { rows: CsvRow[]; brokenLine?: number } {
  const content = text.startsWith(csvStart) ? text.slice(csvStart.length) : text;
  const [first = ''] = content.split(/[\r\n]/, 1);
  const pattern = new RegExp(CELLS[separators.find((each) => first.includes(each)) ?? ',']);
  const rows: CsvRow[] = [];
  let row: CsvRow = { line: 1, cells: [] };
  let line = 1;
  while (pattern.lastIndex < content.length) {
    const found = pattern.exec(content);
    if (found === null) return { rows, brokenLine: line };
    const [, quoted, plain = '', end = ''] = found;
    line += quoted?.match(/\r\n|\n|\r/g)?.length ?? 0;
    row.cells.push((quoted?.replace(/""/g, '"') ?? plain).replace(GUARDED, ''));
    if (separators.some((each) => each === end)) continue;
    line += 1;
    if (row.cells.some((cell) => cell.trim() !== '')) rows.push(row);
    row = { line, cells: [] };
  }
  if (row.cells.some((cell) => cell.trim() !== '')) rows.push(row);
  return { rows };
}
