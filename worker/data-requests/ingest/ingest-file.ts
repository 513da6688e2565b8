// Puts a result file in: unpacked as it comes, cut into lines, checked, and written as pages of rows.
import { logError } from '../../http/log.ts';
import { Unpacking } from './decompressor.ts';
import { type Line, LineSplitter, MAX_LINE_BYTES } from './line-splitter.ts';
import { PAGE_BYTES, PAGE_ROWS, type PageBounds } from './page.ts';
import { PageWriter } from './page-writer.ts';
import { readLine } from './parse-line.ts';
import type { FileReport, Refusal, ResultFile, RowStore } from './types.ts';

const MAX_EXAMPLES = 10;

/** Bounds of what is held; tests make them small. */
export interface IngestBounds extends PageBounds {
  lineBytes: number;
}

const standard: IngestBounds = { bytes: PAGE_BYTES, rows: PAGE_ROWS, lineBytes: MAX_LINE_BYTES };

/** What a line is not for itself, but for being cut. */
const cutLooksLike: readonly Refusal[] = ['not_utf8', 'not_json', 'not_object'];

/** What becomes of the lines of one file. */
class Intake {
  readonly #file: ResultFile;
  readonly #pages: PageWriter;
  #lines = 0;
  readonly #refused: FileReport['refused'] = {};
  readonly #examples: FileReport['examples'] = [];

  constructor(file: ResultFile, pages: PageWriter) {
    this.#file = file;
    this.#pages = pages;
  }

  /**
   * Takes a line, or counts why not.
   * @param isCut - whether the file broke off in it, or may have
   * @returns what has to be waited for before the next one
   */
  take(line: Line, isCut = false): Promise<void> | undefined {
    this.#lines += 1;
    if (line === undefined) return this.#refuse('too_long');
    const read = readLine(this.#file.family, line);
    if (read.ok) return this.#pages.add(line, read.record);
    return this.#refuse(isCut && cutLooksLike.includes(read.reason) ? 'cut' : read.reason);
  }

  #refuse(reason: Refusal): undefined {
    this.#refused[reason] = (this.#refused[reason] ?? 0) + 1;
    if (this.#examples.length < MAX_EXAMPLES) this.#examples.push({ line: this.#lines, reason });
  }

  report(bytes: number, cut: FileReport['cut']): FileReport {
    const { erased, ...written } = this.#pages.written;
    return {
      fileName: this.#file.fileName,
      lines: this.#lines,
      ...written,
      refused: { ...this.#refused, ...(erased > 0 && { erased }) },
      examples: this.#examples,
      bytes,
      cut,
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
  bounds: IngestBounds = standard,
): Promise<FileReport> {
  const pages = new PageWriter(store, file, bounds);
  const intake = new Intake(file, pages);
  const lines = new LineSplitter(bounds.lineBytes);
  const unpacking = new Unpacking(file.body);
  let bytes = 0;
  for await (const chunk of unpacking.chunks()) {
    bytes += chunk.length;
    for (const line of lines.split(chunk)) {
      const turning = intake.take(line);
      if (turning !== undefined) await turning;
    }
  }
  const { cut } = unpacking;
  if (cut !== null) {
    logError('request_file_cut', undefined, { data_request: file.requestId, file: file.fileIndex, cut });
  }
  const rest = lines.rest();
  if (rest !== undefined) await intake.take(rest.line, cut !== null);
  await pages.close(cut === null);
  return intake.report(bytes, cut);
}
