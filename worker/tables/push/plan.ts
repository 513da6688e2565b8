// Compares the rows of a table with its sheet and plans which cells to write and where new rows go.
import {
  type CellValue,
  createIdConverter,
  isSameValue,
  type NumberFormat,
  numberFormats,
  type TableCell,
  toIdText,
} from '../../../shared/table/cells.ts';
import { compareRow, matchRows } from '../../../shared/table/plan.ts';
import { ProblemError } from '../../http/problem-error.ts';
import type { PushTarget, TableLocation } from './find-table.ts';
import { buildChangeMark, buildMarkRemoval, buildMarkRequests, type CellMark } from './marks.ts';
import { findEndRow, getColumnSpan, readCurrentRows, readIdColumn } from './read-rows.ts';
import type { CellFormat, SheetRequest, SheetsClient } from './sheets-client.ts';
import type { RowSegment } from './write-batches.ts';

/** Rows by record id; one entry for each column of the table. */
export type Records = ReadonlyMap<string, readonly TableCell[]>;

/** How to treat rows whose id is in the sheet. `mark` updates them and marks changed cells. */
export type ExistingRowMode = 'keep' | 'update' | 'mark';

export interface PlanOptions {
  existing: ExistingRowMode;
  /** Day to note in marks: `2026-11-22`. */
  day: string;
}

/** The changes that bring records into a sheet. */
export interface WritePlan {
  /**
   * Additional grid rows, number formats and marks. Send them before the values: if the values then fail, the cells
   * still differ and are marked again. In the other order marks would be missing.
   */
  requests: SheetRequest[];
  /** Cells to write, by row. */
  segments: RowSegment[];
  /** Ids of records that need no change. */
  unchanged: string[];
  /** Ids of records that are not in the sheet. */
  newIds: Set<string>;
  /** Changed cells of existing rows. */
  changes: CellChange[];
}

/** A changed cell of an existing row. */
export interface CellChange {
  /** Record id. */
  record: string;
  /** Index of the table's column. */
  column: number;
  before: CellValue;
  after: CellValue;
}

/** A cell that needs a number format. */
export interface FormattedCell {
  row: number;
  column: number;
  format: NumberFormat;
}

