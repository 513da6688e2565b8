// Gateway calls for data requests, registered tables, changes, schedules and alerts.

import type {
  CancelledDataRequest,
  DataRequestEstimate,
  DataRequestList,
  DataRequestRows,
  DataRequestView,
  EventTicket,
  NewDataRequest,
} from '../../shared/api/data-requests.ts';
import type {
  Alert,
  AlertBody,
  AlertList,
  Schedule,
  ScheduleBody,
  ScheduleList,
} from '../../shared/api/schedules.ts';
import type { AssistantCode } from '../../shared/api/sign-in.ts';
import type { ChangeList, TableBody, TableList, TableView } from '../../shared/api/tables.ts';
import type { Connection } from '../../shared/connection.ts';
import { send } from './gateway.ts';
import { type BodyGuard, createGuard, type GatewayResult } from './http.ts';

const isEstimate = createGuard<DataRequestEstimate>({
  records: 'number',
  cached: 'number',
  credits: 'number',
});
const isRequest = createGuard<DataRequestView>({ id: 'string', state: 'string', rows: 'number' });
const isRequests = createGuard<DataRequestList>({ requests: 'list' });
const isStopped = createGuard<CancelledDataRequest>({ message: 'string' });
const isTicket = createGuard<EventTicket>({ ticket: 'string' });
const isRows = createGuard<DataRequestRows>({ columns: 'list', rows: 'list' });
const isTable = createGuard<TableView>({ id: 'string', as_of: 'string' });
const isTables = createGuard<TableList>({ tables: 'list' });
const isChanges = createGuard<ChangeList>({ changes: 'list', cursor: 'string' });
const isSchedule = createGuard<Schedule>({ table: 'string', every: 'string' });
const isSchedules = createGuard<ScheduleList>({ schedules: 'list' });
const isAssistantCode = createGuard<AssistantCode>({ code: 'string', url: 'string' });
const isAlert = createGuard<Alert>({ id: 'string', host: 'string' });
const isAlerts = createGuard<AlertList>({ alerts: 'list' });
/** Accepts any body: the response to a deletion carries nothing. */
const isAnyBody: BodyGuard<unknown> = (body): body is unknown => body !== null;

/** Maximum number of data requests in one list. */
const MAX_LISTED = 100;

const encodeSegment = (id: string): string => encodeURIComponent(id);

/** Formats the path of a data request. */
export const dataRequestPath = (id: string): string => `requests/${encodeSegment(id)}`;

/**
 * Creates a data request.
 * @param idempotencyKey - repeated calls with the same key create one request
 */
export function createDataRequest(
  connection: Connection,
  body: NewDataRequest,
  idempotencyKey: string,
): GatewayResult<DataRequestView> {
  return send(connection, { method: 'post', path: 'requests', body, idempotencyKey }, isRequest);
}

/** Estimates how many records a data request would return, and its price. Free. */
export function estimateDataRequest(
  connection: Connection,
  body: NewDataRequest,
): GatewayResult<DataRequestEstimate> {
  return send(connection, { method: 'post', path: 'estimate/data-request', body }, isEstimate);
}

/** Lists the team's latest data requests. */
export function listDataRequests(connection: Connection): GatewayResult<DataRequestList> {
  return send(connection, { method: 'get', path: `requests?limit=${MAX_LISTED}` }, isRequests);
}

/** Returns a data request. */
export function getDataRequest(connection: Connection, id: string): GatewayResult<DataRequestView> {
  return send(connection, { method: 'get', path: dataRequestPath(id) }, isRequest);
}

/** Stops a data request: an unsent one is cancelled, a sent one is no longer watched. */
export function stopDataRequest(connection: Connection, id: string): GatewayResult<CancelledDataRequest> {
  return send(connection, { method: 'delete', path: dataRequestPath(id) }, isStopped);
}

/** Creates a ticket that opens the event stream of a data request once. */
export function createEventTicket(connection: Connection, id: string): GatewayResult<EventTicket> {
  return send(connection, { method: 'post', path: `${dataRequestPath(id)}/ticket`, body: {} }, isTicket);
}

/** Formats a query string; undefined parameters are left out. */
function formatQuery(parameters: Readonly<Record<string, string | undefined>>): string {
  const parts = Object.entries(parameters).flatMap(([name, value]) =>
    value === undefined ? [] : [`${name}=${encodeURIComponent(value)}`],
  );
  return parts.length === 0 ? '' : `?${parts.join('&')}`;
}

