// What is asked of the gateway about data requests, registered tables, what became ready, schedules and alerts.
import type {
  NewRequest,
  RequestEstimate,
  RequestList,
  RequestRows,
  RequestStopped,
  RequestTicket,
  RequestView,
} from '../../shared/api/data-requests.ts';
import type {
  Alert,
  AlertBody,
  AlertList,
  Schedule,
  ScheduleBody,
  ScheduleList,
} from '../../shared/api/schedules.ts';
import type { ChangeList, TableBody, TableList, TableView } from '../../shared/api/tables.ts';
import type { Connection } from '../../shared/connection.ts';
import { type BodyGuard, createGuard, type GatewayResult, send } from './gateway.ts';

const isEstimate = createGuard<RequestEstimate>({ records: 'number', cached: 'number', credits: 'number' });
const isRequest = createGuard<RequestView>({ id: 'string', state: 'string', rows: 'number' });
const isRequests = createGuard<RequestList>({ requests: 'list' });
const isStopped = createGuard<RequestStopped>({ message: 'string' });
const isTicket = createGuard<RequestTicket>({ ticket: 'string' });
const isRows = createGuard<RequestRows>({ columns: 'list', rows: 'list' });
const isTable = createGuard<TableView>({ id: 'string', as_of: 'string' });
const isTables = createGuard<TableList>({ tables: 'list' });
const isChanges = createGuard<ChangeList>({ changes: 'list', cursor: 'string' });
const isSchedule = createGuard<Schedule>({ table: 'string', every: 'string' });
const isSchedules = createGuard<ScheduleList>({ schedules: 'list' });
const isAlert = createGuard<Alert>({ id: 'string', host: 'string' });
const isAlerts = createGuard<AlertList>({ alerts: 'list' });
/** What comes back where something was deleted is of no interest. */
const isAnyBody: BodyGuard<unknown> = (body): body is unknown => body !== null;

/** The most requests of one answer. */
const MAX_LISTED = 100;

const encodeSegment = (id: string): string => encodeURIComponent(id);

/** The path of a data request. */
export const dataRequestPath = (id: string): string => `requests/${encodeSegment(id)}`;

/**
 * Makes a data request.
 * @param idempotencyKey - the same one makes it once
 */
export function createDataRequest(
  connection: Connection,
  body: NewRequest,
  idempotencyKey: string,
): GatewayResult<RequestView> {
  return send(connection, { method: 'post', path: 'requests', body, idempotencyKey }, isRequest);
}

/** Asks what a data request would bring and cost now. Free. */
export function estimateDataRequest(
  connection: Connection,
  body: NewRequest,
): GatewayResult<RequestEstimate> {
  return send(connection, { method: 'post', path: 'estimate/data-request', body }, isEstimate);
}

/** The team's last data requests. */
export function listDataRequests(connection: Connection): GatewayResult<RequestList> {
  return send(connection, { method: 'get', path: `requests?limit=${MAX_LISTED}` }, isRequests);
}

/** A data request. */
export function getDataRequest(connection: Connection, id: string): GatewayResult<RequestView> {
  return send(connection, { method: 'get', path: dataRequestPath(id) }, isRequest);
}

/** Stops a data request. */
export function stopDataRequest(connection: Connection, id: string): GatewayResult<RequestStopped> {
  return send(connection, { method: 'delete', path: dataRequestPath(id) }, isStopped);
}

/** A ticket that opens the events of a data request once. */
export function createEventTicket(connection: Connection, id: string): GatewayResult<RequestTicket> {
  return send(connection, { method: 'post', path: `${dataRequestPath(id)}/ticket`, body: {} }, isTicket);
}

/** The query of an address; what is undefined is left out. */
function formatQuery(parameters: Readonly<Record<string, string | undefined>>): string {
  const parts = Object.entries(parameters).flatMap(([name, value]) =>
    value === undefined ? [] : [`${name}=${encodeURIComponent(value)}`],
  );
  return parts.length === 0 ? '' : `?${parts.join('&')}`;
}

