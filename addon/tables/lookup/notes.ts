// Notes of looked-up rows: where values come from, and why there are none.
import { isCellError } from '../../lib/cell-errors.ts';
import { getRange } from '../../sheet/area.ts';
import type { BodyCells } from '../locate.ts';
import type { LocatedTable } from '../located-table.ts';
import type { CellExtras } from '../rows/write-blocks.ts';
import { findFirstValue, type RowOutcome } from './rows.ts';

/** The rows of a table before they are written. */
interface Place extends LocatedTable {
  body: BodyCells;
}

/** Outcomes by row index in the body; rows without an answer are missing. */
export type Outcomes = ReadonlyMap<number, RowOutcome>;

/** Creates a check whether cells of a column have no note. Reads the notes once, and only if asked. */
function createNoteCheck(
  { location }: Place,
  column: number,
  rows: readonly number[],
): (row: number) => boolean {
  const from = Math.min(...rows);
  const area = { row: location.row + 1 + from, column, rows: Math.max(...rows) - from + 1, columns: 1 };
  let notes: string[][] | undefined;
  return (row) => {
    notes ??= getRange(location.sheet, area).getNotes();
    return notes[row - from]?.[0] === '';
  };
}

/**
 * Creates the notes of the column that shows errors: origins of values if the table has such notes, and the reason of a failure
 * unless a status column has it. Notes of people stay.
 * @param at - indexes of the written columns
 * @returns the notes of consecutive rows
 */
export function createNotes(
  place: Place,
  outcomes: Outcomes,
  at: readonly number[],
): (rows: readonly number[]) => CellExtras {
  const { table, location, body } = place;
  const firstValue = findFirstValue(table, at);
  const column = firstValue === undefined ? undefined : location.columns[firstValue];
  if (firstValue === undefined || column === undefined) return () => ({});
  const notes = new Map<number, string>();
  const hasOrigins = table.provenance === 'notes';
  const hasStatus = table.columns.some(({ role }) => role === 'status');
  const isFree = createNoteCheck(place, column, [...outcomes.keys()]);
  for (const [row, { word, keepsValues, note }] of outcomes) {
    if (keepsValues) continue;
    const text = (word === undefined ? hasOrigins : !hasStatus) ? note : '';
    const isOurs = hasOrigins || isCellError(String(body.values[row]?.[firstValue] ?? ''));
    if (isOurs || (text !== '' && isFree(row))) notes.set(row, text);
  }
  return (rows) => {
    if (!rows.some((row) => notes.has(row))) return {};
    return {
      notes: rows.map((row) =>
        table.columns.map((_, at) => (at === firstValue ? notes.get(row) : undefined)),
      ),
    };
  };
}
