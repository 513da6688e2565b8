// Deliveries: finished rows for tables of this spreadsheet. Detects, stores and writes them.
import type { DataRequestView } from '../../../shared/api/data-requests.ts';
import type { Change } from '../../../shared/api/tables.ts';
import type { Connection } from '../../../shared/connection.ts';
import { call } from '../../client/gateway.ts';
import { unwrap } from '../../client/http.ts';
import { createError, toFailure } from '../../lib/addon-error.ts';
import { readStored, writeStoredJson } from '../../lib/document-store.ts';
import { createGuard } from '../../lib/json.ts';
import { LOCK_BUSY_MESSAGE, withDocumentLock } from '../../lib/lock.ts';
import { createDeliveryRun, requireIds } from '../../tables/bulk/delivery-step.ts';
import { requireTable } from '../../tables/located-table.ts';
import { addRequestCost, findTable, listTables, saveTable, type TableRecord } from '../../tables/registry.ts';
import { findManualChanges } from '../../tables/rows/overwrite.ts';
import { readRowsById } from '../../tables/rows/write-page.ts';
import {
  listUnfinishedRuns,
  type RowsSource,
  type RunRecord,
  type StartedRun,
  saveRun,
} from '../../tables/runs/run-store.ts';
import { findLastFill } from '../../tables/runs/undo.ts';
import { startUndoLog } from '../../tables/runs/undo-log.ts';
import type { Delivery, Fill, Payload, RunState } from '../api/index.ts';
import { logError } from '../error-log.ts';
import { fillNewRows, reportMissingSheets } from '../tables/fill-rows.ts';
import { handleEmptyResult } from './empty-result.ts';

const NAME = 'CDAPI_ARRIVALS';
/** No more deliveries are fetched above this number. Finished rows stay available for thirty days. */
const MAX_WAITING = 100;
/** The sidebar announces fills that are younger. It polls every half minute. */
const NEW_FILL_MS = 60_000;
/** Pages of changes per poll. */
const MAX_PAGES = 10;

type PendingDelivery = Pick<Delivery, 'tableId' | 'rowsId' | 'kind'>;

interface StoredDeliveries {
  /** Cursor of the last change that was read. */
  cursor?: string;
  waiting: PendingDelivery[];
}

const isStored = createGuard<StoredDeliveries>({ waiting: 'list' });

const readDeliveries = (): StoredDeliveries => readStored(NAME, isStored) ?? { waiting: [] };

const isSame = (a: PendingDelivery, b: PendingDelivery): boolean =>
  a.tableId === b.tableId && a.rowsId === b.rowsId;

function mergeDeliveries(
  waiting: readonly PendingDelivery[],
  more: readonly PendingDelivery[],
): PendingDelivery[] {
  const all = [...waiting];
  for (const each of more) if (!all.some((known) => isSame(known, each))) all.push(each);
  return all;
}

const acceptsDeliveries = ({ frozen, pendingMode, registered }: TableRecord): boolean =>
  !frozen && (pendingMode !== undefined || registered === true);

function stopWaiting(table: TableRecord, request: DataRequestView): void {
  const { pendingMode: _, ...settled } = addRequestCost(table, request);
  saveTable(settled);
  handleEmptyResult(settled, request);
}

/**
 * Handles the end of a data request: stores a delivery for its table, or ends the waiting if there are no rows or
 * it was cancelled.
 */
export function handleRequestEnd(table: TableRecord, request: DataRequestView): void {
  if (request.rows === 0 || request.cancel_requested) {
    stopWaiting(table, request);
    return;
  }
  const stored = readDeliveries();
  const delivery: PendingDelivery = { tableId: table.id, rowsId: request.id, kind: 'request' };
  if (!stored.waiting.some((each) => isSame(each, delivery))) {
    writeStoredJson(NAME, { ...stored, waiting: mergeDeliveries(stored.waiting, [delivery]) });
  }
}

/** Converts a change to deliveries for tables of this spreadsheet. */
function toDeliveries(
  change: Change,
  tables: readonly TableRecord[],
  connection: Connection,
): PendingDelivery[] {
  if (change.kind === 'table') {
    return tables.some(({ id }) => id === change.id)
      ? [{ tableId: change.id, rowsId: change.run, kind: 'table' }]
      : [];
  }
  const waiting = tables.filter(
    ({ requestId, pendingMode }) => requestId === change.id && pendingMode !== undefined,
  );
  if (waiting.length === 0) return [];
  const request = call(connection, 'getDataRequest', { params: { id: change.id } });
  if (request.ok && request.body.rows === 0) {
    for (const table of waiting) stopWaiting(table, request.body);
    return [];
  }
  return waiting.map(({ id }) => ({ tableId: id, rowsId: change.id, kind: 'request' }));
}

/** Fills new rows. Failures must not keep finished rows away. */
function fillSafely(connection: Connection): void {
  try {
    fillNewRows(connection);
  } catch (error) {
    logError(toFailure(error));
  }
}

/** Polls the changes since the last poll and stores deliveries for tables of this spreadsheet. */
function pullChanges(connection: Connection): void {
  reportMissingSheets(connection);
  fillSafely(connection);
  const tables = listTables().filter(acceptsDeliveries);
  if (tables.length === 0) return;
  const stored = readDeliveries();
  const listChanges = (since?: string) => call(connection, 'listChanges', { query: { since } });
  for (let page = 0; page < MAX_PAGES && stored.waiting.length < MAX_WAITING; page += 1) {
    let answer = listChanges(stored.cursor);
    // The cursor is of another team: start over, which is free.
    if (!answer.ok && answer.code === 'invalid_request' && stored.cursor !== undefined)
      answer = listChanges();
    const { changes, cursor, more } = unwrap(answer);
    const deliveries = changes.flatMap((change) => toDeliveries(change, tables, connection));
    stored.waiting = mergeDeliveries(
      stored.waiting.filter(({ tableId }) => tables.some(({ id }) => id === tableId)),
      deliveries,
    );
    stored.cursor = cursor;
    if (!more) break;
  }
  writeStoredJson(NAME, stored);
}

