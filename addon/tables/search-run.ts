// Writes the preview of a search, a page a step: in place of what stands in its table, behind it, or into it by id.
import type { Connection } from '../../shared/connection.ts';
import { previewPageSize } from '../../shared/preview-items.ts';
import type { PreviewRequest, PreviewResponse } from '../../shared/sheets-api.ts';
import { preview } from '../gateway.ts';
import { sheetSpends } from '../spending.ts';
import { stretches } from './area.ts';
import { blank, canonical, type Entry, entryMaker } from './entries.ts';
import { type Body, endOfSpace, type Found, readBody } from './find.ts';
import { here, lookAgain } from './here.ts';
import { type Origin, originEntry, originNote } from './provenance.ts';
import { Refusal } from './refusal.ts';
import { keepPrints, printsOf, type TableRecord } from './registry.ts';
import { allColumns, ensureRoom, entriesPrint, rowPrint, writeRows } from './rows.ts';
import type { RunRecord, SearchState } from './runs.ts';

/** What is said where a preview would have to be bought. */
export const SPENDING_OFF = 'Spending is off for this sheet. Switch it on under Activity to write a preview.';

/** What a note says of a cell that an update changed begins so. */
const WAS = 'Was “';
const MAX_NOTE = 500;

/** The column of a search's table that holds ids, by its place in the table; -1 where there is none. */
export function idColumn({ columns }: TableRecord): number {
  return columns.findIndex(({ path }) => path === 'id');
}

const isNothing = (cell: unknown): boolean => cell === '';

/**
 * The rows of a search's table: up to the first empty one.
 * @param atLeast - so many rows are known to be its own, empty or not
 */
export function searchBody(found: Found, others: readonly Found[], atLeast = 0): Body {
  return readBody(found, endOfSpace(found, others), {
    gaps: false,
    atLeast,
    isRow: (values) => !values.every(isNothing),
  });
}

/** @throws Refusal where spending is off: a preview has no cap of credits that could be 0 */
function ask(run: RunRecord, table: TableRecord, state: SearchState, connection: Connection) {
  if (!sheetSpends()) throw new Refusal('spending_off', SPENDING_OFF);
  const request: PreviewRequest = {
    ...(table.query ?? { text: '' }),
    family: table.family,
    page: state.page,
    pages: 1,
    ...(state.snapshot === undefined ? {} : { snapshot: state.snapshot }),
    fields: [...new Set(table.columns.flatMap(({ path }) => (path === '' ? [] : path)))],
  };
  const answer = preview(connection, request);
  if (!answer.ok) throw new Refusal(answer.code, answer.sentence);
  run.credits += answer.body.credits.spent;
  run.saved += answer.body.credits.saved;
  return answer.body;
}

/** The rows of an answer, in the order of the table's columns. */
function toEntries(
  table: TableRecord,
  { columns, rows, credits }: PreviewResponse,
): { entries: Entry[][]; origin: Origin } {
  const toEntry = entryMaker();
  const at = new Map(columns.map(({ name }, index) => [name, index]));
  const origin: Origin = {
    retrievedAt: credits.spent > 0 ? new Date().toISOString() : undefined,
    source: credits.spent > 0 ? 'bought' : 'from memory',
    credits: rows.length === 0 ? 0 : credits.spent / rows.length,
  };
  const entries = rows.map((row) =>
    table.columns.map(({ role, path }) => {
      const index = at.get(path);
      return originEntry(role, origin) ?? (index === undefined ? blank : toEntry(row[index]));
    }),
  );
  return { entries, origin };
}

/** A note on the first column of each row, where notes were asked for. */
function originNotes(table: TableRecord, entries: readonly Entry[][], origin: Origin) {
  if (table.provenance !== 'notes') return undefined;
  return entries.map((row) => row.map((_, at) => (at === 0 ? originNote(origin) : undefined)));
}

/** What a step works with. */
interface Step {
  run: RunRecord;
  table: TableRecord;
  state: SearchState;
  found: Found;
  body: Body;
  prints: Set<string>;
}

/** Rows behind what the run has written: its own of a step that was cut off are written again, others are not touched. */
function nextRow({ state, found, body }: Step, entries: readonly Entry[][]): number {
  const wanted = state.base + state.written;
  const ownAgain = body.values
    .slice(wanted)
    .every((values, at) => rowPrint(found, values) === entriesPrint(found, entries[at] ?? []));
  return ownAgain ? Math.min(wanted, body.values.length) : body.values.length;
}

function replaceRows(step: Step, entries: Entry[][], notes: (string | undefined)[][] | undefined): number {
  const { run, table, state, found, body, prints } = step;
  const clearing = !state.cleared;
  const from = clearing ? 0 : nextRow(step, entries);
  const row = found.row + 1 + from;
  ensureRoom(run.id, found, body, row, entries.length);
  const leftOver = clearing ? Math.max(0, body.values.length - entries.length) : 0;
  const empty = Array.from({ length: leftOver }, () => table.columns.map(() => blank));
  const emptyNotes = empty.map((line) => line.map((_, at) => (at === 0 ? '' : undefined)));
  const noted = notes === undefined ? {} : { notes: [...notes, ...emptyNotes] };
  writeRows(run.id, found, row, [...entries, ...empty], allColumns(found), noted);
  if (clearing) prints.clear();
  state.cleared = true;
  return entries.length;
}