/** Builds one request for each run of cells in a column that need the same number format. */
export function buildFormatRequests(sheetId: number, cells: readonly FormattedCell[]): SheetRequest[] {
  const runs: (FormattedCell & { count: number })[] = [];
  const sorted = [...cells].sort((a, b) => a.column - b.column || a.row - b.row);
  for (const cell of sorted) {
    const run = runs.at(-1);
    const isAdjacent =
      run?.column === cell.column && run.format === cell.format && run.row + run.count === cell.row;
    if (isAdjacent) run.count += 1;
    else runs.push({ ...cell, count: 1 });
  }
  return runs.map(({ row, column, count, format }) => ({
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

/** Builds the request that sets the number format of one cell. */
export function buildFormatRequest(
  sheetId: number,
  row: number,
  column: number,
  format: NumberFormat,
): SheetRequest[] {
  return buildFormatRequests(sheetId, [{ row, column, format }]);
}

/** Formats and marks that comparing rows has found necessary. */
interface SideEffects {
  formatted: FormattedCell[];
  changes: CellChange[];
  /** Absent when changes are not marked. */
  marks?: { day: string; cells: CellMark[] };
}

/** A record and the sheet row that it is compared with. */
interface RowTask {
  row: number;
  record: string;
  entries: readonly TableCell[];
  /** From the table's first column on. */
  cells: readonly CellValue[];
  formats: readonly CellFormat[];
  /** Whether the row is already in the sheet. */
  exists: boolean;
}

/** Compares a row and collects its side effects. @returns the cells from the first to the last changed one */
function diffRow(
  location: TableLocation,
  { row, record, entries, cells, formats, exists }: RowTask,
  { formatted, changes, marks }: SideEffects,
): RowSegment | undefined {
  const { column: first, lastColumn } = getColumnSpan(location);
  /** Columns with a missing heading have no cells. */
  const getColumn = (index: number): number => location.columns[index] ?? 0;
  const getCell = (index: number): CellValue => cells[getColumn(index) - first] ?? '';
  const getFormat = (index: number): CellFormat | undefined => formats[getColumn(index) - first];
  const getMarkRemoval = (index: number): CellMark | undefined =>
    marks && buildMarkRemoval({ row, column: getColumn(index) }, getFormat(index), marks.day);
  const { changed, unmarked } = compareRow(
    entries,
    location.columns.map((_, index) => getCell(index)),
    {
      columns: location.columns.flatMap((column, index) => (column === undefined ? [] : [index])),
      idColumn: location.columns.indexOf(location.idColumn),
      isEqual: (cell, { value }) => isSameValue(cell, value),
      isMarked: (index) => getMarkRemoval(index) !== undefined,
    },
  );
  marks?.cells.push(...unmarked.flatMap((index) => getMarkRemoval(index) ?? []));
  const values = Array.from({ length: lastColumn - first + 1 }, (): CellValue | null => null);
  for (const index of changed) {
    const entry = entries[index];
    if (entry === undefined) continue;
    const column = getColumn(index);
    const previous = getCell(index);
    values[column - first] = entry.value;
    if (exists) {
      changes.push({ record, column: index, before: previous, after: entry.value });
      marks?.cells.push(buildChangeMark({ row, column }, previous, getFormat(index), marks.day));
    }
    // A person may have formatted a cell that holds a number.
    if (entry.format !== undefined && typeof previous !== 'number') {
      formatted.push({ row, column, format: entry.format });
    }
  }
  const from = values.findIndex((value) => value !== null);
  if (from < 0) return undefined;
  const to = values.findLastIndex((value) => value !== null) + 1;
  return { row, column: first + from, cells: values.slice(from, to), record };
}

/**
 * Plans how to bring records into a sheet, given its current content.
 * @throws ProblemError `sheet_refused` when new rows don't fit; problems of the client
 */
export async function planRows(
  client: SheetsClient,
  target: PushTarget,
  location: TableLocation,
  records: Records,
  { existing, day }: PlanOptions,
): Promise<WritePlan> {
  const { sheet, headingRow } = location;
  const ids = await readIdColumn(client, target, location);
  const matches = matchRows(
    [...records].map(([id, entries]) => ({ id, entries })),
    ids,
  );
  const newIds = matches.added.map(({ id }) => id);
  if (newIds.length > 0 && location.end !== undefined) {
    throw new ProblemError(
      'sheet_refused',
      'New rows have no room: another table stands below this one.',
      'Move one of the two tables to a sheet of its own, then run it again.',
    );
  }
  const updates = (existing === 'keep' ? [] : matches.existing).flatMap(({ record: { id, entries }, rows }) =>
    rows.map((index) => ({ record: id, entries, row: headingRow + 1 + index, exists: true })),
  );
  const rows = updates.map(({ row }) => row);
  const current = await readCurrentRows(client, target, location, rows, existing === 'mark');
  const lastRow = headingRow + 1 + ids.findLastIndex((id) => toIdText(id) !== '');
  const endRow = newIds.length === 0 ? 0 : await findEndRow(client, target, location, lastRow);
  const toId = createIdConverter(ids);
  const idIndex = location.columns.indexOf(location.idColumn);
  const additions = matches.added.map(({ id, entries }, index) => ({
    record: id,
    entries: entries.map((entry, column) => (column === idIndex ? { value: toId(id) } : entry)),
    row: endRow + index,
    exists: false,
  }));

  const effects: SideEffects = {
    formatted: [],
    changes: [],
    ...(existing === 'mark' ? { marks: { day, cells: [] } } : {}),
  };
  const segments = [...updates, ...additions]
    .flatMap((task) => {
      const cells = current.cells.get(task.row) ?? [];
      const formats = current.formats.get(task.row) ?? [];
      return diffRow(location, { ...task, cells, formats }, effects) ?? [];
    })
    .sort((a, b) => a.row - b.row);
  const changedIds = new Set(segments.map(({ record }) => record));
  const missingRows = newIds.length === 0 ? 0 : endRow + newIds.length - 1 - sheet.rows;
  const appendDimension = { sheetId: sheet.sheetId, dimension: 'ROWS', length: missingRows };
  return {
    requests: [
      ...(missingRows > 0 ? [{ appendDimension }] : []),
      ...buildFormatRequests(sheet.sheetId, effects.formatted),
      ...buildMarkRequests(sheet.sheetId, effects.marks?.cells ?? []),
    ],
    segments,
    unchanged: [...records.keys()].filter((id) => !changedIds.has(id)),
    newIds: new Set(newIds),
    changes: effects.changes,
  };
}
