// Locates tables by their headings, wherever people have moved them, and determines their extent.
import { type Area, getRange, type Sheet } from '../sheet/area.ts';
import type { TableRecord } from './registry.ts';

/** The location of a table. */
export interface TableLocation {
  sheet: Sheet;
  /** The row of the headings. */
  row: number;
  /** The column number of each table column; undefined if its heading is missing. */
  columns: (number | undefined)[];
}

/** A row that contains all headings of a table. */
interface HeadingMatch {
  row: number;
  columns: number[];
}

const toText = (cell: unknown): string => String(cell ?? '').trim();

/** Finds all places in a row that match the headings, each as far left as possible. */
function findHeadingMatches(
  cells: readonly unknown[],
  headings: readonly string[],
  row: number,
): HeadingMatch[] {
  const places = new Map<string, number[]>();
  const distinct = new Set(headings);
  cells.forEach((cell, at) => {
    const text = toText(cell);
    if (distinct.has(text)) places.set(text, [...(places.get(text) ?? []), at + 1]);
  });
  if (places.size < distinct.size) return [];
  const starts = [...places.values()].flat().sort((a, b) => a - b);
  const matches: HeadingMatch[] = [];
  for (const start of starts) {
    const used = new Map<string, number>();
    const columns: number[] = [];
    for (const heading of headings) {
      const nth = used.get(heading) ?? 0;
      const column = (places.get(heading) ?? []).filter((each) => each >= start)[nth];
      if (column === undefined) return matches;
      used.set(heading, nth + 1);
      columns.push(column);
    }
    matches.push({ row, columns });
  }
  return matches;
}

const listHeadings = ({ columns }: TableRecord): string[] => columns.map(({ heading }) => heading);

/** Reads a row; empty if the sheet has no such row. */
function readRow(sheet: Sheet, row: number): unknown[] {
  const columns = sheet.getLastColumn();
  if (columns === 0 || row > sheet.getLastRow()) return [];
  return getRange(sheet, { row, column: 1, rows: 1, columns }).getValues()[0] ?? [];
}

function locateAtLastPlace(table: TableRecord, sheet: Sheet): TableLocation | undefined {
  const { row, columns } = table.place;
  const cells = readRow(sheet, row);
  const isSame = listHeadings(table).every(
    (heading, at) => toText(cells[(columns[at] ?? 0) - 1]) === heading,
  );
  return isSame ? { sheet, row, columns: [...columns] } : undefined;
}

/** Locates a table with missing headings in its last row: half of the headings are enough. */
function locateWithMissingHeadings(table: TableRecord, sheet: Sheet): TableLocation | undefined {
  const { row, columns: lastColumns } = table.place;
  const cells = readRow(sheet, row);
  const taken = new Set<number>();
  const columns = listHeadings(table).map((heading, at) => {
    const lastColumn = lastColumns[at] ?? 1;
    const places = cells.flatMap((cell, column) =>
      toText(cell) === heading && !taken.has(column + 1) ? [column + 1] : [],
    );
    const [nearest] = places.sort((a, b) => Math.abs(a - lastColumn) - Math.abs(b - lastColumn));
    if (nearest !== undefined) taken.add(nearest);
    return nearest;
  });
  const [key] = columns;
  const needsKey = table.columns[0]?.role === 'key';
  const isLocated = taken.size >= 2 && taken.size * 2 >= columns.length && !(needsKey && key === undefined);
  return isLocated ? { sheet, row, columns } : undefined;
}

interface Candidate {
  table: TableRecord;
  place: TableLocation;
  distance: number;
}

const ROW_DISTANCE = 1000;

/** Measures how far a match is from the last place: another row is far, another column order is near. */
function getDistance({ place }: TableRecord, { row, columns }: HeadingMatch): number {
  const first = Math.min(...columns);
  const was = Math.min(...place.columns);
  const order = columns.reduce(
    (sum, column, at) => sum + Math.abs(column - first - ((place.columns[at] ?? was) - was)),
    0,
  );
  return Math.abs(row - place.row) * ROW_DISTANCE + order * 10 + Math.abs(first - was);
}

function listCandidates(table: TableRecord, sheet: Sheet, cells: readonly unknown[][]): Candidate[] {
  return cells.flatMap((line, at) =>
    findHeadingMatches(line, listHeadings(table), at + 1).map((window) => ({
      table,
      place: { sheet, ...window },
      distance: getDistance(table, window),
    })),
  );
}

