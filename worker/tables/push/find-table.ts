// Finds a table in a spreadsheet by its headings, wherever people have moved its columns or renamed its sheet.
import { ProblemError } from '../../http/problem-error.ts';
import { toA1 } from './a1.ts';
import type { CellValue, SheetsClient } from './sheets-client.ts';

/** Where a table is. */
export interface PushTarget {
  spreadsheetId: string;
  /** The id of its sheet, as the address of a sheet has it behind `gid=`. */
  sheetId: number;
  /** The heading of the column that holds the record ids. */
  idHeading: string;
  /** Where its heading row was seen last, from 1: of several that fit the nearest is taken. */
  headingRow?: number;
}

/** A column of a table. */
export interface PushColumn {
  /** What stands in the heading row; it is known again by that. */
  heading: string;
}

/** A sheet and its size. */
export interface SheetInfo {
  title: string;
  sheetId: number;
  rows: number;
  columns: number;
  /** Of the spreadsheet. */
  timeZone: string;
}

/** A table that was found. */
export interface TableLocation {
  sheet: SheetInfo;
  /** Its heading row, from 1. */
  headingRow: number;
  /** The column of each of the table's columns, from 1; undefined where its heading is gone. */
  columns: (number | undefined)[];
  idColumn: number;
  /** The cell that says when the table was written last. */
  syncedCell?: { row: number; column: number; blank: boolean };
}

/** The cell to the right of this one says when the table was written last. */
export const SYNCED_LABEL = 'Last synced';
/** Headings further down are not found. */
const MAX_HEADING_ROW = 50;

const toText = (cell: CellValue | undefined): string => String(cell ?? '').trim();

/** Where the headings stand in a row: the nth of the same heading in the nth place. */
function locateHeadings(cells: readonly CellValue[], headings: readonly string[]): (number | undefined)[] {
  const used = new Map<string, number>();
  return headings.map((heading) => {
    const at = cells.findIndex((cell, c) => c >= (used.get(heading) ?? 0) && toText(cell) === heading);
    used.set(heading, at < 0 ? Number.POSITIVE_INFINITY : at + 1);
    return at < 0 ? undefined : at + 1;
  });
}

const countLocated = (places: readonly unknown[]): number => places.filter((at) => at !== undefined).length;

/** A heading that another column of the row has too: nobody can tell which of them is the table's own. */
function findAmbiguousHeading(cells: readonly CellValue[], headings: readonly string[]): string | undefined {
  const times = (texts: readonly string[], heading: string): number =>
    texts.filter((text) => text === heading).length;
  const texts = cells.map(toText);
  return headings.find((heading) => times(texts, heading) > times(headings, heading));
}

function findSyncedCell(
  head: readonly CellValue[][],
  row: number,
  own: ReadonlySet<number>,
): TableLocation['syncedCell'] {
  for (const [r, cells] of head.slice(0, row).entries()) {
    for (const [c, cell] of cells.entries()) {
      const column = c + 2;
      if (toText(cell) !== SYNCED_LABEL) continue;
      if (r + 1 === row && (own.has(c + 1) || own.has(column))) continue;
      const value = cells[c + 1] ?? '';
      // Whatever else stands there is somebody's own.
      if (value === '' || typeof value === 'number') return { row: r + 1, column, blank: value === '' };
    }
  }
  return undefined;
}

async function getSheetInfo(
  client: SheetsClient,
  { spreadsheetId, sheetId }: PushTarget,
): Promise<SheetInfo> {
  const { properties, sheets } = await client.getSpreadsheet(spreadsheetId);
  const found = sheets.find((sheet) => sheet.properties.sheetId === sheetId)?.properties;
  if (found?.gridProperties === undefined) {
    throw new ProblemError(
      'sheet_missing',
      'The sheet of this table was deleted.',
      'Bring it back from the version history, or write the table to a new sheet.',
    );
  }
  const { rowCount: rows, columnCount: columns } = found.gridProperties;
  return { title: found.title, sheetId, rows, columns, timeZone: properties.timeZone };
}

