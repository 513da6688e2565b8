// Checks before writing: permission, merged cells, formulas and grid size.

import { AddonError } from '../lib/addon-error.ts';
import { type Area, getRange, type Sheet, toA1, toArea } from './area.ts';
import { isAddonFormula } from './formula-cells.ts';

/** Google's messages about its limit of developer metadata, by which columns are found again. */
const TOO_MANY_MARKS = /developer metadata/i;
/** Google's messages about its limit of cells per spreadsheet. */
const TOO_BIG = /(?:limit of \d+ cells|number of cells|above the limit)/i;
const PROTECTED = /protected/i;

function quoteName(sheet: Sheet): string {
  return `“${sheet.getName()}”`;
}

function throwProtected(sheet: Sheet): never {
  throw new AddonError(
    'sheet_refused',
    `${quoteName(sheet)} is protected there and you may not edit it. Ask its owner, or write to another sheet; nothing was changed.`,
  );
}

/**
 * Changes a sheet and explains Google's refusals.
 * @throws AddonError `sheet_refused`
 */
export function withSheetErrors<T>(sheet: Sheet, change: () => T): T {
  try {
    return change();
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    if (PROTECTED.test(reason)) throwProtected(sheet);
    if (TOO_MANY_MARKS.test(reason)) {
      throw new AddonError(
        'sheet_refused',
        `${quoteName(sheet)} has too many columns of tables. Write to a new sheet; nothing was changed.`,
      );
    }
    if (TOO_BIG.test(reason)) {
      throw new AddonError(
        'sheet_refused',
        'This spreadsheet has reached Google’s limit of cells. Delete rows or sheets that you no longer need, or open a new spreadsheet.',
      );
    }
    throw error;
  }
}

/**
 * Requires that an area can be written: not protected, without merged cells, and without formulas of the add-on, whose
 * results would be cut off.
 * @param area - may exceed the grid
 * @throws AddonError `sheet_refused`
 */
export function requireWritable(sheet: Sheet, area: Area): void {
  const rows = Math.min(area.rows, sheet.getMaxRows() - area.row + 1);
  const columns = Math.min(area.columns, sheet.getMaxColumns() - area.column + 1);
  if (rows < 1 || columns < 1) return;
  const range = getRange(sheet, { ...area, rows, columns });
  if (!range.canEdit()) throwProtected(sheet);
  const [merged] = range.getMergedRanges();
  if (merged !== undefined) {
    throw new AddonError(
      'sheet_refused',
      `${toA1(toArea(merged))} in ${quoteName(sheet)} are merged cells. Unmerge them or choose another place. Nothing was changed.`,
    );
  }
  const formulas = range.getFormulas();
  const row = formulas.findIndex((cells) => cells.some(isAddonFormula));
  if (row < 0) return;
  const column = formulas[row]?.findIndex(isAddonFormula) ?? 0;
  const cell = toA1({ row: area.row + row, column: area.column + column, rows: 1, columns: 1 });
  throw new AddonError(
    'sheet_refused',
    `${cell} in ${quoteName(sheet)} holds a CDAPI formula. Freeze it to values, or choose another place; nothing was changed.`,
  );
}

/** Rows and columns that were added at the end of a sheet. */
export interface GridGrowth {
  rows: number;
  columns: number;
}

/**
 * Extends the grid to contain an area.
 * @returns the number of added rows and columns
 * @throws AddonError `sheet_refused`
 */
export function growGrid(sheet: Sheet, area: Area): GridGrowth {
  const rows = Math.max(0, area.row + area.rows - 1 - sheet.getMaxRows());
  const columns = Math.max(0, area.column + area.columns - 1 - sheet.getMaxColumns());
  withSheetErrors(sheet, () => {
    if (rows > 0) sheet.insertRowsAfter(sheet.getMaxRows(), rows);
    if (columns > 0) sheet.insertColumnsAfter(sheet.getMaxColumns(), columns);
  });
  return { rows, columns };
}
