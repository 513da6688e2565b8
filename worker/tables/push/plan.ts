// Compares rows of a table with what its sheet holds: which cells to write, and where the rows that are not there go.
import { compareRow, matchRows, toIdText } from '../../../shared/sheets/upsert.ts';
import { ProblemError } from '../../http/problem-error.ts';
import { toA1 } from './a1.ts';
import { type CellEntry, isSameValue, type NumberFormat, numberFormats } from './cells.ts';
import { type PushTarget, type TableLocation, toRowRange } from './find-table.ts';
import { buildChangeMark, buildMarkRemoval, buildMarkRequests, type CellMark } from './marks.ts';
import type { CellFormat, CellValue, SheetRequest, SheetsClient } from './sheets-client.ts';
import type { RowSegment } from './write-batches.ts';

/** Rows by record id; an entry for each of the table's columns. */
export type Records = ReadonlyMap<string, readonly CellEntry[]>;

/** What becomes of rows whose id is in the sheet. `mark`: they are updated, and cells that change are marked. */
export type ExistingRowMode = 'keep' | 'update' | 'mark';

/** How it is planned. */
export interface PlanOptions {
  existing: ExistingRowMode;
  /** The day that marks say: `2026-11-22`. */
  day: string;
}

/** What is to be done so that a sheet holds some rows. */
export interface WritePlan {
  /**
   * New rows of the grid, number formats and marks: to be done before anything is written. Where the writing then breaks, the
   * cells still differ and are marked again; the other way round marks would be missing.
   */
  requests: SheetRequest[];
  /** By row. */
  segments: RowSegment[];
  /** Records that are in the sheet as they are. */
  unchanged: string[];
  /** Records that are not in the sheet. */
  newIds: Set<string>;
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
function getColumnSpan({ columns }: TableLocation): { column: number; lastColumn: number } {
  const present = columns.filter((column) => column !== undefined);
  return { column: Math.min(...present), lastColumn: Math.max(...present) };
}

/** The cells of the column of ids below the headings. */
interface IdColumn {
  ids: CellValue[];
  /** Another table with the same headings stands below in the same columns. */
  isFollowed: boolean;
}

async function readIdColumn(
  client: SheetsClient,
  target: PushTarget,
  found: TableLocation,
): Promise<IdColumn> {
  const { sheet, headingRow: heading, idColumn: column } = found;
  if (heading >= sheet.rows) return { ids: [], isFollowed: false };
  const range = toA1(sheet.title, { row: heading + 1, lastRow: sheet.rows, column, lastColumn: column });
  const [cells = []] = await client.getValues(target.spreadsheetId, [range]);
  const ids = cells.map(([cell]) => cell ?? '');
  const end = ids.findIndex((id) => toIdText(id) === target.idHeading.trim());
  return { ids: end < 0 ? ids : ids.slice(0, end), isFollowed: end >= 0 };
}

/** Stretches of rows that hold all the given ones, few enough for one call: cut where most others lie between. */
function toRowRanges(rows: readonly number[]): { row: number; lastRow: number }[] {
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
interface CurrentRows {
  cells: Map<number, CellValue[]>;
  /** Where they are asked for. */
  formats: Map<number, CellFormat[]>;
}

async function readCurrentRows(
  client: SheetsClient,
  target: PushTarget,
  found: TableLocation,
  rows: readonly number[],
  withLooks: boolean,
): Promise<CurrentRows> {
  const stretches = toRowRanges(rows);
  const held: CurrentRows = { cells: new Map(), formats: new Map() };
  if (stretches.length === 0) return held;
  const ranges = stretches.map((stretch) => toA1(found.sheet.title, { ...stretch, ...getColumnSpan(found) }));
  const answers = await client.getValues(target.spreadsheetId, ranges);
  for (const [at, { row }] of stretches.entries()) {
    for (const [down, cells] of (answers[at] ?? []).entries()) held.cells.set(row + down, cells);
  }
  for (const { row, formats } of withLooks ? await client.getFormats(target.spreadsheetId, ranges) : []) {
    for (const [down, own] of formats.entries()) held.formats.set(row + down, own);
  }
  return held;
}

/** The row behind the last used one: nothing that stands below or beside the table is written over. */
async function findEndRow(
  client: SheetsClient,
  target: PushTarget,
  { sheet }: TableLocation,
  last: number,
): Promise<number> {
  if (last >= sheet.rows) return last + 1;
  const [below = []] = await client.getValues(target.spreadsheetId, [
    toRowRange(sheet, last + 1, sheet.rows),
  ]);
  return last + below.length + 1;
}

/** One change for each stretch of cells below each other that need the same format. */
function buildFormatRequests(sheetId: number, cells: readonly Formatted[]): SheetRequest[] {
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
export function buildFormatRequest(
  sheetId: number,
  row: number,
  column: number,
  format: NumberFormat,
): SheetRequest[] {
  return buildFormatRequests(sheetId, [{ row, column, format }]);
}

/** What is found to be done beside writing. */
interface SideEffects {
  formatted: Formatted[];
  /** Absent where nothing is marked. */
  marks?: { day: string; found: CellMark[] };
}

/** A row as it is to be and as it is. */
interface RowTask {
  row: number;
  record: string;
  entries: readonly CellEntry[];
  held: readonly CellValue[];
  looks: readonly CellFormat[];
  /** It is in the sheet already. */
  present: boolean;
}

/** The cells of a row that are to be written: those that are not as they should be, from the first to the last. */
function diffRow(
  found: TableLocation,
  wanted: RowTask,
  { formatted, marks }: SideEffects,
): RowSegment | undefined {
  const { row, record, entries, held, looks, present } = wanted;
  const { column: first, lastColumn } = getColumnSpan(found);
  /** A heading that is gone has no cells. */
  const columnAt = (at: number): number => found.columns[at] ?? 0;
  const cellAt = (at: number): CellValue => held[columnAt(at) - first] ?? '';
  const lookAt = (at: number): CellFormat | undefined => looks[columnAt(at) - first];
  const unmarkAt = (at: number): CellMark | undefined =>
    marks && buildMarkRemoval({ row, column: columnAt(at) }, lookAt(at), marks.day);
  const { changed, unmarked } = compareRow(
    entries,
    found.columns.map((_, at) => cellAt(at)),
    {
      columns: found.columns.flatMap((column, at) => (column === undefined ? [] : [at])),
      idColumn: found.columns.indexOf(found.idColumn),
      isEqual: (cell, { value }) => isSameValue(cell, value),
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
    if (present) marks?.found.push(buildChangeMark({ row, column }, has, entry, lookAt(at), marks.day));
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
  target: PushTarget,
  found: TableLocation,
  records: Records,
  { existing, day }: PlanOptions,
): Promise<WritePlan> {
  const { sheet } = found;
  const body = await readIdColumn(client, target, found);
  const top = found.headingRow + 1;
  const matches = matchRows(
    [...records].map(([id, entries]) => ({ id, entries })),
    body.ids,
  );
  const fresh = matches.added.map(({ id }) => id);
  if (fresh.length > 0 && body.isFollowed) {
    throw new ProblemError(
      'sheet_refused',
      'New rows have no room: another table with the same headings stands below this one.',
      'Move one of the two tables to a sheet of its own, then run it again.',
    );
  }
  const present = (existing === 'keep' ? [] : matches.existing).flatMap(({ record: { id, entries }, rows }) =>
    rows.map((at) => ({ record: id, entries, row: top + at, present: true })),
  );
  const rows = present.map(({ row }) => row);
  const held = await readCurrentRows(client, target, found, rows, existing === 'mark');
  const last = found.headingRow + 1 + body.ids.findLastIndex((id) => toIdText(id) !== '');
  const end = fresh.length === 0 ? 0 : await findEndRow(client, target, found, last);
  const added = matches.added.map(({ id, entries }, at) => ({
    record: id,
    entries,
    row: end + at,
    present: false,
  }));

  const beside: SideEffects = {
    formatted: [],
    ...(existing === 'mark' ? { marks: { day, found: [] } } : {}),
  };
  const lines = [...present, ...added]
    .flatMap((each) => {
      const of = { held: held.cells.get(each.row) ?? [], looks: held.formats.get(each.row) ?? [] };
      return diffRow(found, { ...each, ...of }, beside) ?? [];
    })
    .sort(byRow);
  const touched = new Set(lines.map(({ record }) => record));
  const missing = fresh.length === 0 ? 0 : end + fresh.length - 1 - sheet.rows;
  const growth =
    missing > 0 ? [{ appendDimension: { sheetId: sheet.sheetId, dimension: 'ROWS', length: missing } }] : [];
  return {
    requests: [
      ...growth,
      ...buildFormatRequests(sheet.sheetId, beside.formatted),
      ...buildMarkRequests(sheet.sheetId, beside.marks?.found ?? []),
    ],
    segments: lines,
    unchanged: [...records.keys()].filter((id) => !touched.has(id)),
    newIds: new Set(fresh),
  };
}
