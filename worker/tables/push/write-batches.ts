// Splits writes into bodies that Google accepts and joins adjacent rows into blocks.
import type { CellValue } from '../../../shared/table/cells.ts';
import { toA1 } from './a1.ts';
import { MAX_BODY_BYTES, type ValueRange } from './sheets-client.ts';

/** Part of a row; null keeps a cell. */
export interface RowSegment {
  row: number;
  /** Column of the first cell, from 1. */
  column: number;
  cells: (CellValue | null)[];
  record: string;
}

/** One body and the segments in it. */
export interface WriteBatch {
  data: ValueRange[];
  segments: RowSegment[];
}

const FRAME_BYTES = 1_000;
/** Overhead of a range: `{"range":"","values":[]},`, column letters and row numbers. */
const RANGE_BYTES = 80;

const encoder = new TextEncoder();

/** Size as JSON in UTF-8. */
export function byteLength(value: unknown): number {
  return encoder.encode(JSON.stringify(value)).length;
}

/** Splits a segment that exceeds a body. The id comes first, so that a later push finds an incomplete row. */
function splitSegment(segment: RowSegment, maxBytes: number, idColumn: number): RowSegment[] {
  const { column, cells } = segment;
  if (byteLength(cells) <= maxBytes) return [segment];
  const parts: RowSegment[] = [];
  const id = cells[idColumn - column];
  if (id !== undefined && id !== null) parts.push({ ...segment, column: idColumn, cells: [id] });
  let from = 0;
  while (from < cells.length) {
    let to = from + 1;
    while (to < cells.length && byteLength(cells.slice(from, to + 1)) <= maxBytes) to += 1;
    parts.push({ ...segment, column: column + from, cells: cells.slice(from, to) });
    from = to;
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
export function buildWriteBatches(
  title: string,
  segments: readonly RowSegment[],
  idColumn: number,
): WriteBatch[] {
  const rangeBytes = RANGE_BYTES + byteLength(title) * 2;
  const maxSegmentBytes = MAX_BODY_BYTES - FRAME_BYTES - rangeBytes;
  const groups: RowSegment[][] = [];
  let bytes = Number.POSITIVE_INFINITY;
  for (const segment of segments.flatMap((each) => splitSegment(each, maxSegmentBytes, idColumn))) {
    const size = byteLength(segment.cells) + rangeBytes;
    if (bytes + size > MAX_BODY_BYTES - FRAME_BYTES) {
      groups.push([]);
      bytes = 0;
    }
    groups.at(-1)?.push(segment);
    bytes += size;
  }
  return groups.map((group) => ({ data: toValueRanges(title, group), segments: group }));
}
