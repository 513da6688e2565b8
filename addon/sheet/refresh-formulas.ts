// Runs formulas again: Sheets runs a function anew only where its formula was gone in between.

import { withDocumentLock } from '../lib/lock.ts';
import {
  type Area,
  BUDGET,
  type CellPosition,
  clearCells,
  FAILED,
  findAddonFormulas,
  formulaAt,
  getSpillCells,
  PENDING,
  readSheet,
  type SheetCells,
  setFormulas,
  valueAt,
} from './formula-cells.ts';

function resetFormulas(
  sheet: GoogleAppsScript.Spreadsheet.Sheet,
  cells: SheetCells,
  places: readonly CellPosition[],
): void {
  try {
    clearCells(sheet, places);
    SpreadsheetApp.flush();
  } finally {
    setFormulas(sheet, cells, places);
  }
}

/**
 * Runs the add-on's formulas again. What the team has bought lately is not bought again.
 * @param areas - where they stand; the whole sheet where they are left out
 * @returns how many there were
 * @throws Error with one sentence, where somebody else is changing the spreadsheet
 */
export function refreshFormulas(sheet: GoogleAppsScript.Spreadsheet.Sheet, areas?: readonly Area[]): number {
  return withDocumentLock(() => {
    const cells = readSheet(sheet);
    const places = findAddonFormulas(cells, areas);
    resetFormulas(sheet, cells, places);
    return places.length;
  });
}

/** What a formula waits for: rows that are still being fetched, or a budget. */
export type WaitReason = 'rows' | 'budget';

/** A formula with a limit of its own spends up to it each time it runs: it runs again only when a person says so. */
const OWN_LIMIT = /max_credits/i;
/** A preview that may not spend has no rows to show a word in. */
const PREVIEW = /CDAPI_PREVIEW/i;

/** The formulas whose result, as far as it can reach, has a row that waits. */
function findWaitingFormulas(cells: SheetCells, wants: readonly WaitReason[]): CellPosition[] {
  const all = cells.values.flat();
  // Options may stand in a cell, so that the formula does not show its limit.
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
          (valueAt(cells, place) === FAILED && PREVIEW.test(formulaAt(cells, place))))),
  );
}

/** How many of a sheet's formulas wait. */
export function countWaitingFormulas(
  sheet: GoogleAppsScript.Spreadsheet.Sheet,
  wants: readonly WaitReason[] = ['rows'],
): number {
  return findWaitingFormulas(readSheet(sheet), wants).length;
}

/**
 * Runs those formulas again that wait.
 * @returns how many there were
 * @throws Error with one sentence, where somebody else is changing the spreadsheet
 */
export function rerunWaitingFormulas(
  sheet: GoogleAppsScript.Spreadsheet.Sheet,
  wants: readonly WaitReason[] = ['rows'],
): number {
  // The sidebar asks often, and mostly nothing waits: then nobody is locked out.
  if (countWaitingFormulas(sheet, wants) === 0) return 0;
  return withDocumentLock(() => {
    const cells = readSheet(sheet);
    const places = findWaitingFormulas(cells, wants);
    resetFormulas(sheet, cells, places);
    return places.length;
  });
}
