// Pushes rows of a table into a spreadsheet: by record id, so that to do it again does no harm.
import type { Problem } from '../../../shared/problems.ts';
import { ProblemError } from '../../http/problem-error.ts';
import { toA1 } from './a1.ts';
import { type CellEntry, toCellEntry, toDateTimeEntry, toTextEntry } from './cells.ts';
import { findTable, type PushColumn, type PushTarget, type TableLocation } from './find-table.ts';
import { buildFormatRequest, type ExistingRowMode, planRows, type Records } from './plan.ts';
import type { Pusher } from './pusher.ts';
import { MAX_BODY_BYTES, type SheetRequest, UnclearWriteError } from './sheets-client.ts';
import { buildWriteBatches, byteLength, type WriteBatch } from './write-batches.ts';

/** What came of a push. Counts are of records; to push the same rows again writes what is missing and nothing twice. */
export interface PushReport {
  /** `done`: all is in the sheet. `partial`: some of it. `failed`: nothing is known to have landed. */
  outcome: 'done' | 'partial' | 'failed';
  /** Records whose rows were there and are as they should be. */
  updated: number;
  /** Records that were there as they should be, or were to be left as they are. */
  unchanged: number;
  /** Records that were not there. */
  appended: number;
  /** Records of a write of which nobody knows whether it has landed. */
  unclear: number;
  /** Records that have not landed, the unclear ones left out. */
  left: number;
  /** Rows without an id, which are not written. */
  withoutId: number;
  /** Rows whose id a later row has too: the last one counts. */
  repeated: number;
  /** Headings that are gone from the sheet: their columns are not written. */
  missing: string[];
  /** Where the heading row is, from 1; absent where it was not found. */
  headingRow?: number;
  /** What the “Last synced” cell says, in milliseconds since 1970; absent where there is none or not all has landed. */
  syncedAt?: number;
  /** Why not all has landed. */
  problem?: Problem;
}

/** How rows are pushed, where not as usual. */
export interface PushOptions {
  /** What becomes of rows whose id is in the sheet; `update` where absent. */
  existing?: ExistingRowMode;
  /** False leaves the “Last synced” cell as it is: more rows are to come. */
  synced?: boolean;
}

/** Rows that are compared and written together. */
const MAX_RECORDS = 2_000;
const MAX_CHUNK_BYTES = MAX_BODY_BYTES * 0.9;
/** What a change of a sheet's looks has around it in a body. */
const REQUEST_FRAME_BYTES = 10;

/** The id that a row is known by; '' where it has none. */
function toRecordId(value: unknown): string {
  if (value === undefined || value === null) return '';
  return String((typeof value === 'number' ? toCellEntry(value) : toTextEntry(String(value).trim())).value);
}

/** Rows by id, the last one of each. */
function indexById(ids: number, rows: readonly (readonly unknown[])[]): Map<string, readonly unknown[]> {
  const byId = new Map(rows.map((row) => [toRecordId(row[ids]), row]));
  byId.delete('');
  return byId;
}

