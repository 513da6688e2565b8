// Puts rows into those of the same id: changed cells are marked and say what they held; what is new goes behind.
import { changedNote, isChangedNote } from '../../../shared/sheets/change-notes.ts';
import { compareRow, idText, matchRows, type RowChange } from '../../../shared/sheets/upsert.ts';
import { stretches } from '../../sheet/area.ts';
import { canonical, type Entry, sameEntry } from '../../sheet/entries.ts';
import { type Body, type Found, presentColumns } from '../locate.ts';
import { keepPrints, type TableRecord } from '../registry.ts';
import { ensureRoom, entriesPrint, type RowsPart, rowPrint, writeParts } from './write-rows.ts';

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

/** Records as they come, each with its id. */
export function withIds(
  table: TableRecord,
  lines: readonly Entry[][],
): { id: string; line: Entry[]; index: number }[] {
  const id = idColumn(table);
  return lines.map((line, index) => ({ id: idText(line[id]?.cell), line, index }));
}

/** The ids of a table's rows. */
export function idsOf(table: TableRecord, { values }: Body): unknown[] {
  const id = idColumn(table);
  return values.map((line) => line[id]);
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

/** What an update writes into a row, and what it says of the cells that change. */
function changeOf(
  table: TableRecord,
  line: Entry[],
  old: readonly unknown[],
  notes: readonly (string | undefined)[],
  { changed, unmarked }: RowChange,
): Change {
  const until = new Date().toISOString().slice(0, 10);
  const isValue = (at: number): boolean => table.columns[at]?.role === 'value';
  return {
    line,
    notes: line.map((_, at) => {
      if (changed.includes(at) && isValue(at)) return changedNote(shown(old[at]), until);
      return notes[at] ?? (unmarked.includes(at) ? '' : undefined);
    }),
    marks: line.map((_, at) => (isValue(at) ? changed.includes(at) : undefined)),
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
  const noteAt = notesOf(place);
  const changes = new Map<number, Change>();
  const standing: string[] = [];
  const { present, added } = matchRows(withIds(table, entries), idsOf(table, body));
  for (const { record, rows } of present) {
    const [row = 0] = rows;
    const old = body.values[row] ?? [];
    const change = compareRow(record.line, old, {
      columns: at,
      idColumn: id,
      holds: (cell, entry) => canonical(cell) === canonical(entry.cell),
      isMarked: (column) => isChangedNote(noteAt(row, column)),
    });
    if (change.unmarked.length === 0 && !change.changed.some((column) => counted.includes(column))) {
      standing.push(rowPrint(found, old));
      continue;
    }
    const own = record.line.map((entry, column) =>
      column === id || !at.includes(column) ? sameEntry(old[column]) : entry,
    );
    changes.set(row, changeOf(table, own, old, notes?.[record.index] ?? [], change));
    standing.push(entriesPrint(found, own));
  }
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
  const lines = added.map(({ line }) => line);
  const noted = notes === undefined ? undefined : added.map(({ index }) => notes[index] ?? []);
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
