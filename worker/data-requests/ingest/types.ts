// What the rows of data requests are put in with, told of, and read by.
import type { Column, DataRecord } from '../../../shared/api/common.ts';
import type { Family } from '../../../shared/families/index.ts';

/** What is used of a bucket. */
export interface RowBucket {
  get(
    key: string,
    options?: { range: { offset: number; length: number } },
  ): Promise<{ etag: string; arrayBuffer(): Promise<ArrayBuffer> } | null>;
  /** @returns null where the object is not the one that it was to be any more */
  put(key: string, value: Uint8Array, options?: { onlyIf: { etagMatches: string } }): Promise<object | null>;
  list(options: { prefix: string; cursor?: string }): Promise<R2Objects>;
  delete(keys: string | string[]): Promise<void>;
}

/** Where rows are kept: pages in R2, their index in D1. */
export interface RowStore {
  bucket: RowBucket;
  db: D1Database;
}

/** One result file on its way in. */
export interface ResultFile {
  requestId: string;
  family: Family;
  /** Its place in the provider's list of files, from 0; the same each time it is put in. */
  fileIndex: number;
  fileName: string;
  /** As the provider sends it: gzipped JSON Lines, or plain ones where the way has unpacked them. */
  body: ReadableStream<Uint8Array>;
}

/**
 * Why a line was not taken.
 * - `truncated`: the file broke off in the middle of it
 * - `empty`: nothing but white space
 * - `too_long`: longer than a line may be
 * - `not_utf8`, `not_json`, `not_object`: it can't be read
 * - `too_deep`: nested deeper than anybody could write again
 * - `no_id`: it has no id that is a whole number of 1 to 19 digits
 * - `erased`: whoever it is about has been erased
 */
export const rejectionReasons = [
  'truncated',
  'empty',
  'too_long',
  'not_utf8',
  'not_json',
  'not_object',
  'too_deep',
  'no_id',
  'erased',
] as const;
export type RejectionReason = (typeof rejectionReasons)[number];

/** What came of one file: counts and line numbers, nothing of what stands in the lines. */
export interface FileReport {
  fileName: string;
  /** Lines, whether they were taken or not. */
  lines: number;
  /** Records of this file that are rows of the request. */
  rows: number;
  /** Records whose id is a row of the request already, from an earlier line or another file. */
  duplicates: number;
  /** Lines that were refused, by reason; reasons that did not occur are absent. */
  rejected: Partial<Record<RejectionReason, number>>;
  /** The first few refused lines, from 1. */
  examples: { line: number; reason: RejectionReason }[];
  /** Unpacked bytes that were read. */
  bytes: number;
  /** Pages that were written. */
  pages: number;
  /**
   * Whether the file was read to its end: `incomplete` where it broke off, `damaged` where it could not be unpacked any
   * further. What came before is in; to put the file in again adds the rest.
   */
  truncation: 'incomplete' | 'damaged' | null;
}

/** Which rows are wanted. */
export interface RowsQuery {
  requestId: string;
  family: Family;
  /** Of an earlier answer: where it ended. */
  after?: string;
  /** At most so many rows. */
  limit: number;
  /** Paths such as `name` or `experience[0].title`; the family's default fields where absent. */
  columns?: readonly string[];
  /** The rows' JSON has at most so many bytes; a first row that is longer comes by itself. */
  maxBytes: number;
}

/** Rows, flattened. */
export interface RowsPage {
  columns: Column[];
  /** A value for each column; null where the record has none. */
  rows: unknown[][];
  /** Where to go on; null at the end. */
  after: string | null;
}

/** Which whole records are wanted. */
export interface RecordsQuery extends Pick<RowsQuery, 'requestId' | 'after' | 'limit' | 'maxBytes'> {
  /** Only those of files before this one. */
  beforeFile?: number;
}

/** Whole records; whole numbers beyond 2^53 are texts. */
export interface RecordsPage {
  records: DataRecord[];
  /** Where to go on; null at the end. */
  after: string | null;
}