/** Discards a schedule's deliveries for a table that the gateway has deleted. */
export function discardScheduleDeliveries(tableId: string): void {
  const stored = readDeliveries();
  const waiting = stored.waiting.filter((each) => each.tableId !== tableId || each.kind !== 'table');
  if (waiting.length < stored.waiting.length) writeStoredJson(NAME, { ...stored, waiting });
}

function findRun({ tableId, rowsId }: PendingDelivery): RunRecord | undefined {
  return listUnfinishedRuns().find(
    ({ tableId: id, internal: { work } }) =>
      id === tableId && work.kind === 'delivery' && work.source.id === rowsId,
  );
}

/**
 * Polls for deliveries and lists the pending ones, oldest first. Stopped and paused runs are in `unfinished` instead.
 * @param excludedStates - excludes deliveries whose run is in one of these states
 */
export function listDeliveries(
  connection: Connection,
  excludedStates: readonly RunState[] = ['stopped', 'paused'],
): { deliveries: Delivery[]; filled?: Fill } {
  try {
    withDocumentLock(() => pullChanges(connection));
  } catch (error) {
    // Another execution holds the lock: return the known deliveries.
    if (!(error instanceof Error) || error.message !== LOCK_BUSY_MESSAGE) throw error;
  }
  const { waiting } = readDeliveries();
  const filled = findLastFill();
  return {
    ...(filled !== undefined && Date.now() - Date.parse(filled.at) < NEW_FILL_MS ? { filled } : {}),
    deliveries: waiting.flatMap((each): Delivery[] => {
      const table = findTable(each.tableId);
      if (table === undefined || !acceptsDeliveries(table)) return [];
      const state = findRun(each)?.state;
      return state !== undefined && excludedStates.includes(state) ? [] : [{ ...each, title: table.title }];
    }),
  };
}

/** Chooses the write mode: the ordered one for the first rows of a data request, otherwise the table's delivery. */
function chooseMode({ mode, pendingMode }: TableRecord, kind: Delivery['kind']) {
  if (kind === 'request' && pendingMode !== undefined) return pendingMode;
  return mode === 'append' ? 'append' : 'update';
}

/**
 * Starts a run that writes a delivery, or returns the one that already exists.
 * @throws AddonError `confirm_first` if it would replace manual changes, `gone` if the rows are already written
 */
export function startDelivery(payload: Payload<'writeDelivery'>, connection: Connection): StartedRun {
  const delivery = readDeliveries().waiting.find((each) => isSame(each, payload));
  const { table, location } = requireTable(payload.tableId);
  const startedRun = findRun(payload);
  if (startedRun !== undefined) return { run: startedRun, table };
  if (delivery === undefined)
    throw createError('gone', 'These rows are already in “{title}”.', { title: table.title });
  if (table.frozen)
    throw createError('bad_call', '“{title}” is frozen, so nothing can be written to it.', {
      title: table.title,
    });
  requireIds(table);
  const body = readRowsById(table, location);
  const mode = chooseMode(table, delivery.kind);
  if (mode === 'replace' && findManualChanges(table, location, body) !== undefined) {
    throw createError(
      'confirm_first',
      'Rows of “{title}” were changed by hand after you ordered new rows. To replace the changes, write the rows from the list under Bulk into this table. It is free.',
      { title: table.title },
    );
  }
  const source: RowsSource = { kind: delivery.kind, id: delivery.rowsId };
  const request =
    delivery.kind === 'request'
      ? unwrap(call(connection, 'getDataRequest', { params: { id: delivery.rowsId } }))
      : undefined;
  const asOf = request?.ended_at ?? table.asOf;
  const { placeholder, ...filling } = request === undefined ? table : addRequestCost(table, request);
  const priced = { ...filling, ...(asOf === undefined ? {} : { asOf }) };
  const run = createDeliveryRun(
    priced,
    { source, mode, keepsChanges: delivery.kind === 'request' && table.keepsChanges === true },
    {
      total: request?.rows ?? 0,
      base: body.values.length,
      credits: priced.credits - table.credits,
      saved: priced.countedRequestId === table.countedRequestId ? 0 : (request?.credits.saved ?? 0),
    },
  );
  const { pendingMode: _, keepsChanges: __, ...undone } = priced;
  // A run of a schedule may have no rows, and starts its undo log with the first one.
  if (delivery.kind === 'request') startUndoLog(run.id, table.id, undone, placeholder?.runId);
  saveTable(priced);
  saveRun(run);
  return { run, table: priced };
}

/**
 * Finishes a delivery: written completely, or discarded.
 * @param landed - all rows are in the table
 */
export function finishDelivery({ tableId, internal: { work } }: RunRecord, landed: boolean): void {
  if (work.kind !== 'delivery') return;
  const { kind, id } = work.source;
  const stored = readDeliveries();
  const waiting = stored.waiting.filter((each) => !isSame(each, { tableId, rowsId: id, kind }));
  if (waiting.length < stored.waiting.length) writeStoredJson(NAME, { ...stored, waiting });
  const table = findTable(tableId);
  if (table === undefined || kind !== 'request' || table.requestId !== id) return;
  const { pendingMode: _, keepsChanges: __, ...settled } = table;
  saveTable({ ...settled, ...(landed ? { isFilled: true } : {}) });
}
