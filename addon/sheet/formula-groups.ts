// Groups the add-on's formulas of a sheet by function and column, and reads their states from the cells.
import { isCellError, isLoading, isPassingError, isSheetsError } from '../lib/cell-errors.ts';
import type { CellPosition } from './area.ts';
import { CALL, showResult } from './formula-calls.ts';
import {
  findAddonFormulas,
  formulaAt,
  getSpillCells,
  maskQuoted,
  PENDING,
  type SheetCells,
  valueAt,
} from './formula-cells.ts';

/** Formulas of one function in a column. */
export interface FormulaGroup {
  /** The first function of the add-on in each formula, such as `CDAPI_ENRICH`. */
  name: string;
  column: number;
  /** From top to bottom. */
  places: CellPosition[];
}

/** What the formulas of a group show. */
export interface GroupState {
  loading: number;
  pending: number;
  /** Formulas that can show more after another run. */
  failed: CellPosition[];
  /** Number of cells by error, as the cells show it. */
  errors: Record<string, number>;
}

/** Lists the functions of the add-on in a formula, in upper case. */
export const listCalls = (formula: string): string[] =>
  [...maskQuoted(showResult(formula)).matchAll(CALL)].map(([, name = '']) => name.toUpperCase());

export function groupFormulas(cells: SheetCells): FormulaGroup[] {
  const groups = new Map<string, FormulaGroup>();
  for (const place of findAddonFormulas(cells)) {
    const { column } = place;
    const [name = ''] = listCalls(formulaAt(cells, place));
    const group = groups.get(`${column} ${name}`) ?? { name, column, places: [] };
    groups.set(`${column} ${name}`, group);
    group.places.push(place);
  }
  return [...groups.values()].sort((a, b) => a.column - b.column);
}

/** Lists the errors that a formula shows in its cell and the cells that it may fill. */
function listErrors(cells: SheetCells, place: CellPosition): string[] {
  const isFree = (at: CellPosition): boolean => formulaAt(cells, at) === '';
  const texts = [place, ...getSpillCells(cells, place, isFree)].map((at) => valueAt(cells, at));
  return texts.filter(isCellError);
}

/** Tells whether a formula waits for a confirmation of its price. */
export const isAsking = (cells: SheetCells, place: CellPosition): boolean =>
  listErrors(cells, place).includes('#CONFIRM');

export function readGroupState(cells: SheetCells, { places }: FormulaGroup): GroupState {
  const state: GroupState = { loading: 0, pending: 0, failed: [], errors: {} };
  for (const place of places) {
    const value = valueAt(cells, place);
    if (isLoading(value)) {
      state.loading += 1;
      continue;
    }
    const errors = typeof value === 'string' && isSheetsError(value) ? [value] : listErrors(cells, place);
    const others = errors.filter((error) => error !== PENDING);
    if (others.length < errors.length) state.pending += 1;
    for (const error of others) state.errors[error] = (state.errors[error] ?? 0) + 1;
    if (others.some((error) => !isCellError(error) || isPassingError(error))) state.failed.push(place);
  }
  return state;
}
