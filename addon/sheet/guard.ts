// Checks before writing: permission, merged cells, formulas and grid size.

import { maxCells } from '../../shared/table/cells.ts';
import { toA1 } from '../../shared/table/columns.ts';
import { AddonError, createError } from '../lib/addon-error.ts';
import { t } from '../texts/texts.ts';
import { type Area, getRange, type Sheet, toArea } from './area.ts';
import { isAddonFormula } from './formula-cells.ts';

/** Finds a sheet by name. @throws AddonError `gone` */
export function requireSheet(name: string): Sheet {
  const sheet: Sheet | null = SpreadsheetApp.getActiveSpreadsheet().getSheetByName(name);
  if (sheet === null) throw createError('gone', 'There is no sheet “{name}” any more.', { name });
  return sheet;
}

function quoteName(sheet: Sheet): string {
  return `“${sheet.getName()}”`;
}

const TOO_BIG =
  'This spreadsheet has reached Google’s limit of cells. Delete rows or sheets that you no longer need, or open a new spreadsheet.';

/**
 * Finds cells that the current user may not edit.
 * @param area - default: the whole sheet
 * @returns the name of the sheet, with the address of the first protected range; undefined if there are none
 */
function describeProtection(sheet: Sheet, area?: Area): string | undefined {
  const { SHEET, RANGE } = SpreadsheetApp.ProtectionType;
  const overlaps = (range: Area): boolean =>
    area === undefined ||
    (range.row < area.row + area.rows &&
      area.row < range.row + range.rows &&
      range.column < area.column + area.columns &&
      area.column < range.column + range.columns);
  for (const protection of [...sheet.getProtections(RANGE), ...sheet.getProtections(SHEET)]) {
    const range = protection.getRange();
    if (protection.canEdit() || !overlaps(toArea(range))) continue;
    const isSheet = protection.getProtectionType() === SHEET;
    return isSheet
      ? quoteName(sheet)
      : t('{cells} in {sheet}', { cells: range.getA1Notation(), sheet: quoteName(sheet) });
  }
  return undefined;
}

const createProtectedError = (where: string): AddonError =>
  createError(
    'sheet_refused',
    '{where} is protected and you may not edit it. Ask its owner, or write to another place. Nothing was changed.',
    { where },
  );

function countCells(): number {
  const sheets = SpreadsheetApp.getActiveSpreadsheet().getSheets();
  return sheets.reduce((sum, sheet) => sum + sheet.getMaxRows() * sheet.getMaxColumns(), 0);
}

/** Finds the cause of a refusal in the spreadsheet. @returns undefined if nothing there explains it */
function explainRefusal(sheet: Sheet | undefined, addedCells: number): AddonError | undefined {
  try {
    const where = sheet && describeProtection(sheet);
    if (where !== undefined) return createProtectedError(where);
    return addedCells > 0 && countCells() + addedCells > maxCells
      ? createError('sheet_refused', TOO_BIG)
      : undefined;
  } catch {
    return undefined;
  }
}

/**
 * Changes a sheet and explains Google's refusals.
 * @param sheet - undefined if none is there yet
 * @param addedCells - by which the change extends the grid
 * @throws AddonError `sheet_refused`
 */
export function withSheetErrors<T>(sheet: Sheet | undefined, change: () => T, addedCells = 0): T {
  try {
    return change();
  } catch (error) {
    if (error instanceof AddonError) throw error;
    throw explainRefusal(sheet, addedCells) ?? error;
  }
}

/** Finds the first cell of an area that matches. @returns its address */
function findCell<T>(
  rows: readonly (readonly T[])[],
  matches: (cell: T) => boolean,
  { row, column }: Area,
): string | undefined {
  const down = rows.findIndex((cells) => cells.some(matches));
  const right = rows[down]?.findIndex(matches);
  return right === undefined
    ? undefined
    : toA1({ row: row + down, column: column + right, rows: 1, columns: 1 });
}

/**
 * Requires that an area can be written: not protected, without merged cells and rules that refuse values, and without formulas of the add-on, whose
 * results would be cut off.
 * @param area - may exceed the grid
 * @throws AddonError `sheet_refused`
 */
export function requireWritable(sheet: Sheet, area: Area): void {
  const rows = Math.min(area.rows, sheet.getMaxRows() - area.row + 1);
  const columns = Math.min(area.columns, sheet.getMaxColumns() - area.column + 1);
  if (rows < 1 || columns < 1) return;
  const range = getRange(sheet, { ...area, rows, columns });
  if (!range.canEdit()) throw createProtectedError(describeProtection(sheet, area) ?? quoteName(sheet));
  const [merged] = range.getMergedRanges();
  if (merged !== undefined) {
    throw createError(
      'sheet_refused',
      '{cells} in {sheet} are merged cells. Unmerge them or choose another place. Nothing was changed.',
      {
        cells: toA1(toArea(merged)),
        sheet: quoteName(sheet),
      },
    );
  }
  const rules: (GoogleAppsScript.Spreadsheet.DataValidation | null)[][] = range.getDataValidations();
  const ruled = findCell(rules, (rule) => rule !== null && !rule.getAllowInvalid(), area);
  if (ruled !== undefined) {
    throw createError(
      'sheet_refused',
      '{cells} in {sheet} allows only certain values. Remove the rule under Data → Data validation, or choose another place. Nothing was changed.',
      { cells: ruled, sheet: quoteName(sheet) },
    );
  }
  const formula = findCell(range.getFormulas(), isAddonFormula, area);
  if (formula === undefined) return;
  throw createError(
    'sheet_refused',
    '{cells} in {sheet} holds a CDAPI formula. Freeze it to values, or choose another place; nothing was changed.',
    { cells: formula, sheet: quoteName(sheet) },
  );
}

/**
 * Extends the grid to contain an area.
 * @returns the number of added rows and columns
 * @throws AddonError `sheet_refused`
 */
export function growGrid(sheet: Sheet, area: Area): { rows: number; columns: number } {
  const rows = Math.max(0, area.row + area.rows - 1 - sheet.getMaxRows());
  const columns = Math.max(0, area.column + area.columns - 1 - sheet.getMaxColumns());
  const addRows = (): unknown => sheet.insertRowsAfter(sheet.getMaxRows(), rows);
  const addColumns = (): unknown => sheet.insertColumnsAfter(sheet.getMaxColumns(), columns);
  if (rows > 0) withSheetErrors(sheet, addRows, rows * sheet.getMaxColumns());
  if (columns > 0) withSheetErrors(sheet, addColumns, columns * sheet.getMaxRows());
  return { rows, columns };
}
