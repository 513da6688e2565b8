// Cells as a person names and sees them.
import { CellValueType, type IRange, type Worksheet } from '@univerjs/core';
import { toA1 } from '../../host/sheets/a1.ts';
import { looksOf } from './cell-styles.ts';
import type { Grid } from './grid.ts';
import { linksOf, noteOf } from './notes-and-links.ts';

/** What a cell shows. */
export type Shown = string | number | boolean | null;

/** The address of a cell, such as `B2`; `row` and `column` count from 0. */
export function address(row: number, column: number): string {
  return toA1({ row: row + 1, column: column + 1, rows: 1, columns: 1 });
}

/** The address of what is selected, such as `B2` or `A1:B6`; '' where nothing is. */
export function selectedRange({ api }: Grid): string {
  const range = api.getActiveWorkbook()?.getActiveRange()?.getRange();
  if (range === undefined) return '';
  const { startRow, endRow, startColumn, endColumn } = range;
  return toA1({
    row: startRow + 1,
    column: startColumn + 1,
    rows: endRow - startRow + 1,
    columns: endColumn - startColumn + 1,
  });
}

/** Reads each cell of a range, such as `A1:B6`; nothing where there is no such sheet. */
function each<T>(
  { api, workbook }: Grid,
  sheetName: string,
  range: string,
  read: (sheet: Worksheet, row: number, column: number) => T,
): T[][] {
  const sheet = workbook.getSheetBySheetName(sheetName);
  const area = api.getActiveWorkbook()?.getSheetByName(sheetName)?.getRange(range).getRange();
  if (!sheet || area === undefined) return [];
  const { startRow, endRow, startColumn, endColumn }: IRange = area;
  return Array.from({ length: endRow - startRow + 1 }, (_, down) =>
    Array.from({ length: endColumn - startColumn + 1 }, (__, across) =>
      read(sheet, startRow + down, startColumn + across),
    ),
  );
}

/**
 * Reads what cells show.
 * @param range - such as `A1:B6`
 * @returns rows of values; null for an empty cell
 */
export function readCells(grid: Grid, sheetName: string, range: string): Shown[][] {
  return each(grid, sheetName, range, (sheet, row, column) => {
    const cell = sheet.getCell(row, column);
    return cell?.t === CellValueType.BOOLEAN ? cell.v === 1 || cell.v === true : (cell?.v ?? null);
  });
}

/**
 * Reads what cells have beside what they show: their own looks, number format, note and addresses of links.
 * @param range - such as `A1:B6`
 * @returns rows of what each cell has, by name
 */
export function readLooks(grid: Grid, sheetName: string, range: string): Record<string, string>[][] {
  const styles = grid.workbook.getStyles();
  return each(grid, sheetName, range, (sheet, row, column) => {
    const cell = sheet.getCellRaw(row, column);
    const style = styles.getStyleByCell(cell);
    const note = noteOf(cell?.custom);
    const links = linksOf(cell?.custom, cell?.v) ?? [];
    return {
      ...Object.fromEntries(style ? looksOf(style) : []),
      ...(style?.n ? { format: style.n.pattern } : {}),
      ...(note === '' ? {} : { note }),
      ...(links.length === 0 ? {} : { links: links.map(({ link }) => link ?? '').join(' ') }),
    };
  });
}
