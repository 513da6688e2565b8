// Writes a delivery, one page per step: rows of a data request or of a schedule's run, matched by id.

import type { DataRequestRows } from '../../../shared/api/data-requests.ts';
import type { Connection } from '../../../shared/connection.ts';
import { createIdConverter, toIdText } from '../../../shared/table/cells.ts';
import { compareRow, matchRows } from '../../../shared/table/plan.ts';
import { call } from '../../client/gateway.ts';
import { unwrap } from '../../client/http.ts';
import { AddonError } from '../../lib/addon-error.ts';
import {
  blankEntry,
  createEntryConverter,
  dateTimeEntry,
  type Entry,
  existingEntry,
  isSameCell,
  textEntry,
} from '../../sheet/entries.ts';
import type { BodyCells, TableLocation } from '../locate.ts';
import { relocateTable, requireTable } from '../located-table.ts';
import type { TableRecord } from '../registry.ts';
import { clearAdjacentLookups, findAdjacentLookups } from '../rows/adjacent-lookups.ts';
import {
  addRows,
  attachIds,
  findIdColumn,
  finishWrite,
  listIds,
  updateRows,
  type WriteResult,
  type WriteTarget,
} from '../rows/update-rows.ts';
import { listColumns, makeRoomBelow, type RowGroup, toCells, writeRowGroups } from '../rows/write-rows.ts';
import { openWrittenLog } from '../rows/written-rows.ts';
import { countWritten, createRun, type DeliveryState, type RunRecord } from '../runs/run-store.ts';
import { ensureUndoLog } from '../runs/undo-log.ts';
import { readBodyById } from '../search/step.ts';

/** Limits that keep a step below 25 s: rows per page, rows compared with existing ones, and cells. */
const MAX_ROWS = 2000;
const MAX_COMPARED = 500;
const MAX_CELLS = 40_000;
const MIN_ROWS = 100;

/** @throws AddonError if a table has no id column, or its heading is missing */
export function requireIds(table: TableRecord, location?: TableLocation): void {
  const id = findIdColumn(table);
  if (id < 0) {
    throw new AddonError(
      'bad_call',
      'Rows are matched by id, and this table has no id column. Write to a new sheet.',
    );
  }
  if (location !== undefined && location.columns[id] === undefined) {
    const heading = table.columns[id]?.heading ?? 'id';
    throw new AddonError(
      'gone',
      `The heading “${heading}” of “${table.title}” is missing, and rows are matched by it. Put it back above the ids and resume. Nothing was changed.`,
    );
  }
}

/**
 * Creates a run that writes a delivery.
 * @param rows.credits - of a delivery, the price of its rows; by default 0: writing rows again is free
 * @param rows.saved - of a delivery, also what rows from records already bought would have cost
 */
export function createDeliveryRun(
  table: TableRecord,
  {
    source,
    mode,
    columns,
    keepsChanges,
  }: Pick<DeliveryState, 'source' | 'mode' | 'columns' | 'keepsChanges'>,
  rows: { total: number; base: number; cleared: boolean; credits?: number; saved?: number },
): RunRecord {
  const { total, base, cleared, credits = 0, saved = 0 } = rows;
  const run = createRun(table, source.kind === 'request' ? 'bulk' : 'refresh', total, credits, {
    kind: 'delivery',
    source,
    mode,
    after: null,
    base,
    cleared,
    ...(columns === undefined ? {} : { columns }),
    ...(keepsChanges === true ? { keepsChanges } : {}),
  });
  return { ...run, credits, saved };
}

function fetchRows(run: RunRecord, state: DeliveryState, connection: Connection): DataRequestRows {
  const { table } = requireTable(run.tableId);
  const { source, after, mode, columns } = state;
  const most = mode === 'update' ? MAX_COMPARED : MAX_ROWS;
  const limit = Math.max(MIN_ROWS, Math.min(most, Math.floor(MAX_CELLS / table.columns.length)));
  const page = { after: after ?? undefined, limit };
  return unwrap(
    source.kind === 'request'
      ? call(connection, 'listDataRequestRows', {
          params: { id: source.id },
          query: { ...page, columns: columns?.join(',') },
        })
      : call(connection, 'listRunRows', { params: { id: table.id, run: source.id }, query: page }),
  );
}

/**
 * Converts a page to entries in the order of the table's columns, one row per id.
 * @returns the entries, and the indexes of the columns that they fill
 */
function toEntries(
  table: TableRecord,
  location: TableLocation,
  body: BodyCells,
  { columns, rows }: DataRequestRows,
): { entries: Entry[][]; at: number[] } {
  const toEntry = createEntryConverter();
  const toId = createIdConverter(listIds(table, body));
  const places = new Map(columns.map(({ name }, index) => [name, index]));
  const id = findIdColumn(table);
  const now = dateTimeEntry(new Date());
  const origin: Readonly<Partial<Record<string, Entry>>> = { retrieved: now, source: textEntry('brought') };
  const at = table.columns.flatMap(({ role, path }, column) => {
    const has = role === 'value' ? places.has(path) : origin[role] !== undefined;
    return has && location.columns[column] !== undefined ? [column] : [];
  });
  const filled = new Set(at);
  const entries = new Map<string, Entry[]>();
  for (const row of rows) {
    const line = table.columns.map(({ role, path }, column): Entry => {
      if (!filled.has(column)) return blankEntry;
      const value = row[places.get(path) ?? -1];
      return (
        origin[role] ?? (column === id ? { cell: toId(toIdText(value)), format: '' } : toEntry(value, path))
      );
    });
    entries.set(toIdText(line[id]?.cell), line);
  }
  entries.delete('');
  return { entries: [...entries.values()], at };
}

