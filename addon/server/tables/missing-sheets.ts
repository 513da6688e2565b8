// Reports tables with a deleted sheet to the gateway, which can't see the spreadsheet. Their schedules stop.
import type { Connection } from '../../../shared/connection.ts';
import { call } from '../../client/gateway.ts';
import { isUnknownToGateway } from '../../client/http.ts';
import { listTables, saveTable, type TableRecord } from '../../tables/registry.ts';

/** Creates a check whether a table's sheet was deleted. */
export function createMissingSheetCheck(): (table: TableRecord) => boolean {
  const sheets = new Set(
    SpreadsheetApp.getActiveSpreadsheet()
      .getSheets()
      .map((sheet) => sheet.getSheetId()),
  );
  return ({ place }) => !sheets.has(place.sheetId);
}

/** Reports registered tables with a deleted sheet, once each. Failed reports are repeated next time. */
export function reportMissingSheets(connection: Connection): void {
  const isMissing = createMissingSheetCheck();
  for (const table of listTables()) {
    if (table.registered !== true || table.missingReported === true || !isMissing(table)) continue;
    const answer = call(connection, 'reportMissingTable', { params: { id: table.id } });
    if (answer.ok || isUnknownToGateway(answer.code)) saveTable({ ...table, missingReported: true });
  }
}
