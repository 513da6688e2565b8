// Writes the preview of a search, one page per step: replaces, appends or updates rows.

import type { PreviewRequest } from '../../../shared/api/search.ts';
import type { Connection } from '../../../shared/connection.ts';
import { hasPreviewField, previewPageSize } from '../../../shared/families/previews.ts';
import { toIdText } from '../../../shared/table/cells.ts';
import { call } from '../../client/gateway.ts';
import { unwrap } from '../../client/http.ts';
import { isSpendingOn } from '../../client/spending.ts';
import { AddonError } from '../../lib/addon-error.ts';
import type { WriteMode } from '../../server/api/index.ts';
import { blankEntry, createEntryConverter, type Entry, fingerprint } from '../../sheet/entries.ts';
import { type BodyCells, cutBody, readRowsBelow, type TableLocation } from '../locate.ts';
import { relocateTable, requireTable } from '../located-table.ts';
import type { TableRecord } from '../registry.ts';
import { clearAdjacentLookups, findAdjacentLookups } from '../rows/adjacent-lookups.ts';
import { formatOriginNote, type Origin, toOriginEntry } from '../rows/provenance.ts';
import {
  findIdColumn,
  finishWrite,
  type RowNotes,
  updateRows,
  type WriteResult,
  type WriteTarget,
} from '../rows/update-rows.ts';
import { listColumns, makeRoomBelow, toCells, writeRows } from '../rows/write-rows.ts';
import { openWrittenLog } from '../rows/written-rows.ts';
import {
  buildLimits,
  buildMaxAge,
  countWritten,
  PAGE_WAIT_MS,
  type RunRecord,
  type SearchState,
} from '../runs/run-store.ts';

import { addFullRecords, type FetchedRows, listRecordColumns } from './full-records.ts';

/** Shown if a preview would have to be bought. */
export const SPENDING_OFF =
  'Spending is off for this spreadsheet. Switch it on under Activity to write a preview.';

const isEmpty = (cell: unknown): boolean => cell === '';

/**
 * Reads the rows of a search table, up to the first empty one.
 * @param atLeast - number of rows that belong to the table even if they are empty
 */
export const readSearchBody = (location: TableLocation, atLeast = 0): BodyCells =>
  cutSearchBody(readRowsBelow(location), atLeast);

const cutSearchBody = (below: BodyCells, atLeast: number): BodyCells =>
  cutBody(below, { gaps: false, atLeast, isRow: (values) => !values.every(isEmpty) });

/** Ids are whole numbers. */
const ID = /^\d+$/;

/** Reads a table's rows to the first empty one, and beyond gaps to the last id. */
export function readBodyById(table: TableRecord, location: TableLocation, atLeast = 0): BodyCells {
  const below = readRowsBelow(location);
  const together = cutSearchBody(below, atLeast);
  const id = findIdColumn(table);
  if (id < 0) return together;
  const isRow = (values: readonly unknown[]): boolean => ID.test(toIdText(values[id]));
  const all = cutBody(below, { gaps: true, isRow, atLeast });
  return all.area.rows > together.area.rows ? all : together;
}

/** Reads the rows that a run writes to. Rows below a gap may be of somebody else: they are updated by id, but not replaced. */
export const readRowsFor = (
  mode: WriteMode,
  table: TableRecord,
  location: TableLocation,
  atLeast = 0,
): BodyCells =>
  mode === 'replace' ? readSearchBody(location, atLeast) : readBodyById(table, location, atLeast);

/** @throws AddonError if spending is off */
function fetchPage(run: RunRecord, table: TableRecord, state: SearchState, connection: Connection) {
  if (!isSpendingOn()) throw new AddonError('spending_off', SPENDING_OFF);
  const request: PreviewRequest = {
    ...(state.query ?? table.query ?? { text: '' }),
    family: table.family,
    page: state.page,
    pages: 1,
    ...(state.snapshot === undefined ? {} : { snapshot: state.snapshot }),
    fields: [
      ...new Set([
        ...table.columns.flatMap(({ path }) => (hasPreviewField(table.family, path) ? path : [])),
        ...(listRecordColumns(table).length === 0 ? [] : ['id']),
      ]),
    ],
    ...buildMaxAge(run, state.maxAgeS),
    ...buildLimits(run),
    wait_ms: PAGE_WAIT_MS,
  };
  const page = unwrap(call(connection, 'preview', { body: request }));
  run.credits += page.credits.spent;
  // A page that is fetched again was counted before.
  run.saved += state.waits === undefined ? page.credits.saved : 0;
  return page;
}

/** Converts rows to entries in the order of the table's columns. */
function toEntries(
  table: TableRecord,
  { columns, rows, credits }: FetchedRows,
): { entries: Entry[][]; origin: Origin } {
  const toEntry = createEntryConverter();
  const at = new Map(columns.map(({ name }, index) => [name, index]));
  const origin: Origin = {
    retrievedAt: credits.spent > 0 ? new Date().toISOString() : undefined,
    source: credits.spent > 0 ? 'bought' : 'already bought',
    credits: rows.length === 0 ? 0 : credits.spent / rows.length,
  };
  const entries = rows.map((row) =>
    table.columns.map(({ role, path }) => {
      const index = at.get(path);
      return toOriginEntry(role, origin) ?? (index === undefined ? blankEntry : toEntry(row[index], path));
    }),
  );
  return { entries, origin };
}

