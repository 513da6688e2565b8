// Pushes rows of a table into a spreadsheet: by record id, so that to do it again does no harm.
import type { Problem } from '../../../shared/problems.ts';
import { ProblemError } from '../../http/problem-error.ts';
import { a1 } from './a1.ts';
import { type Entry, entryOf, momentEntry, textEntry } from './cells.ts';
import { type Found, findTable, type PushColumn, type Target } from './find-table.ts';
import { type Existing, formatChange, planRows, type Records } from './plan.ts';
import type { Pusher } from './pusher.ts';
import { MAX_BODY_BYTES, type SheetChange, UnclearWrite } from './sheets-client.ts';
import { type Batch, batchesOf, bytesOf } from './write-batches.ts';

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
  row?: number;
  /** What the “Last synced” cell says, in milliseconds since 1970; absent where there is none or not all has landed. */
  syncedAt?: number;
  /** Why not all has landed. */
  problem?: Problem;
}

/** How rows are pushed, where not as usual. */
export interface PushWay {
  /** What becomes of rows whose id is in the sheet; `update` where absent. */
  existing?: Existing;
  /** False leaves the “Last synced” cell as it is: more rows are to come. */
  synced?: boolean;
}

/** Rows that are compared and written together. */
const MAX_RECORDS = 2_000;
const MAX_CHUNK_BYTES = MAX_BODY_BYTES * 0.9;
/** What a change of a sheet's looks has around it in a body. */
const CHANGE_FRAME_BYTES = 10;

/** The id that a row is known by; '' where it has none. */
function idOf(value: unknown): string {
  if (value === undefined || value === null) return '';
  return String((typeof value === 'number' ? entryOf(value) : textEntry(String(value).trim())).value);
}

/** Rows by id, the last one of each. */
function rowsById(ids: number, rows: readonly (readonly unknown[])[]): Map<string, readonly unknown[]> {
  const byId = new Map(rows.map((row) => [idOf(row[ids]), row]));
  byId.delete('');
  return byId;
}

function* chunksOf(byId: ReadonlyMap<string, readonly unknown[]>, ids: number): Generator<Records> {
  let chunk = new Map<string, Entry[]>();
  let bytes = 0;
  for (const [id, row] of byId) {
    const entries = row.map((value, at): Entry => {
      // Whatever an id looks like, it is no date.
      return at === ids && typeof value !== 'number' ? { value: id } : entryOf(value);
    });
    const size = bytesOf(entries.map(({ value }) => value));
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
function* bodiesOf(changes: readonly SheetChange[]): Generator<SheetChange[]> {
  let body: SheetChange[] = [];
  let bytes = 0;
  for (const change of changes) {
    const size = bytesOf(change) + CHANGE_FRAME_BYTES;
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
class Push {
  readonly #pusher: Pusher;
  readonly #target: Target;
  readonly #columns: readonly PushColumn[];
  readonly #existing: Existing;
  readonly #report: PushReport;

  constructor(
    pusher: Pusher,
    target: Target,
    columns: readonly PushColumn[],
    existing: Existing,
    report: PushReport,
  ) {
    this.#pusher = pusher;
    this.#target = target;
    this.#columns = columns;
    this.#existing = existing;
    this.#report = report;
  }

  async #find(): Promise<Found> {
    const found = await findTable(this.#pusher.client, this.#target, this.#columns);
    this.#report.row = found.row;
    this.#report.missing = this.#columns.flatMap(({ heading }, at) =>
      found.columns[at] === undefined ? [heading] : [],
    );
    return found;
  }

  async #change(changes: readonly SheetChange[]): Promise<void> {
    for (const body of bodiesOf(changes)) {
      await this.#pusher.client.change(this.#target.spreadsheetId, body);
    }
  }

  async #write({ data, lines }: Batch): Promise<void> {
    try {
      await this.#pusher.client.write(this.#target.spreadsheetId, data);
    } catch (error) {
      if (error instanceof UnclearWrite)
        this.#report.unclear = new Set(lines.map(({ record }) => record)).size;
      throw error;
    }
  }

  /** The table is found anew each time: somebody may be sorting it. */
  async rows(records: Records): Promise<void> {
    const found = await this.#find();
    const { client, now } = this.#pusher;
    const day = new Date(now()).toISOString().slice(0, 10);
    const { changes, lines, unchanged, fresh } = await planRows(client, this.#target, found, records, {
      existing: this.#existing,
      day,
    });
    this.#report.unchanged += unchanged.length;
    await this.#change(changes);
    const batches = batchesOf(found.sheet.title, lines, found.idColumn);
    const parts = Map.groupBy(
      batches.flatMap((batch) => batch.lines),
      ({ record }) => record,
    );
    const open = new Map([...parts].map(([record, each]) => [record, each.length]));
    for (const batch of batches) {
      await this.#write(batch);
      for (const { record } of batch.lines) {
        const still = (open.get(record) ?? 0) - 1;
        open.set(record, still);
        if (still === 0) this.#report[fresh.has(record) ? 'appended' : 'updated'] += 1;
      }
    }
  }

  /** Says in the table's “Last synced” cell that all has landed. */
  async synced(): Promise<void> {
    const { client, now } = this.#pusher;
    const { sheet, synced } = await this.#find();
    if (synced === undefined) return;
    const { row, column, blank } = synced;
    const at = now();
    if (blank) await this.#change(formatChange(sheet.sheetId, row, column, 'moment'));
    const range = a1(sheet.title, { row, lastRow: row, column, lastColumn: column });
    await client.write(this.#target.spreadsheetId, [
      { range, values: [[momentEntry(at, sheet.timeZone).value]] },
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
  target: Target,
  columns: readonly PushColumn[],
  rows: readonly (readonly unknown[])[],
  { existing = 'update', synced = true }: PushWay = {},
): Promise<PushReport> {
  const ids = columns.findIndex(({ heading }) => heading.trim() === target.idHeading.trim());
  const byId = rowsById(ids, rows);
  const withoutId = rows.filter((row) => idOf(row[ids]) === '').length;
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
  const push = new Push(pusher, target, columns, existing, report);
  const landed = (): number => report.updated + report.unchanged + report.appended;
  try {
    for (const records of chunksOf(byId, ids)) await push.rows(records);
    if (synced) await push.synced();
  } catch (error) {
    if (!(error instanceof ProblemError)) throw error;
    report.problem = error.problem;
    report.outcome = landed() === 0 ? 'failed' : 'partial';
  }
  report.left = byId.size - landed() - report.unclear;
  return report;
}
