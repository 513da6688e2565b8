// Where formulas of the add-on stand in a sheet, and which cells their results may fill.

/** A cell, its row and column counted from 1. */
export interface CellPosition {
  row: number;
  column: number;
}

/** A block of cells; its first row and column are counted from 1. */
export interface Area extends CellPosition {
  rows: number;
  columns: number;
}

/** What a sheet holds from A1 to its last used cell. */
export interface SheetCells {
  values: unknown[][];
  /** Formulas with their `=`; '' where a cell has none. */
  formulas: string[][];
  rows: number;
  columns: number;
}

/** Texts, and names of other sheets, say nothing about what is called. */
const QUOTED = /"[^"]*"|'[^']*'/g;
const CALL = /(?:^|[^\w.])CDAPI_[A-Z]+\s*\(/i;

/** Tells whether a formula calls one of the add-on's functions. */
export function isAddonFormula(formula: string): boolean {
  return formula.startsWith('=') && CALL.test(formula.replace(QUOTED, ' '));
}

/** What Sheets shows while a function runs, and where it failed. */
const LOADING = /^Loading(?:\.\.\.|…)$/;
const FAILURE = /^#(?:ERROR!|N\/A|NAME\?|NULL!|NUM!|REF!|VALUE!|DIV\/0!)$/;

/** The word of a row that is still being fetched. */
export const PENDING = '#PENDING';
/** The word of a row that there was no budget for. */
export const BUDGET = '#BUDGET';
/** What Sheets shows of a formula that failed. */
export const FAILED = '#ERROR!';

/** Tells whether a value only stands in for one that is to come. */
export function isPlaceholder(value: unknown): boolean {
  return typeof value === 'string' && (value === PENDING || LOADING.test(value) || FAILURE.test(value));
}

/** Reads a sheet. */
export function readSheet(sheet: GoogleAppsScript.Spreadsheet.Sheet): SheetCells {
  const range = sheet.getDataRange();
  const values = range.getValues();
  return { values, formulas: range.getFormulas(), rows: values.length, columns: values[0]?.length ?? 0 };
}

/** A cell's value; '' where it is empty or beyond the used ones. */
export function valueAt({ values }: SheetCells, { row, column }: CellPosition): unknown {
  return values[row - 1]?.[column - 1] ?? '';
}

/** A cell's formula, or ''. */
export function formulaAt({ formulas }: SheetCells, { row, column }: CellPosition): string {
  return formulas[row - 1]?.[column - 1] ?? '';
}

/** The cells that hold a formula. */
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
 * The cells that hold a formula of the add-on.
 * @param areas - where to look; the whole sheet where they are left out
 */
export function findAddonFormulas(cells: SheetCells, areas?: readonly Area[]): CellPosition[] {
  return findFormulas(cells).filter(
    (place) =>
      isAddonFormula(formulaAt(cells, place)) &&
      (areas === undefined || areas.some((area) => contains(area, place))),
  );
}

/**
 * The cells that a formula's result could fill, its own not among them: a result is a rectangle from the formula's cell
 * to the right and down, and overlaps nothing.
 * @param isFree - tells whether a result may stand there
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
 * Joins cells into as few blocks as is easy, since each block is a call of Sheets.
 * @returns blocks that cover exactly these cells
 */
export function toBlocks(places: readonly CellPosition[]): Area[] {
  const sorted = [...places].sort((one, other) => one.row - other.row || one.column - other.column);
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

/** The range of a block. */
export function rangeOf(
  sheet: GoogleAppsScript.Spreadsheet.Sheet,
  { row, column, rows, columns }: Area,
): GoogleAppsScript.Spreadsheet.Range {
  return sheet.getRange(row, column, rows, columns);
}

/** Something for each cell of a block, row by row. */
export function mapBlock<Item>(
  { row, column, rows, columns }: Area,
  item: (place: CellPosition) => Item,
): Item[][] {
  return Array.from({ length: rows }, (_, down) =>
    Array.from({ length: columns }, (_, right) => item({ row: row + down, column: column + right })),
  );
}

/** Empties cells of what they hold; their formats stay. */
export function clearCells(sheet: GoogleAppsScript.Spreadsheet.Sheet, places: readonly CellPosition[]): void {
  for (const block of toBlocks(places)) rangeOf(sheet, block).clearContent();
}

/** Sets formulas as they were read. */
export function setFormulas(
  sheet: GoogleAppsScript.Spreadsheet.Sheet,
  cells: SheetCells,
  places: readonly CellPosition[],
): void {
  for (const block of toBlocks(places)) {
    rangeOf(sheet, block).setFormulas(mapBlock(block, (place) => formulaAt(cells, place)));
  }
}
