// Reruns formulas by changing their option `refresh`. No cell is ever empty in between: an interrupted execution loses
// nothing, and a person can undo the change.

import { isSheetsError } from '../lib/cell-errors.ts';
import { withDocumentLock } from '../lib/lock.ts';
import { showResult } from './formula-calls.ts';
import {
  type Area,
  BUDGET,
  type CellPosition,
  findAddonFormulas,
  formulaAt,
  getSpillCells,
  PENDING,
  readSheet,
  type SheetCells,
  setFormulas,
  valueAt,
} from './formula-cells.ts';
import { changeRefreshOption } from './refresh-option.ts';

function rerunFormulas(
  sheet: GoogleAppsScript.Spreadsheet.Sheet,
  cells: SheetCells,
  places: readonly CellPosition[],
): void {
  const now = Math.floor(Date.now() / 1000);
  setFormulas(sheet, cells, places, (formula) => changeRefreshOption(showResult(formula), now));
}

/**
 * Reruns the add-on's formulas. Cached records are not bought again.
 * @param areas - where to look; defaults to the whole sheet
 * @returns the number of formulas
 * @throws Error if the spreadsheet is locked
 */
export function refreshFormulas(sheet: GoogleAppsScript.Spreadsheet.Sheet, areas?: readonly Area[]): number {
  return withDocumentLock(() => {
    const cells = readSheet(sheet);
    const places = findAddonFormulas(cells, areas);
    rerunFormulas(sheet, cells, places);
    return places.length;
  });
}

/** Why a formula waits: for pending rows, or for budget. */
export type WaitReason = 'rows' | 'budget';

/** A formula with its own credit limit may spend that much on each run, so only a person reruns it. */
const OWN_LIMIT = /max_credits/i;
/** A preview that may not spend fails, because it has no rows for an error word. */
const PREVIEW = /CDAPI_PREVIEW/i;

/** Finds formulas with a waiting row among the cells that their results may fill. */
function findWaitingFormulas(cells: SheetCells, wants: readonly WaitReason[]): CellPosition[] {
  const all = cells.values.flat();
  // Options may come from another cell, so the formula text does not always show its limit.
  const hasLimits = all.some((value) => typeof value === 'string' && OWN_LIMIT.test(value));
  const noLimit = (place: CellPosition): boolean => !hasLimits && !OWN_LIMIT.test(formulaAt(cells, place));
  const isFree = (place: CellPosition): boolean => formulaAt(cells, place) === '';
  const shows = (place: CellPosition, word: string): boolean => {
    const has = (at: CellPosition): boolean => valueAt(cells, at) === word;
    return has(place) || getSpillCells(cells, place, isFree).some(has);
  };
  const rows = wants.includes('rows') && all.includes(PENDING);
  const budget = wants.includes('budget');
  if (!rows && !budget) return [];
  return findAddonFormulas(cells).filter(
    (place) =>
      (rows && shows(place, PENDING)) ||
      (budget &&
        noLimit(place) &&
        (shows(place, BUDGET) ||
          (isSheetsError(valueAt(cells, place)) && PREVIEW.test(formulaAt(cells, place))))),
  );
}

export function countWaitingFormulas(
  sheet: GoogleAppsScript.Spreadsheet.Sheet,
  wants: readonly WaitReason[] = ['rows'],
): number {
  return findWaitingFormulas(readSheet(sheet), wants).length;
}

/**
 * Reruns the waiting formulas of a sheet.
 * @returns the number of formulas
 * @throws Error if the spreadsheet is locked
 */
export function rerunWaitingFormulas(
  sheet: GoogleAppsScript.Spreadsheet.Sheet,
  wants: readonly WaitReason[] = ['rows'],
): number {
  // The sidebar polls often: avoid the lock when nothing waits.
  if (countWaitingFormulas(sheet, wants) === 0) return 0;
  return withDocumentLock(() => {
    const cells = readSheet(sheet);
    const places = findWaitingFormulas(cells, wants);
    rerunFormulas(sheet, cells, places);
    return places.length;
  });
}
