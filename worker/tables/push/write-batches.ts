// Splits what is to be written into bodies that Google takes: by their size, rows that lie together in one block.
import { toA1 } from './a1.ts';
import { type CellValue, MAX_BODY_BYTES, type ValueRange } from './sheets-client.ts';

/** A part of a row; null leaves a cell as it is. */
export interface RowSegment {
  row: number;
  /** Of its first cell, from 1. */
  column: number;
  cells: (CellValue | null)[];
  /** The record that it is of. */
  record: string;
}

/** One body. */
export interface WriteBatch {
  data: ValueRange[];
  segments: RowSegment[];
}

/** Everything of a body but its ranges. */
const FRAME_BYTES = 1_000;
/** `{"range":"","values":[]},`, letters and numbers of a range. */
const RANGE_BYTES = 80;

const encoder = new TextEncoder();

/** As JSON in UTF-8. */
export function byteLength(value: unknown): number {
  return encoder.encode(JSON.stringify(value)).length;
}

/** A row that is too long for one body, in parts; the cell with the id comes first: by it the row is found again. */
function splitSegment(line: RowSegment, room: number, idColumn: number): RowSegment[] {
  const { column, cells } = line;
  if (byteLength(cells) <= room) return [line];
  const parts: RowSegment[] = [];
  const id = cells[idColumn - column];
  if (id !== undefined && id !== null) parts.push({ ...line, column: idColumn, cells: [id] });
  let from = 0;
  while (from < cells.length) {
    let to = from + 1;
    while (to < cells.length && byteLength(cells.slice(from, to + 1)) <= room) to += 1;
    parts.push({ ...line, column: column + from, cells: cells.slice(from, to) });
    from = to;
  }
  return parts;
}

/** Blocks of lines that lie below each other. */
function toValueRanges(title: string, lines: readonly RowSegment[]): ValueRange[] {
  const blocks: RowSegment[][] = [];
  for (const line of lines) {
    const block = blocks.at(-1);
    const last = block?.at(-1);
    const joins =
      last !== undefined &&
      last.row + 1 === line.row &&
      last.column === line.column &&
      last.cells.length === line.cells.length;
    if (joins) block?.push(line);
    else blocks.push([line]);
  }
  return blocks.flatMap((block) => {
    const [first] = block;
    if (first === undefined) return [];
    const { row, column, cells } = first;
    const lastRow = row + block.length - 1;
    const range = toA1(title, { row, lastRow, column, lastColumn: column + cells.length - 1 });
    return [{ range, values: block.map((line) => line.cells) }];
  });
}

/**
 * Splits lines into bodies of at most {@link MAX_BODY_BYTES}.
 * @param title - of the sheet
 * @param lines - by row
 */
export function buildWriteBatches(
  title: string,
  lines: readonly RowSegment[],
  idColumn: number,
): WriteBatch[] {
  const rangeBytes = RANGE_BYTES + byteLength(title) * 2;
  const room = MAX_BODY_BYTES - FRAME_BYTES - rangeBytes;
  const groups: RowSegment[][] = [];
  let bytes = Number.POSITIVE_INFINITY;
  for (const line of lines.flatMap((each) => splitSegment(each, room, idColumn))) {
    const size = byteLength(line.cells) + rangeBytes;
    if (bytes + size > MAX_BODY_BYTES - FRAME_BYTES) {
      groups.push([]);
      bytes = 0;
    }
    groups.at(-1)?.push(line);
    bytes += size;
  }
  return groups.map((group) => ({ data: toValueRanges(title, group), segments: group }));
}
