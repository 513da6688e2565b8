// Formulas for the sidebar: inserts a search as a formula, and completes waiting formulas.
import type { Connection } from '../../shared/connection.ts';
import { previewPageSize } from '../../shared/families/previews.ts';
import { previewFields } from '../../shared/families/registry.ts';
import { argumentSeparator } from '../../shared/formula-parts.ts';
import { defaultSearchIds } from '../../shared/limits.ts';
import { call } from '../client/gateway.ts';
import { maySheetSpend } from '../client/spending.ts';
import { AddonError, createError } from '../lib/addon-error.ts';
import type { Sheet } from '../sheet/area.ts';
import { growGrid, requireWritable, withSheetErrors } from '../sheet/guard.ts';
import { countWaitingFormulas, rerunWaitingFormulas } from '../sheet/refresh-formulas.ts';
import { findContent } from '../tables/rows/overwrite.ts';
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
  if (formula.length > MAX_FORMULA) throw createError('bad_call', 'This search is too long for a formula.');
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
  if (cell === null) throw createError('bad_call', 'Click the cell for the formula and try again.');
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

/** Tells whether formulas of a sheet may spend, and there are credits. */
function canSpend(sheet: Sheet, connection: Connection): boolean {
  if (!maySheetSpend(sheet.getSheetId())) return false;
  const answer = call(connection, 'getAccount');
  return answer.ok && answer.body.spending && answer.body.remaining !== 0;
}

/**
 * Counts the formulas of the open sheet that complete themselves, and the ones that a person may run: their price has to be
 * confirmed, or there are credits again.
 */
export function countPending(connection: Connection): { formulas: number; offered: number } {
  const sheet = SpreadsheetApp.getActiveSheet();
  const withoutBudget = countWaitingFormulas(sheet, 'budget');
  const isOffered = withoutBudget > 0 && canSpend(sheet, connection);
  const offered = countWaitingFormulas(sheet, 'confirmation') + (isOffered ? withoutBudget : 0);
  return { formulas: countWaitingFormulas(sheet), offered };
}

/** Reruns the formulas with pending rows. `left` is the number that still show #PENDING. */
export function completePending(): { again: number; left: number } {
  const sheet = SpreadsheetApp.getActiveSheet();
  const again = rerunWaitingFormulas(sheet);
  return { again, left: again === 0 ? 0 : countWaitingFormulas(sheet) };
}
