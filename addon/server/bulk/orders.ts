// Bulk orders: creates, lists, watches and stops them, and writes their rows.
import type { DataRequestView, NewDataRequest } from '../../../shared/api/data-requests.ts';
import type { Connection } from '../../../shared/connection.ts';
import { families } from '../../../shared/families/index.ts';
import { defined } from '../../../shared/lib/defined.ts';
import { problems } from '../../../shared/problems.ts';
import { call } from '../../client/gateway.ts';
import { unwrap } from '../../client/http.ts';
import { isSpendingOn } from '../../client/spending.ts';
import { AddonError, createError, ignoreAddonErrors } from '../../lib/addon-error.ts';
import { readStoredJson, writeStoredJson } from '../../lib/document-store.ts';
import { withDocumentLock } from '../../lib/lock.ts';
import { findSheet } from '../../sheet/area.ts';
import { createDeliveryRun } from '../../tables/bulk/delivery-step.ts';
import {
  formatBulkTitle,
  type PreparedBulk,
  prepareBulk,
  requireBulkTable,
  toBulkPaths,
} from '../../tables/bulk/plan.ts';
import { requireTable } from '../../tables/located-table.ts';
import {
  addRequestCost,
  deleteTable,
  findTable,
  listRequests,
  listTables,
  listValuePaths,
  saveTable,
  type TableRecord,
} from '../../tables/registry.ts';
import { toValueColumns } from '../../tables/rows/layout.ts';
import { createPriceChangedError, requireConfirmation } from '../../tables/rows/overwrite.ts';
import { type StartedRun, saveRun } from '../../tables/runs/run-store.ts';
import { undoRun } from '../../tables/runs/undo.ts';
import { startUndoLog } from '../../tables/runs/undo-log.ts';
import { checkPlacement, createTable, createTableRecord, type Placement } from '../../tables/target.ts';
import { t, translate } from '../../texts/texts.ts';
import type { BulkList, BulkOrder, BulkOrderStatus, Payload, WriteMode } from '../api/index.ts';
import { updateRegistration } from '../tables/registration.ts';
import { handleRequestEnd } from './deliveries.ts';

const SHEET_REMOVED = 'The sheet or headings made for its rows were removed.';
const SPENDING_OFF = 'Spending is off for this spreadsheet. Switch it on under Activity to order records.';
const MAX_LISTED = 100;
/** Apps Script allows URLs of 2,082 characters, including the gateway's part and a cursor. */
const MAX_COLUMNS_LENGTH = 1500;
/** A table keeps the ids of this many earlier orders. */
const MAX_EARLIER = 10;

// The names of bulk orders are kept apart: their tables may be gone.
const ORDERS = 'CDAPI_ORDERS';
const MAX_TITLES = 30;

type OrderTitle = [id: string, title: string];

const isOrderTitle = (value: unknown): value is OrderTitle => Array.isArray(value) && value.length === 2;

function readTitles(): OrderTitle[] {
  const stored = readStoredJson(ORDERS);
  return Array.isArray(stored) ? stored.filter(isOrderTitle) : [];
}

/** Reads the names of the last orders of this spreadsheet, by the id of their data request. */
const readOrderTitles = (): ReadonlyMap<string, string> => new Map(readTitles());

/** Remembers the name of an order. It is placed and paid for, so a full store must not make it fail. */
function saveOrderTitle(id: string, title: string): void {
  ignoreAddonErrors(() => writeStoredJson(ORDERS, [[id, title], ...readTitles()].slice(0, MAX_TITLES)));
}

function toOrderStatus(
  tables: readonly TableRecord[],
  titles: ReadonlyMap<string, string>,
  request: DataRequestView,
): BulkOrderStatus {
  const { id, family, kind } = request;
  const found = tables.flatMap((table) =>
    listRequests(table).flatMap((each) =>
      each.id === id ? [{ ...each, table, isCurrent: table.requestId === id }] : [],
    ),
  );
  const { table, written = false, isCurrent } = found.find((each) => each.isCurrent) ?? found[0] ?? {};
  // An earlier order without written rows has left nothing in the table.
  const receiver = isCurrent || written ? table : undefined;
  const sheet = receiver && findSheet(receiver.place.sheetId)?.getName();
  return {
    ...request,
    title: (isCurrent ? table?.title : titles.get(id)) ?? formatBulkTitle(family, kind),
    ...(receiver && { tableId: receiver.id }),
    ...(sheet !== undefined && { sheet }),
    written,
    ...(isCurrent && table?.pendingMode !== undefined && !table.frozen && { isAwaited: true as const }),
    ...(sheet !== undefined && !isCurrent && receiver?.isFilled && { updated: true }),
  };
}

/** Lists the earlier data requests of a table that gets the rows of another one. */
const keepRequests = (table: TableRecord): Pick<TableRecord, 'earlierRequests'> => ({
  earlierRequests: listRequests(table).slice(0, MAX_EARLIER),
});

