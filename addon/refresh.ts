// Runs formulas again: Sheets runs a function anew only where its formula was gone in between.
import {
  type Area,
  clearCells,
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
import { whileLocked } from './lock.ts';

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

/** The formulas whose result, as far as it can reach, has a row that is still being fetched. */
function pendingPlaces(cells: SheetCells): Place[] {
  if (!cells.values.some((row) => row.includes(PENDING))) return [];
  const waits = (place: Place): boolean => valueAt(cells, place) === PENDING;
  const isFree = (place: Place): boolean => formulaAt(cells, place) === '';
  return ourPlaces(cells).filter((place) => waits(place) || reachOf(cells, place, isFree).some(waits));
}

/** How many of a sheet's formulas show #PENDING. */
export function countPending(sheet: GoogleAppsScript.Spreadsheet.Sheet): number {
  return pendingPlaces(readSheet(sheet)).length;
}

/**
 * Runs those formulas again that show #PENDING.
 * @param sheet - the open one unless told
 * @returns how many there were
 * @throws Error with one sentence, where somebody else is changing the spreadsheet
 */
export function completePending(
  sheet: GoogleAppsScript.Spreadsheet.Sheet = SpreadsheetApp.getActiveSheet(),
): number {
  // The sidebar asks often, and mostly nothing waits: then nobody is locked out.
  if (countPending(sheet) === 0) return 0;
  return whileLocked(() => {
    const cells = readSheet(sheet);
    const places = pendingPlaces(cells);
    setAgain(sheet, cells, places);
    return places.length;
  });
}
