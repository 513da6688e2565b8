// Writes rows of a table: each value below its heading, wherever that is.
import { accountColumn } from '../../../shared/accounts.ts';
import { toIdText } from '../../../shared/table/cells.ts';
import { shortenUrl } from '../../../shared/table/columns.ts';
import { WrittenRows } from '../../../shared/table/fingerprints.ts';
import { formatChangeNote, type Incoming, type PlannedRow } from '../../../shared/table/plan.ts';
import { createError } from '../../lib/addon-error.ts';
import { formatDay } from '../../lib/dates.ts';
import { getRange, groupConsecutive } from '../../sheet/area.ts';
import { type Entry, fingerprint } from '../../sheet/entries.ts';
import { withSheetErrors } from '../../sheet/guard.ts';
import {
  type BodyCells,
  clearMarkCache,
  findKeyColumn,
  getColumnSpan,
  listPresentColumns,
  type TableLocation,
} from '../locate.ts';
import { readFingerprints, saveFingerprints, type TableRecord } from '../registry.ts';
import { recordStep } from '../runs/undo-log.ts';
import { type BlockRow, growSheet, writeBlocks } from './write-blocks.ts';

/** A row to write, in the order of the table's columns; an undefined entry keeps a cell. */
export type RowWrite = Omit<BlockRow, 'entries'> & { entries: readonly (Entry | undefined)[] };

/** Adjacent columns of a table, as indexes, without foreign columns or kept cells between them. */
interface ColumnBlock {
  column: number;
  indexes: number[];
  isFull: boolean;
}

/** Columns with kept cells form separate blocks. */
function listColumnBlocks(
  location: TableLocation,
  rows: readonly RowWrite[],
  apart: readonly number[],
): ColumnBlock[] {
  const blocks: ColumnBlock[] = [];
  for (const { at: index, column } of listPresentColumns(location)) {
    const isFull = !apart.includes(index) && rows.every(({ entries }) => entries[index] !== undefined);
    const last = blocks[blocks.length - 1];
    if (isFull && last?.isFull && last.column + last.indexes.length === column) last.indexes.push(index);
    else blocks.push({ column, indexes: [index], isFull });
  }
  return blocks;
}

/**
 * Writes rows, and extends the grid for them.
 * @param rows - from top to bottom
 * @param options.first - index of the column to write first, if others stand between the blocks
 * @param options.apart - indexes of columns that always form separate blocks: Undo compares blocks of the same columns
 * @throws AddonError `sheet_refused`
 */
export function writeRows(
  runId: string,
  location: TableLocation,
  rows: readonly RowWrite[],
  {
    first = -1,
    apart = [],
    bold = false,
  }: { first?: number; apart?: readonly number[]; bold?: boolean } = {},
): void {
  const isFirst = ({ indexes }: ColumnBlock): number => Number(indexes.includes(first));
  for (const { column, indexes } of listColumnBlocks(location, rows, apart).sort(
    (a, b) => isFirst(b) - isFirst(a),
  )) {
    const cut = <T>(cells: readonly T[] | undefined): (T | undefined)[] | undefined =>
      cells && indexes.map((index) => cells[index]);
    const lines = rows.flatMap(({ row, entries, notes, marks }): BlockRow[] => {
      const cells = cut(entries)?.flatMap((entry) => entry ?? []) ?? [];
      return cells.length === 0 ? [] : [{ row, entries: cells, notes: cut(notes), marks: cut(marks) }];
    });
    const end = lines[lines.length - 1]?.row;
    const area = { column, columns: indexes.length };
    if (end !== undefined) growSheet(runId, location.sheet, { ...area, row: end, rows: 1 });
    writeBlocks(runId, location.sheet, area, lines, bold);
  }
}

const isEmpty = (cell: unknown): boolean => cell === '' || cell === null || cell === undefined;

/** Tells whether columns beside the table have contents both above and below the end of its body. */
function splitsNeighbours(location: TableLocation, end: number): boolean {
  const { column, columns } = getColumnSpan(location);
  const cells: unknown[][] = location.sheet.getDataRange().getValues();
  const isUsed = (lines: readonly (readonly unknown[])[], at: number): boolean =>
    lines.some((line) => !isEmpty(line[at]));
  return (cells[0] ?? []).some((_, at) => {
    const isOutside = at + 1 < column || at + 1 >= column + columns;
    return (
      isOutside && isUsed(cells.slice(location.row - 1, end - 1), at) && isUsed(cells.slice(end - 1), at)
    );
  });
}

/**
 * Makes space for rows below a table. Contents below it move down, unless that would split contents beside the table.
 * @param count - number of rows that the table will have
 * @throws AddonError `sheet_refused`; nothing is changed then
 */