/** Lists the team's bulk orders. Tables that wait for a finished one get a delivery or stop waiting. */
export function listBulkOrders(connection: Connection): BulkList {
  const { requests } = unwrap(call(connection, 'listDataRequests', { query: { limit: MAX_LISTED } }));
  const registered = call(connection, 'listTables');
  const ended = new Map(requests.flatMap((each) => (each.ended_at === null ? [] : [[each.id, each]])));
  const waiting = listTables().filter(({ pendingMode, frozen }) => pendingMode !== undefined && !frozen);
  for (const { id, requestId = '' } of waiting) {
    if (!ended.has(requestId)) continue;
    withDocumentLock(() => {
      const table = findTable(id);
      const request = ended.get(requestId);
      if (table?.pendingMode !== undefined && request !== undefined) handleRequestEnd(table, request);
    });
  }
  const tables = listTables();
  const titles = readOrderTitles();
  return {
    requests: requests.map((request) => toOrderStatus(tables, titles, request)),
    pushAccount: registered.ok ? registered.body.push_account : null,
  };
}

/** Only `replace` gives a table a new title. */
const chooseTitle = ({ title }: TableRecord, mode: WriteMode, ordered: string): string =>
  mode === 'replace' ? ordered : title;

/** Builds the table of an order as it will be after the request was created. */
function buildTable(
  order: BulkOrder,
  { placement, query }: PreparedBulk,
): TableRecord & { pendingMode: WriteMode } {
  const { where, mode, title, push, family, source } = order;
  const limit = source.by === 'search' ? source.limit : undefined;
  const settings = {
    title,
    mode,
    asOf: new Date().toISOString(),
    pendingMode: where.kind === 'table' ? mode : ('append' as const),
    ...defined({ query, limit }),
    push: push && !(where.kind === 'table' && mode === 'replace'),
  };
  if (where.kind !== 'table')
    return { ...createTableRecord(placement, { kind: 'bulk', family }), ...settings };
  const { table } = requireTable(where.tableId);
  const { isFilled: _, query: __, limit: ___, placeholder: ____, ...kept } = table;
  return { ...kept, ...settings, ...keepRequests(table), title: chooseTitle(table, mode, title) };
}

/** Creates the data request, and repeats the call once if it may have succeeded: its idempotency key makes that safe. */
function createRequest(connection: Connection, body: NewDataRequest): DataRequestView {
  const request = { headers: { 'idempotency-key': Utilities.getUuid() }, body };
  const answer = call(connection, 'createDataRequest', request);
  const mayHaveSucceeded = !answer.ok && problems[answer.code].policy.retry === 'soon';
  return unwrap(mayHaveSucceeded ? call(connection, 'createDataRequest', request) : answer);
}

/** Chooses the mode of a run. Rows with kept changes stay where they are, so the others are updated by id. */
const chooseRunMode = (mode: WriteMode, keepsChanges: boolean): WriteMode =>
  keepsChanges && mode === 'replace' ? 'update' : mode;

function undoCreation(runId: string, tableId: string): void {
  if (ignoreAddonErrors(() => undoRun(runId)) === undefined) deleteTable(tableId);
}

/**
 * Creates the sheet or headings, and the data request. Its rows come later, as a delivery.
 * @throws AddonError `price_changed` if records or price differ from the approved plan, `confirm_first` if manual
 * changes would be replaced. If the request can't be created, the sheet changes are undone
 */
export function startBulk(order: Payload<'startBulk'>, connection: Connection): BulkList {
  const prepared = prepareBulk(order, connection);
  const { plan, placement, selection } = prepared;
  if (!isSpendingOn()) throw createError('spending_off', SPENDING_OFF);
  if (plan.records === 0)
    throw new AddonError(
      'not_found',
      `${t('Nothing matches, and nothing was changed.')} ${t('Widen the search.')}`,
    );
  requireConfirmation(plan.willOverwrite, order);
  const { approval } = order;
  if (approval.digest !== plan.approval.digest || approval.credits < plan.credits) {
    throw createPriceChangedError({ rows: plan.records, credits: plan.credits });
  }
  if (order.push && unwrap(call(connection, 'listTables')).push_account === null) {
    const { title, fix } = problems.push_not_configured;
    throw new AddonError(
      'push_not_configured',
      `${translate(title)} ${translate(fix)} ${t('Or order without it: the rows then come while the spreadsheet is open.')}`,
    );
  }
  const keepsChanges = order.keepChanges === true && plan.willOverwrite !== undefined;
  const { pendingMode, ...table } = buildTable(
    // The gateway can't tell what a person has changed.
    { ...order, mode: chooseRunMode(order.mode, keepsChanges), push: order.push && !keepsChanges },
    prepared,
  );
  const isNew = order.where.kind !== 'table';
  const undoId = Utilities.getUuid();
  if (isNew) startUndoLog(undoId, table.id, undefined);
  let request: DataRequestView;
  try {
    if (isNew) {
      table.place = createTable(placement, table, undoId);
      table.placeholder = { runId: undoId, sheet: order.where.kind === 'newSheet' };
      SpreadsheetApp.flush();
      saveTable(table);
    }
    const columns = listValuePaths(table);
    request = createRequest(connection, {
      ...selection,
      family: order.family,
      columns,
      max_credits: approval.credits,
    });
  } catch (error) {
    if (isNew) undoCreation(undoId, table.id);
    throw error;
  }
  saveOrderTitle(request.id, order.title);
  const waiting = {
    ...table,
    pendingMode,
    requestId: request.id,
    ...(keepsChanges ? { keepsChanges } : {}),
  };
  saveTable(waiting);
  updateRegistration(
    { ...waiting, registered: table.push === true || table.registered === true },
    connection,
  );
  try {
    return listBulkOrders(connection);
  } catch {
    // The request exists and is paid for. A failing list must not look like a failed order.
    return { requests: [toOrderStatus([waiting], new Map(), request)], pushAccount: null };
  }
}