/** Replaces all rows of the table. */
function replaceAll({ runId, table, location, body, written }: WriteTarget, entries: Entry[][]): WriteResult {
  makeRoomBelow(runId, location, body, location.row + 1, entries.length);
  clearAdjacentLookups(runId, findAdjacentLookups(table.id, location));
  const left = Math.max(0, body.values.length - entries.length);
  const empty = Array.from({ length: left }, () => table.columns.map(() => blankEntry));
  const part = { row: location.row + 1, entries: [...entries, ...empty] };
  writeRowGroups(runId, location, [part], listColumns(location), findIdColumn(table));
  written.clear();
  for (const line of entries) written.add(toCells(line));
  return { rows: entries.length };
}

/** Lists the value columns without the id: they decide whether a row has changed. */
function listValueColumns(table: TableRecord, at: readonly number[]): number[] {
  const id = findIdColumn(table);
  return at.filter((column) => column !== id && table.columns[column]?.role === 'value');
}

/**
 * Compares a delivered row with the existing row of the same id. `torn` is a row that an interrupted step wrote in
 * part.
 */
function compareExisting(
  { table, written }: WriteTarget,
  line: readonly Entry[],
  old: readonly unknown[],
  counted: readonly number[],
): 'same' | 'torn' | 'other' {
  const { changed: differing } = compareRow(line, old, {
    columns: counted,
    idColumn: findIdColumn(table),
    isEqual: isSameCell,
  });
  if (differing.length === 0) return 'same';
  const torn = differing.every((column) => old[column] === '') && !written.isOurs(old);
  return torn ? 'torn' : 'other';
}

/** Appends rows with new ids. Existing rows stay; rows that an interrupted step wrote in part are completed. */
function appendNew(
  target: WriteTarget,
  { base }: DeliveryState,
  entries: Entry[][],
  at: number[],
): WriteResult {
  const { runId, table, location, body, written } = target;
  const id = findIdColumn(table);
  const counted = listValueColumns(table, at);
  const { existing, added } = matchRows(attachIds(table, entries), listIds(table, body));
  const fresh = added.map(({ line }) => line);
  const torn = new Map<number, Entry[]>();
  for (const { record, rows } of existing) {
    const [row = 0] = rows;
    const old = body.values[row] ?? [];
    const as = compareExisting(target, record.line, old, counted);
    if (as === 'same') written.add(old, at);
    else if (as === 'torn' && row >= base) {
      torn.set(
        row,
        record.line.map((entry, column) => (column === id ? existingEntry(old[id]) : entry)),
      );
    }
  }
  const parts = [...torn]
    .sort(([a], [b]) => a - b)
    .map(([row, line]): RowGroup => ({ row: location.row + 1 + row, entries: [line] }));
  addRows(target, fresh, undefined, at);
  writeRowGroups(runId, location, parts, at);
  for (const line of torn.values()) written.add(toCells(line), at);
  return { rows: torn.size + fresh.length, added: fresh.length };
}

function writeEntries(
  target: WriteTarget,
  state: DeliveryState,
  entries: Entry[][],
  at: number[],
): WriteResult {
  if (state.mode === 'replace' && !state.cleared) return replaceAll(target, entries);
  return state.mode === 'update'
    ? updateRows(target, entries, undefined, at, listValueColumns(target.table, at), state.keepsChanges)
    : appendNew(target, state, entries, at);
}

/**
 * Fetches the next page of a delivery and writes it. Idempotent: a page that was written before changes nothing.
 * Modifies the run; the caller saves it.
 * @returns whether there are more pages
 * @throws AddonError if the gateway or the sheet refuses; the run keeps its position
 */
export function stepDelivery(run: RunRecord, state: DeliveryState, connection: Connection): boolean {
  const answer = fetchRows(run, state, connection);
  // The table may have moved during the fetch.
  const { table, location } = relocateTable(run.tableId);
  if (table.frozen)
    throw new AddonError('bad_call', `“${table.title}” is frozen, so nothing can be written to it.`);
  requireIds(table, location);
  const body = readBodyById(table, location);
  const target: WriteTarget = {
    runId: run.id,
    table,
    location,
    body,
    written: openWrittenLog(table, location),
  };
  const { entries, at } = toEntries(table, location, body, answer);
  if (state.source.kind === 'table' && run.done === 0 && entries.length > 0) ensureUndoLog(run.id, table);
  const written = writeEntries(target, state, entries, at);
  finishWrite(target);
  state.cleared = true;
  state.after = answer.after;
  run.done += answer.rows.length;
  countWritten(run, written);
  run.total = answer.after === null ? run.done : Math.max(run.total, run.done);
  return answer.after !== null;
}
