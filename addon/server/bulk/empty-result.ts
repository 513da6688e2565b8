// What stands for rows that will never come: what was made for them is taken back, or says why there are none.
import type { RequestView } from '../../../shared/api/data-requests.ts';
import { AddonError } from '../../lib/addon-error.ts';
import { withSheetErrors } from '../../sheet/guard.ts';
import { requireTable } from '../../tables/located-table.ts';
import { deleteTable, findTable, type TableRecord } from '../../tables/registry.ts';
import { undoRun } from '../../tables/runs/undo.ts';

const toDay = (time: string): string => time.slice(0, 10);

/** Why there are no rows, in a sentence or two. */
function explain({ state, rows, problem }: RequestView): string {
  if (rows > 0) return 'Nobody watched it. Its rows can be written for free under Bulk.';
  if (problem !== undefined) return `${problem.detail} ${problem.fix}`;
  if (state === 'cancelled') return 'It was cancelled before it was sent; its credits were given back.';
  return 'It brought nothing.';
}

/** @returns whether the sheet, of which nobody used more than the headings, was deleted */
function deleteUnusedSheet(table: TableRecord): boolean {
  const { location } = requireTable(table.id);
  const { sheet, row } = location;
  const own = table.placeholder?.sheet === true && row === 1 && sheet.getLastRow() === 1;
  const sheets = SpreadsheetApp.getActiveSpreadsheet();
  if (!own || sheet.getLastColumn() !== table.columns.length || sheets.getSheets().length === 1) return false;
  withSheetErrors(sheet, () => sheets.deleteSheet(sheet));
  deleteTable(table.id);
  return true;
}

/** Says it on the first heading, where nothing else is said. */
function addNote(table: TableRecord, request: RequestView): void {
  const { location } = requireTable(table.id);
  const column = location.columns.find((one) => one !== undefined);
  const cell = column === undefined ? undefined : location.sheet.getRange(location.row, column);
  if (cell === undefined || cell.getNote() !== '') return;
  const note = `No rows came of the bulk request of ${toDay(request.created_at)}. ${explain(request)}`;
  withSheetErrors(location.sheet, () => cell.setNote(note));
}

/** Does something to the sheet; where that can't be done everything stays as it is. */
function ignoreAddonErrors<T>(work: () => T): T | undefined {
  try {
    return work();
  } catch (error) {
    if (error instanceof AddonError) return undefined;
    throw error;
  }
}

/**
 * Takes back the sheet or the headings that were made for the rows of a request, as they were made last; a sheet that holds
 * nothing else is deleted later, too. Where somebody has used the place, or the request can still be written, its first
 * heading gets a note that says why it is empty.
 * @param table - it waits no more
 */
export function handleEmptyResult(table: TableRecord, request: RequestView): void {
  const { placeholder } = table;
  if (placeholder === undefined) return;
  if (request.rows === 0 && table.registered !== true) {
    if (
      ignoreAddonErrors(() => undoRun(placeholder.runId)) !== undefined ||
      ignoreAddonErrors(() => deleteUnusedSheet(table)) === true
    )
      return;
  }
  if (findTable(table.id) !== undefined) ignoreAddonErrors(() => addNote(table, request));
}
