// Locates a table in a spreadsheet by its headings, so that people may move columns and rename sheets.
import type { CellValue } from '../../../shared/table/cells.ts';
import { ProblemError } from '../../http/problem-error.ts';
import { toA1 } from './a1.ts';
import type { SheetsClient } from './sheets-client.ts';

/** The table to write to. */
export interface PushTarget {
  spreadsheetId: string;
  /** The `gid` of the sheet. */
  sheetId: number;
  /** Heading of the column with the record ids. */
  idHeading: string;
  /** Last known heading row, from 1. Of several candidates, the nearest is used. */
  headingRow?: number;
}

/** A column of a table, identified by its heading. */
export interface PushColumn {
  heading: string;
  /** Path of the field, which decides about number formats. */
  path?: string;
}

/** A sheet and its size. */
export interface SheetInfo {
  title: string;
  sheetId: number;
  rows: number;
  columns: number;
  /** Time zone of the spreadsheet. */
  timeZone: string;
}

/** Position of a table in its sheet; rows and columns from 1. */
export interface TableLocation {
  sheet: SheetInfo;
  headingRow: number;
  /** Sheet column of each table column; undefined when its heading is missing. */
  columns: (number | undefined)[];
  idColumn: number;
  /** The cell for the time of the last completed push. */
  syncedCell?: { row: number; column: number; isBlank: boolean };
}

/** The cell to the right of this label receives the time of the last completed push. */
export const SYNCED_LABEL = 'Last synced';
/** Headings are searched down to this row. */
const MAX_HEADING_ROW = 50;

const toText = (cell: CellValue | undefined): string => String(cell ?? '').trim();

/** Finds the column of each heading in a row. The nth of several equal headings gets the nth matching cell. */
function locateHeadings(cells: readonly CellValue[], headings: readonly string[]): (number | undefined)[] {
  const searchFrom = new Map<string, number>();
  return headings.map((heading) => {
    const index = cells.findIndex(
      (cell, at) => at >= (searchFrom.get(heading) ?? 0) && toText(cell) === heading,
    );
    searchFrom.set(heading, index < 0 ? Number.POSITIVE_INFINITY : index + 1);
    return index < 0 ? undefined : index + 1;
  });
}

const countLocated = (columns: readonly unknown[]): number =>
  columns.filter((column) => column !== undefined).length;

/** Finds a heading that the row has more often than the table: its column is ambiguous. */
function findAmbiguousHeading(cells: readonly CellValue[], headings: readonly string[]): string | undefined {
  const count = (texts: readonly string[], heading: string): number =>
    texts.filter((text) => text === heading).length;
  const texts = cells.map(toText);
  return headings.find((heading) => count(texts, heading) > count(headings, heading));
}

/** Finds the cell to the right of the label, in the heading row or above it. */
function findSyncedCell(
  topRows: readonly CellValue[][],
  headingRow: number,
  tableColumns: ReadonlySet<number>,
): TableLocation['syncedCell'] {
  for (const [r, cells] of topRows.slice(0, headingRow).entries()) {
    for (const [c, cell] of cells.entries()) {
      const column = c + 2;
      if (toText(cell) !== SYNCED_LABEL) continue;
      if (r + 1 === headingRow && (tableColumns.has(c + 1) || tableColumns.has(column))) continue;
      const value = cells[c + 1] ?? '';
      // A person wrote any other value.
      if (value === '' || typeof value === 'number') return { row: r + 1, column, isBlank: value === '' };
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

/** Formats the range of whole rows. */
export function toRowRange({ title, columns }: SheetInfo, row: number, lastRow: number): string {
  return toA1(title, { row, lastRow, column: 1, lastColumn: columns });
}

/** Creates the table in an empty sheet. */
async function writeHeadings(
  client: SheetsClient,
  { spreadsheetId }: PushTarget,
  sheet: SheetInfo,
  headings: readonly string[],
  idIndex: number,
): Promise<TableLocation> {
  // A blank column keeps the label out of sorting and filters.
  const cells = [...headings, null, SYNCED_LABEL];
  const columns = Math.max(sheet.columns, cells.length + 1);
  if (columns > sheet.columns) {
    const length = columns - sheet.columns;
    const appendDimension = { sheetId: sheet.sheetId, dimension: 'COLUMNS', length };
    await client.batchUpdate(spreadsheetId, [{ appendDimension }]);
  }
  const range = toA1(sheet.title, { row: 1, lastRow: 1, column: 1, lastColumn: cells.length });
  await client.writeValues(spreadsheetId, [{ range, values: [cells] }]);
  return {
    sheet: { ...sheet, columns },
    headingRow: 1,
    columns: headings.map((_, index) => index + 1),
    idColumn: idIndex + 1,
    syncedCell: { row: 1, column: cells.length + 1, isBlank: true },
  };
}

/**
 * Locates a table. Writes the headings first if the sheet is empty.
 * @param columns - the table's columns, including the id column
 * @param mayCreate - false: headings that are missing are not written, and an empty sheet is refused
 * @throws ProblemError `sheet_missing`; `sheet_refused` when headings are missing or ambiguous; `invalid_request` when
 * no column has the id heading; problems of the client
 */
export async function findTable(
  client: SheetsClient,
  target: PushTarget,
  columns: readonly PushColumn[],
  mayCreate = true,
): Promise<TableLocation> {
  const headings = columns.map(({ heading }) => heading.trim());
  const idIndex = headings.indexOf(target.idHeading.trim());
  if (idIndex < 0)
    throw new ProblemError('invalid_request', 'No column of the table has the heading of the ids.');
  const sheet = await getSheetInfo(client, target);
  const [topRows = []] = await client.getValues(target.spreadsheetId, [
    toRowRange(sheet, 1, Math.min(MAX_HEADING_ROW, sheet.rows)),
  ]);
  if (mayCreate && topRows.every((cells) => cells.every((cell) => cell === ''))) {
    return writeHeadings(client, target, sheet, headings, idIndex);
  }
  const minLocated = Math.max(Math.min(2, headings.length), headings.length / 2);
  const expectedRow = target.headingRow ?? 1;
  const [best] = topRows
    .map((cells, index) => ({ cells, row: index + 1, columns: locateHeadings(cells, headings) }))
    .filter((candidate) => candidate.columns[idIndex] !== undefined)
    .filter((candidate) => countLocated(candidate.columns) >= minLocated)
    .sort(
      (a, b) =>
        countLocated(b.columns) - countLocated(a.columns) ||
        Math.abs(a.row - expectedRow) - Math.abs(b.row - expectedRow),
    );
  const idColumn = best?.columns[idIndex];
  if (best === undefined || idColumn === undefined) {
    throw new ProblemError(
      'sheet_refused',
      `The headings of the table are not in the first ${MAX_HEADING_ROW} rows of its sheet.`,
      `Put the heading “${target.idHeading}” and the others back in one row, or write the table to an empty sheet.`,
    );
  }
  const ambiguous = findAmbiguousHeading(best.cells, headings);
  if (ambiguous !== undefined) {
    throw new ProblemError(
      'sheet_refused',
      `The heading “${ambiguous}” stands more often in row ${best.row} than the table has it.`,
      'Rename the heading that is not the table’s own, then run it again.',
    );
  }
  const tableColumns = new Set(best.columns.filter((column) => column !== undefined));
  const syncedCell = findSyncedCell(topRows, best.row, tableColumns);
  return {
    sheet,
    headingRow: best.row,
    columns: best.columns,
    idColumn,
    ...(syncedCell === undefined ? {} : { syncedCell }),
  };
}
