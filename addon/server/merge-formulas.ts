// Offers to merge many formulas of single cells into formulas of ranges: Google runs 30 at a time, and each is one call.

import type { Connection } from '../../shared/connection.ts';
import { toColumnLetters } from '../../shared/table/columns.ts';
import { maySheetSpend } from '../client/spending.ts';
import { createError } from '../lib/addon-error.ts';
import { findSheet, getRange, type Sheet } from '../sheet/area.ts';
import { countSingleLookups, type FormulaRun, findFormulaRuns } from '../sheet/formula-runs.ts';
import { withSheetErrors } from '../sheet/guard.ts';
import { formatLookupCall } from '../sheet/lookup-calls.ts';
import { createPriceChangedError, digestPlan } from '../tables/rows/overwrite.ts';
import { getMergedArea, getUndoState } from '../tables/runs/undo.ts';
import { recordStep, startUndoLog } from '../tables/runs/undo-log.ts';
import type { MergeOffer, MergePlan, Payload } from './api/index.ts';
import { collectKeys, estimateCredits, findPayer } from './formula-prices.ts';

/** Fewer formulas are fast enough to be left alone unasked. Guide "Quotas", simultaneous executions: Google runs 30 of a user at once. */
const MIN_FORMULAS = 30;
/** The fewest formulas that a person may merge. */
const MIN_ASKED = 2;
/** The part of a sheet that is read. */
const MAX_ROWS = 10_000;
const MAX_COLUMNS = 50;
/** More formulas are merged by the next click: all of them must fit into the undo log, which has 60 parts. */
const MAX_FORMULAS = 20_000;
const MAX_RANGES = 50;
const MAX_CHECKED_RANGES = 200;

const DISMISSED = 'CDAPI_MERGE_OFF_';

/** A dismissal counts for a user and a sheet. */
const getDismissedKey = (sheetId: number): string =>
  `${DISMISSED}${SpreadsheetApp.getActiveSpreadsheet().getId()}_${sheetId}`;

const TOO_LONG =
  'These formulas are too long to be kept for Undo. Merge them in parts by hand, one column at a time.';

const countFormulas = (runs: readonly FormulaRun[]): number =>
  runs.reduce((sum, { formulas }) => sum + formulas.length, 0);

/**
 * Finds runs that may be written. A sheet without them costs one call of `getFormulas`.
 * @param min - fewer formulas are left as they are
 */
function findRuns(sheet: Sheet, min: number): FormulaRun[] {
  const rows = Math.min(MAX_ROWS, sheet.getLastRow());
  const columns = Math.min(MAX_COLUMNS, sheet.getLastColumn());
  if (rows * columns < min) return [];
  const range = getRange(sheet, { row: 1, column: 1, rows, columns });
  const formulas = range.getFormulas();
  const name = sheet.getName();
  if (countSingleLookups(formulas, name) < min) return [];
  const found = findFormulaRuns({ values: range.getValues(), formulas, rows, columns }, name);
  const isWritable = (cells: GoogleAppsScript.Spreadsheet.Range): boolean =>
    cells.canEdit() && cells.getMergedRanges().length === 0;
  // Single ranges are checked only where the whole is not writable: each check is a call of Google.
  const runs = isWritable(range)
    ? found.slice(0, MAX_RANGES)
    : found
        .slice(0, MAX_CHECKED_RANGES)
        .filter((run) => isWritable(getRange(sheet, getMergedArea(run))))
        .slice(0, MAX_RANGES);
  if (countFormulas(runs) < min) return [];
  return runs.filter((_, at) => countFormulas(runs.slice(0, at + 1)) <= MAX_FORMULAS);
}

function readKeys(sheet: Sheet, { sheet: prefix, column, from, to }: FormulaRun['merged']): unknown[][] {
  const source = prefix === '' ? sheet : SpreadsheetApp.getActiveSpreadsheet();
  const letters = column.replace('$', '');
  return source.getRange(`${prefix}${letters}${from}:${letters}${to}`).getValues();
}

