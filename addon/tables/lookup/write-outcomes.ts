// Writes the outcomes of looked-up rows: values, error words, and notes on where values come from or why there are none.
import { once } from '../../../shared/lib/once.ts';
import { planRows } from '../../../shared/table/plan.ts';
import { isCellError } from '../../lib/cell-errors.ts';
import { getRange } from '../../sheet/area.ts';
import { isSameCell } from '../../sheet/entries.ts';
import { applyPlan, type TableRow, type WriteTarget } from '../rows/write-rows.ts';
import { findFirstValue, type RowOutcome } from './rows.ts';

/** Outcomes by row index in the body; rows without an answer are missing. */
export type Outcomes = ReadonlyMap<number, RowOutcome>;

/**
 * Creates the notes of the column that shows errors: origins of values if the table has such notes, and the reason of a failure
 * unless a status column has it. Notes of people stay.
 * @param at - indexes of the written columns
 * @returns notes by row
 */
function createNotes(
  target: WriteTarget,
  outcomes: Outcomes,
  at: readonly number[],
): ReadonlyMap<number, string> {
  const { table, location, body } = target;
  const firstValue = findFirstValue(table, at);
  const column = firstValue === undefined ? undefined : location.columns[firstValue];
  if (firstValue === undefined || column === undefined) return new Map();
  const notes = new Map<number, string>();
  const hasOrigins = table.provenance === 'notes';
  const hasStatus = table.columns.some(({ role }) => role === 'status');
  const readNotes = once(() => getRange(location.sheet, { ...body.area, column, columns: 1 }).getNotes());
  for (const [row, { word, keepsValues, note }] of outcomes) {
    if (keepsValues) continue;
    const text = (word === undefined ? hasOrigins : !hasStatus) ? note : '';
    const isOurs = hasOrigins || isCellError(String(body.values[row]?.[firstValue] ?? ''));
    if (isOurs || (text !== '' && readNotes()[row]?.[0] === '')) notes.set(row, text);
  }
  return notes;
}

/**
 * Writes rows with an outcome. Of a person's own columns, only empty cells are filled; a cell with a formula is not empty,
 * whatever it shows.
 * @param at - indexes of the columns that are written
 * @throws AddonError `sheet_refused`
 */
export function writeOutcomes(target: WriteTarget, outcomes: Outcomes, at: readonly number[]): void {
  const { table, location, body } = target;
  const firstValue = findFirstValue(table, at);
  const notes = createNotes(target, outcomes, at);
  const readFormulas = once(() => getRange(location.sheet, body.area).getFormulas());
  const isTaken = (row: number, column: number): boolean =>
    readFormulas()[row]?.[(location.columns[column] ?? 0) - body.area.column] !== '';
  const existing = [...outcomes].map(([row, { entries }]) => {
    const record: TableRow = {
      id: '',
      entries: entries.map((entry, column) => {
        const isOwn = table.columns[column]?.isOwn === true;
        return isOwn && (entry?.cell === '' || isTaken(row, column)) ? undefined : entry;
      }),
      ...(notes.has(row) && {
        notes: entries.map((_, column) => (column === firstValue ? notes.get(row) : undefined)),
      }),
    };
    return { record, row };
  });
  const rows = { read: (row: number) => body.values[row] ?? [], end: body.values.length };
  const rules = { mode: 'replace', columns: at, idColumn: -1, isEqual: isSameCell } as const;
  applyPlan(target, planRows({ existing, added: [] }, rows, rules), false);
}