/** A page of result rows. */
export interface RowsQuery {
  /** Path of a data request or of a schedule's run. */
  path: string;
  after: string | null;
  limit: number;
  /** Field paths; defaults to those of the request or the table. */
  columns?: readonly string[];
}

/** Formats the path of a page of rows. */
function formatRowsPath({ path, after, limit, columns }: RowsQuery): string {
  const parameters = { after: after ?? undefined, limit: String(limit), columns: columns?.join(',') };
  return `${path}/rows${formatQuery(parameters)}`;
}

/** Formats the path of one run of a table's schedule. */
export const scheduleRunPath = (table: string, run: string): string =>
  `tables/${encodeSegment(table)}/runs/${encodeSegment(run)}`;

/** Returns a page of rows. Free. */
export function listRows(connection: Connection, query: RowsQuery): GatewayResult<DataRequestRows> {
  return send(connection, { method: 'get', path: formatRowsPath(query) }, isRows);
}

/** Registers a table, or updates its registration. */
export function putRegisteredTable(
  connection: Connection,
  id: string,
  body: TableBody,
): GatewayResult<TableView> {
  return send(connection, { method: 'put', path: `tables/${encodeSegment(id)}`, body }, isTable);
}

/** Deletes a registered table together with its schedule. */
export function deleteRegisteredTable(connection: Connection, id: string): GatewayResult<unknown> {
  return send(connection, { method: 'delete', path: `tables/${encodeSegment(id)}` }, isAnyBody);
}

/** Reports that the sheet of a registered table was deleted. The gateway then stops its schedule. */
export function reportMissingTable(connection: Connection, id: string): GatewayResult<unknown> {
  const path = `tables/${encodeSegment(id)}/missing`;
  return send(connection, { method: 'post', path, body: {} }, isAnyBody);
}

/** Lists the team's registered tables. */
export function listRegisteredTables(connection: Connection): GatewayResult<TableList> {
  return send(connection, { method: 'get', path: 'tables' }, isTables);
}

/** Lists the changes since a cursor: finished data requests and schedule runs. */
export function listChanges(connection: Connection, since: string | undefined): GatewayResult<ChangeList> {
  return send(connection, { method: 'get', path: `changes${formatQuery({ since })}` }, isChanges);
}

/** Lists the team's schedules. */
export function listSchedules(connection: Connection): GatewayResult<ScheduleList> {
  return send(connection, { method: 'get', path: 'schedules' }, isSchedules);
}

/** Creates or updates the schedule of a registered table. */
export function putSchedule(
  connection: Connection,
  table: string,
  body: ScheduleBody,
): GatewayResult<Schedule> {
  return send(connection, { method: 'put', path: `schedules/${encodeSegment(table)}`, body }, isSchedule);
}

/** Deletes the schedule of a table. */
export function deleteSchedule(connection: Connection, table: string): GatewayResult<unknown> {
  return send(connection, { method: 'delete', path: `schedules/${encodeSegment(table)}` }, isAnyBody);
}

/** Lists the addresses that receive the team's alerts. */
export function listAlerts(connection: Connection): GatewayResult<AlertList> {
  return send(connection, { method: 'get', path: 'alerts' }, isAlerts);
}

/** Creates a code that connects an assistant. */
export function createAssistantCode(connection: Connection): GatewayResult<AssistantCode> {
  return send(connection, { method: 'post', path: 'assistant-codes', body: {} }, isAssistantCode);
}

/** Adds an alert address. */
export function createAlert(connection: Connection, body: AlertBody): GatewayResult<Alert> {
  return send(connection, { method: 'post', path: 'alerts', body }, isAlert);
}

/** Sends a test message to an alert address. */
export function sendTestAlert(connection: Connection, id: string): GatewayResult<Alert> {
  return send(connection, { method: 'post', path: `alerts/${encodeSegment(id)}/test`, body: {} }, isAlert);
}

/** Deletes an alert address. */
export function deleteAlert(connection: Connection, id: string): GatewayResult<unknown> {
  return send(connection, { method: 'delete', path: `alerts/${encodeSegment(id)}` }, isAnyBody);
}