/**
 * Locates tables, each in the sheet where it was made. If several places match, the nearest to the last place wins.
 * @returns the locations by table id; missing tables are left out
 */
export function locateTables(tables: readonly TableRecord[]): Map<string, TableLocation> {
  const locations = new Map<string, TableLocation>();
  const taken = new Set<string>();
  /** Key columns don't count: several tables may look up the same column. */
  const ownCells = ({ columns }: TableRecord, place: TableLocation): string[] =>
    place.columns.flatMap((column, at) =>
      column === undefined || columns[at]?.role === 'key'
        ? []
        : `${place.sheet.getSheetId()}:${place.row}:${column}`,
    );
  const take = (table: TableRecord, place: TableLocation | undefined): void => {
    if (place === undefined || ownCells(table, place).some((key) => taken.has(key))) return;
    locations.set(table.id, place);
    for (const key of ownCells(table, place)) taken.add(key);
  };
  const sheets = SpreadsheetApp.getActiveSpreadsheet().getSheets();
  const sheetOf = ({ place }: TableRecord): Sheet | undefined =>
    sheets.find((sheet) => sheet.getSheetId() === place.sheetId);
  const lost = (): TableRecord[] => tables.filter(({ id }) => !locations.has(id));

  for (const table of tables) {
    const sheet = sheetOf(table);
    if (sheet !== undefined) take(table, locateAtLastPlace(table, sheet));
  }
  if (lost().length > 0) {
    const read = new Map<number, unknown[][]>();
    const cellsOf = (sheet: Sheet): unknown[][] => {
      const cells = read.get(sheet.getSheetId()) ?? sheet.getDataRange().getValues();
      read.set(sheet.getSheetId(), cells);
      return cells;
    };
    const candidates = lost().flatMap((table) => {
      const sheet = sheetOf(table);
      return sheet === undefined ? [] : listCandidates(table, sheet, cellsOf(sheet));
    });
    for (const { table, place } of candidates.sort((a, b) => a.distance - b.distance)) {
      if (!locations.has(table.id)) take(table, place);
    }
  }
  for (const table of lost()) {
    const sheet = sheetOf(table);
    if (sheet !== undefined) take(table, locateWithMissingHeadings(table, sheet));
  }
  return locations;
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

/**
 * Returns the row after the space of a table: the headings of another table below it, or the row after the last used
 * one. Tables beside it, or between its columns, don't limit it.
 */
export function findEndRow(location: TableLocation, others: readonly TableLocation[]): number {
  const columns = new Set(listPresentColumns(location).map(({ column }) => column));
  const below = others.filter(
    (below) =>
      below.sheet.getSheetId() === location.sheet.getSheetId() &&
      below.row > location.row &&
      listPresentColumns(below).some(({ column }) => columns.has(column)),
  );
  return Math.min(location.sheet.getLastRow() + 1, ...below.map(({ row }) => row));
}

/**
 * Reads a table's body.
 * @param end - the row after its space, from {@link findEndRow}
 * @param isRow - tells whether a row belongs to the table. The body ends before the first row that doesn't or, with
 * `gaps`, after the last row that does. The first `atLeast` rows always belong to it
 */
export function readBody(
  location: TableLocation,
  end: number,
  {
    gaps,
    isRow,
    atLeast = 0,
  }: { gaps: boolean; isRow: (values: readonly unknown[]) => boolean; atLeast?: number },
): BodyCells {
  const { column, columns } = getColumnSpan(location);
  const row = location.row + 1;
  const area = { row, column, rows: 0, columns };
  if (end <= row) return { area, values: [] };
  const cells = getRange(location.sheet, { ...area, rows: end - row }).getValues();
  const rows = cells.map((line) =>
    location.columns.map((at): unknown => (at === undefined ? '' : (line[at - column] ?? ''))),
  );
  const firstOther = rows.findIndex((values, at) => at >= atLeast && !isRow(values));
  let length = gaps || firstOther < 0 ? rows.length : firstOther;
  while (length > atLeast && !isRow(rows[length - 1] ?? [])) length -= 1;
  return { area: { ...area, rows: length }, values: rows.slice(0, length) };
}
