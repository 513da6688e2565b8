// Finds the add-on's formulas in a sheet, and the cells that their results may fill.
import { isLoading, isSheetsError } from '../lib/cell-errors.ts';
import { type Area, type CellPosition, getRange, type Sheet } from './area.ts';

/** The contents of a sheet from A1 to its last used cell. */
export interface SheetCells {
  values: unknown[][];
  /** Formulas with their `=`; '' for a cell without one. */
  formulas: string[][];
  rows: number;
  columns: number;
}

/** String literals and sheet names, which are no function calls. */
const QUOTED = /"[^"]*"|'[^']*'/g;
const CALL = /(?:^|[^\w.])CDAPI_[A-Z]+\s*\(/i;

/** Replaces the quoted parts of a formula by spaces of the same length. */
export function maskQuoted(formula: string): string {
  return formula.replace(QUOTED, (quoted) => ' '.repeat(quoted.length));
}

export function isAddonFormula(formula: string): boolean {
  return formula.startsWith('=') && CALL.test(maskQuoted(formula));
}

/** Tells whether a formula is a call of the add-on, so that its result is the function's. */
export const startsWithCall = (formula: string): boolean => /^=\s*CDAPI_[A-Z]+\s*\(/i.test(formula);

/** The error word of a row that is still being fetched. */
export const PENDING = '#PENDING';
/** The error word of a row without budget. */
export const BUDGET = '#BUDGET';

/** Tells whether a value is a placeholder: pending, loading or failed. A result of that shape stays a formula. */
export function isPlaceholder(value: unknown): boolean {
  return value === PENDING || isLoading(value) || isSheetsError(value);
}

export function readSheet(sheet: Sheet): SheetCells {
  const range = sheet.getDataRange();
  const values = range.getValues();
  return { values, formulas: range.getFormulas(), rows: values.length, columns: values[0]?.length ?? 0 };
}

/** Returns a cell's value; '' if it is empty or unused. */
export function valueAt({ values }: SheetCells, { row, column }: CellPosition): unknown {
  return values[row - 1]?.[column - 1] ?? '';
}

/** Returns a cell's formula, or ''. */
export function formulaAt({ formulas }: SheetCells, { row, column }: CellPosition): string {
  return formulas[row - 1]?.[column - 1] ?? '';
}

export function findFormulas({ formulas }: SheetCells): CellPosition[] {
  return formulas.flatMap((line, row) =>
    line.flatMap((formula, column) => (formula === '' ? [] : [{ row: row + 1, column: column + 1 }])),
  );
}

const contains = (area: Area, { row, column }: CellPosition): boolean =>
  row >= area.row &&
  row < area.row + area.rows &&
  column >= area.column &&
  column < area.column + area.columns;

/**
 * Lists the cells with a formula of the add-on.
 * @param areas - where to look; defaults to the whole sheet
 */
export function findAddonFormulas(cells: SheetCells, areas?: readonly Area[]): CellPosition[] {
  return findFormulas(cells).filter(
    (place) =>
      isAddonFormula(formulaAt(cells, place)) &&
      (areas === undefined || areas.some((area) => contains(area, place))),
  );
}

/**
 * Lists the cells that a formula's result may fill, without its own. A result is a rectangle to the right of and below
 * the formula, and overlaps nothing.
 * @param isFree - tells whether a cell may belong to a result
 */
export function getSpillCells(
  { rows, columns }: SheetCells,
  from: CellPosition,
  isFree: (place: CellPosition) => boolean,
): CellPosition[] {
  const reached: CellPosition[] = [];
  let width = columns - from.column + 1;
  for (let row = from.row; row <= rows && width > 0; row++) {
    for (let at = row === from.row ? 1 : 0; at < width; at++) {
      const place = { row, column: from.column + at };
      if (isFree(place)) reached.push(place);
      else width = at;
    }
  }
  return reached;
}

/**
 * Joins cells to few blocks, because each block is a call of Sheets.
 * @returns blocks that cover exactly these cells
 */
export function toBlocks(places: readonly CellPosition[]): Area[] {
  const sorted = [...places].sort((a, b) => a.row - b.row || a.column - b.column);
  const runs: Area[] = [];
  for (const { row, column } of sorted) {
    const last = runs[runs.length - 1];
    if (last !== undefined && last.row === row && last.column + last.columns === column) last.columns += 1;
    else runs.push({ row, column, rows: 1, columns: 1 });
  }
  const blocks: Area[] = [];
  const open = new Map<string, Area>();
  for (const run of runs) {
    const key = `${run.column}:${run.columns}`;
    const above = open.get(key);
    if (above !== undefined && above.row + above.rows === run.row) above.rows += 1;
    else {
      blocks.push(run);
      open.set(key, run);
    }
  }
  return blocks;
}

export function mapBlock<Item>(
  { row, column, rows, columns }: Area,
  item: (place: CellPosition) => Item,
): Item[][] {
  return Array.from({ length: rows }, (_, down) =>
    Array.from({ length: columns }, (_, right) => item({ row: row + down, column: column + right })),
  );
}

/** Clears the contents of cells; their formats stay. */
export function clearCells(sheet: Sheet, places: readonly CellPosition[]): void {
  for (const block of toBlocks(places)) getRange(sheet, block).clearContent();
}

/**
 * Sets formulas that were read before.
 * @param change - changes the text of each formula
 */
export function setFormulas(
  sheet: Sheet,
  cells: SheetCells,
  places: readonly CellPosition[],
  change: (formula: string) => string = (formula) => formula,
): void {
  for (const block of toBlocks(places)) {
    getRange(sheet, block).setFormulas(mapBlock(block, (place) => change(formulaAt(cells, place))));
  }
}