/** Builds notes for the first column, if notes were chosen. */
function buildOriginNotes(table: TableRecord, entries: readonly Entry[][], origin: Origin) {
  if (table.provenance !== 'notes') return undefined;
  return entries.map((row) => row.map((_, at) => (at === 0 ? formatOriginNote(origin) : undefined)));
}

/** The context of a step. */
interface Step extends WriteTarget {
  state: SearchState;
  /** No page follows. */
  isLast: boolean;
}

/** Finds the next row to write. Rows of an interrupted step are written again; other rows stay. */
function findNextRow({ state, body }: Step, entries: readonly Entry[][]): number {
  const wanted = state.base + state.written;
  const ownAgain = body.values
    .slice(wanted)
    .every((values, at) => fingerprint(values) === fingerprint(toCells(entries[at] ?? [])));
  return ownAgain ? Math.min(wanted, body.values.length) : body.values.length;
}

/** Replaces rows from the top. Those below stay until the last page, so that a stopped run keeps them. */
function replaceRows(step: Step, entries: Entry[][], notes: RowNotes | undefined): WriteResult {
  const { runId, table, state, location, body, written, isLast } = step;
  if (!state.cleared) {
    state.former = body.values.length;
    state.previous = body.values.map(fingerprint);
  }
  const former = Math.min(state.former ?? 0, body.values.length);
  const from = !state.cleared || state.written < former ? state.written : findNextRow(step, entries);
  const row = location.row + 1 + from;
  makeRoomBelow(runId, location, body, row, entries.length);
  if (!state.cleared) clearAdjacentLookups(runId, findAdjacentLookups(table.id, location));
  const leftOver = isLast ? Math.max(0, former - from - entries.length) : 0;
  const empty = Array.from({ length: leftOver }, () => table.columns.map(() => blankEntry));
  const emptyNotes = empty.map((line) => line.map((_, at) => (at === 0 ? '' : undefined)));
  const noted = notes === undefined ? {} : { notes: [...notes.map((line) => [...line]), ...emptyNotes] };
  writeRows(runId, location, row, [...entries, ...empty], listColumns(location), noted);
  if (isLast) written.retain(body.values.slice(0, from));
  const lines = entries.map(toCells);
  for (const line of lines) written.add(line);
  state.cleared = true;
  if (state.previous === undefined) return { rows: entries.length };
  const previous = new Set(state.previous);
  const updated = lines.filter((line) => !previous.has(fingerprint(line))).length;
  return { rows: entries.length, updated };
}

function appendRows(step: Step, entries: Entry[][], notes: RowNotes | undefined): WriteResult {
  const { runId, table, state, location, body, written } = step;
  const id = findIdColumn(table);
  const known = new Set(
    body.values.slice(0, state.base + state.written).map((values) => toIdText(values[id])),
  );
  const fresh = entries.flatMap((line, at) => {
    const recordId = toIdText(line[id]?.cell);
    if (id >= 0 && known.has(recordId)) return [];
    known.add(recordId);
    return [at];
  });
  const lines = fresh.map((at) => entries[at] ?? []);
  const row = location.row + 1 + findNextRow(step, lines);
  makeRoomBelow(runId, location, body, row, lines.length);
  const noted = notes === undefined ? {} : { notes: fresh.map((at) => [...(notes[at] ?? [])]) };
  writeRows(runId, location, row, lines, listColumns(location), noted);
  for (const line of lines) written.add(toCells(line));
  return { rows: lines.length, added: lines.length };
}

const WRITERS = {
  replace: replaceRows,
  append: appendRows,
  update: (step: Step, entries: Entry[][], notes: RowNotes | undefined) =>
    updateRows(step, entries, notes, undefined, undefined, step.state.keepsChanges),
};

/**
 * Writes fetched rows into the table of a run, which may have moved meanwhile. Modifies the run.
 * @param isLast - no rows follow
 * @throws AddonError if the sheet refuses
 */
export function writeFetchedRows(
  run: RunRecord,
  state: SearchState,
  fetched: FetchedRows,
  isLast: boolean,
): void {
  const { table, location } = relocateTable(run.tableId);
  const { entries, origin } = toEntries(table, fetched);
  const body = readRowsFor(state.mode, table, location, state.base + state.written);
  const step: Step = {
    runId: run.id,
    table,
    state,
    location,
    body,
    written: openWrittenLog(table, location),
    isLast,
  };
  const written = WRITERS[state.mode](step, entries, buildOriginNotes(table, entries, origin));
  finishWrite(step);
  state.written += state.mode === 'update' ? 0 : written.rows;
  run.done += entries.length;
  countWritten(run, written);
}

/**
 * Fetches the next page of a search, and the full records of its rows if a column needs them, and writes it. Modifies the run; the caller saves it.
 * @returns whether there are more pages
 * @throws AddonError if the gateway or the sheet refuses; the run keeps its position but records what it paid
 */
export function stepSearch(run: RunRecord, state: SearchState, connection: Connection): boolean {
  const { table } = requireTable(run.tableId);
  const answer = fetchPage(run, table, state, connection);
  const fetched = addFullRecords(run, table, state, answer, connection);
  if (fetched === undefined) return true;
  const pages = Math.min(state.pages, answer.total_pages);
  const hasMore = fetched.rows.length > 0 && answer.page < pages;
  writeFetchedRows(run, state, fetched, !hasMore);
  state.page = answer.page + 1;
  state.pages = pages;
  if (answer.snapshot !== null) state.snapshot = answer.snapshot;
  run.total = Math.min(answer.total, state.pages * previewPageSize);
  return hasMore;
}
