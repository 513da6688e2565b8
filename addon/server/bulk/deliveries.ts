// Rows that became ready for tables of this spreadsheet: found out, kept until they are written, and written.
import type { RequestView } from '../../../shared/api/data-requests.ts';
import type { Change } from '../../../shared/api/tables.ts';
import type { Connection } from '../../../shared/connection.ts';
import type { Answer } from '../../client/gateway.ts';
import { changesOf, requestOf } from '../../client/gateway-data-requests.ts';
import { bodyOf } from '../../client/gateway-history.ts';
import { Refusal } from '../../lib/addon-error.ts';
import { keepJson, keptJson } from '../../lib/document-store.ts';
import { BUSY, whileLocked } from '../../lib/lock.ts';
import { idBody, needsIds, newRowsRun } from '../../tables/bulk/delivery-step.ts';
import { here } from '../../tables/located-table.ts';
import { allTables, keepTable, type TableRecord, tableOf, withCost } from '../../tables/registry.ts';
import { changedByHand } from '../../tables/rows/overwrite.ts';
import { allColumns } from '../../tables/rows/write-rows.ts';
import { keepRun, type RowsSource, type RunRecord, unfinishedRuns } from '../../tables/runs/run-store.ts';
import { beginUndo } from '../../tables/runs/undo.ts';
import type { Arrival, Payload, RunState } from '../api/index.ts';
import { reportMissingSheets } from '../tables/missing-sheets.ts';
import { nothingCame } from './empty-result.ts';

const NAME = 'CDAPI_ARRIVALS';
/** Where so many wait no more are asked for: what is ready stays so for thirty days. */
const MAX_WAITING = 100;
/** Pages of changes in one look. */
const MAX_PAGES = 10;

type Waiting = Pick<Arrival, 'tableId' | 'rowsId' | 'kind'>;

/** What is kept between looks. */
interface Kept {
  /** Behind what was seen of the team's changes. */
  cursor?: string;
  waiting: Waiting[];
}

function isKept(value: unknown): value is Kept {
  return typeof value === 'object' && value !== null && 'waiting' in value;
}

function readKept(): Kept {
  const kept = keptJson(NAME);
  return isKept(kept) ? kept : { waiting: [] };
}

const isSame = (one: Waiting, other: Waiting): boolean =>
  one.tableId === other.tableId && one.rowsId === other.rowsId;

function join(waiting: readonly Waiting[], more: readonly Waiting[]): Waiting[] {
  const all = [...waiting];
  for (const each of more) if (!all.some((other) => isSame(other, each))) all.push(each);
  return all;
}

/** May rows come into a table by themselves? */
const isOpen = ({ frozen, awaits, registered }: TableRecord): boolean =>
  !frozen && (awaits !== undefined || registered === true);

/** Ends a table's waiting for rows that will not come. */
function awaitNoMore(table: TableRecord, request: RequestView): void {
  const { awaits: _, ...rest } = withCost(table, request);
  keepTable(rest);
  nothingCame(rest, request);
}

/** Notes that a bulk request has ended: its table gets its rows, or waits no more where it has none or nobody watched. */
export function requestEnded(table: TableRecord, request: RequestView): void {
  if (request.rows === 0 || !request.watched) {
    awaitNoMore(table, request);
    return;
  }
  const kept = readKept();
  const own: Waiting = { tableId: table.id, rowsId: request.id, kind: 'request' };
  if (!kept.waiting.some((each) => isSame(each, own))) {
    keepJson(NAME, { ...kept, waiting: join(kept.waiting, [own]) });
  }
}

/** What a change means for tables of this spreadsheet. */
function concerned(change: Change, tables: readonly TableRecord[], connection: Connection): Waiting[] {
  if (change.kind === 'table') {
    return tables.some(({ id }) => id === change.id)
      ? [{ tableId: change.id, rowsId: change.run, kind: 'table' }]
      : [];
  }
  const waiting = tables.filter(({ requestId, awaits }) => requestId === change.id && awaits !== undefined);
  if (waiting.length === 0) return [];
  const request = requestOf(connection, change.id);
  if (request.ok && request.body.rows === 0) {
    for (const table of waiting) awaitNoMore(table, request.body);
    return [];
  }
  return waiting.map(({ id }) => ({ tableId: id, rowsId: change.id, kind: 'request' }));
}

/** Asks what became ready since the last look, and keeps what is for tables of this spreadsheet. */
function pull(connection: Connection): void {
  reportMissingSheets(connection);
  const tables = allTables().filter(isOpen);
  if (tables.length === 0) return;
  const kept = readKept();
  for (let page = 0; page < MAX_PAGES && kept.waiting.length < MAX_WAITING; page += 1) {
    let answer: Answer<{ changes: Change[]; cursor: string; more: boolean }> = changesOf(
      connection,
      kept.cursor,
    );
    // The cursor of another team, or of before the gateway was set up anew: from the beginning, which is free.
    if (!answer.ok && answer.code === 'invalid_request' && kept.cursor !== undefined) {
      answer = changesOf(connection, undefined);
    }
    const { changes, cursor, more } = bodyOf(answer);
    const found = changes.flatMap((change) => concerned(change, tables, connection));
    kept.waiting = join(
      kept.waiting.filter(({ tableId }) => tables.some(({ id }) => id === tableId)),
      found,
    );
    kept.cursor = cursor;
    if (!more) break;
  }
  keepJson(NAME, kept);
}

