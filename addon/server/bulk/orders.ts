// Bulk requests for the page: planned, made, listed, watched, stopped, and their rows written again.
import type { NewRequest, RequestView } from '../../../shared/api/data-requests.ts';
import type { Connection } from '../../../shared/connection.ts';
import { families } from '../../../shared/families/index.ts';
import { problems } from '../../../shared/problems.ts';
import type { Answer } from '../../client/gateway.ts';
import {
  makeRequest,
  requestOf,
  requestPath,
  requestsOf,
  stopRequest,
  tablesOf,
  ticketOf,
} from '../../client/gateway-data-requests.ts';
import { bodyOf } from '../../client/gateway-history.ts';
import { sheetSpends } from '../../client/spending.ts';
import { Refusal } from '../../lib/addon-error.ts';
import { whileLocked } from '../../lib/lock.ts';
import { sheetById } from '../../sheet/area.ts';
import { idBody, newRowsRun } from '../../tables/bulk/delivery-step.ts';
import {
  bulkPaths,
  bulkTitle,
  checkBulkTable,
  type PreparedBulk,
  prepareBulk,
} from '../../tables/bulk/plan.ts';
import { here, placed } from '../../tables/located-table.ts';
import {
  allTables,
  forgetTable,
  keepTable,
  type TableRecord,
  tableOf,
  withCost,
} from '../../tables/registry.ts';
import { priceChanged } from '../../tables/runs/approval.ts';
import { keepRun, type RunRecord } from '../../tables/runs/run-store.ts';
import { beginUndo, undoRun } from '../../tables/runs/undo.ts';
import { makeTable, newTable, targetOf, valueColumns, type Wanted } from '../../tables/target.ts';
import type { BulkList, BulkOrder, BulkRequest, Payload, WriteMode } from '../api/index.ts';
import { registerAgain } from '../tables/registration.ts';
import { requestEnded } from './deliveries.ts';

const TAKEN_BACK = 'What was made in the sheet for its rows was taken back.';
const SPENDING_OFF = 'Spending is off for this sheet. Switch it on under Activity to ask for records.';
/** Nobody knows whether such a call arrived; with the same key it is made once. */
const AGAIN: readonly string[] = ['provider_unavailable', 'gateway_unavailable', 'internal'];
/** Apps Script takes addresses of 2,082 characters; the gateway's own part and a cursor are in them, too. */
const MAX_COLUMNS_LENGTH = 1500;

function requestIn(tables: readonly TableRecord[], request: RequestView): BulkRequest {
  const table = tables.find(({ requestId }) => requestId === request.id);
  const sheet = table === undefined ? undefined : sheetById(table.place.sheetId)?.getName();
  return {
    ...request,
    title: table?.title ?? bulkTitle(request.family, request.kind),
    ...(table === undefined ? {} : { tableId: table.id }),
    ...(sheet === undefined ? {} : { sheet }),
    written: table?.filled === true,
  };
}

/** The team's bulk requests; tables that wait for one that has ended get its rows, or wait no more. */
export function bulkRequests(connection: Connection): BulkList {
  const { requests } = bodyOf(requestsOf(connection));
  const registered = tablesOf(connection);
  const ended = new Map(requests.flatMap((each) => (each.ended_at === null ? [] : [[each.id, each]])));
  const waiting = allTables().filter(({ awaits, frozen }) => awaits !== undefined && !frozen);
  for (const { id, requestId = '' } of waiting) {
    if (!ended.has(requestId)) continue;
    whileLocked(() => {
      const table = tableOf(id);
      const request = ended.get(requestId);
      if (table?.awaits !== undefined && request !== undefined) requestEnded(table, request);
    });
  }
  const tables = allTables();
  return {
    requests: requests.map((request) => requestIn(tables, request)),
    pushAccount: registered.ok ? (registered.body.push_account ?? null) : null,
  };
}

/** Only rows that are replaced make a table another one, with another name. */
const titleAfter = ({ title }: TableRecord, mode: WriteMode, ordered: string): string =>
  mode === 'replace' ? ordered : title;

