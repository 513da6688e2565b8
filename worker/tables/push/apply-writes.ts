// Writes cells through the Sheets API: in bodies that Google accepts, with the number formats and links that they need.
import {
  type CellValue,
  type NumberFormat,
  numberFormats,
  type TableCell,
} from '../../../shared/table/cells.ts';
import { toA1 } from './a1.ts';
import type { TableLocation } from './find-table.ts';
import { MAX_BODY_BYTES, type SheetRequest, type SheetsClient, type ValueRange } from './sheets-client.ts';

export interface SheetRow {
  row: number;
  /** In the order of the table's columns; undefined keeps a cell. */
  cells: readonly (TableCell | undefined)[];
  /** What the cells held; absent for a new row. */
  previous?: readonly CellValue[];
}

/** Part of a row; null keeps a cell. */
interface RowSegment {
  row: number;
  /** Column of the first cell, from 1. */
  column: number;
  cells: (CellValue | null)[];
}

/** Overhead of a body. */
const FRAME_BYTES = 1_000;
/** Overhead of a range: `{"range":"","values":[]},`, column letters and row numbers. */
const RANGE_BYTES = 80;

const encoder = new TextEncoder();

/** Size as JSON in UTF-8. */
export function byteLength(value: unknown): number {
  return encoder.encode(JSON.stringify(value)).length;
}

/** Splits a list into chunks of at most so many items and bytes. A larger item stands alone. */
export function chunkBySize<T>(
  items: Iterable<T>,
  getSize: (item: T) => number,
  maxBytes: number,
  maxItems = Number.POSITIVE_INFINITY,
): T[][] {
  const chunks: T[][] = [];
  let bytes = Number.POSITIVE_INFINITY;
  for (const item of items) {
    const size = getSize(item);
    const last = chunks.at(-1);
    if (last === undefined || bytes + size > maxBytes || last.length >= maxItems) {
      chunks.push([item]);
      bytes = size;
    } else {
      last.push(item);
      bytes += size;
    }
  }
  return chunks;
}

/** Splits a segment that exceeds a body. The id comes first, so that a later push finds an incomplete row. */
function splitSegment(segment: RowSegment, maxBytes: number, idColumn: number): RowSegment[] {
  const { column, cells } = segment;
  if (byteLength(cells) <= maxBytes) return [segment];
  const parts: RowSegment[] = [];
  const id = cells[idColumn - column];
  if (id !== undefined && id !== null) parts.push({ ...segment, column: idColumn, cells: [id] });
  let from = column;
  for (const chunk of chunkBySize(cells, (cell) => byteLength(cell) + 1, maxBytes - 1)) {
    parts.push({ ...segment, column: from, cells: chunk });
    from += chunk.length;
  }
  return parts;
}

/** Joins segments of adjacent rows with the same columns into one range. */
function toValueRanges(title: string, segments: readonly RowSegment[]): ValueRange[] {
  const blocks: RowSegment[][] = [];
  for (const segment of segments) {
    const block = blocks.at(-1);
    const last = block?.at(-1);
    const isAdjacent =
      last !== undefined &&
      last.row + 1 === segment.row &&
      last.column === segment.column &&
      last.cells.length === segment.cells.length;
    if (isAdjacent) block?.push(segment);
    else blocks.push([segment]);
  }
  return blocks.flatMap((block) => {
    const [first] = block;
    if (first === undefined) return [];
    const { row, column, cells } = first;
    const lastRow = row + block.length - 1;
    const range = toA1(title, { row, lastRow, column, lastColumn: column + cells.length - 1 });
    return [{ range, values: block.map((segment) => segment.cells) }];
  });
}

/**
 * Splits segments into bodies of at most {@link MAX_BODY_BYTES}.
 * @param title - title of the sheet
 * @param segments - sorted by row
 */
function buildWriteBatches(title: string, segments: readonly RowSegment[], idColumn: number): ValueRange[][] {
  const rangeBytes = RANGE_BYTES + byteLength(title) * 2;
  const maxSegmentBytes = MAX_BODY_BYTES - FRAME_BYTES - rangeBytes;
  const parts = segments.flatMap((segment) => splitSegment(segment, maxSegmentBytes, idColumn));
  const getSize = ({ cells }: RowSegment): number => byteLength(cells) + rangeBytes;
  return chunkBySize(parts, getSize, MAX_BODY_BYTES - FRAME_BYTES).map((chunk) =>
    toValueRanges(title, chunk),
  );
}

/** Overhead of a request in a body. */
const REQUEST_FRAME_BYTES = 10;
export const MAX_CHUNK_BYTES = MAX_BODY_BYTES * 0.9;

