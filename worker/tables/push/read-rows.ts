// Reads the current rows of a table from its sheet.
import type { CellValue } from '../../../shared/table/cells.ts';
import { listRowBlocks, toA1 } from './a1.ts';
import { type PushTarget, type TableLocation, toRowRange } from './find-table.ts';
import type { CellFormat, SheetsClient } from './sheets-client.ts';

/** More ranges would exceed the length of a URL. */
const MAX_RANGES = 40;

/** Returns the range of sheet columns that a table covers; it may contain columns of others. */
export function getColumnSpan({ columns }: TableLocation): { column: number; lastColumn: number } {
  const located = columns.filter((column) => column !== undefined);
  return { column: Math.min(...located), lastColumn: Math.max(...located) };
}

/** Reads the id column of a table, below the headings. @throws ProblemError `sheet_refused` for too many rows */
export async function readIdColumn(
  client: Pick<SheetsClient, 'getValues'>,
  target: PushTarget,
  location: TableLocation,
): Promise<CellValue[]> {
  const { sheet, headingRow, idColumn: column } = location;
  const ids: CellValue[] = [];
  for (const block of listRowBlocks(headingRow + 1, getLastRow(location))) {
    const range = toA1(sheet.title, { ...block, column, lastColumn: column });
    const [cells = []] = await client.getValues(target.spreadsheetId, [range]);
    // Google leaves out empty rows at the end of a range.
    for (let row = headingRow + 1 + ids.length; cells.length > 0 && row < block.row; row += 1) ids.push('');
    for (const [cell] of cells) ids.push(cell ?? '');
  }
  return ids;
}

/** Returns the last row that a table may cover: that above the next table, or the last of the grid. */
export const getLastRow = ({ sheet, end }: TableLocation): number =>
  end === undefined ? sheet.rows : end - 1;

/** Covers rows with at most {@link MAX_RANGES} ranges. Splits at the largest gaps, so that few other rows are read. */
function toRowRanges(rows: readonly number[]): { row: number; lastRow: number }[] {
  const sorted = [...new Set(rows)].sort((a, b) => a - b);
  const gaps = sorted.slice(1).map((row, index) => ({ row, size: row - (sorted[index] ?? row) - 1 }));
  const rangeStarts = new Set(
    gaps
      .filter(({ size }) => size > 0)
      .sort((a, b) => b.size - a.size)
      .slice(0, MAX_RANGES - 1)
      .map(({ row }) => row),
  );
  const ranges: { row: number; lastRow: number }[] = [];
  for (const row of sorted) {
    const last = ranges.at(-1);
    if (last === undefined || rangeStarts.has(row)) ranges.push({ row, lastRow: row });
    else last.lastRow = row;
  }
  return ranges;
}

/** Cells by row, from the table's first column on. */
interface CurrentRows {
  cells: Map<number, CellValue[]>;
  /** Empty unless requested. */
  formats: Map<number, CellFormat[]>;
}

/** Reads rows of a table, optionally with notes and backgrounds. */
export async function readCurrentRows(
  client: SheetsClient,
  target: PushTarget,
  location: TableLocation,
  rows: readonly number[],
  withFormats: boolean,
): Promise<CurrentRows> {
  const rowRanges = toRowRanges(rows);
  const current: CurrentRows = { cells: new Map(), formats: new Map() };
  if (rowRanges.length === 0) return current;
  const span = getColumnSpan(location);
  const ranges = rowRanges.map((rowRange) => toA1(location.sheet.title, { ...rowRange, ...span }));
  const values = await client.getValues(target.spreadsheetId, ranges);
  for (const [index, { row }] of rowRanges.entries()) {
    for (const [offset, cells] of (values[index] ?? []).entries()) current.cells.set(row + offset, cells);
  }
  const blocks = withFormats ? await client.getFormats(target.spreadsheetId, ranges) : [];
  for (const { row, formats } of blocks) {
    for (const [offset, rowFormats] of formats.entries()) current.formats.set(row + offset, rowFormats);
  }
  return current;
}

/**
 * Finds the row after the last used row of the sheet, so that new rows overwrite nothing below or beside the table.
 * @param last - last row of the table
 * @throws ProblemError `sheet_refused` for too many rows
 */
export async function findEndRow(
  client: Pick<SheetsClient, 'getValues'>,
  target: PushTarget,
  { sheet }: TableLocation,
  last: number,
): Promise<number> {
  let used = last;
  for (const { row, lastRow } of listRowBlocks(last + 1, sheet.rows)) {
    const [below = []] = await client.getValues(target.spreadsheetId, [toRowRange(sheet, row, lastRow)]);
    if (below.length > 0) used = row + below.length - 1;
  }
  return used + 1;
}