/** The table that an order writes into, as it will be when its request is made. */
function tableFor(order: BulkOrder, { wanted, query }: PreparedBulk): TableRecord & { awaits: WriteMode } {
  const { where, mode, title, push, family } = order;
  const told = {
    title,
    mode,
    asOf: new Date().toISOString(),
    awaits: where.kind === 'table' ? mode : ('append' as const),
    ...(query === undefined ? {} : { query }),
    push: push && !(where.kind === 'table' && mode === 'replace'),
  };
  if (where.kind !== 'table') return { ...newTable(wanted, { kind: 'bulk', family }), ...told };
  const { table, found } = here(where.tableId);
  const { filled: _, query: __, made: ___, ...rest } = placed(table, found);
  return { ...rest, ...told, title: titleAfter(table, mode, title) };
}

/** Makes the request; where nobody heard the answer it is asked for once more. */
function made(connection: Connection, body: NewRequest): RequestView {
  const key = Utilities.getUuid();
  let answer: Answer<RequestView> = makeRequest(connection, body, key);
  if (!answer.ok && AGAIN.includes(answer.code)) answer = makeRequest(connection, body, key);
  return bodyOf(answer);
}

/** Takes back what was written for a request that was not made. */
function takeBack(runId: string, tableId: string): void {
  try {
    undoRun(runId);
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    forgetTable(tableId);
  }
}

/**
 * Makes the sheet or the headings, and the request; its rows come later.
 * @throws Refusal `price_changed` where records or price are not those of the approved plan; `confirm_first` where something
 * typed by hand would be replaced; where the request is not made nothing is left behind
 */
export function startBulk(order: Payload<'startBulk'>, connection: Connection): BulkList {
  const prepared = prepareBulk(order, connection);
  const { plan, wanted, selection } = prepared;
  if (!sheetSpends()) throw new Refusal('spending_off', SPENDING_OFF);
  if (plan.records === 0)
    throw new Refusal('not_found', 'Nothing matches, and nothing was changed. Widen the search.');
  if (plan.willOverwrite !== undefined && order.confirmed !== true) {
    throw new Refusal('confirm_first', plan.willOverwrite.question);
  }
  const { approval } = order;
  if (approval.digest !== plan.approval.digest || approval.credits < plan.credits) {
    throw priceChanged({ rows: plan.records, credits: plan.credits });
  }
  if (order.push && bodyOf(tablesOf(connection)).push_account === null) {
    const { title, fix } = problems.push_not_configured;
    throw new Refusal(
      'push_not_configured',
      `${title} ${fix} Or ask for the rows without it: they come when the spreadsheet is open.`,
    );
  }
  const { awaits, ...table } = tableFor(order, prepared);
  const isNew = order.where.kind !== 'table';
  const undoId = Utilities.getUuid();
  if (isNew) beginUndo(undoId, table.id, undefined);
  let request: RequestView;
  try {
    if (isNew) {
      table.place = makeTable(wanted, undoId);
      table.made = { runId: undoId, sheet: order.where.kind === 'newSheet' };
      SpreadsheetApp.flush();
      keepTable(table);
    }
    const columns = table.columns.flatMap(({ role, path }) => (role === 'value' ? [path] : []));
    request = made(connection, {
      ...selection,
      family: order.family,
      columns,
      max_credits: approval.credits,
    });
  } catch (error) {
    if (isNew) takeBack(undoId, table.id);
    throw error;
  }
  const waiting = { ...table, awaits, requestId: request.id };
  keepTable(waiting);
  registerAgain({ ...waiting, registered: table.push === true || table.registered === true }, connection);
  try {
    return bulkRequests(connection);
  } catch {
    // It is made and paid for: that the others can't be listed now must not look as if it were not.
    return { requests: [requestIn([waiting], request)], pushAccount: null };
  }
}

/** An address of the events of a request; it opens once. */
export function bulkEvents({ id }: Payload<'bulkEvents'>, connection: Connection): { url: string } {
  const { ticket } = bodyOf(ticketOf(connection, id));
  const path = `${requestPath(id)}/events?ticket=${encodeURIComponent(ticket)}`;
  return { url: `${connection.url}/sheets/v1/${path}` };
}

