// Upserts rows of a table into a spreadsheet by record id. Idempotent.
import type { Problem } from '../../../shared/problems.ts';
import { type TableCell, toCell, toCellText, toIdText, toTimeCell } from '../../../shared/table/cells.ts';
import { ProblemError } from '../../http/problem-error.ts';
import { toA1 } from './a1.ts';
import {
  applyWrites,
  buildFormatRequests,
  byteLength,
  chunkBySize,
  MAX_CHUNK_BYTES,
  sendRequests,
} from './apply-writes.ts';
import { findTable, type PushColumn, type PushTarget, type TableLocation } from './find-table.ts';
import { planPush, type Records, type WritePlan } from './plan.ts';
import type { Pusher } from './pusher.ts';

/** Result of a push. The counts are of records, without those of a chunk that failed. */
export interface PushReport {
  /** Records whose existing rows were changed. */
  updated: number;
  /** Existing records that needed no change, or that the mode keeps. */
  unchanged: number;
  /** Records that got new rows. */
  appended: number;
  /** From 1; absent when the table was not found. */
  headingRow?: number;
  problem?: Problem;
}

export interface PushOptions {
  /** Whether rows whose id is in the sheet stay as they are. Default: they are updated. */
  mode?: 'append' | 'update';
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
function chunkRecords(
  rowsById: ReadonlyMap<string, readonly unknown[]>,
  idIndex: number,
  columns: readonly PushColumn[],
): Records[] {
  const records = Array.from(rowsById, ([id, row]): [string, TableCell[]] => {
    // An id that looks like a date stays text.
    const toEntry = (value: unknown, index: number): TableCell =>
      index === idIndex && typeof value !== 'number' ? { value: id } : toCell(value, columns[index]?.path);
    return [id, row.map(toEntry)];
  });
  const getSize = ([, entries]: [string, TableCell[]]): number =>
    byteLength(entries.map(({ value }) => value));
  return chunkBySize(records, getSize, MAX_CHUNK_BYTES, MAX_RECORDS).map((chunk) => new Map(chunk));
}

/** Writes the current time to the table's “Last synced” cell. */
async function writeSyncedTime(
  { client, now }: Pusher,
  { spreadsheetId }: PushTarget,
  { sheet, syncedCell }: TableLocation,
): Promise<void> {
  if (syncedCell === undefined) return;
  const { row, column, isBlank } = syncedCell;
  const formats = isBlank
    ? buildFormatRequests(sheet.sheetId, [{ row, column, item: 'dateTime' as const }])
    : [];
  await sendRequests(client, spreadsheetId, formats);
  const range = toA1(sheet.title, { row, lastRow: row, column, lastColumn: column });
  const values = [[toTimeCell(now(), sheet.timeZone).value]];
  await client.writeValues(spreadsheetId, [{ range, values }]);
}

/**
 * Pushes rows of a table into a spreadsheet that is shared with the service account. Updates rows whose id is in the
 * sheet (see `mode`) and appends the others after the last used row; other rows and columns stay unchanged. Values are
 * written `RAW`, so that no formula runs. Repeating a push is safe; two concurrent pushes to a table may append a row twice,
 * so run them one after the other.
 * @param rows - JSON values in the order of the target's columns; integers from 2^53 on as strings. Of rows with the same id
 * the last one counts, and those without an id are skipped
 * @returns counts of records, and the problem if some are missing
 */
export async function pushTable(
  pusher: Pusher,
  target: PushTarget,
  rows: readonly (readonly unknown[])[],
  { mode = 'update', synced = true, onChanges }: PushOptions = {},
): Promise<PushReport> {
  const { client, now } = pusher;
  const { spreadsheetId, columns, keyId } = target;
  const idIndex = columns.findIndex(({ id }) => id === keyId);
  const report: PushReport = { updated: 0, unchanged: 0, appended: 0 };
  // People may sort or move the table meanwhile.
  const locate = async (): Promise<TableLocation> => {
    const location = await findTable(client, target);
    report.headingRow = location.headingRow;
    return location;
  };
  try {
    for (const records of chunkRecords(indexById(idIndex, rows), idIndex, columns)) {
      const location = await locate();
      const day = new Date(now()).toISOString().slice(0, 10);
      const plan = await planPush(client, target, location, records, mode, day);
      await onChanges?.({ records, ...plan });
      await sendRequests(client, spreadsheetId, plan.requests);
      await applyWrites(client, spreadsheetId, location, plan.rows);
      report.unchanged += plan.unchanged;
      report.appended += plan.newIds.size;
      report.updated += records.size - plan.unchanged - plan.newIds.size;
    }
    if (synced) await writeSyncedTime(pusher, target, await locate());
  } catch (error) {
    if (!(error instanceof ProblemError)) throw error;
    report.problem = error.problem;
  }
  return report;
}
