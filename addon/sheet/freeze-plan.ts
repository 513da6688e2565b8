// Plans which formulas become values, and which cells their results fill.
import type { Area, CellPosition } from './area.ts';
import {
  findFormulas,
  formulaAt,
  getSpillCells,
  isAddonFormula,
  isPlaceholder,
  PENDING,
  type SheetCells,
  startsWithCall,
  valueAt,
} from './formula-cells.ts';

/** The cells to write in one group: formulas that may have filled the same cells, and those cells. */
interface Group {
  formulas: CellPosition[];
  filled: CellPosition[];
}

/** The formulas to replace, and the cells of their results. */
export interface FreezePlan {
  skipped: CellPosition[];
  groups: Group[];
  /** Another formula that may also have filled some of the cells, and those cells. */
  foreign: { formula: CellPosition; cells: CellPosition[] }[];
}

/** Identifies a cell in a set. */
export const toKey = ({ row, column }: CellPosition): string => `${row}:${column}`;

/** Groups formulas that may have filled the same cell: they are frozen together or not at all. */
function groupFormulas(places: readonly CellPosition[], spills: readonly CellPosition[][]): Group[] {
  const owners = new Map<string, number[]>();
  spills.forEach((spill, owner) => {
    for (const place of spill) owners.set(toKey(place), [...(owners.get(toKey(place)) ?? []), owner]);
  });
  const seen = new Set<number>();
  const collect = (owner: number, into: number[]): number[] => {
    if (seen.has(owner)) return into;
    seen.add(owner);
    into.push(owner);
    for (const place of spills[owner] ?? [])
      for (const other of owners.get(toKey(place)) ?? []) collect(other, into);
    return into;
  };
  return places.flatMap((_, first) => {
    const members = collect(first, []);
    if (members.length === 0) return [];
    const filled = members.flatMap((owner) => spills[owner] ?? []);
    return {
      formulas: members.flatMap((owner) => places[owner] ?? []),
      filled: [...new Map(filled.map((place) => [toKey(place), place])).values()],
    };
  });
}

/**
 * Plans the freezing by comparing the sheet with and without the results.
 * @param after - the sheet while the results of `places` are hidden
 * @param places - all formulas with hidden results
 * @param isWanted - whether a formula is to be frozen
 */
export function planFreeze(
  before: SheetCells,
  after: SheetCells,
  places: readonly CellPosition[],
  isWanted: (place: CellPosition) => boolean,
): FreezePlan {
  const taken = new Set(places.map(toKey));
  const isFree = (place: CellPosition): boolean =>
    formulaAt(before, place) === '' && valueAt(after, place) === '' && !taken.has(toKey(place));
  const isEmptied = (place: CellPosition): boolean => valueAt(before, place) !== '';
  const spills = places.map((place) => getSpillCells(before, place, isFree).filter(isEmptied));
  const isUnfinished = ({ formulas, filled }: Group): boolean => {
    // A call shows placeholders of Sheets only in its own cell.
    const areCalls = formulas.every((place) => startsWithCall(formulaAt(before, place)));
    return (
      !formulas.every(isWanted) ||
      formulas.some((place) => isPlaceholder(valueAt(before, place))) ||
      filled.some((place) =>
        areCalls ? valueAt(before, place) === PENDING : isPlaceholder(valueAt(before, place)),
      )
    );
  };
  const all = groupFormulas(places, spills);
  const groups = all.filter((group) => !isUnfinished(group));
  const filled = new Set(groups.flatMap((group) => group.filled.map(toKey)));
  const others = filled.size === 0 ? [] : findFormulas(before);
  return {
    skipped: all.filter((group) => !groups.includes(group)).flatMap(({ formulas }) => formulas),
    groups,
    foreign: others.flatMap((formula) => {
      if (isAddonFormula(formulaAt(before, formula))) return [];
      const cells = getSpillCells(before, formula, isFree).filter((cell) => filled.has(toKey(cell)));
      return cells.length === 0 ? [] : { formula, cells };
    }),
  };
}

/** Returns the smallest block that contains all cells. */
function toBounds(places: readonly CellPosition[]): Area {
  const rows = places.map(({ row }) => row);
  const columns = places.map(({ column }) => column);
  // Spread arguments are limited in number.
  const min = (numbers: readonly number[]): number => numbers.reduce((a, b) => Math.min(a, b));
  const max = (numbers: readonly number[]): number => numbers.reduce((a, b) => Math.max(a, b));
  const [row, column] = [min(rows), min(columns)];
  return { row, column, rows: max(rows) - row + 1, columns: max(columns) - column + 1 };
}

/** Merges blocks of the same columns that follow each other. */
function mergeBlocks(blocks: readonly Area[]): Area[] {
  const sorted = [...blocks].sort((a, b) => a.column - b.column || a.columns - b.columns || a.row - b.row);
  const merged: Area[] = [];
  for (const block of sorted) {
    const last = merged[merged.length - 1];
    const follows = last !== undefined && last.row + last.rows === block.row;
    if (follows && last.column === block.column && last.columns === block.columns) last.rows += block.rows;
    else merged.push({ ...block });
  }
  return merged;
}

/**
 * Lists blocks that replace the formulas of a group and their results in one call, so that an interruption leaves either
 * the formula or all its values. Groups with other contents in between are left out.
 */
export function toWholeBlocks(
  cells: SheetCells,
  groups: readonly Group[],
): { blocks: Area[]; split: Group[] } {
  const split: Group[] = [];
  const bounds = groups.flatMap((group) => {
    const own = new Set([...group.formulas, ...group.filled].map(toKey));
    const area = toBounds([...group.formulas, ...group.filled]);
    for (let row = area.row; row < area.row + area.rows; row += 1) {
      for (let column = area.column; column < area.column + area.columns; column += 1) {
        const place = { row, column };
        const isBlank = valueAt(cells, place) === '' && formulaAt(cells, place) === '';
        if (isBlank || own.has(toKey(place))) continue;
        split.push(group);
        return [];
      }
    }
    return area;
  });
  return { blocks: mergeBlocks(bounds), split };
}
