// Registration of tables with the gateway, which allows schedules and push.
import type { NamedColumn, TableBody, TableSource, TableView } from '../../../shared/api/tables.ts';
import type { Connection } from '../../../shared/connection.ts';
import { previewFreshForS } from '../../../shared/families/index.ts';
import { maxTableTitleLength } from '../../../shared/limits.ts';
import { toCellText } from '../../../shared/table/cells.ts';
import { requireConnection } from '../../client/connection.ts';
import { call } from '../../client/gateway.ts';
import { type GatewayResult, ignoreUnknown, unwrap } from '../../client/http.ts';
import { AddonError, createError } from '../../lib/addon-error.ts';
import { findTable, saveTable, type TableRecord } from '../../tables/registry.ts';
import { discardScheduleDeliveries } from '../bulk/deliveries.ts';
import { logError } from '../error-log.ts';
import { updateFillTriggers } from '../triggers.ts';

/** A preview may have been cached for a day when it was written. */
const PREVIEW_AGE_MS = previewFreshForS * 1000;

function toTableSource({ kind, query, requestId, title }: TableRecord): TableSource {
  if (kind === 'bulk' && requestId !== undefined) return { kind: 'request', request: requestId };
  if (kind === 'search' && query !== undefined) return { kind: 'search', query };
  throw createError('bad_call', 'The source of “{title}” is missing, so it can’t refresh automatically.', {
    title,
  });
}

function toRegistration(table: TableRecord): TableBody {
  const { title, family, place, columns, mode, push = false, asOf, lastRun } = table;
  return {
    title: title.slice(0, maxTableTitleLength),
    family,
    spreadsheet: { id: place.spreadsheetId, sheet_id: place.sheetId },
    columns: listNamedColumns(columns),
    source: toTableSource(table),
    mode: mode === 'append' ? 'append' : 'update',
    push,
    as_of: asOf ?? new Date(Date.parse(lastRun.at) - PREVIEW_AGE_MS).toISOString(),
  };
}

/** Lists the columns with values of records. Headings may have been cleared or be longer than the gateway takes. */
export const listNamedColumns = (columns: TableRecord['columns']): NamedColumn[] =>
  columns.flatMap(({ id, role, path, heading }) =>
    role === 'value' ? [{ id, path, heading: toHeading(heading, path) }] : [],
  );

/** Returns a heading as the gateway takes it. */
export const toHeading = (heading: string, otherwise: string): string =>
  toCellText(heading).trim().slice(0, maxTableTitleLength) || otherwise;

/**
 * Registers a table or updates its registration. The table is marked as registered before the call, in case its outcome
 * is unclear.
 * @param table - with its current place
 */
export function register(table: TableRecord, connection: Connection): GatewayResult<TableView> {
  const { missingReported: _, ...found } = table;
  saveTable({ ...found, registered: true });
  return call(connection, 'putTable', { params: { id: table.id }, body: toRegistration(table) });
}

/** Updates the registration of a registered table. Failures are logged and otherwise ignored. */
export function updateRegistration(table: TableRecord, connection: Connection): void {
  if (table.registered !== true) return;
  const answer = register(table, connection);
  if (!answer.ok) logError({ message: answer.message, code: answer.code });
}

/**
 * Ends the schedule and push of a table. The registration stays, so that a restart buys nothing twice and finished rows
 * still arrive.
 * @throws AddonError if the gateway can't be reached
 */
export function pauseRegistration(table: TableRecord, connection: Connection): void {
  if (table.registered !== true) return;
  ignoreUnknown(call(connection, 'deleteSchedule', { params: { table: table.id } }));
  const isPushed = unwrap(call(connection, 'listTables')).tables.some(
    ({ id, push }) => id === table.id && push,
  );
  if (isPushed || table.push === true) unwrap(register({ ...table, push: false }, connection));
}

/**
 * Deletes the registration of a table with its schedule, push and pending rows.
 * @throws AddonError if the gateway refuses or can't be reached: an invisible schedule would go on spending
 */
export function unregister(id: string): void {
  const table = findTable(id);
  if (table?.registered !== true && table?.hasEnrichment !== true) return;
  try {
    const end = table.hasEnrichment === true ? 'deleteEnrichment' : 'deleteTable';
    ignoreUnknown(call(requireConnection(), end, { params: { id } }));
  } catch (error) {
    if (!(error instanceof AddonError)) throw error;
    const { title } = table;
    throw createError(
      error.code,
      error.code === 'forbidden_scope'
        ? '“{title}” may still refresh automatically, because your connection may not end that: {message} Nothing was changed.'
        : '“{title}” may still refresh automatically, because the gateway could not be reached: {message} Nothing was changed.',
      { title, message: error.message },
    );
  }
  const { registered: _, push: __, hasEnrichment: ___, ...unregistered } = table;
  saveTable(unregistered);
  if (table.hasEnrichment === true) updateFillTriggers();
  discardScheduleDeliveries(id);
}
