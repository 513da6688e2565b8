// Replaces formulas by their values. At every moment a formula is in its cell, or all its values are: an interrupted
// execution loses nothing.

import { isSheetsError } from '../lib/cell-errors.ts';
import { withDocumentLock } from '../lib/lock.ts';
import { type Area, type CellPosition, getRange, type Sheet } from './area.ts';
import { setValues, textEntry, toSheetValue } from './entries.ts';
import { hideResult, showResult } from './formula-calls.ts';
import {
  clearCells,
  findAddonFormulas,
  formulaAt,
  getSpillCells,
  mapBlock,
  readSheet,
  type SheetCells,
  setFormulas,
  toBlocks,
  valueAt,
} from './formula-cells.ts';
import { type FreezePlan, planFreeze, toKey, toWholeBlocks } from './freeze-plan.ts';

export interface FreezeResult {
  /** Number of formulas that became values. */
  frozen: number;
  /** Number of formulas that stayed: loading, pending or failed. */
  skipped: number;
}

/** Writes the values that cells had. All reads come first, because a read after a write waits for the write. */
function writeValues(sheet: Sheet, cells: SheetCells, blocks: readonly Area[]): void {
  const ranges = blocks.map((block) => ({ block, range: getRange(sheet, block) }));
  const parts = ranges.map(({ block, range }) => ({ block, range, formats: range.getNumberFormats() }));
  for (const { block, range, formats } of parts) {
    const values = mapBlock(block, (place) => {
      const value = valueAt(cells, place);
      const format = formats[place.row - block.row]?.[place.column - block.column] ?? '';
      return typeof value === 'string' ? toSheetValue(textEntry(value), format) : value;
    });
    setValues(range, values, formats, formats);
  }
}

function rereadValues(sheet: Sheet, { rows, columns, formulas }: SheetCells): SheetCells {
  SpreadsheetApp.flush();
  return { values: sheet.getRange(1, 1, rows, columns).getValues(), formulas, rows, columns };
}

/** Tells whether a formula may have filled cells besides its own. */
function mayFillCells(cells: SheetCells, from: CellPosition): boolean {
  const hasNoFormula = (place: CellPosition): boolean => formulaAt(cells, place) === '';
  return getSpillCells(cells, from, hasNoFormula).some((place) => valueAt(cells, place) !== '');
}

/**
 * Lists the formulas to hide, to see which cells they fill: none if they fill only their own cells. Formulas with an
 * error are hidden too: they would fill the cells that others leave.
 */
function listHidden(before: SheetCells, places: readonly CellPosition[]): CellPosition[] {
  if (!places.some((place) => mayFillCells(before, place))) return [];
  const wanted = new Set(places.map(toKey));
  const failed = findAddonFormulas(before).filter((place) => isSheetsError(valueAt(before, place)));
  return [...places, ...failed.filter((place) => !wanted.has(toKey(place)))];
}

/** Plans the freezing while results are hidden. The formulas stay in their cells. */
function probe(
  sheet: Sheet,
  before: SheetCells,
  places: readonly CellPosition[],
  hidden: readonly CellPosition[],
): FreezePlan {
  const wanted = new Set(places.map(toKey));
  const isWanted = (place: CellPosition): boolean => wanted.has(toKey(place));
  if (hidden.length === 0) return planFreeze(before, before, places, isWanted);
  setFormulas(sheet, before, hidden, hideResult);
  const plan = planFreeze(before, rereadValues(sheet, before), hidden, isWanted);
  setFormulas(sheet, before, plan.skipped, showResult);
  return plan;
}

/** Writes the values of formulas and of the cells that they fill. */
function writeGroups(sheet: Sheet, before: SheetCells, { groups }: FreezePlan): void {
  const { blocks, split } = toWholeBlocks(before, groups);
  writeValues(sheet, before, blocks);
  // The formula comes last: until then its text stays.
  writeValues(sheet, before, toBlocks(split.flatMap(({ filled }) => filled)));
  writeValues(sheet, before, toBlocks(split.flatMap(({ formulas }) => formulas)));
}

/** Empties cells again that keep another formula from showing its result. */
function freeForeignCells(sheet: Sheet, before: SheetCells, { foreign }: FreezePlan): void {
  if (foreign.length === 0) return;
  const now = rereadValues(sheet, before);
  const blocked = foreign.filter(
    ({ formula }) => isSheetsError(valueAt(now, formula)) && !isSheetsError(valueAt(before, formula)),
  );
  if (blocked.length === 0) return;
  const cells = blocked.flatMap((each) => each.cells);
  clearCells(sheet, cells);
  const refilled = rereadValues(sheet, before);
  writeValues(sheet, before, toBlocks(cells.filter((place) => valueAt(refilled, place) === '')));
}

/** Sets formulas again, and empties the cells that they fill. */
function restoreFormulas(
  sheet: Sheet,
  before: SheetCells,
  places: readonly CellPosition[],
  groups: FreezePlan['groups'] = [],
): void {
  setFormulas(sheet, before, places, showResult);
  clearCells(
    sheet,
    groups.flatMap(({ filled }) => filled),
  );
}

/**
 * Replaces the add-on's formulas by values, including the cells that their results fill. Other formulas stay. After an
 * error all formulas are restored.
 * @param areas - where to look; defaults to the whole sheet
 * @param onFrozen - receives the cells as they were, and the replaced formulas with the cells of their results
 * @throws Error if the spreadsheet is locked, or Sheets refuses a change
 */
export function freezeFormulas(
  sheet: Sheet,
  areas?: readonly Area[],
  onFrozen?: (before: SheetCells, groups: FreezePlan['groups']) => void,
): FreezeResult {
  return withDocumentLock(() => {
    const before = readSheet(sheet);
    const places = findAddonFormulas(before, areas);
    if (places.length === 0) return { frozen: 0, skipped: 0 };
    const hidden = listHidden(before, places);
    let plan: FreezePlan | undefined;
    try {
      plan = probe(sheet, before, places, hidden);
      writeGroups(sheet, before, plan);
      freeForeignCells(sheet, before, plan);
      // Report errors of Sheets here, while the formulas can be restored.
      SpreadsheetApp.flush();
      onFrozen?.(before, plan.groups);
      const frozen = plan.groups.reduce((sum, { formulas }) => sum + formulas.length, 0);
      return { frozen, skipped: places.length - frozen };
    } catch (error) {
      restoreFormulas(sheet, before, hidden.length === 0 ? places : hidden, plan?.groups);
      throw error;
    }
  });
}
