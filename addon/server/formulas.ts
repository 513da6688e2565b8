// Formulas for the page: putting a search into a cell as one, and completing those that wait.
import type { Connection } from '../../shared/connection.ts';
import { Refusal } from '../lib/addon-error.ts';
import { checkPlace, guarded } from '../sheet/guard.ts';
import { completeWaiting, countWaiting, type Want } from '../sheet/refresh-formulas.ts';
import { standingIn } from '../tables/rows/overwrite.ts';
import type { Payload, Pending } from './api/index.ts';
import { isBudgetBack, keepBudgetTried } from './budget-watch.ts';

/** Google Sheets takes no longer formula. */
const MAX_FORMULA = 50_000;

/** A text in a formula, wherever the spreadsheet is: setFormula always reads commas and double quotes. */
const text = (value: string): string => `"${value.replace(/"/g, '""')}"`;

function optionsOf({ query, maxCredits }: Payload<'formulaFor'>): string {
  const options = [
    ...(query.any_fields === true ? ['any_fields'] : []),
    ...(maxCredits === undefined ? [] : [`max_credits=${maxCredits}`]),
  ];
  return options.length === 0 ? '' : text(options.join(', '));
}

function argumentsOf(payload: Payload<'formulaFor'>): string[] {
  const { formula, family, query, columns, limit, sort } = payload;
  const said =
    'text' in query ? query.text : JSON.stringify('filters' in query ? query.filters : query.es_dsl);
  const first = [text(family), text(said)];
  const options = optionsOf(payload);
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

/** What the formulas of a sheet may be run again for: nobody is asked for the budget where none waits for it. */
function wantsIn(sheet: GoogleAppsScript.Spreadsheet.Sheet, connection: Connection): Want[] {
  const back = countWaiting(sheet, ['budget']) > 0 && isBudgetBack(connection);
  return back ? ['rows', 'budget'] : ['rows'];
}

/** How many formulas of the open sheet can be completed now. */
export function pending(connection: Connection): Pending {
  const sheet = SpreadsheetApp.getActiveSheet();
  return { formulas: countWaiting(sheet, wantsIn(sheet, connection)) };
}

/** Sets those formulas again; `left` still show #PENDING. */
export function completePending(connection: Connection): { again: number; left: number } {
  const sheet = SpreadsheetApp.getActiveSheet();
  const wants = wantsIn(sheet, connection);
  const again = completeWaiting(sheet, wants);
  if (wants.includes('budget')) keepBudgetTried(connection);
  return { again, left: again === 0 ? 0 : countWaiting(sheet) };
}
