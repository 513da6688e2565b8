// Compares the rows of a table with its sheet and plans which cells to write and where new rows go.
import {
  type CellValue,
  createIdConverter,
  createZone,
  isSameValue,
  type TableCell,
  toExistingTime,
  toIdText,
} from '../../../shared/table/cells.ts';
import { matchRows, planRows } from '../../../shared/table/plan.ts';
import { ProblemError } from '../../http/problem-error.ts';
import type { CellItem, SheetRow } from './apply-writes.ts';
import {
  findEndRow,
  getColumnSpan,
  type PushTarget,
  readCurrentRows,
  readIdColumn,
  type TableLocation,
} from './find-table.ts';
import { buildChangeMark, buildMarkRemoval, buildMarkRequests, type CellMark } from './marks.ts';
import type { CellFormat, SheetRequest, SheetsClient } from './sheets-client.ts';

/** Rows by record id; one entry for each column of the table. */
export type Records = ReadonlyMap<string, readonly TableCell[]>;

/** The changes that bring records into a sheet. */
export interface WritePlan {
  /**
   * Additional grid rows and marks. Send them before the values: if the values then fail, the cells
   * still differ and are marked again. In the other order marks would be missing.
   */
  requests: SheetRequest[];
  rows: SheetRow[];
  unchanged: number;
  /** Ids of records that are not in the sheet. */
  newIds: Set<string>;
  changes: CellChange[];
}

export interface CellChange {
  record: string;
  /** Index of the table's column. */
  column: number;
  before: CellValue;
  after: CellValue;
}

/**
 * Plans how to bring records into a sheet, given its current content.
 * @param mode - `append` keeps rows whose id is in the sheet; `update` changes them and marks changed cells
 * @param day - to note in marks: `2026-11-22`
 * @throws ProblemError `sheet_refused` when new rows don't fit; problems of the client
 */
export async function planPush(
  client: SheetsClient,
  target: PushTarget,
  location: TableLocation,
  records: Records,
  mode: 'append' | 'update',
  day: string,
): Promise<WritePlan> {
  const { sheet, headingRow, columns } = location;
  const ids = await readIdColumn(client, target, location);
  const zone = createZone(sheet.timeZone);
  const incoming = [...records].map(([id, cells]) => ({
    id,
    entries: cells.map((cell) => toExistingTime(cell, zone)),
  }));
  const matches = matchRows(incoming, ids);
  const newIds = new Set(matches.added.map(({ id }) => id));
  if (newIds.size > 0 && location.end !== undefined) {
    throw new ProblemError(
      'sheet_refused',
      'New rows have no room: another table stands below this one.',
      'Move one of the two tables to a sheet of its own, then run it again.',
    );
  }
  const first = headingRow + 1;
  const rows = mode === 'append' ? [] : matches.existing.map(({ row }) => first + row);
  const current = await readCurrentRows(client, target, location, rows);
  const lastRow = first + ids.findLastIndex((id) => toIdText(id) !== '');
  const endRow = newIds.size === 0 ? 0 : await findEndRow(client, target, sheet, lastRow);
  const span = getColumnSpan(location).column;
  const readRow = (row: number): CellValue[] =>
    columns.map((column) => current.cells.get(first + row)?.[(column ?? 0) - span] ?? '');
  const getFormat = (row: number, index: number): CellFormat | undefined =>
    current.formats.get(first + row)?.[(columns[index] ?? 0) - span];
  const idColumn = columns.indexOf(location.idColumn);
  const planned = planRows(
    matches,
    { read: readRow, end: endRow - first },
    {
      mode,
      columns: columns.flatMap((column, index) => (column === undefined ? [] : [index])),
      idColumn,
      isEqual: (cell: CellValue, { value }: TableCell) => isSameValue(cell, value),
      isMarked: (row, index) => buildMarkRemoval(getFormat(row, index), day) !== undefined,
    },
  );
  const toId = createIdConverter(ids);
  const plan: WritePlan = { requests: [], rows: [], newIds, changes: [], unchanged: 0 };
  const marks: CellItem<CellMark>[] = [];
  const mark = (row: number, index: number, item: CellMark | undefined): void => {
    const column = columns[index];
    if (item !== undefined && column !== undefined) marks.push({ row: first + row, column, item });
  };
  const written = new Set<string>();
  for (const { record, row, isNew, changed, unmarked } of planned) {
    const previous = readRow(row);
    const cells = record.entries.map((entry, index) => (changed.includes(index) ? entry : undefined));
    if (isNew) cells[idColumn] = { value: toId(record.id) };
    for (const index of unmarked) mark(row, index, buildMarkRemoval(getFormat(row, index), day));
    for (const index of isNew ? [] : changed) {
      const [before = '', after = ''] = [previous[index], cells[index]?.value];
      plan.changes.push({ record: record.id, column: index, before, after });
      mark(row, index, buildChangeMark(before, getFormat(row, index), day));
    }
    if (changed.length === 0) continue;
    written.add(record.id);
    plan.rows.push({ row: first + row, cells, ...(isNew ? {} : { previous }) });
  }
  const length = newIds.size === 0 ? 0 : endRow + newIds.size - 1 - sheet.rows;
  const appendDimension = { sheetId: sheet.sheetId, dimension: 'ROWS', length };
  plan.requests = [...(length > 0 ? [{ appendDimension }] : []), ...buildMarkRequests(sheet.sheetId, marks)];
  plan.unchanged = records.size - written.size;
  return plan;
}
