// Upserts rows of a table into a spreadsheet by record id. Idempotent.
import type { Problem } from '../../../shared/problems.ts';
import { type TableCell, toCell, toCellText, toIdText, toTimeCell } from '../../../shared/table/cells.ts';
import { ProblemError } from '../../http/problem-error.ts';
import { toA1 } from './a1.ts';
import { findTable, type PushColumn, type PushTarget, type TableLocation } from './find-table.ts';
import { buildFormatRequest, type ExistingRowMode, planRows, type Records, type WritePlan } from './plan.ts';
import type { Pusher } from './pusher.ts';
import { MAX_BODY_BYTES, type SheetRequest, UnclearWriteError } from './sheets-client.ts';
import { buildWriteBatches, byteLength, type WriteBatch } from './write-batches.ts';

/** Result of a push; counts are of records. */
export interface PushReport {
  /** `failed`: no record is known to be in the sheet. */
  outcome: 'done' | 'partial' | 'failed';
  updated: number;
  /** Existing records that needed no change, or that the mode keeps. */
  unchanged: number;
  /** Records that got new rows. */
  appended: number;
  /** Records of a write with an unclear outcome. */
  unclear: number;
  /** Records that are not in the sheet, without the unclear ones. */
  remaining: number;
  /** Rows without an id; they are skipped. */
  withoutId: number;
  /** Rows whose id a later row has too; the last one wins. */
  duplicates: number;
  /** Headings of deleted columns, which are skipped. */
  deletedColumns: string[];
  /** From 1; absent when the table was not found. */
  headingRow?: number;
  /** Time written to the “Last synced” cell, in milliseconds since 1970; absent when nothing was written to it. */
  syncedAt?: number;
  /** Why records are missing. */
  problem?: Problem;
}

export interface PushOptions {
  /** Default: `update`. */
  existing?: ExistingRowMode;
  /** Whether to write the “Last synced” cell. Default: true; false when more rows follow. */
  synced?: boolean;
  /** Reports what will change, before it is written. */
  onChanges?: (changes: PlannedChanges) => Promise<void>;
}

/** Rows and cells that a push is about to write. */
export interface PlannedChanges extends Pick<WritePlan, 'newIds' | 'changes'> {
  records: Records;
}

/** Records that are compared and written together. */
const MAX_RECORDS = 2_000;
const MAX_CHUNK_BYTES = MAX_BODY_BYTES * 0.9;
/** Overhead of a request in a body. */
const REQUEST_FRAME_BYTES = 10;

/** Converts a value to a record id; '' when it has none. */
function toRecordId(value: unknown): string {
  return typeof value === 'number' ? String(toCell(value).value) : toCellText(toIdText(value));
}

/** Indexes rows by id; the last row of each id wins. */
function indexById(idIndex: number, rows: readonly (readonly unknown[])[]): Map<string, readonly unknown[]> {
  const rowsById = new Map(rows.map((row) => [toRecordId(row[idIndex]), row]));
  rowsById.delete('');
  return rowsById;
}

/** Converts rows to cell entries, in chunks that fit into a body. */
function* chunkRecords(
  rowsById: ReadonlyMap<string, readonly unknown[]>,
  idIndex: number,
  columns: readonly PushColumn[],
): Generator<Records> {
  let chunk = new Map<string, TableCell[]>();
  let bytes = 0;
  for (const [id, row] of rowsById) {
    const entries = row.map((value, index): TableCell => {
      // An id that looks like a date stays text.
      return index === idIndex && typeof value !== 'number'
        ? { value: id }
        : toCell(value, columns[index]?.path);
    });
    const size = byteLength(entries.map(({ value }) => value));
    if (chunk.size > 0 && (chunk.size >= MAX_RECORDS || bytes + size > MAX_CHUNK_BYTES)) {
      yield chunk;
      chunk = new Map();
      bytes = 0;
    }
    chunk.set(id, entries);
    bytes += size;
  }
  if (chunk.size > 0) yield chunk;
}

/** Splits requests into bodies of at most {@link MAX_CHUNK_BYTES}. */
export function* chunkRequests(requests: readonly SheetRequest[]): Generator<SheetRequest[]> {
  let body: SheetRequest[] = [];
  let bytes = 0;
  for (const request of requests) {
    const size = byteLength(request) + REQUEST_FRAME_BYTES;
    if (body.length > 0 && bytes + size > MAX_CHUNK_BYTES) {
      yield body;
      body = [];
      bytes = 0;
    }
    body.push(request);
    bytes += size;
  }
  if (body.length > 0) yield body;
}

class TablePush {
  readonly #pusher: Pusher;
  readonly #target: PushTarget;
  readonly #existing: ExistingRowMode;
  readonly #onChanges: PushOptions['onChanges'];
  readonly #report: PushReport;

