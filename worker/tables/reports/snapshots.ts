// Dated copies of a table: a new sheet with its values and formats, without formulas. Older copies that we made are deleted.
import type { TableCopy } from '../../../shared/api/enrichments.ts';
import type { TableReportRow, TableRow } from '../../db/schema.ts';
import { findTable, getColumnSpan, readIdColumn } from '../push/find-table.ts';
import type { Pusher } from '../push/pusher.ts';
import type { SheetRequest } from '../push/sheets-client.ts';
import { toPushTarget } from '../store.ts';
import { chooseSheetId, chooseTitle } from './changes-sheet.ts';
import type { ReportStore } from './store.ts';

/** Sheets allows 100 characters in the title of a sheet; a number may follow. */
const MAX_TITLE = 70;

/** Characters that titles of sheets can't have in A1 notation without trouble. */
const toSheetTitle = (title: string, now: number): string =>
  `${title.replace(/[[\]*?:/\\']/g, ' ').slice(0, MAX_TITLE)} ${new Date(now).toISOString().slice(0, 10)}`;

/** Builds the requests that copy a range into a new sheet. */
function buildCopyRequests(
  copy: TableCopy,
  source: { sheetId: number; row: number; lastRow: number; column: number; lastColumn: number },
): SheetRequest[] {
  const rows = source.lastRow - source.row + 1;
  const columns = source.lastColumn - source.column + 1;
  const gridProperties = { rowCount: rows, columnCount: columns };
  const range = {
    sheetId: source.sheetId,
    startRowIndex: source.row - 1,
    endRowIndex: source.lastRow,
    startColumnIndex: source.column - 1,
    endColumnIndex: source.lastColumn,
  };
  const destination = {
    sheetId: copy.sheetId,
    startRowIndex: 0,
    endRowIndex: rows,
    startColumnIndex: 0,
    endColumnIndex: columns,
  };
  return [
    { addSheet: { properties: { sheetId: copy.sheetId, title: copy.title, gridProperties } } },
    // Values only: a copied formula would be calculated again, and might buy records.
    { copyPaste: { source: range, destination, pasteType: 'PASTE_VALUES' } },
    { copyPaste: { source: range, destination, pasteType: 'PASTE_FORMAT' } },
  ];
}

/**
 * Copies a table, and deletes the oldest copies beyond the number to keep. Idempotent for a push. A copy that a person has
 * renamed is kept, and never counted again.
 * @throws ProblemError `sheet_missing`, `sheet_refused`; problems of the client
 */
export async function makeSnapshot(
  pusher: Pusher,
  store: ReportStore,
  table: TableRow,
  report: TableReportRow,
  push: string,
): Promise<void> {
  const { client, now } = pusher;
  const { spreadsheetId, sheetId, columns } = table;
  const spreadsheet = await client.getSpreadsheet(spreadsheetId);
  const titles = new Map(spreadsheet.sheets.map(({ properties }) => [properties.sheetId, properties.title]));
  // Others were deleted or renamed by a person. The copy of this push may not exist yet.
  const own = report.copies.filter((copy) => copy.push === push || titles.get(copy.sheetId) === copy.title);
  const present = own.find((copy) => copy.push === push);
  const copy = present ?? {
    sheetId: chooseSheetId(spreadsheet, Math.random),
    title: chooseTitle(spreadsheet, toSheetTitle(table.title, now())),
    push,
  };
  const copies = present === undefined ? [...own, copy] : own;
  const isMade = titles.get(copy.sheetId) === copy.title;
  if (!isMade) await store.update(report, { copies });
  const expired = copies.slice(0, Math.max(0, copies.length - report.snapshots));
  const requests: SheetRequest[] = expired
    .filter(({ sheetId: id, title }) => titles.get(id) === title)
    .map(({ sheetId: id }) => ({ deleteSheet: { sheetId: id } }));
  if (!isMade) {
    const target = toPushTarget(table, columns);
    const location = await findTable(client, target);
    const ids = await readIdColumn(client, target, location);
    const row = location.headingRow;
    requests.unshift(
      ...buildCopyRequests(copy, { sheetId, row, lastRow: row + ids.length, ...getColumnSpan(location) }),
    );
  }
  if (requests.length > 0) await client.batchUpdate(spreadsheetId, requests);
  await store.update(report, { copies: copies.filter((each) => !expired.includes(each)) });
}
