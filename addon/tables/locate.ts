// Locates tables by developer metadata, marks their rows and columns with it, and determines their extent.
import {
  findTableBelow,
  formatMark,
  type Loss,
  locate,
  type Mark,
  markKey,
  parseMark,
  readHeadings,
} from '../../shared/table/locate.ts';
import { createError } from '../lib/addon-error.ts';
import { type Area, findSheet, getRange, type Sheet } from '../sheet/area.ts';
import { listTables, type TableColumn, type TableRecord } from './registry.ts';

export interface TableLocation {
  sheet: Sheet;
  row: number;
  /** The column number of each table column; undefined if it was deleted. */
  columns: (number | undefined)[];
  /** The current heading of each column; the last known one if it is blank or the column was deleted. */
  headings: string[];
  /** The heading row of the next table below; undefined if there is none. */
  end: number | undefined;
}

const losses = {
  copied: {
    detail: 'This spreadsheet is a copy.',
    fix: 'Open the original, or track the table here as a new one.',
  },
  deleted: { detail: 'Its sheet was deleted.', fix: '' },
} satisfies Record<string, Loss>;

/** Locations and losses by table id, and the ids of sheets with copies of tables. */
export interface Locations {
  places: Map<string, TableLocation>;
  losses: Map<string, Loss>;
  copies: Map<string, number[]>;
}

type Metadata = GoogleAppsScript.Spreadsheet.DeveloperMetadata;

type PlacedMark = Mark & { entry: Metadata; tableId: string };

/** Marks are read again after this time: planning a run locates tables several times. */
const FRESH_MS = 1000;

interface Marks {
  readAt: number;
  /** Of this sheet; undefined: of all. */
  sheetId: number | undefined;
  entries: { entry: Metadata; value: string; placed?: PlacedMark | null }[];
}

let recent: Marks | undefined;

/** Requires that marks are read again, after rows or columns have moved. */
export function clearMarkCache(): void {
  recent = undefined;
}

/** @param sheetId - default: all sheets */
function listEntries(sheetId: number | undefined): Marks['entries'] {
  const now = Date.now();
  if (recent === undefined || recent.sheetId !== sheetId || now - recent.readAt > FRESH_MS) {
    const scope = sheetId === undefined ? SpreadsheetApp.getActiveSpreadsheet() : findSheet(sheetId);
    const found = scope?.createDeveloperMetadataFinder().withKey(markKey).find() ?? [];
    const entries = found.map((entry) => ({ entry, value: entry.getValue() ?? '' }));
    recent = { readAt: now, sheetId, entries };
  }
  return recent.entries;
}

function placeMark(entry: Metadata, value: string): PlacedMark | null {
  const { tableId, columnId } = parseMark(value);
  const location = entry.getLocation();
  const range = columnId === undefined ? location.getRow() : location.getColumn();
  if (range === null) return null;
  const at = columnId === undefined ? range.getRow() : range.getColumn();
  return { entry, tableId, value, sheetId: range.getSheet().getSheetId(), at };
}

/**
 * Reads the marks of tables: one search, one call of Google's for each mark, and two more for a row or column of these tables.
 * @param sheetId - of the sheet to search. Default: all
 */
const readMarks = (isWanted: (tableId: string) => boolean, sheetId?: number): PlacedMark[] =>
  listEntries(sheetId).flatMap((each) => {
    if (!isWanted(parseMark(each.value).tableId)) return [];
    each.placed ??= placeMark(each.entry, each.value);
    return each.placed ?? [];
  });

/** Returns the column by which rows are found: the first key, otherwise the id. */
export const findKeyColumn = ({ columns }: Pick<TableRecord, 'columns'>): TableColumn | undefined =>
  columns[0]?.role === 'key' ? columns[0] : columns.find(({ path }) => path === 'id');

/** Reads the open spreadsheet, once for all tables. */
function readSpreadsheet() {
  const spreadsheet = SpreadsheetApp.getActiveSpreadsheet();
  const sheets = new Map(spreadsheet.getSheets().map((sheet) => [sheet.getSheetId(), sheet]));
  return { id: spreadsheet.getId(), sheets };
}

type OpenSpreadsheet = ReturnType<typeof readSpreadsheet>;