  constructor(
    pusher: Pusher,
    target: PushTarget,
    { existing = 'update', onChanges }: PushOptions,
    report: PushReport,
  ) {
    this.#pusher = pusher;
    this.#target = target;
    this.#existing = existing;
    this.#onChanges = onChanges;
    this.#report = report;
  }

  async #locateTable(): Promise<TableLocation> {
    const location = await findTable(this.#pusher.client, this.#target);
    this.#report.headingRow = location.headingRow;
    this.#report.deletedColumns = location.headings.filter(
      (_, index) => location.columns[index] === undefined,
    );
    return location;
  }

  async #sendRequests(requests: readonly SheetRequest[]): Promise<void> {
    for (const body of chunkRequests(requests)) {
      await this.#pusher.client.batchUpdate(this.#target.spreadsheetId, body);
    }
  }

  async #writeBatch({ data, segments }: WriteBatch): Promise<void> {
    try {
      await this.#pusher.client.writeValues(this.#target.spreadsheetId, data);
    } catch (error) {
      if (error instanceof UnclearWriteError)
        this.#report.unclear = new Set(segments.map(({ record }) => record)).size;
      throw error;
    }
  }

  /** Writes one chunk. Locates the table again, because people may sort or move it meanwhile. */
  async pushRecords(records: Records): Promise<void> {
    const location = await this.#locateTable();
    const { client, now } = this.#pusher;
    const day = new Date(now()).toISOString().slice(0, 10);
    const { requests, segments, unchanged, newIds, changes } = await planRows(
      client,
      this.#target,
      location,
      records,
      { existing: this.#existing, day },
    );
    this.#report.unchanged += unchanged.length;
    await this.#onChanges?.({ records, newIds, changes });
    await this.#sendRequests(requests);
    const batches = buildWriteBatches(location.sheet.title, segments, location.idColumn);
    const unwrittenSegments = new Map<string, number>();
    for (const { record } of batches.flatMap((batch) => batch.segments)) {
      unwrittenSegments.set(record, (unwrittenSegments.get(record) ?? 0) + 1);
    }
    for (const batch of batches) {
      await this.#writeBatch(batch);
      for (const { record } of batch.segments) {
        const unwritten = (unwrittenSegments.get(record) ?? 0) - 1;
        unwrittenSegments.set(record, unwritten);
        if (unwritten === 0) this.#report[newIds.has(record) ? 'appended' : 'updated'] += 1;
      }
    }
  }

  /** Writes the current time to the table's “Last synced” cell. */
  async writeSyncedTime(): Promise<void> {
    const { client, now } = this.#pusher;
    const { sheet, syncedCell } = await this.#locateTable();
    if (syncedCell === undefined) return;
    const { row, column, isBlank } = syncedCell;
    const syncedAt = now();
    if (isBlank) await this.#sendRequests(buildFormatRequest(sheet.sheetId, row, column, 'dateTime'));
    const range = toA1(sheet.title, { row, lastRow: row, column, lastColumn: column });
    const values = [[toTimeCell(syncedAt, sheet.timeZone).value]];
    await client.writeValues(this.#target.spreadsheetId, [{ range, values }]);
    this.#report.syncedAt = syncedAt;
  }
}

/**
 * Pushes rows of a table into a spreadsheet that is shared with the service account. Updates rows whose id is in the
 * sheet (see `existing`) and appends the others after the last used row; other rows and columns stay unchanged. Values are written `RAW`, so that no formula runs. Repeating a push is safe; two
 * concurrent pushes to a table may append a row twice, so run them one after the other.
 * @param rows - JSON values in the order of the target's columns; integers from 2^53 on as strings
 * @returns counts of records, and the problem if some are missing
 */
export async function pushTable(
  pusher: Pusher,
  target: PushTarget,
  rows: readonly (readonly unknown[])[],
  options: PushOptions = {},
): Promise<PushReport> {
  const { columns, keyId } = target;
  const idIndex = columns.findIndex(({ id }) => id === keyId);
  const rowsById = indexById(idIndex, rows);
  const withoutId = rows.filter((row) => toRecordId(row[idIndex]) === '').length;
  const report: PushReport = {
    outcome: 'done',
    updated: 0,
    unchanged: 0,
    appended: 0,
    unclear: 0,
    remaining: 0,
    withoutId,
    duplicates: rows.length - withoutId - rowsById.size,
    deletedColumns: [],
  };
  const push = new TablePush(pusher, target, options, report);
  const countWritten = (): number => report.updated + report.unchanged + report.appended;
  try {
    for (const records of chunkRecords(rowsById, idIndex, columns)) await push.pushRecords(records);
    if (options.synced ?? true) await push.writeSyncedTime();
  } catch (error) {
    if (!(error instanceof ProblemError)) throw error;
    report.problem = error.problem;
    report.outcome = countWritten() === 0 ? 'failed' : 'partial';
  }
  report.remaining = rowsById.size - countWritten() - report.unclear;
  return report;
}