export function makeRoom(runId: string, location: TableLocation, body: BodyCells, count: number): void {
  const { sheet, row } = location;
  const end = body.area.row + body.area.rows;
  const missing = row + 1 + count - end;
  const inGrid = Math.min(missing, sheet.getMaxRows() - end + 1);
  if (inGrid <= 0) return;
  const isInTheWay = groupConsecutive(listPresentColumns(location).map(({ column }) => column)).some(
    ({ from, count: columns }) => {
      const range = getRange(sheet, { row: end, rows: inGrid, column: from, columns });
      return [range.getValues(), range.getFormulas()].some((cells) =>
        cells.some((line) => !line.every(isEmpty)),
      );
    },
  );
  if (!isInTheWay) return;
  if (splitsNeighbours(location, end)) {
    throw createError(
      'sheet_refused',
      'There is no room for {missing} more rows in “{name}”: there are cells below the table and beside it. Move the table to a separate sheet, or write to a new sheet.',
      { missing, name: sheet.getName() },
    );
  }
  withSheetErrors(sheet, () => sheet.insertRowsBefore(end, missing), missing * sheet.getMaxColumns());
  clearMarkCache();
  recordStep(runId, { do: 'rows', sheet: sheet.getSheetId(), row: end, count: missing });
}

const fingerprintCells = (cells: readonly unknown[]): string =>
  // People may replace a link by its URL.
  fingerprint(cells.map((cell) => (typeof cell === 'string' ? shortenUrl(cell) : cell)));

/** Opens the log of the values written into a table. It is kept in memory until it is saved. */
export function openWrittenRows({ id, columns }: TableRecord, location: TableLocation): WrittenRows {
  return new WrittenRows(readFingerprints(id), {
    columns: columns.map((column) => column.id),
    idColumn: findKeyColumn({ columns })?.id ?? '',
    counted: columns.flatMap(({ isOwn }, at) =>
      isOwn === true || location.columns[at] === undefined ? [] : [at],
    ),
    fingerprint: fingerprintCells,
  });
}

export interface WriteTarget {
  runId: string;
  table: TableRecord;
  location: TableLocation;
  body: BodyCells;
  written: WrittenRows;
}

/** A record to write, with its notes: undefined keeps a note. */
export interface TableRow extends Incoming<Entry> {
  notes?: readonly (string | undefined)[];
}

/** Numbers of rows that a plan has changed. */
export interface WriteResult {
  rows: number;
  /** Existing rows with other values than before; absent if rows were replaced without a comparison. */
  changed?: number;
  /** Rows that were added to existing ones. */
  added?: number;
  /** Changed and added rows, if all rows were replaced. */
  updated?: number;
}

/** Returns the index of the id column; -1 if there is none. */
export const findIdColumn = ({ columns }: TableRecord): number =>
  columns.findIndex(({ path }) => path === 'id');

/** Returns the cells of a row to write. */
export const toCells = (entries: readonly (Entry | undefined)[]): unknown[] =>
  entries.map((entry) => entry?.cell);

/** Returns what identifies a row: its id, with the company if several companies may list a record. '' if there is none. */
export function getRowId(table: TableRecord, line: readonly unknown[]): string {
  const id = toIdText(line[findIdColumn(table)]);
  if (id === '' || table.accounts === undefined) return id;
  return `${id} ${line[table.columns.findIndex(({ path }) => path === accountColumn)]}`;
}

export const formatCellText = (value: unknown): string =>
  value instanceof Date ? formatDay(value) : String(value);

/**
 * Writes a plan, and records what it has written.
 * @param marksChanges - changed values get a note with the previous one, and a colour
 * @throws AddonError `sheet_refused` if there is no space; nothing is changed then
 */
export function applyPlan(
  { runId, table, location, body, written }: WriteTarget,
  plan: readonly PlannedRow<TableRow>[],
  marksChanges: boolean,
): WriteResult {
  const day = new Date().toISOString().slice(0, 10);
  const isValue = (column: number): boolean => table.columns[column]?.role === 'value';
  const toWrite = (planned: PlannedRow<TableRow>): RowWrite => {
    const { record, row, isNew, columns, changed, unmarked } = planned;
    const had = body.values[row] ?? [];
    const entries = record.entries.map((entry, column) => (columns.includes(column) ? entry : undefined));
    const place = { row: location.row + 1 + row, entries };
    if (isNew || !marksChanges) return { ...place, notes: record.notes };
    return {
      ...place,
      notes: entries.map((_, column) => {
        if (changed.includes(column) && isValue(column))
          return formatChangeNote(formatCellText(had[column]), day);
        return record.notes?.[column] ?? (unmarked.includes(column) ? '' : undefined);
      }),
      marks: entries.map((_, column) => (isValue(column) ? changed.includes(column) : undefined)),
    };
  };
  const wanted = plan
    .filter(({ changed, unmarked }) => changed.length + unmarked.length > 0)
    .sort((a, b) => a.row - b.row);
  const added = wanted.filter(({ isNew }) => isNew).length;
  const apart = table.columns.flatMap(({ isOwn }, at) => (isOwn === true ? at : []));
  // Keys are the person's.
  const identifying = table.columns[0]?.role === 'key' ? -1 : findIdColumn(table);
  makeRoom(runId, location, body, body.values.length + added);
  writeRows(runId, location, wanted.map(toWrite), { first: identifying, apart });
  SpreadsheetApp.flush();
  for (const { record, row, columns } of plan) {
    const line = table.columns.map((_, at): unknown => {
      const entry = columns.includes(at) ? record.entries[at] : undefined;
      return entry === undefined ? body.values[row]?.[at] : entry.cell;
    });
    if (!line.every(isEmpty)) written.add(line, [...columns, identifying]);
  }
  saveFingerprints(table.id, written.format());
  const changed = wanted.filter((row) => !row.isNew && row.changed.some(isValue)).length;
  return { rows: wanted.length, changed, added };
}
