// Reports tables whose sheet was deleted to the gateway, which cannot see the spreadsheet: their schedules stop.
import type { Connection } from '../../../shared/connection.ts';
import { reportMissingTable } from '../../client/gateway-data-requests.ts';
import { isUnknownToGateway } from '../../client/gateway-history.ts';
import { locateTables } from '../../tables/locate.ts';
import { listTables, saveTable, type TableRecord } from '../../tables/registry.ts';

/** Tells whether a table's sheet is missing from the sheets of a spreadsheet. */
export function createMissingSheetCheck(): (table: TableRecord) => boolean {
  const sheets = new Set(
    SpreadsheetApp.getActiveSpreadsheet()
      .getSheets()
      .map((sheet) => sheet.getSheetId()),
  );
  return ({ place }) => !sheets.has(place.sheetId);
}

/**
 * Reports every registered table whose sheet was deleted, once. What cannot be reported now is reported the next time.
 */
export function reportMissingSheets(connection: Connection): void {
  const isMissing = createMissingSheetCheck();
  const all = listTables();
  const suspects = all.filter(
    (table) => table.registered === true && table.missingReported !== true && isMissing(table),
  );
  // Its headings may stand in another sheet by now.
  const places = suspects.length === 0 ? undefined : locateTables(all);
  for (const table of suspects) {
    if (places?.has(table.id)) continue;
    const answer = reportMissingTable(connection, table.id);
    if (answer.ok || isUnknownToGateway(answer.code)) saveTable({ ...table, missingReported: true });
  }
}