/** Sends requests in bodies of at most {@link MAX_CHUNK_BYTES}. */
export async function sendRequests(
  client: SheetsClient,
  spreadsheetId: string,
  requests: readonly SheetRequest[],
): Promise<void> {
  const getSize = (request: SheetRequest): number => byteLength(request) + REQUEST_FRAME_BYTES;
  for (const body of chunkBySize(requests, getSize, MAX_CHUNK_BYTES))
    await client.batchUpdate(spreadsheetId, body);
}

/** Something for a cell; row and column from 1. */
export interface CellItem<T> {
  row: number;
  column: number;
  item: T;
}

/** Overhead of a cell in a request. */
const CELL_FRAME_BYTES = 200;

/** Groups cells of a column that follow each other and belong together, so that a group fits into a body. */
export function groupCells<T>(
  cells: readonly CellItem<T>[],
  belongTogether: (a: T, b: T) => boolean = () => true,
): { row: number; column: number; items: [T, ...T[]] }[] {
  const groups: { row: number; column: number; items: [T, ...T[]]; bytes: number }[] = [];
  for (const { row, column, item } of cells.toSorted((a, b) => a.column - b.column || a.row - b.row)) {
    const group = groups.at(-1);
    const bytes = byteLength(item) + CELL_FRAME_BYTES;
    const isNext = group?.column === column && group.row + group.items.length === row;
    if (isNext && belongTogether(group.items[0], item) && group.bytes + bytes <= MAX_CHUNK_BYTES) {
      group.items.push(item);
      group.bytes += bytes;
    } else groups.push({ row, column, items: [item], bytes });
  }
  return groups;
}

export const buildFormatRequests = (
  sheetId: number,
  cells: readonly CellItem<NumberFormat>[],
): SheetRequest[] =>
  groupCells(cells, (a, b) => a === b).map(({ row, column, items: [format, ...others] }) => ({
    repeatCell: {
      range: {
        sheetId,
        startRowIndex: row - 1,
        endRowIndex: row + others.length,
        startColumnIndex: column - 1,
        endColumnIndex: column,
      },
      cell: { userEnteredFormat: { numberFormat: numberFormats[format] } },
      fields: 'userEnteredFormat.numberFormat',
    },
  }));

/** Builds the requests that make texts links. They set the texts again, which may remove links. */
const buildLinkRequests = (sheetId: number, cells: readonly CellItem<TableCell>[]): SheetRequest[] =>
  groupCells(cells).map(({ row, column, items }) => ({
    updateCells: {
      start: { sheetId, rowIndex: row - 1, columnIndex: column - 1 },
      rows: items.map(({ value, link }) => ({
        values: [
          {
            userEnteredValue: { stringValue: String(value) },
            userEnteredFormat: { textFormat: { link: { uri: link } } },
          },
        ],
      })),
      fields: 'userEnteredValue,userEnteredFormat.textFormat.link',
    },
  }));

/** Joins the cells of a row from the first to the last. */
function toSegment({ columns }: TableLocation, { row, cells }: SheetRow): RowSegment[] {
  const values = new Map<number, CellValue>();
  for (const [index, cell] of cells.entries()) {
    const column = columns[index];
    if (column !== undefined && cell !== undefined) values.set(column, cell.value);
  }
  if (values.size === 0) return [];
  const column = Math.min(...values.keys());
  const length = Math.max(...values.keys()) - column + 1;
  return [{ row, column, cells: Array.from({ length }, (_, at) => values.get(column + at) ?? null) }];
}

/**
 * Writes rows of a located table: first formats, then values, then links.
 * @throws ProblemError problems of the client
 */
export async function applyWrites(
  client: SheetsClient,
  spreadsheetId: string,
  location: TableLocation,
  rows: readonly SheetRow[],
): Promise<void> {
  const { sheet, columns, idColumn } = location;
  const sorted = rows.toSorted((a, b) => a.row - b.row);
  const formats: CellItem<NumberFormat>[] = [];
  const links: CellItem<TableCell>[] = [];
  for (const { row, cells, previous } of sorted) {
    for (const [index, cell] of cells.entries()) {
      const column = columns[index];
      if (column === undefined || cell === undefined) continue;
      // A person may have formatted a cell that holds a number.
      if (cell.format !== undefined && typeof previous?.[index] !== 'number')
        formats.push({ row, column, item: cell.format });
      if (cell.link !== undefined) links.push({ row, column, item: cell });
    }
  }
  await sendRequests(client, spreadsheetId, buildFormatRequests(sheet.sheetId, formats));
  const segments = sorted.flatMap((row) => toSegment(location, row));
  for (const batch of buildWriteBatches(sheet.title, segments, idColumn))
    await client.writeValues(spreadsheetId, batch);
  await sendRequests(client, spreadsheetId, buildLinkRequests(sheet.sheetId, links));
}
