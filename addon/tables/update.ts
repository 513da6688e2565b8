// Puts rows into those of the same id: changed cells are marked and say what they held; what is new goes behind.
import { changedNote, isChangedNote } from '../../shared/marks.ts';
import { stretches } from './area.ts';
import { canonical, type Entry, sameEntry } from './entries.ts';
import { type Body, type Found, presentColumns } from './find.ts';
import { keepPrints, type TableRecord } from './registry.ts';
import { ensureRoom, entriesPrint, type RowsPart, rowPrint, writeParts } from './rows.ts';

/** Notes for each row of some entries, a column each; undefined leaves a cell's own. */
export type RowNotes = readonly (readonly (string | undefined)[])[];

/** What rows are put into. */
export interface Place {
  runId: string;
  table: TableRecord;
  found: Found;
  body: Body;
  /** Of the rows as they were written; rows that are replaced go from it. */
  prints: Set<string>;
}

/** What became of rows. */
export interface Written {
  /** How many were written. */
  rows: number;
  /** The prints of all of them as they stand in the table. */
  prints: string[];
}

/** Has rows land in the sheet, then remembers how they were written. */
export function land({ table, prints }: Place, written: Written): void {
  SpreadsheetApp.flush();
  for (const print of written.prints) prints.add(print);
  keepPrints(table.id, prints);
}

/** The column of a table that holds ids, by its place in the table; -1 where there is none. */
export function idColumn({ columns }: TableRecord): number {
  return columns.findIndex(({ path }) => path === 'id');
}

/** One spelling of an id: a number that someone stored as text is the same. */
export const canonicalId = (cell: unknown): string => String(cell ?? '').trim();

/** Where each id stands first, by its row in the body. */
export function idPlaces(table: TableRecord, { values }: Body): Map<string, number> {
  const id = idColumn(table);
  const places = new Map<string, number>();
  for (const [at, line] of [...values.entries()].reverse()) places.set(canonicalId(line[id]), at);
  places.delete('');
  return places;
}

const shown = (value: unknown): string =>
  value instanceof Date ? value.toISOString().slice(0, 10) : String(value);

/** Reads the notes of a table's rows; gives what says the one of a row and a column of the table. */
function notesOf({ found, body }: Place): (row: number, at: number) => string {
  const { row, column, rows, columns } = body.area;
  const notes = rows === 0 ? [] : found.sheet.getRange(row, column, rows, columns).getNotes();
  return (line, at) => notes[line]?.[(found.columns[at] ?? 0) - column] ?? '';
}

/** A row that an update changes: its entries, what notes say of them, and which cells are marked. */
interface Change {
  line: Entry[];
  notes: (string | undefined)[];
  marks: (boolean | undefined)[];
}

/** What stands beside the values of a row that is compared. */
interface Beside {
  noteOf: (at: number) => string;
  notes: readonly (string | undefined)[];
  /** The columns by which a row is another one. */
  counted: readonly number[];
}

/** What an update changes in a row; undefined where it holds that already, and no mark of an update before. */
function changeOf(
  table: TableRecord,
  line: Entry[],
  old: readonly unknown[],
  { noteOf, notes, counted }: Beside,
): Change | undefined {
  const until = new Date().toISOString().slice(0, 10);
  const differs = line.map(({ cell }, at) => canonical(cell) !== canonical(old[at]));
  const marked = line.map((_, at) => isChangedNote(noteOf(at)));
  if (!counted.some((at) => differs[at] === true) && !marked.includes(true)) return undefined;
  const isValue = (at: number): boolean => table.columns[at]?.role === 'value';
  return {
    line,
    notes: line.map((_, at) => {
      if (differs[at] === true && isValue(at)) return changedNote(shown(old[at]), until);
      return notes[at] ?? (marked[at] === true ? '' : undefined);
    }),
    marks: line.map((_, at) => (isValue(at) ? differs[at] === true : undefined)),
  };
}

/**
 * Writes the rows that changed into their places, and those that are not there behind the table.
 * @param at - the table's columns that are written; the others stay as they are
 * @param counted - those of them by which a row is another one
 * @throws Refusal `sheet_refused` where there is no room
 */
export function updateRows(
  place: Place,
  entries: readonly Entry[][],
  notes: RowNotes | undefined,
  at: readonly number[] = presentColumns(place.found).map((column) => column.at),
  counted = at,
): Written {
  const { runId, table, found, body, prints } = place;
  const id = idColumn(table);
  const places = idPlaces(table, body);
  const noteAt = notesOf(place);
  const changes = new Map<number, Change>();
  const standing: string[] = [];
  const added: number[] = [];
  entries.forEach((line, index) => {
    const row = places.get(canonicalId(line[id]?.cell));
    if (row === undefined) {
      added.push(index);
      return;
    }
    const old = body.values[row] ?? [];
    // The id is what the row was found by: who typed it otherwise has it as they like.
    const own = line.map((entry, column) =>
      column === id || !at.includes(column) ? sameEntry(old[column]) : entry,
    );
    const beside = { noteOf: (column: number) => noteAt(row, column), notes: notes?.[index] ?? [], counted };
    const change = changeOf(table, own, old, beside);
    if (change !== undefined) changes.set(row, change);
    standing.push(change === undefined ? rowPrint(found, old) : entriesPrint(found, own));
  });
  const order = [...changes.keys()].sort((one, other) => one - other);
  for (const row of order) prints.delete(rowPrint(found, body.values[row] ?? []));
  const parts = stretches(order).map(({ from, count }): RowsPart => {
    const block = Array.from({ length: count }, (_, down) => changes.get(from + down)).flatMap(
      (change) => change ?? [],
    );
    const extras = { notes: block.map((each) => each.notes), marks: block.map((each) => each.marks) };
    return { row: found.row + 1 + from, entries: block.map(({ line }) => line), extras };
  });
  // Where there is no room for what is new nothing is changed.
  ensureRoom(runId, found, body, found.row + 1 + body.values.length, added.length);
  writeParts(runId, found, parts, at, id);
  const lines = added.map((index) => entries[index] ?? []);
  const noted = notes === undefined ? undefined : added.map((index) => notes[index] ?? []);
  addRows(place, lines, noted, at);
  return {
    rows: order.length + added.length,
    prints: [...standing, ...lines.map((line) => entriesPrint(found, line))],
  };
}

/**
 * Writes rows behind a table's body.
 * @throws Refusal `sheet_refused` where there is no room
 */
export function addRows(
  { runId, table, found, body }: Place,
  lines: readonly Entry[][],
  notes: RowNotes | undefined,
  at: readonly number[],
): void {
  const row = found.row + 1 + body.values.length;
  ensureRoom(runId, found, body, row, lines.length);
  const extras = notes === undefined ? {} : { notes: notes.map((line) => [...line]) };
  writeParts(runId, found, [{ row, entries: lines, extras }], at, idColumn(table));
}