function appendRows(step: Step, entries: Entry[][], notes: (string | undefined)[][] | undefined): number {
  const { run, table, state, found, body } = step;
  const id = idColumn(table);
  const known = new Set(
    body.values.slice(0, state.base + state.written).map((values) => canonicalId(values[id])),
  );
  const fresh = entries.flatMap((line, at) => {
    const own = canonicalId(line[id]?.cell);
    if (id >= 0 && known.has(own)) return [];
    known.add(own);
    return [at];
  });
  const lines = fresh.map((at) => entries[at] ?? []);
  const row = found.row + 1 + nextRow(step, lines);
  ensureRoom(run.id, found, body, row, lines.length);
  const noted = notes === undefined ? {} : { notes: fresh.map((at) => notes[at] ?? []) };
  writeRows(run.id, found, row, lines, allColumns(found), noted);
  return lines.length;
}

/** A number that someone stored as text is the same id. */
const canonicalId = (cell: unknown): string => String(cell ?? '').trim();

const shown = (value: unknown): string =>
  (value instanceof Date ? value.toISOString().slice(0, 10) : String(value)).slice(0, MAX_NOTE);

/** A row that an update changes: its entries, what notes say of them, and which cells are marked. */
interface Change {
  line: Entry[];
  notes: (string | undefined)[];
  marks: (boolean | undefined)[];
}

/** What an update changes in a row; undefined where it holds that already, and no mark of an update before. */
function changeOf(
  table: TableRecord,
  line: Entry[],
  old: readonly unknown[],
  { noteOf, notes }: { noteOf: (at: number) => string; notes: readonly (string | undefined)[] },
): Change | undefined {
  const until = new Date().toISOString().slice(0, 10);
  const differs = line.map(({ cell }, at) => canonical(cell) !== canonical(old[at]));
  const marked = line.map((_, at) => noteOf(at).startsWith(WAS));
  if (!differs.includes(true) && !marked.includes(true)) return undefined;
  const isValue = (at: number): boolean => table.columns[at]?.role === 'value';
  return {
    line,
    notes: line.map((_, at) => {
      if (differs[at] === true && isValue(at)) return `${WAS}${shown(old[at])}” until ${until}`;
      return notes[at] ?? (marked[at] === true ? '' : undefined);
    }),
    marks: line.map((_, at) => (isValue(at) ? differs[at] === true : undefined)),
  };
}

/** Writes the rows that changed into their places, the cells marked with what they held; what is new goes behind. */
function updateRows(step: Step, entries: Entry[][], notes: (string | undefined)[][] | undefined): number {
  const { run, table, found, body, prints } = step;
  const id = idColumn(table);
  const places = new Map<string, number>();
  for (const [at, values] of [...body.values.entries()].reverse()) places.set(canonicalId(values[id]), at);
  const noteAt = notesOf(step);
  const changes = new Map<number, Change>();
  const added: number[] = [];
  entries.forEach((line, at) => {
    const place = places.get(canonicalId(line[id]?.cell));
    if (place === undefined) {
      added.push(at);
      return;
    }
    const beside = { noteOf: (column: number) => noteAt(place, column), notes: notes?.[at] ?? [] };
    const change = changeOf(table, line, body.values[place] ?? [], beside);
    if (change !== undefined) changes.set(place, change);
  });
  const order = [...changes.keys()].sort((one, other) => one - other);
  for (const at of order) prints.delete(rowPrint(found, body.values[at] ?? []));
  for (const { from, count } of stretches(order)) {
    const block = Array.from({ length: count }, (_, down) => changes.get(from + down)).flatMap(
      (change) => change ?? [],
    );
    const lines = block.map(({ line }) => line);
    const extras = { notes: block.map((each) => each.notes), marks: block.map((each) => each.marks) };
    writeRows(run.id, found, found.row + 1 + from, lines, allColumns(found), extras);
  }
  const row = found.row + 1 + body.values.length;
  ensureRoom(run.id, found, body, row, added.length);
  const lines = added.map((at) => entries[at] ?? []);
  const noted = notes === undefined ? {} : { notes: added.map((at) => notes[at] ?? []) };
  writeRows(run.id, found, row, lines, allColumns(found), noted);
  return order.length + added.length;
}

/** Reads the notes of a table's rows; gives what says the one of a row and a column of the table. */
function notesOf({ found, body }: Step): (row: number, at: number) => string {
  const { row, column, rows, columns } = body.area;
  const notes = rows === 0 ? [] : found.sheet.getRange(row, column, rows, columns).getNotes();
  return (line, at) => notes[line]?.[(found.columns[at] ?? 0) - column] ?? '';
}

const WAYS = { replace: replaceRows, append: appendRows, update: updateRows };

/**
 * Brings the next page of a search's run and writes it. Changes the run: who called keeps it.
 * @returns whether there is more to come
 * @throws Refusal where the gateway or the sheet refuses; the run then stands where it stood, but for what it paid
 */
export function stepSearch(run: RunRecord, state: SearchState, connection: Connection): boolean {
  const answer = ask(run, here(run.tableId).table, state, connection);
  // Bringing it took its time: people may have moved the table meanwhile.
  const { table, found, others } = lookAgain(run.tableId);
  const { entries, origin } = toEntries(table, answer);
  const body = searchBody(found, others, state.base + state.written);
  const step: Step = { run, table, state, found, body, prints: printsOf(table.id) };
  const written = WAYS[state.mode](step, entries, originNotes(table, entries, origin));
  SpreadsheetApp.flush();
  for (const line of entries) step.prints.add(entriesPrint(found, line));
  keepPrints(table.id, step.prints);
  state.written += state.mode === 'update' ? 0 : written;
  state.page = answer.page + 1;
  state.pages = Math.min(state.pages, answer.total_pages);
  if (answer.snapshot !== null) state.snapshot = answer.snapshot;
  run.done += entries.length;
  run.rows += written;
  run.total = Math.min(answer.total, state.pages * previewPageSize);
  return entries.length > 0 && state.page <= state.pages;
}
