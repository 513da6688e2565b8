// Cleans up after a data request without rows: removes its sheet or headings, or adds a note.
import type { DataRequestView } from '../../../shared/api/data-requests.ts';
import { ignoreAddonErrors } from '../../lib/addon-error.ts';
import { withSheetErrors } from '../../sheet/guard.ts';
import { requireTable } from '../../tables/located-table.ts';
import { deleteTable, findTable, type TableRecord } from '../../tables/registry.ts';
import { undoRun } from '../../tables/runs/undo.ts';

const toDay = (time: string): string => time.slice(0, 10);

function explain({ state, rows, problem }: DataRequestView): string {
  if (rows > 0) return 'You stopped waiting for it. You can write its rows for free under Bulk.';
  if (problem !== undefined) return `${problem.detail} ${problem.fix}`;
  if (state === 'cancelled') return 'It was cancelled before it was sent. Its credits were released.';
  return 'It has no rows.';
}

/**
 * Deletes a sheet that holds nothing but the table's headings.
 * @returns whether it was deleted
 */
function deleteUnusedSheet(table: TableRecord): boolean {
  const { location } = requireTable(table.id);
  const { sheet, row } = location;
  const isOwnSheet = table.placeholder?.sheet === true && row === 1 && sheet.getLastRow() === 1;
  const sheets = SpreadsheetApp.getActiveSpreadsheet();
  if (!isOwnSheet || sheet.getLastColumn() !== table.columns.length || sheets.getSheets().length === 1)
    return false;
  withSheetErrors(sheet, () => sheets.deleteSheet(sheet));
  deleteTable(table.id);
  return true;
}

/** Adds a note to the first heading, unless a person has written one. */
function addNote(table: TableRecord, request: DataRequestView): void {
  const { location } = requireTable(table.id);
  const at = location.columns.findIndex((each) => each !== undefined);
  const column = location.columns[at];
  const cell = column === undefined ? undefined : location.sheet.getRange(location.row, column);
  if (cell === undefined || !['', table.columns[at]?.path].includes(cell.getNote())) return;
  const note = `No rows came from the bulk order of ${toDay(request.created_at)}. ${explain(request)}`;
  withSheetErrors(location.sheet, () => cell.setNote(note));
}

/**
 * Removes the sheet or headings that were made for a data request without rows. If the place is in use, or the rows can
 * still be written, the first heading gets an explaining note.
 * @param table - no longer waits for the request
 */
export function handleEmptyResult(table: TableRecord, request: DataRequestView): void {
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