/** The block from a row on, over all columns. */
export function toRowRange({ title, columns }: SheetInfo, row: number, lastRow: number): string {
  return toA1(title, { row, lastRow, column: 1, lastColumn: columns });
}

/** Makes the table in an empty sheet. */
async function writeHeadings(
  client: SheetsClient,
  { spreadsheetId }: PushTarget,
  sheet: SheetInfo,
  headings: readonly string[],
  ids: number,
): Promise<TableLocation> {
  // A blank column keeps the label out of what is sorted and filtered; the last one is for the time itself.
  const cells = [...headings, null, SYNCED_LABEL];
  const columns = Math.max(sheet.columns, cells.length + 1);
  if (columns > sheet.columns) {
    const length = columns - sheet.columns;
    const added = { sheetId: sheet.sheetId, dimension: 'COLUMNS', length };
    await client.batchUpdate(spreadsheetId, [{ appendDimension: added }]);
  }
  const range = toA1(sheet.title, { row: 1, lastRow: 1, column: 1, lastColumn: cells.length });
  await client.writeValues(spreadsheetId, [{ range, values: [cells] }]);
  return {
    sheet: { ...sheet, columns },
    headingRow: 1,
    columns: headings.map((_, at) => at + 1),
    idColumn: ids + 1,
    syncedCell: { row: 1, column: cells.length + 1, blank: true },
  };
}

/**
 * Finds a table. Where its sheet is empty the headings are written first.
 * @param columns - the table's own; one of them has the heading of the ids
 * @throws ProblemError `sheet_missing`, `sheet_refused` where the headings are gone or doubtful, `invalid_request` where no
 * column has the heading of the ids, and as the client
 */
export async function findTable(
  client: SheetsClient,
  target: PushTarget,
  columns: readonly PushColumn[],
): Promise<TableLocation> {
  const headings = columns.map(({ heading }) => heading.trim());
  const ids = headings.indexOf(target.idHeading.trim());
  if (ids < 0)
    throw new ProblemError('invalid_request', 'No column of the table has the heading of the ids.');
  const sheet = await getSheetInfo(client, target);
  const [head = []] = await client.getValues(target.spreadsheetId, [
    toRowRange(sheet, 1, Math.min(MAX_HEADING_ROW, sheet.rows)),
  ]);
  if (head.every((cells) => cells.every((cell) => cell === ''))) {
    return writeHeadings(client, target, sheet, headings, ids);
  }
  const enough = Math.max(Math.min(2, headings.length), headings.length / 2);
  const hint = target.headingRow ?? 1;
  const [best] = head
    .map((cells, at) => ({ cells, row: at + 1, places: locateHeadings(cells, headings) }))
    .filter(({ places }) => places[ids] !== undefined && countLocated(places) >= enough)
    .sort(
      (one, other) =>
        countLocated(other.places) - countLocated(one.places) ||
        Math.abs(one.row - hint) - Math.abs(other.row - hint),
    );
  const idColumn = best?.places[ids];
  if (best === undefined || idColumn === undefined) {
    throw new ProblemError(
      'sheet_refused',
      `The headings of the table are not in the first ${MAX_HEADING_ROW} rows of its sheet.`,
      `Put the heading “${target.idHeading}” and the others back in one row, or write the table to an empty sheet.`,
    );
  }
  const twice = findAmbiguousHeading(best.cells, headings);
  if (twice !== undefined) {
    throw new ProblemError(
      'sheet_refused',
      `The heading “${twice}” stands more often in row ${best.row} than the table has it.`,
      'Rename the heading that is not the table’s own, then run it again.',
    );
  }
  const own = new Set(best.places.filter((at) => at !== undefined));
  const synced = findSyncedCell(head, best.row, own);
  return {
    sheet,
    headingRow: best.row,
    columns: best.places,
    idColumn,
    ...(synced === undefined ? {} : { syncedCell: synced }),
  };
}
