// Undoes formulas that were merged or written: each cell gets its previous formula back, or becomes empty.
import { getRange, type Sheet } from '../../sheet/area.ts';
import { describeLookup, parseLookupCall } from '../../sheet/lookup-calls.ts';

/** Formulas of consecutive rows, or empty cells, that one formula has replaced. */
export interface FormulaStep {
  do: 'formulas';
  sheet: number;
  row: number;
  column: number;
  formulas: string[];
  merged: string;
}

const getArea = ({ row, column, formulas }: FormulaStep) => ({
  row,
  column,
  rows: formulas.length,
  columns: 1,
});

/** Describes a formula. Separators, and the option `refresh` of a lookup, may have changed. */
function describeMerged(formula: string): string {
  const call = parseLookupCall(formula);
  return call === undefined
    ? formula.replace(/[;,]\s*/g, ';')
    : `${call.from} ${call.to} ${describeLookup(call)}`;
}

/** Tells whether the cells have the merged formula, or still the previous ones. */
export function isUnchangedMerge(sheet: Sheet | undefined, step: FormulaStep): boolean {
  if (sheet === undefined || sheet.getMaxRows() < step.row + step.formulas.length - 1) return false;
  const [first = '', ...others] = getRange(sheet, getArea(step)).getFormulas().flat();
  if (first === step.formulas[0]) return others.every((formula, at) => formula === step.formulas[at + 1]);
  const expected = describeMerged(step.merged);
  return describeMerged(first) === expected && others.every((formula) => formula === '');
}

/** Sets the previous formulas in one call. */
export function restoreMerged(sheet: Sheet, step: FormulaStep): void {
  getRange(sheet, getArea(step)).setFormulas(step.formulas.map((formula) => [formula]));
}
