// Ingests a result file: decompresses it as a stream, splits it into lines, validates them and writes pages of rows.
import { logError } from '../../http/log.ts';
import { Decompressor } from './decompressor.ts';
import { type Line, LineSplitter, MAX_LINE_BYTES } from './line-splitter.ts';
import { PAGE_BYTES, PAGE_ROWS, type PageBounds } from './page.ts';
import { PageWriter } from './page-writer.ts';
import { parseLine } from './parse-line.ts';
import type { FileReport, IngestSlice, RejectionReason, ResultFile, RowStore } from './types.ts';

/** Memory bounds; tests make them small. */
export interface IngestBounds extends PageBounds {
  lineBytes: number;
}

const defaultBounds: IngestBounds = { bytes: PAGE_BYTES, rows: PAGE_ROWS, lineBytes: MAX_LINE_BYTES };

/** Reasons that a truncated last line may cause. */
const truncationReasons: readonly RejectionReason[] = ['not_utf8', 'not_json', 'not_object'];

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
  const lines = new LineSplitter(bounds.lineBytes);
  const decompressor = new Decompressor(file.body);
  const rejected: FileReport['rejected'] = {};
  let lineCount = 0;
  let bytes = 0;
  const reject = (reason: RejectionReason): undefined => {
    rejected[reason] = (rejected[reason] ?? 0) + 1;
  };
  /** @returns a promise that must be awaited before the next line; undefined if there is none */
  const add = (line: Line, isTruncated: boolean): Promise<void> | undefined => {
    lineCount += 1;
    if (line === undefined) return reject('too_long');
    const parsed = parseLine(file.family, line);
    if (parsed.ok) return pages.add(line, parsed.record);
    return reject(isTruncated && truncationReasons.includes(parsed.reason) ? 'truncated' : parsed.reason);
  };
  const report = (truncation: FileReport['truncation']): FileReport => {
    const { erased, ...written } = pages.counts;
    if (erased > 0) rejected.erased = erased;
    return { lines: lineCount, ...written, next: pages.next, rejected, bytes, truncation };
  };
  for await (const chunk of decompressor.chunks()) {
    bytes += chunk.length;
    for (const line of lines.split(chunk)) {
      const pending = add(line, false);
      if (pending !== undefined) await pending;
      if (pages.next !== null) return report(null);
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
  if (last !== undefined) await add(last.line, truncation !== null);
  await pages.close(truncation === null);
  return report(truncation);
}