/** Forgets what a schedule brought for a table that the Worker knows no more: its rows are gone. */
export function leaveRuns(tableId: string): void {
  const kept = readKept();
  const waiting = kept.waiting.filter((each) => each.tableId !== tableId || each.kind !== 'table');
  if (waiting.length < kept.waiting.length) keepJson(NAME, { ...kept, waiting });
}

/** A run that was begun for some rows. */
function runFor({ tableId, rowsId }: Waiting): RunRecord | undefined {
  return unfinishedRuns().find((run) => run.tableId === tableId && run.brought?.source.id === rowsId);
}

/**
 * Asks what became ready, and tells what waits to be written, the oldest first. What somebody stopped, or what was refused,
 * is among the unfinished runs instead.
 * @param held - a run in one of these states is left alone
 */
export function arrivals(
  connection: Connection,
  held: readonly RunState[] = ['stopped', 'paused'],
): { arrivals: Arrival[] } {
  try {
    whileLocked(() => pull(connection));
  } catch (error) {
    // Somebody else is writing: what is known already is told.
    if (!(error instanceof Error) || error.message !== BUSY) throw error;
  }
  const { waiting } = readKept();
  return {
    arrivals: waiting.flatMap((each): Arrival[] => {
      const table = tableOf(each.tableId);
      if (table === undefined || !isOpen(table)) return [];
      const state = runFor(each)?.state;
      return state !== undefined && held.includes(state) ? [] : [{ ...each, title: table.title }];
    }),
  };
}

/** How rows that came meet a table: the first rows of a request as it was ordered, later ones as the table is kept. */
function modeOf({ mode, awaits }: TableRecord, kind: Arrival['kind']) {
  if (kind === 'request' && awaits !== undefined) return awaits;
  return mode === 'append' ? 'append' : 'update';
}

/**
 * Starts to write rows that came, or goes on with it.
 * @throws Refusal `confirm_first` where it would replace what was changed by hand, `gone` where the rows are written
 */
export function startArrival(
  payload: Payload<'writeArrival'>,
  connection: Connection,
): { run: RunRecord; table: TableRecord } {
  const own = readKept().waiting.find((each) => isSame(each, payload));
  const { table, found, others } = here(payload.tableId);
  const begun = runFor(payload);
  if (begun !== undefined) return { run: begun, table };
  if (own === undefined) throw new Refusal('gone', `These rows are in “${table.title}” already.`);
  if (table.frozen) throw new Refusal('bad_call', `“${table.title}” is frozen: nothing is written into it.`);
  needsIds(table, found);
  const body = idBody(table, found, others);
  const mode = modeOf(table, own.kind);
  const all = body.values.map((_, at) => at);
  if (mode === 'replace' && changedByHand(table, found, body, all, allColumns(found)) !== undefined) {
    throw new Refusal(
      'confirm_first',
      `Rows of “${table.title}” were changed by hand since its new rows were asked for. Write them from the list under Bulk, into this table, to replace what was typed; it is free.`,
    );
  }
  const source: RowsSource = { kind: own.kind, id: own.rowsId };
  const request = own.kind === 'request' ? bodyOf(requestOf(connection, own.rowsId)) : undefined;
  const asOf = request?.ended_at ?? table.asOf;
  const { made: _, ...filling } = request === undefined ? table : withCost(table, request);
  const priced = { ...filling, ...(asOf === undefined ? {} : { asOf }) };
  const run = newRowsRun(
    priced,
    { source, mode },
    {
      total: request?.rows ?? 0,
      base: body.values.length,
      cleared: mode !== 'replace',
      credits: priced.credits - table.credits,
    },
  );
  const { awaits: __, ...undone } = priced;
  beginUndo(run.id, table.id, undone);
  keepTable(priced);
  keepRun(run);
  return { run, table: priced };
}

/**
 * Notes that rows which were brought are in their table, or that they are left alone for good.
 * @param landed - all of them are in it
 */
export function settle({ tableId, brought }: RunRecord, landed: boolean): void {
  if (brought === undefined) return;
  const { kind, id } = brought.source;
  const kept = readKept();
  const waiting = kept.waiting.filter((each) => !isSame(each, { tableId, rowsId: id, kind }));
  if (waiting.length < kept.waiting.length) keepJson(NAME, { ...kept, waiting });
  const table = tableOf(tableId);
  if (table === undefined || kind !== 'request' || table.requestId !== id) return;
  const { awaits: _, ...rest } = table;
  keepTable({ ...rest, ...(landed ? { filled: true } : {}) });
}