/** Where rows are, and which of them. */
export interface RowsQuery {
  /** Path of a data request or a table's run. */
  path: string;
  after: string | null;
  limit: number;
  /** Paths; where absent, those that the request or the table has. */
  columns?: readonly string[];
}

/** The path of a page of rows. */
export function formatRowsPath({ path, after, limit, columns }: RowsQuery): string {
  const parameters = { after: after ?? undefined, limit: String(limit), columns: columns?.join(',') };
  return `${path}/rows${formatQuery(parameters)}`;
}

/** The path of a run of a table's schedule. */
export const scheduleRunPath = (table: string, run: string): string =>
  `tables/${encodeSegment(table)}/runs/${encodeSegment(run)}`;

/** Reads a page of rows. Free. */
export function listRows(connection: Connection, query: RowsQuery): GatewayResult<RequestRows> {
  return send(connection, { method: 'get', path: formatRowsPath(query) }, isRows);
}

/** Registers a table, or says how it is now. */
export function putRegisteredTable(
  connection: Connection,
  id: string,
  body: TableBody,
): GatewayResult<TableView> {
  return send(connection, { method: 'put', path: `tables/${encodeSegment(id)}`, body }, isTable);
}

/** Forgets a registered table, and its schedule with it. */
export function deleteRegisteredTable(connection: Connection, id: string): GatewayResult<unknown> {
  return send(connection, { method: 'delete', path: `tables/${encodeSegment(id)}` }, isAnyBody);
}

/** Reports that the sheet of a registered table was deleted: its schedule stops. */
export function reportMissingTable(connection: Connection, id: string): GatewayResult<unknown> {
  const path = `tables/${encodeSegment(id)}/missing`;
  return send(connection, { method: 'post', path, body: {} }, isAnyBody);
}

/** The team's registered tables. */
export function listRegisteredTables(connection: Connection): GatewayResult<TableList> {
  return send(connection, { method: 'get', path: 'tables' }, isTables);
}

/** What became ready. */
export function listChanges(connection: Connection, since: string | undefined): GatewayResult<ChangeList> {
  return send(connection, { method: 'get', path: `changes${formatQuery({ since })}` }, isChanges);
}

/** The team's schedules. */
export function listSchedules(connection: Connection): GatewayResult<ScheduleList> {
  return send(connection, { method: 'get', path: 'schedules' }, isSchedules);
}

/** Has a registered table refresh by itself, or changes how it does. */
export function putSchedule(
  connection: Connection,
  table: string,
  body: ScheduleBody,
): GatewayResult<Schedule> {
  return send(connection, { method: 'put', path: `schedules/${encodeSegment(table)}`, body }, isSchedule);
}

/** Ends the schedule of a table. */
export function deleteSchedule(connection: Connection, table: string): GatewayResult<unknown> {
  return send(connection, { method: 'delete', path: `schedules/${encodeSegment(table)}` }, isAnyBody);
}

/** Whom the team has told of what happens. */
export function listAlerts(connection: Connection): GatewayResult<AlertList> {
  return send(connection, { method: 'get', path: 'alerts' }, isAlerts);
}

/** Adds an alert address. */
export function createAlert(connection: Connection, body: AlertBody): GatewayResult<Alert> {
  return send(connection, { method: 'post', path: 'alerts', body }, isAlert);
}

/** Sends a test message to an alert address. */
export function sendTestAlert(connection: Connection, id: string): GatewayResult<Alert> {
  return send(connection, { method: 'post', path: `alerts/${encodeSegment(id)}/test`, body: {} }, isAlert);
}

/** Removes an alert address. */
export function deleteAlert(connection: Connection, id: string): GatewayResult<unknown> {
  return send(connection, { method: 'delete', path: `alerts/${encodeSegment(id)}` }, isAnyBody);
}
