// What the sheets of the initial workbook have in common.
import { type ICellData, type IWorksheetData, VerticalAlign } from '@univerjs/core';
import { SetRangeValuesMutation } from '@univerjs/preset-sheets-core';
import { runCommand } from '../grid/commands.ts';
import type { Grid } from '../grid/grid.ts';

/** Cells by 0-based row and column. */
export type Rows = Record<number, Record<number, ICellData>>;

export const SHEET_DEFAULTS = {
  defaultStyle: { fs: 10, vt: VerticalAlign.MIDDLE },
  defaultRowHeight: 24,
  defaultColumnWidth: 110,
} as const satisfies Partial<IWorksheetData>;

/**
 * Builds a sheet.
 * @param headingRow - 0-based; it is frozen with the rows above it
 */
export const buildSheet = (
  sheet: { id: string; name: string },
  columns: readonly { width: number; heading?: string }[],
  headingRow: number,
  rows: Rows,
) => ({
  ...sheet,
  rowCount: 1000,
  columnCount: 26,
  ...SHEET_DEFAULTS,
  freeze: { startRow: headingRow + 1, startColumn: -1, xSplit: 0, ySplit: headingRow + 1 },
  columnData: Object.fromEntries(columns.map(({ width: w }, at) => [at, { w }])),
  cellData: {
    [headingRow]: Object.fromEntries(
      columns.map(({ heading }, at): [number, ICellData] => [
        at,
        { s: 'heading', ...(heading === undefined ? {} : { v: heading }) },
      ]),
    ),
    ...rows,
  },
});

/** Sets cells with a mutation. */
export const setCells = (grid: Grid, sheetId: string, cellValue: Rows): void =>
  runCommand(grid, SetRangeValuesMutation, sheetId, { cellValue });
