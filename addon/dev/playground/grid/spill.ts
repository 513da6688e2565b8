// Finds the cell that keeps a formula's results from spilling.
import type { Worksheet } from '@univerjs/core';
import { FormulaDataModel } from '@univerjs/preset-sheets-core';
import { toAddress } from './cells.ts';
import type { Grid } from './grid.ts';

const NO_ROOM = 'The results don’t fit here. Clear the cells below and beside this one, or move the formula.';

/**
 * Explains a `#SPILL!` error.
 * @param row - 0-based, as `column`: the formula's cell
 */
export function explainSpill({ injector }: Grid, sheet: Worksheet, row: number, column: number): string {
  const ranges = injector.get(FormulaDataModel).getArrayFormulaRange();
  const range = ranges[sheet.getUnitId()]?.[sheet.getSheetId()]?.[row]?.[column];
  if (!range) return NO_ROOM;
  for (let r = range.startRow; r <= range.endRow; r += 1) {
    for (let c = range.startColumn; c <= range.endColumn; c += 1) {
      const value = sheet.getCell(r, c)?.v ?? '';
      if ((r === row && c === column) || value === '') continue;
      return `${toAddress(r, c)} is in the way. Clear it to show the results.`;
    }
  }
  return NO_ROOM;
}
