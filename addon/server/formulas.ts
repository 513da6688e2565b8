// Formulas for the sidebar: inserts a search as a formula, and completes waiting formulas.
import type { Connection } from '../../shared/connection.ts';
import { previewPageSize } from '../../shared/families/previews.ts';
import { previewFields } from '../../shared/families/registry.ts';
import { argumentSeparator } from '../../shared/formula-parts.ts';
import { defaultSearchIds } from '../../shared/limits.ts';
import { openCache, type SpreadsheetCache } from '../client/cache.ts';
import { call } from '../client/gateway.ts';
import { isSpendingOn, maySheetSpend } from '../client/spending.ts';
import { AddonError } from '../lib/addon-error.ts';
import { growGrid, requireWritable, withSheetErrors } from '../sheet/guard.ts';
import { countWaitingFormulas, rerunWaitingFormulas, type WaitReason } from '../sheet/refresh-formulas.ts';
import { findContent } from '../tables/rows/overwrite.ts';
import { t } from '../texts/texts.ts';
import type { Payload } from './api/index.ts';

const MAX_FORMULA = 50_000;

const quoteText = (value: string): string => `"${value.replace(/"/g, '""')}"`;

function formatOptions({ query, maxCredits }: Payload<'insertFormula'>): string {
  const options = [
    ...(query.any_fields === true ? ['any_fields'] : []),
    ...(maxCredits === undefined ? [] : [`max_credits=${maxCredits}`]),
  ];
  return options.length === 0 ? '' : quoteText(options.join(', '));
}

function formatArguments(payload: Payload<'insertFormula'>): string[] {
  const { formula, family, query, columns, limit, sort } = payload;
  const said =
    'text' in query ? query.text : JSON.stringify('filters' in query ? query.filters : query.es_dsl);
  const first = [quoteText(family), quoteText(said)];
  const options = formatOptions(payload);
  const number = limit === undefined ? '' : String(limit);
  if (formula === 'CDAPI_PREVIEW')
    return [...first, columns === undefined ? '' : quoteText(columns.join(', ')), number, options];
  if (formula === 'CDAPI_SEARCH')
    return [...first, number, sort === undefined ? '' : quoteText(sort), options];
  return [...first, '', options];
}

function formatFormula(payload: Payload<'insertFormula'>): string {
  const parts = formatArguments(payload);
  while (parts[parts.length - 1] === '') parts.pop();
  const formula = `=${payload.formula}(${parts.join(argumentSeparator)})`;
  if (formula.length > MAX_FORMULA)
    throw new AddonError('bad_call', t('This search is too long for a formula.'));
  return formula;
}

/** Returns the number of rows and columns that a formula may fill: with an error word, one row more. */
function getResultSize({ formula, family, columns, limit }: Payload<'insertFormula'>): {
  rows: number;
  columns: number;
} {
  if (formula === 'CDAPI_SEARCH') return { rows: (limit ?? defaultSearchIds) + 1, columns: 1 };
  if (formula === 'CDAPI_COUNT') return { rows: 1, columns: 1 };
  const width = columns?.length ?? previewFields[family].length;
  return { rows: (limit ?? 1) * previewPageSize + 2, columns: width };
}

/**
 * Writes a search as a formula into the active cell, after rows and columns for its result: Sheets adds none, and shows
 * `#REF!` instead.
 * @throws AddonError `confirm_first` if the cell is not empty
 */
export function insertFormula(payload: Payload<'insertFormula'>): { cell: string; formula: string } {
  const formula = formatFormula(payload);
  const cell: GoogleAppsScript.Spreadsheet.Range | null =
    SpreadsheetApp.getActiveSpreadsheet().getCurrentCell();
  if (cell === null) throw new AddonError('bad_call', t('Click the cell for the formula and try again.'));
  const sheet = cell.getSheet();
  const area = { row: cell.getRow(), column: cell.getColumn(), rows: 1, columns: 1 };
  const there = findContent(sheet, area);
  if (there !== undefined && payload.confirmed !== true)
    throw new AddonError('confirm_first', there.question);
  if (there === undefined) requireWritable(sheet, area);
  growGrid(sheet, { ...area, ...getResultSize(payload) });
  withSheetErrors(sheet, () => cell.setFormula(formula));
  // With a decimal point, Sheets has replaced the semicolons by commas.
  return { cell: `${sheet.getName()}!${cell.getA1Notation()}`, formula: cell.getFormula() };
}

const BUDGET = ['budget of formulas'];

/** The last known remaining credits: `any` without a cap, `off` if spending is not possible. */
type BudgetLevel = number | 'any' | 'off';

/** Returns undefined if the account can't be read. */
function readBudgetLevel(connection: Connection, memory: SpreadsheetCache): BudgetLevel | undefined {
  if (!isSpendingOn()) return 'off';
  const answer = call(connection, 'getAccount');
  if (!answer.ok) return undefined;
  memory.setStamp(answer.body.stamp);
  const { spending, remaining } = answer.body;
  return spending && remaining !== 0 ? (remaining ?? 'any') : 'off';
}

/** Tells whether there are more credits than before: spending was switched on, a cap was raised, or a new day began. */
function hasMoreBudget(connection: Connection): boolean {
  const memory = openCache(connection);
  const now = readBudgetLevel(connection, memory);
  if (now === undefined) return false;
  const before = memory.get(BUDGET);
  const isMore = typeof now === 'number' && typeof before === 'number' ? now > before : now !== before;
  const isBack = now !== 'off' && isMore;
  // Don't store an increase yet: it counts until formulas have run for it.
  if (!isBack) memory.put(BUDGET, now);
  return isBack;
}

function recordBudgetTried(connection: Connection): void {
  const memory = openCache(connection);
  memory.put(BUDGET, readBudgetLevel(connection, memory));
}

/** Lists why formulas of a sheet may run again. It requests the budget only if one waits for it. */
function listWaitReasons(sheet: GoogleAppsScript.Spreadsheet.Sheet, connection: Connection): WaitReason[] {
  const back =
    maySheetSpend(sheet.getSheetId()) &&
    countWaitingFormulas(sheet, ['budget']) > 0 &&
    hasMoreBudget(connection);
  return back ? ['rows', 'budget'] : ['rows'];
}

export function countPending(connection: Connection): { formulas: number } {
  const sheet = SpreadsheetApp.getActiveSheet();
  return { formulas: countWaitingFormulas(sheet, listWaitReasons(sheet, connection)) };
}

/** Reruns these formulas. `left` is the number that still show #PENDING. */
export function completePending(connection: Connection): { again: number; left: number } {
  const sheet = SpreadsheetApp.getActiveSheet();
  const wants = listWaitReasons(sheet, connection);
  const again = rerunWaitingFormulas(sheet, wants);
  if (wants.includes('budget')) recordBudgetTried(connection);
  return { again, left: again === 0 ? 0 : countWaitingFormulas(sheet) };
}
