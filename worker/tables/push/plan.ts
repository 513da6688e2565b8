// Compares rows of a table with what its sheet holds: which cells to write, and where the rows that are not there go.
import { compareRow, idText, matchRows } from '../../../shared/sheets/upsert.ts';
import { ProblemError } from '../../http/problem-error.ts';
import { a1 } from './a1.ts';
import { type Entry, type NumberFormat, numberFormats, sameValue } from './cells.ts';
import { type Found, rowsOf, type Target } from './find-table.ts';
import { changedMark, type Mark, markChanges, unmark } from './marks.ts';
import type { CellLook, CellValue, SheetChange, SheetsClient } from './sheets-client.ts';
import type { Line } from './write-batches.ts';

/** Rows by record id; an entry for each of the table's columns. */
export type Records = ReadonlyMap<string, readonly Entry[]>;

/** What becomes of rows whose id is in the sheet. `mark`: they are updated, and cells that change are marked. */
export type Existing = 'keep' | 'update' | 'mark';

/** How it is planned. */
export interface PlanWay {
  existing: Existing;
  /** The day that marks say: `2026-11-22`. */
  day: string;
}

/** What is to be done so that a sheet holds some rows. */
export interface Plan {
  /**
   * New rows of the grid, number formats and marks: to be done before anything is written. Where the writing then breaks, the
   * cells still differ and are marked again; the other way round marks would be missing.
   */
  changes: SheetChange[];
  /** By row. */
  lines: Line[];
  /** Records that are in the sheet as they are. */
  unchanged: string[];
  /** Records that are not in the sheet. */
  fresh: Set<string>;
}

/** More ranges make an address that is too long. */
const MAX_RANGES = 40;

/** A cell that needs a number format. */
interface Formatted {
  row: number;
  column: number;
  format: NumberFormat;
}

const byRow = (one: { row: number }, other: { row: number }): number => one.row - other.row;

/** From the first to the last of the table's columns: columns of others may stand between them. */
function spanOf({ columns }: Found): { column: number; lastColumn: number } {
  const present = columns.filter((column) => column !== undefined);
  return { column: Math.min(...present), lastColumn: Math.max(...present) };
}

/** The cells of the column of ids below the headings. */
interface Body {
  ids: CellValue[];
  /** Another table with the same headings stands below in the same columns. */
  followed: boolean;
}

async function bodyOf(client: SheetsClient, target: Target, found: Found): Promise<Body> {
  const { sheet, row: heading, idColumn: column } = found;
  if (heading >= sheet.rows) return { ids: [], followed: false };
  const range = a1(sheet.title, { row: heading + 1, lastRow: sheet.rows, column, lastColumn: column });
  const [cells = []] = await client.values(target.spreadsheetId, [range]);
  const ids = cells.map(([cell]) => cell ?? '');
  const end = ids.findIndex((id) => idText(id) === target.idHeading.trim());
  return { ids: end < 0 ? ids : ids.slice(0, end), followed: end >= 0 };
}

/** Stretches of rows that hold all the given ones, few enough for one call: cut where most others lie between. */
function stretchesOf(rows: readonly number[]): { row: number; lastRow: number }[] {
  const sorted = [...new Set(rows)].sort((one, other) => one - other);
  const gaps = sorted.slice(1).map((row, at) => ({ row, size: row - (sorted[at] ?? row) - 1 }));
  const cuts = new Set(
    gaps
      .filter(({ size }) => size > 0)
      .sort((one, other) => other.size - one.size)
      .slice(0, MAX_RANGES - 1)
      .map(({ row }) => row),
  );
  const stretches: { row: number; lastRow: number }[] = [];
  for (const row of sorted) {
    const stretch = stretches.at(-1);
    if (stretch === undefined || cuts.has(row)) stretches.push({ row, lastRow: row });
    else stretch.lastRow = row;
  }
  return stretches;
}

/** What rows of a sheet have from the table's first column on. */
interface HeldRows {
  cells: Map<number, CellValue[]>;
  /** Where they are asked for. */
  looks: Map<number, CellLook[]>;
}

async function heldBy(
  client: SheetsClient,
  target: Target,
  found: Found,
  rows: readonly number[],
  withLooks: boolean,
): Promise<HeldRows> {
  const stretches = stretchesOf(rows);
  const held: HeldRows = { cells: new Map(), looks: new Map() };
  if (stretches.length === 0) return held;
  const ranges = stretches.map((stretch) => a1(found.sheet.title, { ...stretch, ...spanOf(found) }));
  const answers = await client.values(target.spreadsheetId, ranges);
  for (const [at, { row }] of stretches.entries()) {
    for (const [down, cells] of (answers[at] ?? []).entries()) held.cells.set(row + down, cells);
  }
  for (const { row, looks } of withLooks ? await client.looks(target.spreadsheetId, ranges) : []) {
    for (const [down, own] of looks.entries()) held.looks.set(row + down, own);
  }
  return held;
}

/** The row behind the last used one: nothing that stands below or beside the table is written over. */
async function endOf(client: SheetsClient, target: Target, { sheet }: Found, last: number): Promise<number> {
  if (last >= sheet.rows) return last + 1;
  const [below = []] = await client.values(target.spreadsheetId, [rowsOf(sheet, last + 1, sheet.rows)]);
  return last + below.length + 1;
}

