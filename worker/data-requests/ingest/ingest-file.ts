// Puts a result file in: unpacked as it comes, cut into lines, checked, and written as pages of rows.
import { logError } from '../../http/log.ts';
import { Decompressor } from './decompressor.ts';
import { type Line, LineSplitter, MAX_LINE_BYTES } from './line-splitter.ts';
import { PAGE_BYTES, PAGE_ROWS, type PageBounds } from './page.ts';
import { PageWriter } from './page-writer.ts';
import { parseLine } from './parse-line.ts';
import type { FileReport, RejectionReason, ResultFile, RowStore } from './types.ts';

const MAX_EXAMPLES = 10;

/** Bounds of what is held; tests make them small. */
export interface IngestBounds extends PageBounds {
  lineBytes: number;
}

const defaultBounds: IngestBounds = { bytes: PAGE_BYTES, rows: PAGE_ROWS, lineBytes: MAX_LINE_BYTES };

/** What a line is not for itself, but for being cut. */
const truncationReasons: readonly RejectionReason[] = ['not_utf8', 'not_json', 'not_object'];

/** What becomes of the lines of one file. */
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
   * Takes a line, or counts why not.
   * @param isTruncated - whether the file broke off in it, or may have
   * @returns what has to be waited for before the next one
   */
  add(line: Line, isTruncated = false): Promise<void> | undefined {
    this.#lines += 1;
    if (line === undefined) return this.#reject('too_long');
    const read = parseLine(this.#file.family, line);
    if (read.ok) return this.#pages.add(line, read.record);
    return this.#reject(isTruncated && truncationReasons.includes(read.reason) ? 'truncated' : read.reason);
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
      rejected: { ...this.#rejected, ...(erased > 0 && { erased }) },
      examples: this.#examples,
      bytes,
      truncation,
    };
  }
}

/**
 * Puts a file in. To put it in again changes nothing, and adds what was missing: every record is a row once, in whichever
 * file and however often it comes. No more of the file is held than a line and two pages.
 * @throws where the store can't be reached; then the file is put in again from its start
 */
export async function ingestFile(
  store: RowStore,
  file: ResultFile,
  bounds: IngestBounds = defaultBounds,
): Promise<FileReport> {
  const pages = new PageWriter(store, file, bounds);
  const intake = new FileIngest(file, pages);
  const lines = new LineSplitter(bounds.lineBytes);
  const unpacking = new Decompressor(file.body);
  let bytes = 0;
  for await (const chunk of unpacking.chunks()) {
    bytes += chunk.length;
    for (const line of lines.split(chunk)) {
      const turning = intake.add(line);
      if (turning !== undefined) await turning;
    }
  }
  const { truncation } = unpacking;
  if (truncation !== null) {
    logError('data_request_file_truncated', undefined, {
      data_request: file.requestId,
      file: file.fileIndex,
      truncation,
    });
  }
  const rest = lines.rest();
  if (rest !== undefined) await intake.add(rest.line, truncation !== null);
  await pages.close(truncation === null);
  return intake.report(bytes, truncation);
}
