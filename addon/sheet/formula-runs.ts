// Runs of formulas: lookups of single cells, one below the other, that one formula of a range can replace.

import { families } from '../../shared/families/index.ts';
import { maxLookupKeys } from '../../shared/limits.ts';
import { toColumnLetters } from '../../shared/table/columns.ts';
import { parseFields, parseOptions, RECORD_OPTIONS } from '../functions/arguments/options.ts';
import { recordFormulas, resolveVariant } from '../functions/record-formulas.ts';
import { isLoading, isSheetsError } from '../lib/cell-errors.ts';
import type { CellPosition } from './area.ts';
import { formulaAt, type SheetCells, valueAt } from './formula-cells.ts';
import { describeLookup, type LookupCall, parseLookupCall, toSheetName } from './lookup-calls.ts';

/** Formulas of consecutive rows that one formula can replace. */
export interface FormulaRun extends CellPosition {
  formulas: string[];
  /** The lookup of the whole range. */
  merged: LookupCall;
}

/**
 * Lists the fields of a lookup's result.
 * @returns undefined if the fields come from cells; null if the formula always fails
 */
export function listResultFields({ name, fields, options }: LookupCall): string[] | undefined | null {
  try {
    const { variant } = parseOptions(options.slice(1, -1), RECORD_OPTIONS);
    const family = resolveVariant(recordFormulas[name], variant);
    if (fields !== '' && !fields.startsWith('"')) return undefined;
    return parseFields(fields.slice(1, -1)) ?? [...families[family].defaultFields];
  } catch {
    return null;
  }
}

/**
 * Tells whether a range formula would fill only cells that a formula fills now. A formula with a result owns the cells
 * that it fills, because Sheets shows an error otherwise. Without a result, those cells must be empty.
 */
function isReplaceable(
  cells: SheetCells,
  { row, column }: CellPosition,
  fields?: readonly string[],
): boolean {
  const value = valueAt(cells, { row, column });
  const hasResult = !isLoading(value) && !isSheetsError(value);
  if (fields === undefined) return hasResult;
  return fields
    .slice(1)
    .map((_, at) => ({ row, column: column + 1 + at }))
    .every((place) => formulaAt(cells, place) === '' && (hasResult || valueAt(cells, place) === ''));
}

const isSameSheet = (sheet: string, name: string): boolean => sheet === '' || toSheetName(sheet) === name;

/** Parses a formula that looks up one cell of another column. */
function parseSingleLookup(formula: string, column: number, sheetName: string): LookupCall | undefined {
  if (formula === '') return undefined;
  const call = parseLookupCall(formula);
  if (call === undefined || call.from !== call.to) return undefined;
  // A lookup of the formula above would become a circular reference.
  const isOwnColumn = call.column.replace('$', '') === toColumnLetters(column);
  return isOwnColumn && isSameSheet(call.sheet, sheetName) ? undefined : call;
}

/** Counts formulas that look up one cell. */
export const countSingleLookups = (formulas: readonly (readonly string[])[], sheetName: string): number =>
  formulas.reduce(
    (sum, line) =>
      sum + line.filter((formula, at) => parseSingleLookup(formula, at + 1, sheetName) !== undefined).length,
    0,
  );

function findColumnRuns(cells: SheetCells, column: number, sheetName: string): FormulaRun[] {
  const runs: FormulaRun[] = [];
  let template = '';
  let fields: string[] | undefined | null = null;
  for (let row = 1; row <= cells.rows; row += 1) {
    const formula = formulaAt(cells, { row, column });
    const call = parseSingleLookup(formula, column, sheetName);
    const next = call === undefined ? '' : `${call.from - row} ${describeLookup(call)}`;
    if (call !== undefined && next !== template) fields = listResultFields(call);
    const isUsable = fields !== null && isReplaceable(cells, { row, column }, fields);
    const run = runs[runs.length - 1];
    if (call === undefined || !isUsable) template = '';
    else if (next === template && run !== undefined && run.formulas.length < maxLookupKeys) {
      run.formulas.push(formula);
      run.merged.to = call.to;
    } else {
      runs.push({ row, column, formulas: [formula], merged: call });
      template = next;
    }
  }
  return runs.filter(({ formulas }) => formulas.length > 1);
}

/** Finds runs of at least two formulas; the longest has as many as one call looks up. */
export function findFormulaRuns(cells: SheetCells, sheetName: string): FormulaRun[] {
  return Array.from({ length: cells.columns }, (_, at) => at + 1).flatMap((column) =>
    findColumnRuns(cells, column, sheetName),
  );
}