function* chunkRecords(byId: ReadonlyMap<string, readonly unknown[]>, ids: number): Generator<Records> {
  let chunk = new Map<string, CellEntry[]>();
  let bytes = 0;
  for (const [id, row] of byId) {
    const entries = row.map((value, at): CellEntry => {
      // Whatever an id looks like, it is no date.
      return at === ids && typeof value !== 'number' ? { value: id } : toCellEntry(value);
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

/** Splits changes into bodies that Google takes. */
function* chunkRequests(changes: readonly SheetRequest[]): Generator<SheetRequest[]> {
  let body: SheetRequest[] = [];
  let bytes = 0;
  for (const change of changes) {
    const size = byteLength(change) + REQUEST_FRAME_BYTES;
    if (body.length > 0 && bytes + size > MAX_CHUNK_BYTES) {
      yield body;
      body = [];
      bytes = 0;
    }
    body.push(change);
    bytes += size;
  }
  if (body.length > 0) yield body;
}

/** One push on its way. */
class TablePush {
  readonly #pusher: Pusher;
  readonly #target: PushTarget;
  readonly #columns: readonly PushColumn[];
  readonly #existing: ExistingRowMode;
  readonly #report: PushReport;

  constructor(
    pusher: Pusher,
    target: PushTarget,
    columns: readonly PushColumn[],
    existing: ExistingRowMode,
    report: PushReport,
  ) {
    this.#pusher = pusher;
    this.#target = target;
    this.#columns = columns;
    this.#existing = existing;
    this.#report = report;
  }

  async #find(): Promise<TableLocation> {
    const found = await findTable(this.#pusher.client, this.#target, this.#columns);
    this.#report.headingRow = found.headingRow;
    this.#report.missing = this.#columns.flatMap(({ heading }, at) =>
      found.columns[at] === undefined ? [heading] : [],
    );
    return found;
  }

  async #change(changes: readonly SheetRequest[]): Promise<void> {
    for (const body of chunkRequests(changes)) {
      await this.#pusher.client.batchUpdate(this.#target.spreadsheetId, body);
    }
  }

  async #write({ data, segments }: WriteBatch): Promise<void> {
    try {
      await this.#pusher.client.writeValues(this.#target.spreadsheetId, data);
    } catch (error) {
      if (error instanceof UnclearWriteError)
        this.#report.unclear = new Set(segments.map(({ record }) => record)).size;
      throw error;
    }
  }

  /** The table is found anew each time: somebody may be sorting it. */
  async pushRows(records: Records): Promise<void> {
    const found = await this.#find();
    const { client, now } = this.#pusher;
    const day = new Date(now()).toISOString().slice(0, 10);
    const { requests, segments, unchanged, newIds } = await planRows(client, this.#target, found, records, {
      existing: this.#existing,
      day,
    });
    this.#report.unchanged += unchanged.length;
    await this.#change(requests);
    const batches = buildWriteBatches(found.sheet.title, segments, found.idColumn);
    const parts = Map.groupBy(
      batches.flatMap((batch) => batch.segments),
      ({ record }) => record,
    );
    const open = new Map([...parts].map(([record, each]) => [record, each.length]));
    for (const batch of batches) {
      await this.#write(batch);
      for (const { record } of batch.segments) {
        const still = (open.get(record) ?? 0) - 1;
        open.set(record, still);
        if (still === 0) this.#report[newIds.has(record) ? 'appended' : 'updated'] += 1;
      }
    }
  }

  /** Says in the table's “Last synced” cell that all has landed. */
  async writeSyncedTime(): Promise<void> {
    const { client, now } = this.#pusher;
    const { sheet, syncedCell } = await this.#find();
    if (syncedCell === undefined) return;
    const { row, column, blank } = syncedCell;
    const at = now();
    if (blank) await this.#change(buildFormatRequest(sheet.sheetId, row, column, 'dateTime'));
    const range = toA1(sheet.title, { row, lastRow: row, column, lastColumn: column });
    await client.writeValues(this.#target.spreadsheetId, [
      { range, values: [[toDateTimeEntry(at, sheet.timeZone).value]] },
    ]);
    this.#report.syncedAt = at;
  }
}

/**
 * Writes rows of a table into a spreadsheet that was shared with the service account. A row whose id is in the sheet gets the
 * values that differ, or what else the way says; the others are added behind the last used row; other columns and rows are left
 * alone. An empty sheet gets the headings first. Nothing that a row holds is run: values go in as they are (`RAW`). To push the same rows again is
 * safe at any time, but two pushes to one table at once may add a row twice: let one end before the next begins.
 * @param pusher - of the deployment ({@link pusherOf})
 * @param target - which table; the sheet is known by its id and the columns by their headings, whatever they are moved or
 * renamed to
 * @param columns - the table's columns, the one with `target.idHeading` among them
 * @param rows - a value for each column, in their order, as JSON has it; 2^53 and beyond as texts
 * @returns what landed and, where not all did, why; it throws no problem of Google's or of the sheet's
 */
export async function pushTable(
  pusher: Pusher,
  target: PushTarget,
  columns: readonly PushColumn[],
  rows: readonly (readonly unknown[])[],
  { existing = 'update', synced = true }: PushOptions = {},
): Promise<PushReport> {
  const ids = columns.findIndex(({ heading }) => heading.trim() === target.idHeading.trim());
  const byId = indexById(ids, rows);
  const withoutId = rows.filter((row) => toRecordId(row[ids]) === '').length;
  const report: PushReport = {
    outcome: 'done',
    updated: 0,
    unchanged: 0,
    appended: 0,
    unclear: 0,
    left: 0,
    withoutId,
    repeated: rows.length - withoutId - byId.size,
    missing: [],
  };
  const push = new TablePush(pusher, target, columns, existing, report);
  const landed = (): number => report.updated + report.unchanged + report.appended;
  try {
    for (const records of chunkRecords(byId, ids)) await push.pushRows(records);
    if (synced) await push.writeSyncedTime();
  } catch (error) {
    if (!(error instanceof ProblemError)) throw error;
    report.problem = error.problem;
    report.outcome = landed() === 0 ? 'failed' : 'partial';
  }
  report.left = byId.size - landed() - report.unclear;
  return report;
}
