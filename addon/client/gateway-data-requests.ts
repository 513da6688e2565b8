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
import { type Answer, call, type IsAnswer, shaped } from './gateway.ts';

const isEstimate = shaped<RequestEstimate>({ records: 'number', cached: 'number', credits: 'number' });
const isRequest = shaped<RequestView>({ id: 'string', state: 'string', rows: 'number' });
const isRequests = shaped<RequestList>({ requests: 'list' });
const isStopped = shaped<RequestStopped>({ message: 'string' });
const isTicket = shaped<RequestTicket>({ ticket: 'string' });
const isRows = shaped<RequestRows>({ columns: 'list', rows: 'list' });
const isTable = shaped<TableView>({ id: 'string', as_of: 'string' });
const isTables = shaped<TableList>({ tables: 'list' });
const isChanges = shaped<ChangeList>({ changes: 'list', cursor: 'string' });
const isSchedule = shaped<Schedule>({ table: 'string', every: 'string' });
const isSchedules = shaped<ScheduleList>({ schedules: 'list' });
const isAlert = shaped<Alert>({ id: 'string', host: 'string' });
const isAlerts = shaped<AlertList>({ alerts: 'list' });
/** What comes back where something was deleted is of no interest. */
const isAnything: IsAnswer<unknown> = (body): body is unknown => body !== null;

/** The most requests of one answer. */
const MAX_LISTED = 100;

const segment = (id: string): string => encodeURIComponent(id);

/** The path of a data request. */
export const requestPath = (id: string): string => `requests/${segment(id)}`;

/**
 * Makes a data request.
 * @param idempotencyKey - the same one makes it once
 */
export function makeRequest(
  connection: Connection,
  body: NewRequest,
  idempotencyKey: string,
): Answer<RequestView> {
  return call(connection, { method: 'post', path: 'requests', body, idempotencyKey }, isRequest);
}

/** Asks what a data request would bring and cost now. Free. */
export function estimateRequest(connection: Connection, body: NewRequest): Answer<RequestEstimate> {
  return call(connection, { method: 'post', path: 'estimate/data-request', body }, isEstimate);
}

/** The team's last data requests. */
export function requestsOf(connection: Connection): Answer<RequestList> {
  return call(connection, { method: 'get', path: `requests?limit=${MAX_LISTED}` }, isRequests);
}

/** A data request. */
export function requestOf(connection: Connection, id: string): Answer<RequestView> {
  return call(connection, { method: 'get', path: requestPath(id) }, isRequest);
}

/** Stops a data request. */
export function stopRequest(connection: Connection, id: string): Answer<RequestStopped> {
  return call(connection, { method: 'delete', path: requestPath(id) }, isStopped);
}

/** A ticket that opens the events of a data request once. */
export function ticketOf(connection: Connection, id: string): Answer<RequestTicket> {
  return call(connection, { method: 'post', path: `${requestPath(id)}/ticket`, body: {} }, isTicket);
}

/** The query of an address; what is undefined is left out. */
function queryOf(parameters: Readonly<Record<string, string | undefined>>): string {
  const parts = Object.entries(parameters).flatMap(([name, value]) =>
    value === undefined ? [] : [`${name}=${encodeURIComponent(value)}`],
  );
  return parts.length === 0 ? '' : `?${parts.join('&')}`;
}

/** Where rows are, and which of them. */
export interface RowsQuery {
  /** Path of a data request or a table's run. */
  of: string;
  after: string | null;
  limit: number;
  /** Paths; where absent, those that the request or the table has. */
  columns?: readonly string[];
}

/** The path of a page of rows. */
export function rowsPath({ of, after, limit, columns }: RowsQuery): string {
  const parameters = { after: after ?? undefined, limit: String(limit), columns: columns?.join(',') };
  return `${of}/rows${queryOf(parameters)}`;
}

/** The path of a run of a table's schedule. */
export const runPath = (table: string, run: string): string =>
  `tables/${segment(table)}/runs/${segment(run)}`;

/** Reads a page of rows. Free. */
export function rowsOf(connection: Connection, query: RowsQuery): Answer<RequestRows> {
  return call(connection, { method: 'get', path: rowsPath(query) }, isRows);
}

/** Registers a table, or says how it is now. */
export function putTable(connection: Connection, id: string, body: TableBody): Answer<TableView> {
  return call(connection, { method: 'put', path: `tables/${segment(id)}`, body }, isTable);
}

/** Forgets a registered table, and its schedule with it. */
export function deleteTable(connection: Connection, id: string): Answer<unknown> {
  return call(connection, { method: 'delete', path: `tables/${segment(id)}` }, isAnything);
}

/** Reports that the sheet of a registered table was deleted: its schedule stops. */
export function reportMissing(connection: Connection, id: string): Answer<unknown> {
  const path = `tables/${segment(id)}/missing`;
  return call(connection, { method: 'post', path, body: {} }, isAnything);
}

/** The team's registered tables. */
export function tablesOf(connection: Connection): Answer<TableList> {
  return call(connection, { method: 'get', path: 'tables' }, isTables);
}

/** What became ready. */
export function changesOf(connection: Connection, since: string | undefined): Answer<ChangeList> {
  return call(connection, { method: 'get', path: `changes${queryOf({ since })}` }, isChanges);
}

/** The team's schedules. */
export function schedulesOf(connection: Connection): Answer<ScheduleList> {
  return call(connection, { method: 'get', path: 'schedules' }, isSchedules);
}

/** Has a registered table refresh by itself, or changes how it does. */
export function putSchedule(connection: Connection, table: string, body: ScheduleBody): Answer<Schedule> {
  return call(connection, { method: 'put', path: `schedules/${segment(table)}`, body }, isSchedule);
}

/** Ends the schedule of a table. */
export function deleteSchedule(connection: Connection, table: string): Answer<unknown> {
  return call(connection, { method: 'delete', path: `schedules/${segment(table)}` }, isAnything);
}

/** Whom the team has told of what happens. */
export function alertsOf(connection: Connection): Answer<AlertList> {
  return call(connection, { method: 'get', path: 'alerts' }, isAlerts);
}

/** Adds an alert address. */
export function addAlert(connection: Connection, body: AlertBody): Answer<Alert> {
  return call(connection, { method: 'post', path: 'alerts', body }, isAlert);
}

/** Sends a test message to an alert address. */
export function testAlert(connection: Connection, id: string): Answer<Alert> {
  return call(connection, { method: 'post', path: `alerts/${segment(id)}/test`, body: {} }, isAlert);
}

/** Removes an alert address. */
export function removeAlert(connection: Connection, id: string): Answer<unknown> {
  return call(connection, { method: 'delete', path: `alerts/${segment(id)}` }, isAnything);
}
