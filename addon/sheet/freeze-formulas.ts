// Replaces formulas by their values.

import { withDocumentLock } from '../lib/lock.ts';
import { textEntry, toSheetValue } from './entries.ts';
import {
  type Area,
  type CellPosition,
  clearCells,
  findAddonFormulas,
  findFormulas,
  formulaAt,
  getSpillCells,
  isAddonFormula,
  isPlaceholder,
  mapBlock,
  rangeOf,
  readSheet,
  type SheetCells,
  setFormulas,
  toBlocks,
  valueAt,
} from './formula-cells.ts';

/** The result of freezing formulas. */
export interface FreezeResult {
  /** Number of formulas that became values. */
  frozen: number;
  /** Number of formulas that stayed: loading, pending or failed. */
  skipped: number;
}

type Sheet = GoogleAppsScript.Spreadsheet.Sheet;

/** The formulas to replace, and the cells of their results. */
interface FreezePlan {
  frozen: CellPosition[];
  skipped: CellPosition[];
  /** Cells that only these formulas can have filled. */
  filled: CellPosition[];
  /** Cells that may also belong to another formula's result. That formula would fill them again. */
  ambiguous: CellPosition[];
}

const toKey = ({ row, column }: CellPosition): string => `${row}:${column}`;

/** Plans the freezing by comparing the sheet with and without the formulas. */
function planFreeze(before: SheetCells, after: SheetCells, places: readonly CellPosition[]): FreezePlan {
  const taken = new Set(places.map(toKey));
  const isFree = (place: CellPosition): boolean =>
    formulaAt(before, place) === '' && valueAt(after, place) === '' && !taken.has(toKey(place));
  const isEmptied = (place: CellPosition): boolean => valueAt(before, place) !== '';
  const spills = places.map((place) => getSpillCells(before, place, isFree).filter(isEmptied));
  const owners = new Map<string, number[]>();
  spills.forEach((spill, owner) => {
    for (const place of spill) owners.set(toKey(place), [...(owners.get(toKey(place)) ?? []), owner]);
  });
  // Formulas that may have filled the same cell are frozen together or not at all.
  const skipped = new Set<number>();
  const skip = (owner: number): void => {
    if (skipped.has(owner)) return;
    skipped.add(owner);
    for (const place of spills[owner] ?? []) (owners.get(toKey(place)) ?? []).forEach(skip);
  };
  places.forEach((place, owner) => {
    if ([place, ...(spills[owner] ?? [])].some((each) => isPlaceholder(valueAt(before, each)))) skip(owner);
  });
  const foreignCells = new Set<string>();
  if (owners.size > 0) {
    for (const place of findFormulas(before)) {
      if (isAddonFormula(formulaAt(before, place))) continue;
      for (const cell of getSpillCells(before, place, isFree)) foreignCells.add(toKey(cell));
    }
  }
  const ready = [
    ...new Map(
      spills
        .flatMap((spill, owner) => (skipped.has(owner) ? [] : spill))
        .map((place): [string, CellPosition] => [toKey(place), place]),
    ).values(),
  ];
  return {
    frozen: places.filter((_, owner) => !skipped.has(owner)),
    skipped: places.filter((_, owner) => skipped.has(owner)),
    filled: ready.filter((place) => !foreignCells.has(toKey(place))),
    ambiguous: ready.filter((place) => foreignCells.has(toKey(place))),
  };
}

function writeValues(sheet: Sheet, cells: SheetCells, places: readonly CellPosition[]): void {
  for (const block of toBlocks(places)) {
    const range = rangeOf(sheet, block);
    const formats = range.getNumberFormats();
    range.setValues(
      mapBlock(block, (place) => {
        const value = valueAt(cells, place);
        const format = formats[place.row - block.row]?.[place.column - block.column] ?? '';
        return typeof value === 'string' ? toSheetValue(textEntry(value), format) : value;
      }),
    );
  }
}

function rereadValues(sheet: Sheet, { rows, columns, formulas }: SheetCells): SheetCells {
  SpreadsheetApp.flush();
  return { values: sheet.getRange(1, 1, rows, columns).getValues(), formulas, rows, columns };
}

/**
 * Replaces the add-on's formulas by values, including the cells that their results fill. Other formulas stay. After an
 * error all formulas are restored.
 * @param areas - where to look; defaults to the whole sheet
 * @throws Error if the spreadsheet is locked, or Sheets refuses a change
 */
export function freezeFormulas(sheet: Sheet, areas?: readonly Area[]): FreezeResult {
  return withDocumentLock(() => {
    const before = readSheet(sheet);
    const places = findAddonFormulas(before, areas);
    if (places.length === 0) return { frozen: 0, skipped: 0 };
    let plan: FreezePlan | undefined;
    try {
      clearCells(sheet, places);
      plan = planFreeze(before, rereadValues(sheet, before), places);
      setFormulas(sheet, before, plan.skipped);
      writeValues(sheet, before, [...plan.frozen, ...plan.filled]);
      if (plan.ambiguous.length > 0) {
        const { ambiguous } = plan;
        const refilled = rereadValues(sheet, before);
        writeValues(
          sheet,
          before,
          ambiguous.filter((place) => valueAt(refilled, place) === ''),
        );
      }
      // Report errors of Sheets here, while the formulas can be restored.
      SpreadsheetApp.flush();
      return { frozen: plan.frozen.length, skipped: plan.skipped.length };
    } catch (error) {
      clearCells(sheet, [...(plan?.filled ?? []), ...(plan?.ambiguous ?? [])]);
      setFormulas(sheet, before, places);
      throw error;
    }
  });
}
