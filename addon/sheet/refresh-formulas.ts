// Reruns formulas by changing their option `refresh`. No cell is ever empty in between: an interrupted execution loses
// nothing, and a person can undo the change.

import type { CellError } from '../../shared/problems.ts';
import { isSheetsError } from '../lib/cell-errors.ts';
import { withDocumentLock } from '../lib/lock.ts';
import type { Area, CellPosition, Sheet } from './area.ts';
import { showResult } from './formula-calls.ts';
import {
  BUDGET,
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

function rerunFormulas(sheet: Sheet, cells: SheetCells, places: readonly CellPosition[]): void {
  const now = Math.floor(Date.now() / 1000);
  setFormulas(sheet, cells, places, (formula) => setRefresh(formula, now));
}

/** Returns a formula as it is after another run. @param now - Unix time in seconds */
export const setRefresh = (formula: string, now: number): string =>
  changeRefreshOption(showResult(formula), now);

/**
 * Reruns the add-on's formulas. Cached records are not bought again.
 * @param areas - where to look; defaults to the whole sheet
 * @returns the number of formulas
 * @throws Error if the spreadsheet is locked
 */
export function refreshFormulas(sheet: Sheet, areas?: readonly Area[]): number {
  return withDocumentLock(() => {
    const cells = readSheet(sheet);
    const places = findAddonFormulas(cells, areas);
    rerunFormulas(sheet, cells, places);
    return places.length;
  });
}

/** Why a formula waits: for pending rows, for budget, or for a confirmation of its price. */
type WaitReason = 'rows' | 'budget' | 'confirmation';

const WORDS: Readonly<Record<WaitReason, CellError>> = {
  rows: PENDING,
  budget: BUDGET,
  confirmation: '#CONFIRM',
};

/** A formula with its own credit limit shows the error of a missing budget whatever the budget is. */
const OWN_LIMIT = /max_credits/i;
/** A preview that may not spend fails, because it has no rows for an error word. */
const PREVIEW = /CDAPI_PREVIEW/i;

/** Finds formulas with a waiting row among the cells that their results may fill. */
function findWaitingFormulas(cells: SheetCells, reason: WaitReason): CellPosition[] {
  const all = cells.values.flat();
  const word = WORDS[reason];
  const isBudget = reason === 'budget';
  if (!isBudget && !all.includes(word)) return [];
  // Options may come from another cell, so the formula text does not always show its limit.
  const hasLimits = all.some((value) => typeof value === 'string' && OWN_LIMIT.test(value));
  const isFree = (place: CellPosition): boolean => formulaAt(cells, place) === '';
  const isWaiting = (place: CellPosition): boolean => valueAt(cells, place) === word;
  return findAddonFormulas(cells).filter((place) => {
    const formula = formulaAt(cells, place);
    if (isBudget && (hasLimits || OWN_LIMIT.test(formula))) return false;
    if (isBudget && PREVIEW.test(formula) && isSheetsError(valueAt(cells, place))) return true;
    return isWaiting(place) || getSpillCells(cells, place, isFree).some(isWaiting);
  });
}

export const countWaitingFormulas = (sheet: Sheet, reason: WaitReason = 'rows'): number =>
  findWaitingFormulas(readSheet(sheet), reason).length;

/**
 * Reruns the formulas of a sheet with pending rows.
 * @returns the number of formulas
 * @throws Error if the spreadsheet is locked
 */
export function rerunWaitingFormulas(sheet: Sheet): number {
  // The sidebar polls often: avoid the lock when nothing waits.
  if (countWaitingFormulas(sheet) === 0) return 0;
  return withDocumentLock(() => {
    const cells = readSheet(sheet);
    const places = findWaitingFormulas(cells, 'rows');
    rerunFormulas(sheet, cells, places);
    return places.length;
  });
}
