// Rows that became ready for tables of this spreadsheet: found out, kept until they are written, and written.
import type { RequestView } from '../../../shared/api/data-requests.ts';
import type { Change } from '../../../shared/api/tables.ts';
import type { Connection } from '../../../shared/connection.ts';
import type { GatewayResult } from '../../client/gateway.ts';
import { getDataRequest, listChanges } from '../../client/gateway-data-requests.ts';
import { unwrap } from '../../client/gateway-history.ts';
import { AddonError } from '../../lib/addon-error.ts';
import { readStoredJson, writeStoredJson } from '../../lib/document-store.ts';
import { LOCK_BUSY_MESSAGE, withDocumentLock } from '../../lib/lock.ts';
import { createDeliveryRun, readBodyById, requireIds } from '../../tables/bulk/delivery-step.ts';
import { requireTable } from '../../tables/located-table.ts';
import { addRequestCost, findTable, listTables, saveTable, type TableRecord } from '../../tables/registry.ts';
import { findManualChanges } from '../../tables/rows/overwrite.ts';
import { listColumns } from '../../tables/rows/write-rows.ts';
import { listUnfinishedRuns, type RowsSource, type RunRecord, saveRun } from '../../tables/runs/run-store.ts';
import { startUndoLog } from '../../tables/runs/undo.ts';
import type { Delivery, Payload, RunState } from '../api/index.ts';
import { reportMissingSheets } from '../tables/missing-sheets.ts';
import { handleEmptyResult } from './empty-result.ts';

const NAME = 'CDAPI_ARRIVALS';
/** Where so many wait no more are asked for: what is ready stays so for thirty days. */
const MAX_WAITING = 100;
/** Pages of changes in one look. */
const MAX_PAGES = 10;

type PendingDelivery = Pick<Delivery, 'tableId' | 'rowsId' | 'kind'>;

/** What is kept between looks. */
interface StoredDeliveries {
  /** Behind what was seen of the team's changes. */
  cursor?: string;
  waiting: PendingDelivery[];
}

function isStoredDeliveries(value: unknown): value is StoredDeliveries {
  return typeof value === 'object' && value !== null && 'waiting' in value;
}

function readStored(): StoredDeliveries {
  const stored = readStoredJson(NAME);
  return isStoredDeliveries(stored) ? stored : { waiting: [] };
}

const isSame = (one: PendingDelivery, other: PendingDelivery): boolean =>
  one.tableId === other.tableId && one.rowsId === other.rowsId;

function mergeDeliveries(
  waiting: readonly PendingDelivery[],
  more: readonly PendingDelivery[],
): PendingDelivery[] {
  const all = [...waiting];
  for (const each of more) if (!all.some((other) => isSame(other, each))) all.push(each);
  return all;
}

/** May rows come into a table by themselves? */
const acceptsDeliveries = ({ frozen, pendingMode, registered }: TableRecord): boolean =>
  !frozen && (pendingMode !== undefined || registered === true);

/** Ends a table's waiting for rows that will not come. */
function stopWaiting(table: TableRecord, request: RequestView): void {
  const { pendingMode: _, ...rest } = addRequestCost(table, request);
  saveTable(rest);
  handleEmptyResult(rest, request);
}

/** Notes that a bulk request has ended: its table gets its rows, or waits no more where it has none or nobody watched. */
export function handleRequestEnd(table: TableRecord, request: RequestView): void {
  if (request.rows === 0 || !request.watched) {
    stopWaiting(table, request);
    return;
  }
  const stored = readStored();
  const own: PendingDelivery = { tableId: table.id, rowsId: request.id, kind: 'request' };
  if (!stored.waiting.some((each) => isSame(each, own))) {
    writeStoredJson(NAME, { ...stored, waiting: mergeDeliveries(stored.waiting, [own]) });
  }
}

/** What a change means for tables of this spreadsheet. */
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
  const request = getDataRequest(connection, change.id);
  if (request.ok && request.body.rows === 0) {
    for (const table of waiting) stopWaiting(table, request.body);
    return [];
  }
  return waiting.map(({ id }) => ({ tableId: id, rowsId: change.id, kind: 'request' }));
}

