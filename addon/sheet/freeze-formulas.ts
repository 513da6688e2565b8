// Turns formulas into the values that they show.

import { whileLocked } from '../lib/lock.ts';
import { textEntry, toSet } from './entries.ts';
import {
  type Area,
  blocksOf,
  clearCells,
  fill,
  formulaAt,
  formulaPlaces,
  isOurs,
  isUnfinished,
  ourPlaces,
  type Place,
  rangeOf,
  reachOf,
  readSheet,
  type SheetCells,
  setFormulas,
  valueAt,
} from './formula-cells.ts';

/** What became of the formulas. */
export interface Frozen {
  /** Formulas that became values. */
  frozen: number;
  /** Formulas that are still loading, wait for rows or show an error, and stayed formulas. */
  left: number;
}

type Sheet = GoogleAppsScript.Spreadsheet.Sheet;

/** Which formulas become values, and which cells hold their results. */
interface Plan {
  frozen: Place[];
  left: Place[];
  /** Cells beside the formulas that only they can have filled. */
  filled: Place[];
  /** Cells that may be another formula's result as well: that one fills them again by itself. */
  doubtful: Place[];
}

const keyOf = ({ row, column }: Place): string => `${row}:${column}`;

/** Only formulas without which a cell is empty have filled it. */
function planOf(before: SheetCells, after: SheetCells, places: readonly Place[]): Plan {
  const taken = new Set(places.map(keyOf));
  const isFree = (place: Place): boolean =>
    formulaAt(before, place) === '' && valueAt(after, place) === '' && !taken.has(keyOf(place));
  const isEmptied = (place: Place): boolean => valueAt(before, place) !== '';
  const reaches = places.map((place) => reachOf(before, place, isFree).filter(isEmptied));
  const owners = new Map<string, number[]>();
  reaches.forEach((reach, owner) => {
    for (const place of reach) owners.set(keyOf(place), [...(owners.get(keyOf(place)) ?? []), owner]);
  });
  // Of formulas that may both have filled a cell, one does not become a value without the other.
  const left = new Set<number>();
  const leave = (owner: number): void => {
    if (left.has(owner)) return;
    left.add(owner);
    for (const place of reaches[owner] ?? []) (owners.get(keyOf(place)) ?? []).forEach(leave);
  };
  places.forEach((place, owner) => {
    if ([place, ...(reaches[owner] ?? [])].some((each) => isUnfinished(valueAt(before, each)))) leave(owner);
  });
  const strangers = new Set<string>();
  if (owners.size > 0) {
    for (const place of formulaPlaces(before)) {
      if (isOurs(formulaAt(before, place))) continue;
      for (const reached of reachOf(before, place, isFree)) strangers.add(keyOf(reached));
    }
  }
  const ready = [
    ...new Map(
      reaches
        .flatMap((reach, owner) => (left.has(owner) ? [] : reach))
        .map((place): [string, Place] => [keyOf(place), place]),
    ).values(),
  ];
  return {
    frozen: places.filter((_, owner) => !left.has(owner)),
    left: places.filter((_, owner) => left.has(owner)),
    filled: ready.filter((place) => !strangers.has(keyOf(place))),
    doubtful: ready.filter((place) => strangers.has(keyOf(place))),
  };
}

function writeValues(sheet: Sheet, cells: SheetCells, places: readonly Place[]): void {
  for (const block of blocksOf(places)) {
    const range = rangeOf(sheet, block);
    const formats = range.getNumberFormats();
    range.setValues(
      fill(block, (place) => {
        const value = valueAt(cells, place);
        const format = formats[place.row - block.row]?.[place.column - block.column] ?? '';
        return typeof value === 'string' ? toSet(textEntry(value), format) : value;
      }),
    );
  }
}

function readAgain(sheet: Sheet, { rows, columns, formulas }: SheetCells): SheetCells {
  SpreadsheetApp.flush();
  return { values: sheet.getRange(1, 1, rows, columns).getValues(), formulas, rows, columns };
}

/**
 * Turns the add-on's formulas into values, together with the cells that their results fill. Other formulas stay.
 * What fails half-way leaves every formula in its place.
 * @param areas - where the formulas stand; the whole sheet where they are left out
 * @throws Error with one sentence, where somebody else is changing the spreadsheet or Sheets refuses
 */
export function freezeFormulas(sheet: Sheet, areas?: readonly Area[]): Frozen {
  return whileLocked(() => {
    const before = readSheet(sheet);
    const places = ourPlaces(before, areas);
    if (places.length === 0) return { frozen: 0, left: 0 };
    let plan: Plan | undefined;
    try {
      clearCells(sheet, places);
      plan = planOf(before, readAgain(sheet, before), places);
      setFormulas(sheet, before, plan.left);
      writeValues(sheet, before, [...plan.frozen, ...plan.filled]);
      if (plan.doubtful.length > 0) {
        const { doubtful } = plan;
        const refilled = readAgain(sheet, before);
        writeValues(
          sheet,
          before,
          doubtful.filter((place) => valueAt(refilled, place) === ''),
        );
      }
      // What Sheets refuses, it refuses here and not when all is over.
      SpreadsheetApp.flush();
      return { frozen: plan.frozen.length, left: plan.left.length };
    } catch (error) {
      clearCells(sheet, [...(plan?.filled ?? []), ...(plan?.doubtful ?? [])]);
      setFormulas(sheet, before, places);
      throw error;
    }
  });
}
