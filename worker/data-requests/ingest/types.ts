// Types for writing and reading the rows of data requests.
import * as z from 'zod';
import type { Family } from '../../../shared/families/index.ts';
import type { LinkedKeys } from '../../gateway/refusal-list/named-subjects.ts';
import type { Pseudonyms } from '../../gateway/refusal-list/pseudonyms.ts';

/** The subset of R2Bucket that rows use. */
export interface RowBucket {
  get(
    key: string,
    options?: { range: { offset: number; length: number } },
  ): Promise<{ etag: string; arrayBuffer(): Promise<ArrayBuffer> } | null>;
  /** @returns null if the object has changed since the given ETag */
  put(key: string, value: Uint8Array, options?: { onlyIf: { etagMatches: string } }): Promise<object | null>;
  list(options: { prefix: string; cursor?: string }): Promise<R2Objects>;
  delete(keys: string | string[]): Promise<void>;
}

/** Store of rows: pages in R2, their index in D1. */
export interface RowStore {
  bucket: RowBucket;
  db: D1Database;
  loadPseudonyms: () => Promise<Pseudonyms>;
  /** Refuses the keys of erased records that a file has delivered. */
  refuseLinked?: (linked: LinkedKeys) => Promise<void>;
}

export interface ResultFile {
  requestId: string;
  family: Family;
  /** Its index in the provider's list of files, from 0; the same in each attempt. */
  fileIndex: number;
  /** JSON Lines, gzipped, or plain if a proxy has decompressed them. */
  body: ReadableStream<Uint8Array>;
}

/**
 * Why a line was rejected.
 * - `truncated`: the file was cut off within the line
 * - `empty`: only white space
 * - `too_long`: longer than the limit
 * - `not_utf8`, `not_json`, `not_object`: invalid content
 * - `too_deep`: nested too deeply to be serialised again
 * - `no_id`: no id that is an integer of 1 to 19 digits
 * - `erased`: the person or company was erased
 */
export type RejectionReason =
  | 'truncated'
  | 'empty'
  | 'too_long'
  | 'not_utf8'
  | 'not_json'
  | 'not_object'
  | 'too_deep'
  | 'no_id'
  | 'erased';

/** Where the next invocation continues with a file, and what the earlier ones have counted. */
export const ingestProgressSchema = z.object({
  /** Number of stored pages. */
  pages: z.int(),
  /** Id of the first record of the next page: it tells whether the file is still the same. */
  nextId: z.string(),
  rows: z.int(),
  duplicates: z.int(),
  erased: z.int(),
  stripped: z.int(),
});
export type IngestProgress = z.infer<typeof ingestProgressSchema>;

export interface IngestSlice {
  /** Default: the whole file. */
  progress?: IngestProgress | null;
  /** Stops after about this number of queries and calls of the bucket; a page takes three to seven. Default: no limit. */
  maxCalls?: number;
}

/** Result of ingesting one file: counts, without any content. */
export interface FileReport {
  /** All lines, accepted or rejected. */
  lines: number;
  /** Records of this file that are rows of the data request. */
  rows: number;
  /** Rows from which erased people and companies were removed. */
  stripped: number;
  /** Records that are rows already, from an earlier line or another file. */
  duplicates: number;
  /** Rejected lines by reason; reasons that did not occur are absent. */
  rejected: Partial<Record<RejectionReason, number>>;
  /** Decompressed bytes. */
  bytes: number;
  /**
   * Null if the file was read to its end; `incomplete` if it was cut off; `damaged` if it could not be decompressed further.
   * The rows before that are stored, and ingesting the file again adds the others.
   */
  truncation: 'incomplete' | 'damaged' | null;
  /** Where to continue; null after the last page. */
  next: IngestProgress | null;
}

export interface RecordsQuery {
  requestId: string;
  /** Cursor of the previous page. */
  after?: string;
  /** Maximum number of rows. */
  limit: number;
  /** Maximum size of the rows as JSON. A longer first row is returned alone. */
  maxBytes: number;
  /** Only records of files before this index. */
  beforeFile?: number;
}

export interface RowsQuery extends RecordsQuery {
  family: Family;
  /** Paths such as `name` or `experience[0].title`; the default fields of the family if absent. */
  columns?: readonly string[];
}
