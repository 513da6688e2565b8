// Writes rows of a table: each value below its heading, wherever that is.

import { AddonError } from '../../lib/addon-error.ts';
import { type Area, getRange, groupConsecutive } from '../../sheet/area.ts';
import { blankEntry, type Entry } from '../../sheet/entries.ts';
import { withSheetErrors } from '../../sheet/guard.ts';
import {
  type BodyCells,
  forgetMarks,
  getColumnSpan,
  listPresentColumns,
  type TableLocation,
} from '../locate.ts';
import { recordStep } from '../runs/undo-log.ts';
import { type CellExtras, growSheet, writeBlocks } from './write-blocks.ts';

/** Returns the blocks of some rows without foreign columns in between. */
export function toBlocks(location: TableLocation, row: number, rows: number, at: readonly number[]): Area[] {
  const wanted = new Set(at);
  const columns = listPresentColumns(location).filter((each) => wanted.has(each.at));
  return groupConsecutive(columns.map(({ column }) => column)).map(({ from, count }) => ({
    row,
    rows,
    column: from,
    columns: count,
  }));
}

/** Consecutive rows to write. */
export interface RowGroup {
  /** The row of the first one. */
  row: number;
  /** One row each, in the order of the table's columns. */
  entries: readonly (readonly Entry[])[];
  /** In the same shape as the entries. */
  extras?: CellExtras;
}

/**
 * Writes rows at several places.
 * @param parts - from top to bottom
 * @param at - indexes of the columns to write
 * @param first - index of the column to write first, if foreign columns split the table
 */
export function writeRowGroups(
  runId: string,
  location: TableLocation,
  parts: readonly RowGroup[],
  at: readonly number[],
  first = -1,
): void {
  const filled = parts.filter(({ entries }) => entries.length > 0);
  const [top] = filled;
  if (top === undefined) return;
  const indexByColumn = new Map(listPresentColumns(location).map(({ column, at: index }) => [column, index]));
  const listIndexes = ({ column, columns }: Area): number[] =>
    Array.from({ length: columns }, (_, c) => indexByColumn.get(column + c) ?? 0);
  const blocks = toBlocks(location, top.row, 1, at).sort(
    (a, b) => Number(listIndexes(b).includes(first)) - Number(listIndexes(a).includes(first)),
  );
  for (const block of blocks) {
    const indexes = listIndexes(block);
    const cut = <T>(rows: readonly (readonly (T | undefined)[])[]): (T | undefined)[][] =>
      rows.map((line) => indexes.map((index) => line[index]));
    const cutParts = filled.map(({ row, entries, extras: { notes, marks, bold } = {} }) => ({
      area: { ...block, row, rows: entries.length },
      entries: entries.map((line) => indexes.map((index) => line[index] ?? blankEntry)),
      extras: {
        ...(notes === undefined ? {} : { notes: cut(notes) }),
        ...(marks === undefined ? {} : { marks: cut(marks) }),
        ...(bold === undefined ? {} : { bold }),
      },
    }));
    const last = cutParts[cutParts.length - 1];
    if (last !== undefined) growSheet(runId, location.sheet, last.area);
    writeBlocks(runId, location.sheet, cutParts);
  }
}

/**
 * Writes rows, starting at a row of the sheet.
 * @param entries - one row each, in the order of the table's columns
 * @param at - indexes of the columns to write
 * @param extras - in the same shape as the entries
 */
export function writeRows(
  runId: string,
  location: TableLocation,
  row: number,
  entries: readonly (readonly Entry[])[],
  at: readonly number[],
  extras: CellExtras = {},
): void {
  writeRowGroups(runId, location, [{ row, entries, extras }], at);
}

/** Lists the indexes of all columns. */
export const listColumns = (location: TableLocation): number[] => location.columns.map((_, at) => at);

const isEmpty = (cell: unknown): boolean => cell === '' || cell === null || cell === undefined;

/** Tells whether columns beside the table have contents both above and below the end of its body. */
function splitsNeighbours(location: TableLocation, end: number): boolean {
  const { column, columns } = getColumnSpan(location);
  const cells: unknown[][] = location.sheet.getDataRange().getValues();
  const width = cells[0]?.length ?? 0;
  for (let c = 0; c < width; c += 1) {
    if (c + 1 >= column && c + 1 < column + columns) continue;
    const above = cells.slice(location.row - 1, end - 1).some((row) => !isEmpty(row[c]));
    const below = cells.slice(end - 1).some((row) => !isEmpty(row[c]));
    if (above && below) return true;
  }
  return false;
}

/**
 * Makes space for rows below a table. Contents below it move down, unless that would split contents beside the table.
 * @param count - number of rows to write, starting at `row`
 * @throws AddonError `sheet_refused`; nothing is changed then
 */
export function makeRoomBelow(
  runId: string,
  location: TableLocation,
  body: BodyCells,
  row: number,
  count: number,
): void {
  const end = body.area.row + body.area.rows;
  const missing = row + count - end;
  if (missing <= 0) return;
  const { sheet } = location;
  const inGrid = Math.min(missing, sheet.getMaxRows() - end + 1);
  const inTheWay =
    inGrid > 0 &&
    toBlocks(location, end, inGrid, listColumns(location)).some((area) => {
      const range = getRange(sheet, area);
      const layers = [range.getValues(), range.getFormulas()];
      return layers.some((cells) => cells.some((line) => !line.every(isEmpty)));
    });
  if (!inTheWay) return;
  if (splitsNeighbours(location, end)) {
    throw new AddonError(
      'sheet_refused',
      `There is no room for ${count} more rows in “${sheet.getName()}”: there are cells below the table and beside it. Move the table to a separate sheet, or write to a new sheet.`,
    );
  }
  withSheetErrors(sheet, () => sheet.insertRowsBefore(end, missing), missing * sheet.getMaxColumns());
  forgetMarks();
  recordStep(runId, { do: 'rows', sheet: sheet.getSheetId(), row: end, count: missing });
}

/** Returns the cells of a row to write. */
export const toCells = (entries: readonly Entry[]): Entry['cell'][] => entries.map(({ cell }) => cell);
