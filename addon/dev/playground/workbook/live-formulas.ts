// Enters the formulas of a sheet when the user first opens it.
import type { ICellData, Nullable } from '@univerjs/core';
import type { ReportSpending } from '../formulas/spending.ts';
import { toAddress } from '../grid/cells.ts';
import type { Grid } from '../grid/grid.ts';
import { onFirstOpening, setCells } from './first-opening.ts';
import { FORMULA_SHEET, type FormulaSheet, type Rows, SPENT_COLUMN } from './formula-sheet.ts';

/** Enters formulas on first opening, unless one of their cells holds something. */
export function enterOnFirstOpening(grid: Grid, sheetId: string, cells: Rows): void {
  const places = Object.entries(cells).flatMap(([row, columns]) =>
    Object.keys(columns).map((column) => [Number(row), Number(column)] as const),
  );
  const [first] = places;
  if (first === undefined) return;
  onFirstOpening(grid, sheetId, () => {
    const sheet = grid.workbook.getSheetBySheetId(sheetId);
    const isFilled = (cell: Nullable<ICellData>): boolean => Boolean(cell?.f || cell?.v);
    if (places.some(([row, column]) => isFilled(sheet?.getCellRaw(row, column)))) return;
    setCells(grid, sheetId, cells);
    // Shows an example in the formula bar.
    const opened = grid.api.getActiveWorkbook()?.getSheetBySheetId(sheetId);
    opened?.getRange(toAddress(...first)).activate();
  });
}

/**
 * Enters the formulas of the formula sheet on first opening.
 * @returns a function that shows the credits of a formula
 */
export function enterFormulas(grid: Grid, { liveCells, getSpendingRow }: FormulaSheet): ReportSpending {
  enterOnFirstOpening(grid, FORMULA_SHEET.id, liveCells);
  /** Credits by row and column: a block may have several formulas. */
  const spent = new Map<number, Map<number, number>>();
  return ({ sheet, row, column }, credits) => {
    const spendingRow = sheet === FORMULA_SHEET.name ? getSpendingRow(row - 1) : undefined;
    if (spendingRow === undefined || liveCells[row - 1]?.[column - 1]?.f === undefined) return;
    const blockCredits = spent.get(spendingRow) ?? new Map<number, number>();
    spent.set(spendingRow, blockCredits.set(column, credits));
    const sum = [...blockCredits.values()].reduce((a, b) => a + b, 0);
    const text = `${sum.toLocaleString('en')} ${sum === 1 ? 'credit' : 'credits'}`;
    setCells(grid, FORMULA_SHEET.id, { [spendingRow]: { [SPENT_COLUMN]: { v: text } } });
  };
}