/** Estimates what the merged formulas would spend: for records that are not bought yet, or outdated. */
function priceMerge(sheet: Sheet, runs: readonly FormulaRun[], connection: Connection): number {
  if (!maySheetSpend(sheet.getSheetId())) return 0;
  const lookups = collectKeys(
    runs.map(({ merged }) => merged),
    (merged) => readKeys(sheet, merged),
  );
  return estimateCredits(connection, lookups);
}

function buildOffer(sheet: Sheet, runs: readonly FormulaRun[]): MergeOffer | null {
  const [first] = runs;
  const connection = first && findPayer();
  if (first === undefined || connection === undefined) return null;
  const credits = priceMerge(sheet, runs, connection);
  const places = runs.flatMap((run) => [run.row, run.column, formatLookupCall(run.merged)]);
  return {
    sheetId: sheet.getSheetId(),
    formulas: countFormulas(runs),
    ranges: runs.length,
    columns: [...new Set(runs.map(({ column }) => toColumnLetters(column)))],
    example: formatLookupCall(first.merged),
    credits,
    approval: { credits, digest: digestPlan([sheet.getSheetId(), ...places]) },
  };
}

/**
 * Looks for formulas to merge.
 * @param payload.sheetId - the sheet that a person asked for; default: the active sheet, unless there are few or its offer
 * was dismissed
 */
export function planMerge({ sheetId }: Payload<'planMerge'>): MergePlan {
  if (sheetId !== undefined) {
    const asked = findSheet(sheetId);
    return { offer: asked === undefined ? null : buildOffer(asked, findRuns(asked, MIN_ASKED)) };
  }
  const sheet = SpreadsheetApp.getActiveSheet();
  const isDismissed =
    PropertiesService.getUserProperties().getProperty(getDismissedKey(sheet.getSheetId())) !== null;
  return { offer: isDismissed ? null : buildOffer(sheet, findRuns(sheet, MIN_FORMULAS)) };
}

export function dismissMerge({ sheetId }: Payload<'dismissMerge'>): void {
  PropertiesService.getUserProperties().setProperty(getDismissedKey(sheetId), '1');
}

/**
 * Merges formulas. Each range is one call that sets its formula and empties the other cells: an interrupted execution
 * leaves either the old formulas or the new one. All old formulas are stored for undo before.
 * @throws AddonError `price_changed` if the formulas differ from the approved plan, or cost more; `gone` if there are none
 */
export function mergeFormulas({ sheetId, approval }: Payload<'mergeFormulas'>): {
  formulas: number;
  ranges: number;
  runId: string;
} {
  const sheet = findSheet(sheetId);
  const runs = sheet === undefined ? [] : findRuns(sheet, MIN_ASKED);
  const offer = sheet === undefined ? null : buildOffer(sheet, runs);
  if (sheet === undefined || offer === null)
    throw createError('gone', 'These formulas have changed. There is nothing to merge any more.');
  const { formulas, ranges, credits } = offer;
  if (offer.approval.digest !== approval.digest || credits > approval.credits)
    throw createPriceChangedError({ rows: formulas, credits });
  const runId = Utilities.getUuid();
  startUndoLog(runId, '', undefined);
  for (const { row, column, formulas, merged } of runs)
    recordStep(runId, {
      do: 'formulas',
      sheet: sheetId,
      row,
      column,
      formulas,
      merged: formatLookupCall(merged),
    });
  if (!getUndoState(runId).possible) throw createError('sheet_refused', TOO_LONG);
  withSheetErrors(sheet, () => {
    for (const run of runs) {
      const texts = run.formulas.map((_, at) => [at === 0 ? formatLookupCall(run.merged) : '']);
      getRange(sheet, getMergedArea(run)).setFormulas(texts);
    }
    SpreadsheetApp.flush();
  });
  return { formulas, ranges, runId };
}