/** Asks what became ready since the last look, and keeps what is for tables of this spreadsheet. */
function pullChanges(connection: Connection): void {
  reportMissingSheets(connection);
  const tables = listTables().filter(acceptsDeliveries);
  if (tables.length === 0) return;
  const stored = readStored();
  for (let page = 0; page < MAX_PAGES && stored.waiting.length < MAX_WAITING; page += 1) {
    let answer: GatewayResult<{ changes: Change[]; cursor: string; more: boolean }> = listChanges(
      connection,
      stored.cursor,
    );
    // The cursor of another team, or of before the gateway was set up anew: from the beginning, which is free.
    if (!answer.ok && answer.code === 'invalid_request' && stored.cursor !== undefined) {
      answer = listChanges(connection, undefined);
    }
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

/** Forgets what a schedule brought for a table that the Worker knows no more: its rows are gone. */
export function discardScheduleDeliveries(tableId: string): void {
  const stored = readStored();
  const waiting = stored.waiting.filter((each) => each.tableId !== tableId || each.kind !== 'table');
  if (waiting.length < stored.waiting.length) writeStoredJson(NAME, { ...stored, waiting });
}

/** A run that was begun for some rows. */
function findRun({ tableId, rowsId }: PendingDelivery): RunRecord | undefined {
  return listUnfinishedRuns().find((run) => run.tableId === tableId && run.delivery?.source.id === rowsId);
}

/**
 * Asks what became ready, and tells what waits to be written, the oldest first. What somebody stopped, or what was refused,
 * is among the unfinished runs instead.
 * @param held - a run in one of these states is left alone
 */
export function listDeliveries(
  connection: Connection,
  excludedStates: readonly RunState[] = ['stopped', 'paused'],
): { arrivals: Delivery[] } {
  try {
    withDocumentLock(() => pullChanges(connection));
  } catch (error) {
    // Somebody else is writing: what is known already is told.
    if (!(error instanceof Error) || error.message !== LOCK_BUSY_MESSAGE) throw error;
  }
  const { waiting } = readStored();
  return {
    arrivals: waiting.flatMap((each): Delivery[] => {
      const table = findTable(each.tableId);
      if (table === undefined || !acceptsDeliveries(table)) return [];
      const state = findRun(each)?.state;
      return state !== undefined && excludedStates.includes(state) ? [] : [{ ...each, title: table.title }];
    }),
  };
}

/** How rows that came meet a table: the first rows of a request as it was ordered, later ones as the table is kept. */
function chooseMode({ mode, pendingMode }: TableRecord, kind: Delivery['kind']) {
  if (kind === 'request' && pendingMode !== undefined) return pendingMode;
  return mode === 'append' ? 'append' : 'update';
}

/**
 * Starts to write rows that came, or goes on with it.
 * @throws Refusal `confirm_first` where it would replace what was changed by hand, `gone` where the rows are written
 */
export function startDelivery(
  payload: Payload<'writeArrival'>,
  connection: Connection,
): { run: RunRecord; table: TableRecord } {
  const own = readStored().waiting.find((each) => isSame(each, payload));
  const { table, location, others } = requireTable(payload.tableId);
  const startedRun = findRun(payload);
  if (startedRun !== undefined) return { run: startedRun, table };
  if (own === undefined) throw new AddonError('gone', `These rows are in “${table.title}” already.`);
  if (table.frozen)
    throw new AddonError('bad_call', `“${table.title}” is frozen: nothing is written into it.`);
  requireIds(table, location);
  const body = readBodyById(table, location, others);
  const mode = chooseMode(table, own.kind);
  const all = body.values.map((_, at) => at);
  if (
    mode === 'replace' &&
    findManualChanges(table, location, body, all, listColumns(location)) !== undefined
  ) {
    throw new AddonError(
      'confirm_first',
      `Rows of “${table.title}” were changed by hand since its new rows were asked for. Write them from the list under Bulk, into this table, to replace what was typed; it is free.`,
    );
  }
  const source: RowsSource = { kind: own.kind, id: own.rowsId };
  const request = own.kind === 'request' ? unwrap(getDataRequest(connection, own.rowsId)) : undefined;
  const asOf = request?.ended_at ?? table.asOf;
  const { placeholder: _, ...filling } = request === undefined ? table : addRequestCost(table, request);
  const priced = { ...filling, ...(asOf === undefined ? {} : { asOf }) };
  const run = createDeliveryRun(
    priced,
    { source, mode },
    {
      total: request?.rows ?? 0,
      base: body.values.length,
      cleared: mode !== 'replace',
      credits: priced.credits - table.credits,
    },
  );
  const { pendingMode: __, ...undone } = priced;
  startUndoLog(run.id, table.id, undone);
  saveTable(priced);
  saveRun(run);
  return { run, table: priced };
}

/**
 * Notes that rows which were brought are in their table, or that they are left alone for good.
 * @param landed - all of them are in it
 */
export function finishDelivery({ tableId, delivery }: RunRecord, landed: boolean): void {
  if (delivery === undefined) return;
  const { kind, id } = delivery.source;
  const stored = readStored();
  const waiting = stored.waiting.filter((each) => !isSame(each, { tableId, rowsId: id, kind }));
  if (waiting.length < stored.waiting.length) writeStoredJson(NAME, { ...stored, waiting });
  const table = findTable(tableId);
  if (table === undefined || kind !== 'request' || table.requestId !== id) return;
  const { pendingMode: _, ...rest } = table;
  saveTable({ ...rest, ...(landed ? { isFilled: true } : {}) });
}
