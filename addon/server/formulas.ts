// Formulas for the page: putting a search into a cell as one, and completing those that wait.
import { countPending, completePending as runPending } from '../refresh.ts';
import { checkPlace, guarded } from '../tables/guard.ts';
import { standingIn } from '../tables/overwrite.ts';
import { Refusal } from '../tables/refusal.ts';
import type { Payload, Pending } from './api.ts';

/** Google Sheets takes no longer formula. */
const MAX_FORMULA = 50_000;

/** A text in a formula, wherever the spreadsheet is: setFormula always reads commas and double quotes. */
const text = (value: string): string => `"${value.replace(/"/g, '""')}"`;

function argumentsOf({ formula, family, query, columns, limit, sort }: Payload<'formulaFor'>): string[] {
  const said =
    'text' in query ? query.text : JSON.stringify('filters' in query ? query.filters : query.es_dsl);
  const first = [text(family), text(said)];
  const options = query.any_fields === true ? text('any_fields') : '';
  const number = limit === undefined ? '' : String(limit);
  if (formula === 'CDAPI_PREVIEW')
    return [...first, columns === undefined ? '' : text(columns.join(', ')), number, options];
  if (formula === 'CDAPI_SEARCH') return [...first, number, sort === undefined ? '' : text(sort), options];
  return [...first, '', options];
}

function formulaOf(payload: Payload<'formulaFor'>): string {
  const parts = argumentsOf(payload);
  while (parts[parts.length - 1] === '') parts.pop();
  const formula = `=${payload.formula}(${parts.join(', ')})`;
  if (formula.length > MAX_FORMULA) throw new Refusal('bad_call', 'This search is too long for a formula.');
  return formula;
}

/**
 * Puts a formula of a search into the active cell.
 * @throws Refusal `confirm_first` where something stands there
 */
export function formulaFor(payload: Payload<'formulaFor'>): { cell: string; formula: string } {
  const formula = formulaOf(payload);
  const cell: GoogleAppsScript.Spreadsheet.Range | null =
    SpreadsheetApp.getActiveSpreadsheet().getCurrentCell();
  if (cell === null)
    throw new Refusal('bad_call', 'Click the cell where the formula is to stand, and try again.');
  const sheet = cell.getSheet();
  const area = { row: cell.getRow(), column: cell.getColumn(), rows: 1, columns: 1 };
  const there = standingIn(sheet, area);
  if (there !== undefined && payload.confirmed !== true) throw new Refusal('confirm_first', there.question);
  if (there === undefined) checkPlace(sheet, area);
  guarded(sheet, () => cell.setFormula(formula));
  return { cell: `${sheet.getName()}!${cell.getA1Notation()}`, formula };
}

/** How many formulas of the open sheet wait. */
export function pending(): Pending {
  return { formulas: countPending(SpreadsheetApp.getActiveSheet()) };
}

/** Sets those formulas again; `left` still show #PENDING. */
export function completePending(): { again: number; left: number } {
  const again = runPending();
  return { again, left: again === 0 ? 0 : pending().formulas };
}
