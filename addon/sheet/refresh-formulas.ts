// Runs formulas again: Sheets runs a function anew only where its formula was gone in between.

import { whileLocked } from '../lib/lock.ts';
import {
  type Area,
  BUDGET,
  clearCells,
  FAILED,
  formulaAt,
  ourPlaces,
  PENDING,
  type Place,
  reachOf,
  readSheet,
  type SheetCells,
  setFormulas,
  valueAt,
} from './formula-cells.ts';

function setAgain(
  sheet: GoogleAppsScript.Spreadsheet.Sheet,
  cells: SheetCells,
  places: readonly Place[],
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
  return whileLocked(() => {
    const cells = readSheet(sheet);
    const places = ourPlaces(cells, areas);
    setAgain(sheet, cells, places);
    return places.length;
  });
}

/** What a formula waits for: rows that are still being fetched, or a budget. */
export type Want = 'rows' | 'budget';

/** A formula with a limit of its own spends up to it each time it runs: it runs again only when a person says so. */
const OWN_LIMIT = /max_credits/i;
/** A preview that may not spend has no rows to show a word in. */
const PREVIEW = /CDAPI_PREVIEW/i;

/** The formulas whose result, as far as it can reach, has a row that waits. */
function waitingPlaces(cells: SheetCells, wants: readonly Want[]): Place[] {
  const all = cells.values.flat();
  // Options may stand in a cell, so that the formula does not show its limit.
  const hasLimits = all.some((value) => typeof value === 'string' && OWN_LIMIT.test(value));
  const noLimit = (place: Place): boolean => !hasLimits && !OWN_LIMIT.test(formulaAt(cells, place));
  const isFree = (place: Place): boolean => formulaAt(cells, place) === '';
  const shows = (place: Place, word: string): boolean => {
    const has = (at: Place): boolean => valueAt(cells, at) === word;
    return has(place) || reachOf(cells, place, isFree).some(has);
  };
  const rows = wants.includes('rows') && all.includes(PENDING);
  const budget = wants.includes('budget');
  if (!rows && !budget) return [];
  return ourPlaces(cells).filter(
    (place) =>
      (rows && shows(place, PENDING)) ||
      (budget &&
        noLimit(place) &&
        (shows(place, BUDGET) ||
          (valueAt(cells, place) === FAILED && PREVIEW.test(formulaAt(cells, place))))),
  );
}

/** How many of a sheet's formulas wait. */
export function countWaiting(
  sheet: GoogleAppsScript.Spreadsheet.Sheet,
  wants: readonly Want[] = ['rows'],
): number {
  return waitingPlaces(readSheet(sheet), wants).length;
}

/**
 * Runs those formulas again that wait.
 * @returns how many there were
 * @throws Error with one sentence, where somebody else is changing the spreadsheet
 */
export function completeWaiting(
  sheet: GoogleAppsScript.Spreadsheet.Sheet,
  wants: readonly Want[] = ['rows'],
): number {
  // The sidebar asks often, and mostly nothing waits: then nobody is locked out.
  if (countWaiting(sheet, wants) === 0) return 0;
  return whileLocked(() => {
    const cells = readSheet(sheet);
    const places = waitingPlaces(cells, wants);
    setAgain(sheet, cells, places);
    return places.length;
  });
}
