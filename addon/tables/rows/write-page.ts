// Reads the rows of a table that owns its rows, and writes the next page of a search or a delivery into it.

import { once } from '../../../shared/lib/once.ts';
import { toIdText } from '../../../shared/table/cells.ts';
import { isChangeNote, matchRows, placeRows, planRows, type RowMatches } from '../../../shared/table/plan.ts';
import type { WriteMode } from '../../server/api/index.ts';
import { getRange } from '../../sheet/area.ts';
import { blankEntry, fingerprint, isSameCell } from '../../sheet/entries.ts';
import { type BodyCells, cutBody, listPresentColumns, readRowsBelow, type TableLocation } from '../locate.ts';
import type { TableRecord } from '../registry.ts';
import type { WriteState } from '../runs/run-store.ts';
import { clearAdjacentLookups, findAdjacentLookups } from './adjacent-lookups.ts';
import {
  applyPlan,
  findIdColumn,
  getRowId,
  makeRoom,
  openWrittenRows,
  type TableRow,
  toCells,
  type WriteResult,
  type WriteTarget,
} from './write-rows.ts';

const cutTogether = (below: BodyCells, atLeast: number): BodyCells =>
  cutBody(below, { gaps: false, atLeast, isRow: (values) => !values.every((cell) => cell === '') });

/**
 * Reads the rows of a table, up to the first empty one.
 * @param atLeast - number of rows that belong to the table even if they are empty
 */
export const readRowsTogether = (location: TableLocation, atLeast = 0): BodyCells =>
  cutTogether(readRowsBelow(location), atLeast);

/** Ids are whole numbers. */
const ID = /^\d+$/;

/** Reads a table's rows to the first empty one, and beyond gaps to the last id. */
export function readRowsById(table: TableRecord, location: TableLocation, atLeast = 0): BodyCells {
  const below = readRowsBelow(location);
  const together = cutTogether(below, atLeast);
  const isRow = (values: readonly unknown[]): boolean => ID.test(toIdText(values[findIdColumn(table)]));
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
  mode === 'replace' ? readRowsTogether(location, atLeast) : readRowsById(table, location, atLeast);

export function openTarget(
  runId: string,
  state: WriteState,
  table: TableRecord,
  location: TableLocation,
): WriteTarget {
  const body = readRowsFor(state.mode, table, location, state.base + state.written);
  return { runId, table, location, body, written: openWrittenRows(table, location) };
}

const isReplacing = ({ mode, cleared, written, former = 0 }: WriteState, { values }: BodyCells): boolean =>
  mode === 'replace' && (!cleared || written < Math.min(former, values.length));

/** Finds the rows of records. Without ids, rows of an interrupted step are written again; other rows stay. */
function matchPage(
  { table, location, body: { values }, body }: WriteTarget,
  state: WriteState,
  rows: readonly TableRow[],
  isLast: boolean,
): RowMatches<TableRow> {
  if (state.mode !== 'replace' && findIdColumn(table) >= 0) {
    const ids = values.map((line) => getRowId(table, line));
    return matchRows(rows, ids);
  }
  const next = state.base + state.written;
  const isOwn = (line: readonly unknown[], at: number): boolean =>
    fingerprint(line) === fingerprint(toCells(rows[at]?.entries ?? []));
  const isNext = isReplacing(state, body) || values.slice(next).every(isOwn);
  const from = isNext ? Math.min(next, values.length) : values.length;
  const { existing, added } = placeRows(rows, from, values.length);
  // Rows below the page stay until the last one, so that a stopped run keeps them.
  const left = isLast ? Math.max(0, Math.min(state.former ?? 0, values.length) - from - rows.length) : 0;
  const entries = location.columns.map(() => blankEntry);
  const notes =
    table.provenance === 'notes' ? entries.map((_, at) => (at === 0 ? '' : undefined)) : undefined;
  const blank = { id: '', entries, ...(notes && { notes }) };
  const cleared = Array.from({ length: left }, (_, at) => ({ record: blank, row: from + rows.length + at }));
  return { existing: [...existing, ...cleared], added };
}

/**
 * Writes a page of a run, which may be a repeated one. Modifies the state.
 * @param options.isLast - no page follows
 * @param options.decisive - indexes of the columns whose values decide whether a row is updated. Default: all
 * @throws AddonError `sheet_refused` if there is no space; nothing is changed then
 */
export function writePage(
  target: WriteTarget,
  state: WriteState,
  rows: readonly TableRow[],
  { isLast, decisive }: { isLast: boolean; decisive?: readonly number[] },
): WriteResult {
  const { runId, table, location, body, written } = target;
  const { mode, base, keepsChanges = false } = state;
  const isReplace = mode === 'replace';
  if (isReplace && !state.cleared) state.former = body.values.length;
  const matches = matchPage(target, state, rows, isLast);
  if (isReplace && !state.cleared) {
    makeRoom(runId, location, body, rows.length);
    clearAdjacentLookups(runId, findAdjacentLookups(table.id, location));
  }
  const readNotes = once(() => (body.area.rows === 0 ? [] : getRange(location.sheet, body.area).getNotes()));
  const getNote = (row: number, column: number): string =>
    readNotes()[row]?.[(location.columns[column] ?? 0) - body.area.column] ?? '';
  const isUpdate = mode === 'update';
  const plan = planRows(
    matches,
    { read: (row) => body.values[row] ?? [], end: body.values.length },
    {
      mode: findIdColumn(table) < 0 ? 'replace' : mode,
      base,
      columns: listPresentColumns(location).map(({ at }) => at),
      idColumn: findIdColumn(table),
      ...(decisive && { decisive }),
      isEqual: isSameCell,
      ...(keepsChanges && {
        isKept: (row, column) => !written.matches(body.values[row] ?? [], [column]),
      }),
      ...(isUpdate && { isMarked: (row, column) => isChangeNote(getNote(row, column)) }),
    },
  );
  if (isReplace && isLast) {
    const [{ row = 0 } = {}] = matches.existing;
    written.retain(body.values.slice(0, matches.existing.length === 0 ? body.values.length : row));
  }
  const result = applyPlan(target, plan, isUpdate);
  state.cleared = true;
  if (isUpdate) return result;
  const { rows: changed, added = 0 } = result;
  state.written += isReplace ? rows.length : changed;
  return isReplace ? { rows: rows.length } : { rows: changed, added };
}
