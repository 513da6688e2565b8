// Tables that the Worker knows, so that rows come into them by themselves: registered, told of what changed, forgotten.
import type { TableBody, TableSource, TableView } from '../../../shared/api/tables.ts';
import type { Connection } from '../../../shared/connection.ts';
import { previewFreshForS } from '../../../shared/families/index.ts';
import { maxTableTitleLength } from '../../../shared/limits.ts';
import type { GatewayResult } from '../../client/gateway.ts';
import {
  deleteRegisteredTable,
  deleteSchedule,
  listRegisteredTables,
  putRegisteredTable,
} from '../../client/gateway-data-requests.ts';
import { isUnknownToGateway, requireConnection, unwrap } from '../../client/gateway-history.ts';
import { AddonError } from '../../lib/addon-error.ts';
import { findTable, saveTable, type TableRecord } from '../../tables/registry.ts';
import { discardScheduleDeliveries } from '../bulk/deliveries.ts';
import { logError } from '../error-log.ts';

/** Rows of a preview may have been remembered for a day when they were written. */
const PREVIEW_AGE_MS = previewFreshForS * 1000;

function toTableSource({ kind, query, requestId, title }: TableRecord): TableSource {
  if (kind === 'bulk' && requestId !== undefined) return { kind: 'request', request: requestId };
  if (kind === 'search' && query !== undefined) return { kind: 'search', query };
  throw new AddonError('bad_call', `Nobody remembers where the rows of “${title}” come from.`);
}

function toRegistration(table: TableRecord): TableBody {
  const { title, family, place, columns, mode, push = false, asOf, lastRun } = table;
  return {
    title: title.slice(0, maxTableTitleLength),
    family,
    spreadsheet: {
      id: SpreadsheetApp.getActiveSpreadsheet().getId(),
      sheet_id: place.sheetId,
      row: place.row,
    },
    columns: columns.flatMap(({ role, path, heading }) => (role === 'value' ? [{ path, heading }] : [])),
    source: toTableSource(table),
    mode: mode === 'append' ? 'append' : 'update',
    push,
    as_of: asOf ?? new Date(Date.parse(lastRun.at) - PREVIEW_AGE_MS).toISOString(),
  };
}

/**
 * Registers a table, or tells the Worker how it is by now; it is remembered first that the Worker may know it.
 * @param table - placed where it stands
 */
export function register(table: TableRecord, connection: Connection): GatewayResult<TableView> {
  const { missingReported: _, ...rest } = table;
  saveTable({ ...rest, registered: true });
  return putRegisteredTable(connection, table.id, toRegistration(table));
}

/** Tells the Worker of a table that it knows where that has changed; what fails is told, and is no reason to stop. */
export function updateRegistration(table: TableRecord, connection: Connection): void {
  if (table.registered !== true) return;
  const answer = register(table, connection);
  if (!answer.ok) logError({ message: answer.message, code: answer.code });
}

/**
 * Ends the schedule and the pushes of a table that may be started again: the Worker goes on knowing it and until when it is
 * filled, so that nothing is bought again. Rows that were bought for it still come.
 * @throws Refusal where the Worker can't be told
 */
export function pauseRegistration(table: TableRecord, connection: Connection): void {
  if (table.registered !== true) return;
  const answer = deleteSchedule(connection, table.id);
  if (!answer.ok && !isUnknownToGateway(answer.code)) unwrap(answer);
  const isPushed = unwrap(listRegisteredTables(connection)).tables.some(
    ({ id, push }) => id === table.id && push,
  );
  if (isPushed || table.push === true) unwrap(register({ ...table, push: false }, connection));
}

/**
 * Has the Worker forget a table, and with it its schedule, its pushes and the rows that were brought for it.
 * @throws Refusal where it can't be told; a schedule that nobody sees would go on spending
 */
export function unregister(id: string): void {
  const table = findTable(id);
  if (table?.registered !== true) return;
  try {
    const answer = deleteRegisteredTable(requireConnection(), id);
    if (!answer.ok && !isUnknownToGateway(answer.code)) throw new AddonError(answer.code, answer.message);
  } catch (error) {
    if (!(error instanceof AddonError)) throw error;
    throw new AddonError(
      error.code,
      `“${table.title}” may refresh by itself, and the gateway could not be told to end that: ${error.message} Nothing was changed.`,
    );
  }
  const { registered: _, push: __, ...rest } = table;
  saveTable(rest);
  discardScheduleDeliveries(id);
}
