// Locates a table in a closed spreadsheet by its developer metadata, and reads its rows.
import type { ColumnIdentity } from '../../../shared/api/tables.ts';
import { type CellValue, toCellText } from '../../../shared/table/cells.ts';
import {
  findTableBelow,
  formatMark,
  type Loss,
  listPlaces,
  locate,
  markKey,
  readHeadings,
} from '../../../shared/table/locate.ts';
import { ProblemError } from '../../http/problem-error.ts';
import { listRowBlocks, toA1 } from './a1.ts';
import type { CellFormat, SheetRequest, SheetsClient } from './sheets-client.ts';

export interface PushColumn extends ColumnIdentity {
  /** Path of the field, which decides about number formats. */
  path?: string;
}

export interface PushTarget {
  spreadsheetId: string;
  /** The `gid` of the sheet where the table was made. */
  sheetId: number;
  tableId: string;
  columns: readonly PushColumn[];
  keyId: string;
  /** Whether to write the headings if the sheet is empty. */
  create?: boolean;
}

export interface SheetInfo {
  title: string;
  sheetId: number;
  rows: number;
  columns: number;
  timeZone: string;
}

/** Position of a table in its sheet; rows and columns from 1. */
export interface TableLocation {
  sheet: SheetInfo;
  headingRow: number;
  /** Sheet column of each table column; undefined if it was deleted. */
  columns: (number | undefined)[];
  headings: string[];
  idColumn: number;
  /** The heading row of the next table below; undefined if there is none. */
  end: number | undefined;
  /** The cell for the time of the last completed push. */
  syncedCell?: { row: number; column: number; isBlank: boolean };
}

/** The cell to the right of this label receives the time of the last completed push. */
const SYNCED_LABEL = 'Last synced';
/** Rows above the headings where the label is searched. */
const MAX_LABEL_ROWS = 50;

/** Finds the cell to the right of the label, in the heading row or above it. @param first - the row of the first cells */
function findSyncedCell(
  topRows: readonly CellValue[][],
  first: number,
  headingRow: number,
  tableColumns: ReadonlySet<number>,
): TableLocation['syncedCell'] {
  for (const [r, cells] of topRows.entries()) {
    for (const [c, cell] of cells.entries()) {
      const row = first + r;
      const column = c + 2;
      if (String(cell).trim() !== SYNCED_LABEL) continue;
      if (row === headingRow && (tableColumns.has(c + 1) || tableColumns.has(column))) continue;
      const value = cells[c + 1] ?? '';
      // A person wrote any other value.
      if (value === '' || typeof value === 'number') return { row, column, isBlank: value === '' };
    }
  }
  return undefined;
}

async function getSheetInfo(
  client: SheetsClient,
  { spreadsheetId, sheetId }: PushTarget,
): Promise<SheetInfo> {
  const { properties, sheets } = await client.getSpreadsheet(spreadsheetId);
  const sheet = sheets.find((each) => each.properties.sheetId === sheetId)?.properties;
  if (sheet?.gridProperties === undefined) {
    throw new ProblemError(
      'sheet_missing',
      'The sheet of this table was deleted.',
      'Bring it back from the version history, or write the table to a new sheet.',
    );
  }
  const { rowCount: rows, columnCount: columns } = sheet.gridProperties;
  return { title: sheet.title, sheetId, rows, columns, timeZone: properties.timeZone };
}

function toRowRange({ title, columns }: SheetInfo, row: number, lastRow: number): string {
  return toA1(title, { row, lastRow, column: 1, lastColumn: columns });
}

const buildMark = (
  sheetId: number,
  dimension: 'ROWS' | 'COLUMNS',
  index: number,
  metadataValue: string,
): SheetRequest => ({
  createDeveloperMetadata: {
    developerMetadata: {
      metadataKey: markKey,
      metadataValue,
      visibility: 'DOCUMENT',
      location: { dimensionRange: { sheetId, dimension, startIndex: index, endIndex: index + 1 } },
    },
  },
});