/** Lists the sheets where a copy of a table has its heading row: others, or its own in a copied spreadsheet. */
const listCopies = ({ id, place }: TableRecord, marks: readonly Mark[], open: OpenSpreadsheet): number[] =>
  marks.flatMap(({ value, sheetId }) =>
    value === formatMark(id) && (sheetId !== place.sheetId || place.spreadsheetId !== open.id) ? sheetId : [],
  );

function locateTable(
  table: TableRecord,
  marks: readonly Mark[],
  open: OpenSpreadsheet,
): Omit<TableLocation, 'end'> | Loss {
  const { id, columns, place } = table;
  if (place.spreadsheetId !== open.id) return losses.copied;
  const sheet = open.sheets.get(place.sheetId);
  if (sheet === undefined) return losses.deleted;
  const keyId = findKeyColumn(table)?.id;
  const located = locate(marks, { id, sheetId: place.sheetId, columns, keyId });
  if ('loss' in located) return located.loss;
  const { row } = located.place;
  const width = Math.max(...located.place.columns.map((column) => column ?? 0));
  const [cells = []] = getRange(sheet, { row, column: 1, rows: 1, columns: width }).getValues();
  const labels = readHeadings(cells, located.place, { columns, keyId });
  return 'loss' in labels ? labels.loss : { sheet, ...located.place, headings: labels.headings };
}

/**
 * Locates tables, each in the sheet where it was made.
 * @param tables - with the others in their sheets, below which they end
 * @param sheetId - of the only sheet with these tables; copies in others are not found then
 */
export function locateTables(tables: readonly TableRecord[], sheetId?: number): Locations {
  if (tables.length === 0) return { places: new Map(), losses: new Map(), copies: new Map() };
  const ids = new Set(tables.map(({ id }) => id));
  const marks = readMarks((id) => ids.has(id), sheetId);
  const open = readSpreadsheet();
  const losses = new Map<string, Loss>();
  const copies = new Map<string, number[]>();
  const found = tables.flatMap((table) => {
    const own = marks.filter(({ tableId }) => tableId === table.id);
    copies.set(table.id, listCopies(table, own, open));
    const location = locateTable(table, own, open);
    if ('sheet' in location) return [{ id: table.id, sheetId: table.place.sheetId, location }];
    losses.set(table.id, location);
    return [];
  });
  const places = found.map(({ id, sheetId, location }): [string, TableLocation] => {
    const others = found.flatMap((other) =>
      other.id === id || other.sheetId !== sheetId ? [] : other.location,
    );
    return [id, { ...location, end: findTableBelow(location, others) }];
  });
  return { places: new Map(places), losses, copies };
}

export const listTablesIn = (sheetId: number): TableRecord[] =>
  listTables().filter(({ place }) => place.sheetId === sheetId);

/** Stands for a column id in the mark of a column whose companies a table lists people or jobs at. */
export const companiesMark = 'companies';

/** Finds the marks of a column. @param sheetId - of the only sheet that is searched. Default: all */
export const findMarks = (tableId: string, columnId: string, sheetId?: number): Mark[] =>
  readMarks((id) => id === tableId, sheetId).filter(({ value }) => value === formatMark(tableId, columnId));

/** Adds a mark to a whole row or column. @throws an error of Google’s */
export function addMark(sheet: Sheet, value: string, line: Area): void {
  const { DOCUMENT } = SpreadsheetApp.DeveloperMetadataVisibility;
  getRange(sheet, line).addDeveloperMetadata(markKey, value, DOCUMENT);
  clearMarkCache();
}

/** Removes marks of a table. @param isKept - default: none @returns the kept ones */
export function removeMarks(tableId: string, isKept: (mark: Mark) => boolean = () => false): Mark[] {
  const marks = readMarks((id) => id === tableId);
  const kept = marks.filter(isKept);
  if (kept.length < marks.length) clearMarkCache();
  for (const mark of marks) if (!kept.includes(mark)) mark.entry.remove();
  return kept;
}

/**
 * Marks the heading row and the columns of a table, so that they are found wherever they move.
 * @throws AddonError `sheet_refused` if the sheet has too many marks; an error of Google’s if a part of a column is protected
 */