/** Stops a request: before it was sent its credits come back. */
export function stopBulk(
  { id }: Payload<'stopBulk'>,
  connection: Connection,
): { message: string; list: BulkList } {
  const { message } = bodyOf(stopRequest(connection, id));
  const waiting = allTables().find(({ requestId }) => requestId === id);
  const list = bulkRequests(connection);
  const isGone = waiting !== undefined && tableOf(waiting.id) === undefined;
  return { message: isGone ? `${message} ${TAKEN_BACK}` : message, list };
}

/** The paths of a table that shows a request's rows, and whether the request gives them by itself. */
function columnsOf({ columns }: TableRecord, request: RequestView): { columns?: string[] } {
  const paths = columns.flatMap(({ role, path }) => (role === 'value' ? [path] : []));
  const own: readonly string[] = request.columns ?? families[request.family].defaultFields;
  if (paths.every((path) => own.includes(path))) return {};
  if (encodeURIComponent(paths.join(',')).length > MAX_COLUMNS_LENGTH) {
    throw new Refusal(
      'bad_call',
      'So many columns that the request was not made with can’t be asked for at once. Choose fewer, or only those of the request.',
    );
  }
  return { columns: paths };
}

/**
 * Starts to write the rows of a request that is ready; free.
 * @throws Refusal `confirm_first` where something typed by hand would be replaced, `pending` where it is not ready
 */
export function writeBulk(
  order: Payload<'writeBulk'>,
  connection: Connection,
): { run: RunRecord; table: TableRecord } {
  const { id, where, mode, title } = order;
  const request = bodyOf(requestOf(connection, id));
  const { ended_at: asOf } = request;
  if (asOf === null) {
    throw new Refusal('pending', 'Its rows are still on their way. They can be written when it is ready.');
  }
  if (request.rows === 0)
    throw new Refusal('gone', 'This request brought no rows, so there is nothing to write.');
  const { family, rows } = request;
  const paths = bulkPaths(order.columns ?? request.columns ?? families[family].defaultFields);
  const check = (table: TableRecord): void => checkBulkTable(table, family, id);
  const wanted: Wanted = { where, mode, title, rows, columns: valueColumns(paths), check };
  const { willOverwrite } = targetOf(wanted);
  if (willOverwrite !== undefined && order.confirmed !== true) {
    throw new Refusal('confirm_first', willOverwrite.question);
  }
  const source = { kind: 'request' as const, id };
  // What was paid for it stands with the first table of this spreadsheet that gets its rows.
  const isCounted = allTables().some(({ paidFor }) => paidFor === id);
  const priced = (table: TableRecord): TableRecord => (isCounted ? table : withCost(table, request));
  if (where.kind === 'table') {
    const { table: known, found, others } = here(where.tableId);
    const { filled: _, made: __, ...rest } = priced(placed(known, found));
    const table: TableRecord = {
      ...rest,
      title: titleAfter(known, mode, title),
      mode,
      requestId: id,
      asOf,
    };
    const base = idBody(table, found, others).values.length;
    const state = { source, mode, ...columnsOf(table, request) };
    const run = newRowsRun(table, state, {
      total: rows,
      base,
      cleared: mode !== 'replace',
      credits: rest.credits - known.credits,
    });
    beginUndo(run.id, table.id, priced(known));
    keepTable(table);
    keepRun(run);
    return { run, table };
  }
  const table = priced(newTable(wanted, { kind: 'bulk', family, requestId: id, asOf }));
  const state = { source, mode: 'append' as const, ...columnsOf(table, request) };
  const run = newRowsRun(table, state, { total: rows, base: 0, cleared: true, credits: table.credits });
  beginUndo(run.id, table.id, undefined);
  table.place = makeTable(wanted, run.id);
  SpreadsheetApp.flush();
  keepTable(table);
  keepRun(run);
  return { run, table };
}
