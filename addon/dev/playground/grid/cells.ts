// Addresses and displayed values of cells, and numeric sheet ids for scripts.

import type { Workbook } from '@univerjs/core';
import { CellValueType, type IRange, type Worksheet } from '@univerjs/core';
import { toA1 } from '../../../../shared/table/columns.ts';
import { mapArea } from '../../host/sheets/layers.ts';
import type { Area } from '../../host/types.ts';
import { toStyleValues } from './cell-styles.ts';
import type { Grid } from './grid.ts';
import { getLinks, getNote } from './notes-and-links.ts';

export type DisplayedValue = string | number | boolean | null;

/** Formats an address such as `B2`; `row` and `column` are 0-based. */
export function toAddress(row: number, column: number): string {
  return toA1({ row: row + 1, column: column + 1, rows: 1, columns: 1 });
}

/** Converts a range of the grid, which counts from 0. */
export function toArea({ startRow, startColumn, endRow, endColumn }: IRange): Area {
  return {
    row: startRow + 1,
    column: startColumn + 1,
    rows: endRow - startRow + 1,
    columns: endColumn - startColumn + 1,
  };
}

/** Converts an area to a range of the grid. */
export function toGridRange({ row, column, rows, columns }: Area): IRange {
  return {
    startRow: row - 1,
    endRow: row + rows - 2,
    startColumn: column - 1,
    endColumn: column + columns - 2,
  };
}

/** Returns the selected range, such as `B2` or `A1:B6`; '' if nothing is selected. */
export function getSelectedRange({ api }: Grid): string {
  const range = api.getActiveWorkbook()?.getActiveRange()?.getRange();
  return range === undefined ? '' : toA1(toArea(range));
}

/** Maps the cells of a range such as `A1:B6`; empty if the sheet does not exist. */
function mapRange<T>(
  { api, workbook }: Grid,
  sheetName: string,
  range: string,
  read: (sheet: Worksheet, row: number, column: number) => T,
): T[][] {
  const sheet = workbook.getSheetBySheetName(sheetName);
  const area = api.getActiveWorkbook()?.getSheetByName(sheetName)?.getRange(range).getRange();
  if (!sheet || area === undefined) return [];
  return mapArea(toArea(area), (row, column) => read(sheet, row, column));
}

/**
 * Reads the formulas of a range.
 * @returns rows of formulas; '' for none
 */
export function readFormulas(grid: Grid, sheet: string, range: string): string[][] {
  return mapRange(grid, sheet, range, (worksheet, row, column) => worksheet.getCellRaw(row, column)?.f ?? '');
}

/** Enters formulas into a block that begins at an address. */
export function enterFormulas({ api }: Grid, sheet: string, range: string, formulas: string[][]): void {
  const cells = formulas.map((line) => line.map((f) => ({ f })));
  api.getActiveWorkbook()?.getSheetByName(sheet)?.getRange(range).setValues(cells);
}

/**
 * Reads displayed values.
 * @param range - such as `A1:B6`
 * @returns rows of values; null for an empty cell
 */
export function readCells(grid: Grid, sheetName: string, range: string): DisplayedValue[][] {
  return mapRange(grid, sheetName, range, (sheet, row, column) => {
    const cell = sheet.getCell(row, column);
    return cell?.t === CellValueType.BOOLEAN ? cell.v === 1 || cell.v === true : (cell?.v ?? null);
  });
}

/**
 * Reads styles, number formats, notes and links.
 * @param range - such as `A1:B6`
 * @returns rows of named properties
 */
export function readStyles(grid: Grid, sheetName: string, range: string): Record<string, string>[][] {
  const styles = grid.workbook.getStyles();
  return mapRange(grid, sheetName, range, (sheet, row, column) => {
    const cell = sheet.getCellRaw(row, column);
    const style = styles.getStyleByCell(cell);
    const note = getNote(cell?.custom);
    const links = getLinks(cell?.custom, cell?.v) ?? [];
    return {
      ...Object.fromEntries(style ? toStyleValues(style) : []),
      ...(style?.n ? { format: style.n.pattern } : {}),
      ...(note === '' ? {} : { note }),
      ...(links.length === 0 ? {} : { links: links.map(({ link }) => link ?? '').join(' ') }),
    };
  });
}

/** Univer's id of a sheet and its numeric id. */
export type SheetNumber = readonly [sheetId: string, number: number];

const sheetNumbers = new Map<string, number>();

/** Lists the assigned ids, also of deleted sheets: an id is never used again. */
export function listSheetNumbers(): SheetNumber[] {
  return [...sheetNumbers];
}

/** Returns a sheet's id, assigning the next one if needed. */
export function getSheetNumber(sheetId: string): number {
  const existing = sheetNumbers.get(sheetId);
  if (existing !== undefined) return existing;
  const next = 1 + Math.max(0, ...sheetNumbers.values());
  sheetNumbers.set(sheetId, next);
  return next;
}

/** Assigns the id that a script has already used for a sheet. */
export function setSheetNumber(sheetId: string, number: number): void {
  sheetNumbers.set(sheetId, number);
}

/**
 * Finds a sheet by its numeric id.
 * @returns Univer's id; undefined if the sheet was deleted
 */
export function findSheetId(workbook: Workbook, number: number): string | undefined {
  return workbook
    .getSheets()
    .map((sheet) => sheet.getSheetId())
    .find((id) => sheetNumbers.get(id) === number);
}
