// Updates rows by id: marks changed cells, notes their previous values, and appends new rows.
import { toIdText } from '../../../shared/table/cells.ts';
import { formatChangeNote, isChangeNote } from '../../../shared/table/change-notes.ts';
import { compareRow, matchRows, type RowChange } from '../../../shared/table/plan.ts';
import { formatDay } from '../../lib/dates.ts';
import { groupConsecutive } from '../../sheet/area.ts';
import { type Entry, existingEntry, isSameCell } from '../../sheet/entries.ts';
import { type BodyCells, listPresentColumns, type TableLocation } from '../locate.ts';
import type { TableRecord } from '../registry.ts';
import { makeRoomBelow, type RowGroup, toCells, writeRowGroups } from './write-rows.ts';
import type { WrittenLog } from './written-rows.ts';

/** Notes per row and column; undefined keeps the existing note. */
export type RowNotes = readonly (readonly (string | undefined)[])[];

/** The table that rows are written to. */
export interface WriteTarget {
  runId: string;
  table: TableRecord;
  location: TableLocation;
  body: BodyCells;
  /** Saved by {@link finishWrite}. */
  written: WrittenLog;
}

/** The result of a write. */
export interface WriteResult {
  /** Number of written rows. */
  rows: number;
  /** Number of existing rows with other values than before; absent if rows were replaced without a comparison. */
  changed?: number;
  /** Number of rows that were added to existing ones. */
  added?: number;
  /** Number of changed and added rows, if all rows were replaced. */
  updated?: number;
}

/** Flushes the sheet, then saves what was written. */
export function finishWrite({ written }: WriteTarget): void {
  SpreadsheetApp.flush();
  written.save();
}

/** Returns the index of the id column; -1 if there is none. */
export function findIdColumn({ columns }: TableRecord): number {
  return columns.findIndex(({ path }) => path === 'id');
}

/** Attaches the id to each row. */
export function attachIds(
  table: TableRecord,
  lines: readonly Entry[][],
): { id: string; line: Entry[]; index: number }[] {
  const id = findIdColumn(table);
  return lines.map((line, index) => ({ id: toIdText(line[id]?.cell), line, index }));
}

/** Lists the ids of a table's rows. */
export function listIds(table: TableRecord, { values }: BodyCells): unknown[] {
  const id = findIdColumn(table);
  return values.map((line) => line[id]);
}

const isBlank = (cell: unknown): boolean => (cell ?? '') === '';

const formatValue = (value: unknown): string => (value instanceof Date ? formatDay(value) : String(value));

/** Reads the notes of a table. Returns a function that gets the note of a row and column. */
function createNoteReader({ location, body }: WriteTarget): (row: number, at: number) => string {
  const { row, column, rows, columns } = body.area;
  const notes = rows === 0 ? [] : location.sheet.getRange(row, column, rows, columns).getNotes();
  return (line, at) => notes[line]?.[(location.columns[at] ?? 0) - column] ?? '';
}

/** The change of a row: entries, notes and marks. */
interface Change {
  line: Entry[];
  notes: (string | undefined)[];
  marks: (boolean | undefined)[];
}

/** Builds the change of a row. */
function buildChange(
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
      if (changed.includes(at) && isValue(at)) return formatChangeNote(formatValue(old[at]), until);
      return notes[at] ?? (unmarked.includes(at) ? '' : undefined);
    }),
    marks: line.map((_, at) => (isValue(at) ? changed.includes(at) : undefined)),
  };
}

/**
 * Writes changed rows in place, and appends new ones.
 * @param at - indexes of the columns to write; the others stay
 * @param counted - indexes of the columns that decide whether a row has changed
 * @param keepsChanges - cells that were changed by hand stay
 * @throws AddonError `sheet_refused` if there is no space
 */
export function updateRows(
  target: WriteTarget,
  entries: readonly Entry[][],
  notes: RowNotes | undefined,
  at: readonly number[] = listPresentColumns(target.location).map((column) => column.at),
  counted = at,
  keepsChanges = false,
): WriteResult {
  const { runId, table, location, body, written } = target;
  const id = findIdColumn(table);
  const readNote = createNoteReader(target);
  const changes = new Map<number, Change>();
  let changed = 0;
  const { existing, added } = matchRows(attachIds(table, entries), listIds(table, body));
  const pairs = existing.flatMap(({ record, rows }) => rows.map((row) => ({ record, row })));
  for (const { record, row } of pairs) {
    const old = body.values[row] ?? [];
    const columns = keepsChanges
      ? at.filter((column) => isBlank(old[column]) || written.isOurs(old, [column]))
      : at;
    const change = compareRow(record.line, old, {
      columns,
      idColumn: id,
      isEqual: isSameCell,
      isMarked: (column) => isChangeNote(readNote(row, column)),
    });
    if (change.unmarked.length === 0 && !change.changed.some((column) => counted.includes(column))) {
      written.add(old, columns);
      continue;
    }
    if (change.changed.some((column) => table.columns[column]?.role === 'value')) changed += 1;
    const line = record.line.map((entry, column) =>
      column === id || !columns.includes(column) ? existingEntry(old[column]) : entry,
    );
    changes.set(row, buildChange(table, line, old, notes?.[record.index] ?? [], change));
    written.add(toCells(line), columns);
  }
  const order = [...changes.keys()].sort((a, b) => a - b);
  const parts = groupConsecutive(order).map(({ from, count }): RowGroup => {
    const block = Array.from({ length: count }, (_, down) => changes.get(from + down)).flatMap(
      (change) => change ?? [],
    );
    const extras = { notes: block.map((each) => each.notes), marks: block.map((each) => each.marks) };
    return { row: location.row + 1 + from, entries: block.map(({ line }) => line), extras };
  });
  // Check the space first: without it nothing must change.
  makeRoomBelow(runId, location, body, location.row + 1 + body.values.length, added.length);
  writeRowGroups(runId, location, parts, at, id);
  const lines = added.map(({ line }) => line);
  const noted = notes === undefined ? undefined : added.map(({ index }) => notes[index] ?? []);
  addRows(target, lines, noted, at);
  return {
    rows: order.length + added.length,
    changed,
    added: added.length,
  };
}

/**
 * Appends rows to a table.
 * @throws AddonError `sheet_refused` if there is no space
 */
export function addRows(
  { runId, table, location, body, written }: WriteTarget,
  lines: readonly Entry[][],
  notes: RowNotes | undefined,
  at: readonly number[],
): void {
  const row = location.row + 1 + body.values.length;
  makeRoomBelow(runId, location, body, row, lines.length);
  const extras = notes === undefined ? {} : { notes: notes.map((line) => [...line]) };
  writeRowGroups(runId, location, [{ row, entries: lines, extras }], at, findIdColumn(table));
  for (const line of lines) written.add(toCells(line), at);
}