/** Writes and marks the headings in an empty sheet, in one step. */
async function createTable(client: SheetsClient, target: PushTarget, sheet: SheetInfo): Promise<void> {
  const { spreadsheetId, sheetId, tableId, columns } = target;
  // A blank column keeps the label out of sorting and filters.
  const cells = [...columns.map(({ heading }) => heading), '', SYNCED_LABEL];
  const length = cells.length + 1 - sheet.columns;
  const values = cells.map((text) => ({ userEnteredValue: { stringValue: toCellText(text) } }));
  if (length > 0)
    await client.batchUpdate(spreadsheetId, [{ appendDimension: { sheetId, dimension: 'COLUMNS', length } }]);
  await client.batchUpdate(spreadsheetId, [
    {
      appendCells: { sheetId, rows: [{ values }], fields: 'userEnteredValue,userEnteredFormat.numberFormat' },
    },
    buildMark(sheetId, 'ROWS', 0, formatMark(tableId)),
    ...columns.map(({ id }, index) => buildMark(sheetId, 'COLUMNS', index, formatMark(tableId, id))),
  ]);
}

const refuse = ({ detail, fix }: Loss): ProblemError => new ProblemError('sheet_refused', detail, fix);

async function readRows(
  client: Pick<SheetsClient, 'getValues'>,
  { spreadsheetId }: Pick<PushTarget, 'spreadsheetId'>,
  sheet: SheetInfo,
  row: number,
  lastRow: number,
): Promise<CellValue[][]> {
  const [rows = []] = await client.getValues(spreadsheetId, [toRowRange(sheet, row, lastRow)]);
  return rows;
}

/**
 * Locates a table. Writes the headings first if the target says so and the sheet is empty.
 * @throws ProblemError `sheet_missing`; `sheet_refused` if it can't be located; `invalid_request` if no column identifies rows;
 * problems of the client
 */
export async function findTable(client: SheetsClient, target: PushTarget): Promise<TableLocation> {
  const { spreadsheetId, sheetId, tableId: id, columns, keyId } = target;
  const idIndex = columns.findIndex((column) => column.id === keyId);
  if (idIndex < 0) throw new ProblemError('invalid_request', 'No column of the table identifies its rows.');
  const sheet = await getSheetInfo(client, target);
  const marks = await client.findMarks(spreadsheetId);
  const located = locate(marks, { id, sheetId, columns, keyId });
  if ('loss' in located) {
    const places = listPlaces(marks, sheetId);
    const isNew = target.create === true && !places.has(id);
    if (!isNew || (await findEndRow(client, target, sheet, 0)) > 1) throw refuse(located.loss);
    await createTable(client, target, sheet);
    return findTable(client, { ...target, create: false });
  }
  const { place } = located;
  const first = Math.max(1, place.row - MAX_LABEL_ROWS + 1);
  const topRows = await readRows(client, target, sheet, first, place.row);
  const labels = readHeadings(topRows[place.row - first] ?? [], place, target);
  if ('loss' in labels) throw refuse(labels.loss);
  const tableColumns = new Set(place.columns.filter((column) => column !== undefined));
  const syncedCell = findSyncedCell(topRows, first, place.row, tableColumns);
  const others = [...listPlaces(marks, sheetId)].flatMap(([other, its]) => (other === id ? [] : its));
  return {
    sheet,
    headingRow: place.row,
    columns: place.columns,
    headings: labels.headings,
    idColumn: place.columns[idIndex] ?? 0,
    end: findTableBelow(place, others),
    ...(syncedCell === undefined ? {} : { syncedCell }),
  };
}

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
  formats: Map<number, CellFormat[]>;
}

/** Reads rows of a table, with notes and backgrounds. */
export async function readCurrentRows(
  client: SheetsClient,
  target: PushTarget,
  location: TableLocation,
  rows: readonly number[],
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
  const blocks = await client.getFormats(target.spreadsheetId, ranges);
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
  target: Pick<PushTarget, 'spreadsheetId'>,
  sheet: SheetInfo,
  last: number,
): Promise<number> {
  let used = last;
  for (const { row, lastRow } of listRowBlocks(last + 1, sheet.rows)) {
    const below = await readRows(client, target, sheet, row, lastRow);
    if (below.length > 0) used = row + below.length - 1;
  }
  return used + 1;
}
