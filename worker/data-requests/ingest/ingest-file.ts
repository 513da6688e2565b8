// Ingests a result file: decompresses it as a stream, splits it into lines, validates them and writes pages of rows.
import { logError } from '../../http/log.ts';
import { Decompressor } from './decompressor.ts';
import { type Line, LineSplitter, MAX_LINE_BYTES } from './line-splitter.ts';
import { PAGE_BYTES, PAGE_ROWS, type PageBounds } from './page.ts';
import { PageWriter } from './page-writer.ts';
import { parseLine } from './parse-line.ts';
import type { FileReport, IngestSlice, RejectionReason, ResultFile, RowStore } from './types.ts';

const MAX_EXAMPLES = 10;

/** Memory bounds; tests make them small. */
export interface IngestBounds extends PageBounds {
  lineBytes: number;
}

const defaultBounds: IngestBounds = { bytes: PAGE_BYTES, rows: PAGE_ROWS, lineBytes: MAX_LINE_BYTES };

/** Reasons that a truncated last line may cause. */
const truncationReasons: readonly RejectionReason[] = ['not_utf8', 'not_json', 'not_object'];

/** Processes the lines of one file. */
class FileIngest {
  readonly #file: ResultFile;
  readonly #pages: PageWriter;
  #lines = 0;
  readonly #rejected: FileReport['rejected'] = {};
  readonly #examples: FileReport['examples'] = [];

  constructor(file: ResultFile, pages: PageWriter) {
    this.#file = file;
    this.#pages = pages;
  }

  /**
   * Adds a line as a row, or counts why it is rejected.
   * @param isTruncated - the file may be cut off within this line
   * @returns a promise that must be awaited before the next line; undefined if there is none
   */
  add(line: Line, isTruncated = false): Promise<void> | undefined {
    this.#lines += 1;
    if (line === undefined) return this.#reject('too_long');
    const parsed = parseLine(this.#file.family, line);
    if (parsed.ok) return this.#pages.add(line, parsed.record);
    return this.#reject(
      isTruncated && truncationReasons.includes(parsed.reason) ? 'truncated' : parsed.reason,
    );
  }

  #reject(reason: RejectionReason): undefined {
    this.#rejected[reason] = (this.#rejected[reason] ?? 0) + 1;
    if (this.#examples.length < MAX_EXAMPLES) this.#examples.push({ line: this.#lines, reason });
  }

  report(bytes: number, truncation: FileReport['truncation']): FileReport {
    const { erased, ...written } = this.#pages.counts;
    return {
      fileName: this.#file.fileName,
      lines: this.#lines,
      ...written,
      next: this.#pages.next,
      rejected: { ...this.#rejected, ...(erased > 0 && { erased }) },
      examples: this.#examples,
      bytes,
      truncation,
    };
  }
}

/**
 * Ingests a file, or the next slice of it. It is idempotent: each record is one row, whichever file or attempt delivers it, and
 * a repeated call adds missing rows. At most a line and two pages are in memory.
 * @throws if the store can't be reached; the caller repeats the slice
 * @throws FileChangedError if the file is not the one of the earlier slices; the caller starts again with the first page
 */
export async function ingestFile(
  store: RowStore,
  file: ResultFile,
  bounds: IngestBounds = defaultBounds,
  slice: IngestSlice = {},
): Promise<FileReport> {
  const pages = new PageWriter(store, file, bounds, slice);
  const ingest = new FileIngest(file, pages);
  const lines = new LineSplitter(bounds.lineBytes);
  const decompressor = new Decompressor(file.body);
  let bytes = 0;
  for await (const chunk of decompressor.chunks()) {
    bytes += chunk.length;
    for (const line of lines.split(chunk)) {
      const pending = ingest.add(line);
      if (pending !== undefined) await pending;
      if (pages.next !== null) return ingest.report(bytes, null);
    }
  }
  const { truncation } = decompressor;
  if (truncation !== null) {
    logError('data_request_file_truncated', undefined, {
      data_request: file.requestId,
      file: file.fileIndex,
      truncation,
    });
  }
  const last = lines.flush();
  if (last !== undefined) await ingest.add(last.line, truncation !== null);
  await pages.close(truncation === null);
  return ingest.report(bytes, truncation);
}