/** Returns the URL of an order's event stream; it opens once. */
export function openBulkEvents({ id }: Payload<'bulkEvents'>, connection: Connection): { url: string } {
  const { ticket } = unwrap(call(connection, 'createTicket', { params: { id } }));
  const query = `ticket=${encodeURIComponent(ticket)}`;
  return {
    url: `${connection.url}/sheets/v1/requests/${encodeURIComponent(id)}/events?${query}`,
  };
}

/** Stops an order. Before it is sent, its credits are released. */
export function stopBulk(
  { id }: Payload<'stopBulk'>,
  connection: Connection,
): { message: string; list: BulkList } {
  const { message } = unwrap(call(connection, 'cancelDataRequest', { params: { id } }));
  const waiting = listTables().find(({ requestId }) => requestId === id);
  const list = listBulkOrders(connection);
  const isGone = waiting !== undefined && findTable(waiting.id) === undefined;
  return { message: isGone ? `${message} ${t(SHEET_REMOVED)}` : message, list };
}

/** Returns the columns to request if the table needs others than the data request has. */
function selectColumns({ columns }: TableRecord, request: DataRequestView): { columns?: string[] } {
  const paths = listValuePaths({ columns });
  const ordered: readonly string[] = request.columns ?? families[request.family].defaultFields;
  if (paths.every((path) => ordered.includes(path))) return {};
  if (encodeURIComponent(paths.join(',')).length > MAX_COLUMNS_LENGTH) {
    throw createError(
      'bad_call',
      'These are too many columns at once. Choose fewer, or only those of the order.',
    );
  }
  return { columns: paths };
}

/** Returns a table as it gets the rows of another data request. */
function receiveRequest(
  known: TableRecord,
  request: Pick<TableRecord, 'mode' | 'title' | 'requestId' | 'asOf'>,
): TableRecord {
  const { isFilled: _, placeholder: __, ...kept } = known;
  return { ...kept, ...(known.requestId === request.requestId ? {} : keepRequests(known)), ...request };
}

/**
 * Starts a run that writes the rows of a finished order. Free.
 * @throws AddonError `confirm_first` if manual changes would be replaced, `pending` if the order is not finished
 */
export function writeBulk(order: Payload<'writeBulk'>, connection: Connection): StartedRun {
  const { id, where, mode, title } = order;
  const request = unwrap(call(connection, 'getDataRequest', { params: { id } }));
  const { ended_at: asOf } = request;
  if (asOf === null) {
    throw createError('pending', 'This order isn’t finished. Write its rows when it is ready.');
  }
  if (request.rows === 0) throw createError('gone', 'This order has no rows, so there is nothing to write.');
  const { family, rows } = request;
  const paths = toBulkPaths(order.columns ?? request.columns ?? families[family].defaultFields);
  const check = (table: TableRecord): void => requireBulkTable(table, family, id);
  const placement: Placement = { where, mode, title, rows, columns: toValueColumns(paths), check };
  const { willOverwrite, target } = checkPlacement(placement);
  requireConfirmation(willOverwrite, order);
  const source = { kind: 'request' as const, id };
  // The cost of a request counts for the first table that receives its rows.
  const isCounted = listTables().some(({ countedRequestId }) => countedRequestId === id);
  const addCost = (table: TableRecord): TableRecord => (isCounted ? table : addRequestCost(table, request));
  const known = target && addCost(target.table);
  const keepsChanges = known !== undefined && order.keepChanges === true && willOverwrite !== undefined;
  const table =
    known === undefined
      ? addCost(createTableRecord(placement, { kind: 'bulk', family, requestId: id, asOf }))
      : receiveRequest(known, { mode, title: chooseTitle(known, mode, title), requestId: id, asOf });
  const runMode = known === undefined ? 'append' : chooseRunMode(mode, keepsChanges);
  const state = { source, mode: runMode, keepsChanges, ...selectColumns(table, request) };
  const run = createDeliveryRun(table, state, { total: rows, base: target?.rows ?? 0 });
  startUndoLog(run.id, table.id, known);
  if (known === undefined) table.place = createTable(placement, table, run.id);
  SpreadsheetApp.flush();
  saveTable(table);
  saveRun(run);
  return { run, table };
}