export function markTable(
  { id, columns }: Pick<TableRecord, 'id' | 'columns'>,
  { sheet, row, columns: places }: Pick<TableLocation, 'sheet' | 'row' | 'columns'>,
): void {
  const sheetId = sheet.getSheetId();
  const wanted = new Map([[formatMark(id), row]]);
  for (const [at, { id: columnId }] of columns.entries()) {
    const place = places[at];
    if (place !== undefined) wanted.set(formatMark(id, columnId), place);
  }
  const isRight = (mark: Mark): boolean =>
    mark.value === formatMark(id, companiesMark) ||
    (mark.sheetId === sheetId && wanted.get(mark.value) === mark.at);
  const present = new Set(removeMarks(id, isRight).map(({ value }) => value));
  for (const [value, at] of wanted) {
    if (present.has(value)) continue;
    const isRow = value === formatMark(id);
    const line = isRow
      ? { row: at, rows: 1, column: 1, columns: sheet.getMaxColumns() }
      : { row: 1, rows: sheet.getMaxRows(), column: at, columns: 1 };
    try {
      addMark(sheet, value, line);
    } catch (error) {
      if (removeUnknownMarks() === 0) throw isFull(sheetId) ? createError('sheet_refused', NO_ROOM) : error;
      addMark(sheet, value, line);
    }
  }
}

/** Google keeps this number of characters of developer metadata for a sheet. */
const MAX_CHARACTERS = 30_000;
const MARK_CHARACTERS = 60;
const NO_ROOM = 'This sheet has too many columns of tables. Write to a new sheet. Nothing was bought.';

/** Tells whether another mark would exceed Google’s limit for a sheet. */
function isFull(sheetId: number): boolean {
  const characters = listEntries(sheetId).reduce((sum, { value }) => sum + markKey.length + value.length, 0);
  return characters + MARK_CHARACTERS > MAX_CHARACTERS;
}

/** Removes the marks of tables that are no longer tracked. They stay at first, for Undo. @returns their number */
function removeUnknownMarks(): number {
  const known = new Set(listTables().map(({ id }) => id));
  const unknown = readMarks((id) => !known.has(id));
  for (const { entry } of unknown) entry.remove();
  clearMarkCache();
  return unknown.length;
}

/** Lists the present columns of a table from left to right, each with its index in the table. */
export function listPresentColumns({ columns }: TableLocation): { at: number; column: number }[] {
  return columns
    .flatMap((column, at) => (column === undefined ? [] : { at, column }))
    .sort((a, b) => a.column - b.column);
}

/** Returns the range of columns from the first to the last of a table. It may include foreign columns. */
export function getColumnSpan(location: TableLocation): { column: number; columns: number } {
  const present = listPresentColumns(location).map(({ column }) => column);
  const column = Math.min(...present);
  return { column, columns: Math.max(...present) - column + 1 };
}

/** The body of a table: the area below the headings, and its values in the order of the table's columns. */
export interface BodyCells {
  area: Area;
  /** One row per row of the area; '' for missing columns. */
  values: unknown[][];
}

/** Reads all rows below a table's headings, down to the next table: {@link cutBody} takes the body from them. */
export function readRowsBelow(location: TableLocation): BodyCells {
  const { column, columns } = getColumnSpan(location);
  const row = location.row + 1;
  const end = Math.min(location.sheet.getLastRow() + 1, location.end ?? Number.POSITIVE_INFINITY);
  const area = { row, column, rows: Math.max(0, end - row), columns };
  if (area.rows === 0) return { area, values: [] };
  const values = getRange(location.sheet, area)
    .getValues()
    .map((line) =>
      location.columns.map((at): unknown => (at === undefined ? '' : (line[at - column] ?? ''))),
    );
  return { area, values };
}

/** Which rows belong to a table. */
interface BodyRows {
  gaps: boolean;
  isRow: (values: readonly unknown[]) => boolean;
  atLeast?: number;
}

/**
 * Takes a table's body from the rows below its headings.
 * @param isRow - tells whether a row belongs to the table. The body ends before the first row that doesn't or, with
 * `gaps`, after the last row that does. The first `atLeast` rows always belong to it
 */
export function cutBody({ area, values }: BodyCells, { gaps, isRow, atLeast = 0 }: BodyRows): BodyCells {
  const firstOther = values.findIndex((line, at) => at >= atLeast && !isRow(line));
  let length = gaps || firstOther < 0 ? values.length : firstOther;
  while (length > atLeast && !isRow(values[length - 1] ?? [])) length -= 1;
  return { area: { ...area, rows: length }, values: values.slice(0, length) };
}