/** One change for each stretch of cells below each other that need the same format. */
function formatChanges(sheetId: number, cells: readonly Formatted[]): SheetChange[] {
  const stretches: (Formatted & { count: number })[] = [];
  const sorted = [...cells].sort((one, other) => one.column - other.column || one.row - other.row);
  for (const cell of sorted) {
    const last = stretches.at(-1);
    const joins =
      last?.column === cell.column && last.format === cell.format && last.row + last.count === cell.row;
    if (joins) last.count += 1;
    else stretches.push({ ...cell, count: 1 });
  }
  return stretches.map(({ row, column, count, format }) => ({
    repeatCell: {
      range: {
        sheetId,
        startRowIndex: row - 1,
        endRowIndex: row - 1 + count,
        startColumnIndex: column - 1,
        endColumnIndex: column,
      },
      cell: { userEnteredFormat: { numberFormat: numberFormats[format] } },
      fields: 'userEnteredFormat.numberFormat',
    },
  }));
}

/** The change by which a cell shows a number as a date. */
export function formatChange(
  sheetId: number,
  row: number,
  column: number,
  format: NumberFormat,
): SheetChange[] {
  return formatChanges(sheetId, [{ row, column, format }]);
}

/** What is found to be done beside writing. */
interface Beside {
  formatted: Formatted[];
  /** Absent where nothing is marked. */
  marks?: { day: string; found: Mark[] };
}

/** A row as it is to be and as it is. */
interface Wanted {
  row: number;
  record: string;
  entries: readonly Entry[];
  held: readonly CellValue[];
  looks: readonly CellLook[];
  /** It is in the sheet already. */
  present: boolean;
}

/** The cells of a row that are to be written: those that are not as they should be, from the first to the last. */
function lineOf(found: Found, wanted: Wanted, { formatted, marks }: Beside): Line | undefined {
  const { row, record, entries, held, looks, present } = wanted;
  const { column: first, lastColumn } = spanOf(found);
  /** A heading that is gone has no cells. */
  const columnAt = (at: number): number => found.columns[at] ?? 0;
  const cellAt = (at: number): CellValue => held[columnAt(at) - first] ?? '';
  const lookAt = (at: number): CellLook | undefined => looks[columnAt(at) - first];
  const unmarkAt = (at: number): Mark | undefined =>
    marks && unmark({ row, column: columnAt(at) }, lookAt(at), marks.day);
  const { changed, unmarked } = compareRow(
    entries,
    found.columns.map((_, at) => cellAt(at)),
    {
      columns: found.columns.flatMap((column, at) => (column === undefined ? [] : [at])),
      idColumn: found.columns.indexOf(found.idColumn),
      holds: (cell, { value }) => sameValue(cell, value),
      isMarked: (at) => unmarkAt(at) !== undefined,
    },
  );
  marks?.found.push(...unmarked.flatMap((at) => unmarkAt(at) ?? []));
  const cells = Array.from({ length: lastColumn - first + 1 }, (): CellValue | null => null);
  for (const at of changed) {
    const entry = entries[at];
    if (entry === undefined) continue;
    const column = columnAt(at);
    const has = cellAt(at);
    cells[column - first] = entry.value;
    if (present) marks?.found.push(changedMark({ row, column }, has, entry, lookAt(at), marks.day));
    // A cell with a number in it may have a format of somebody's own.
    if (entry.format !== undefined && typeof has !== 'number') {
      formatted.push({ row, column, format: entry.format });
    }
  }
  const from = cells.findIndex((cell) => cell !== null);
  if (from < 0) return undefined;
  return {
    row,
    column: first + from,
    cells: cells.slice(from, cells.findLastIndex((cell) => cell !== null) + 1),
    record,
  };
}

/**
 * Plans how rows get into a sheet, by what it holds at this moment.
 * @throws ProblemError `sheet_refused` where there is no room for new rows, and as the client
 */
export async function planRows(
  client: SheetsClient,
  target: Target,
  found: Found,
  records: Records,
  { existing, day }: PlanWay,
): Promise<Plan> {
  const { sheet } = found;
  const body = await bodyOf(client, target, found);
  const top = found.row + 1;
  const matches = matchRows(
    [...records].map(([id, entries]) => ({ id, entries })),
    body.ids,
  );
  const fresh = matches.added.map(({ id }) => id);
  if (fresh.length > 0 && body.followed) {
    throw new ProblemError(
      'sheet_refused',
      'New rows have no room: another table with the same headings stands below this one.',
      'Move one of the two tables to a sheet of its own, then run it again.',
    );
  }
  const present = (existing === 'keep' ? [] : matches.present).flatMap(({ record: { id, entries }, rows }) =>
    rows.map((at) => ({ record: id, entries, row: top + at, present: true })),
  );
  const rows = present.map(({ row }) => row);
  const held = await heldBy(client, target, found, rows, existing === 'mark');
  const last = found.row + 1 + body.ids.findLastIndex((id) => idText(id) !== '');
  const end = fresh.length === 0 ? 0 : await endOf(client, target, found, last);
  const added = matches.added.map(({ id, entries }, at) => ({
    record: id,
    entries,
    row: end + at,
    present: false,
  }));

  const beside: Beside = { formatted: [], ...(existing === 'mark' ? { marks: { day, found: [] } } : {}) };
  const lines = [...present, ...added]
    .flatMap((each) => {
      const of = { held: held.cells.get(each.row) ?? [], looks: held.looks.get(each.row) ?? [] };
      return lineOf(found, { ...each, ...of }, beside) ?? [];
    })
    .sort(byRow);
  const touched = new Set(lines.map(({ record }) => record));
  const missing = fresh.length === 0 ? 0 : end + fresh.length - 1 - sheet.rows;
  const growth =
    missing > 0 ? [{ appendDimension: { sheetId: sheet.sheetId, dimension: 'ROWS', length: missing } }] : [];
  return {
    changes: [
      ...growth,
      ...formatChanges(sheet.sheetId, beside.formatted),
      ...markChanges(sheet.sheetId, beside.marks?.found ?? []),
    ],
    lines,
    unchanged: [...records.keys()].filter((id) => !touched.has(id)),
    fresh: new Set(fresh),
  };
}
