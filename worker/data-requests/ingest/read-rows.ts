// Reads rows page by page, flattened into columns or as whole records.
import type { Column, DataRecord } from '../../../shared/api/common.ts';
import { getRecordColumns } from '../../../shared/families/columns.ts';
import { type Family, families } from '../../../shared/families/index.ts';
import { getValueAt, parseFieldPath } from '../../../shared/query/field-paths.ts';
import { ProblemError } from '../../http/problem-error.ts';
import { stringifyExactly } from '../../lib/exact-json.ts';
import { getPageKey } from './page.ts';
import { parseRecord } from './parse-line.ts';
import { type Position, RowIndex, type RowLocation } from './row-index.ts';
import type { RecordsPage, RecordsQuery, RowStore, RowsPage, RowsQuery } from './types.ts';

const START: Position = { file: -1, page: 0, start: 0 };
const CURSOR_PATTERN = /^(\d{1,9})-(\d{1,9})-(\d{1,9})$/;

const encoder = new TextEncoder();

function decodeCursor(cursor: string | undefined): Position {
  if (cursor === undefined) return START;
  const [, file, page, start] = CURSOR_PATTERN.exec(cursor) ?? [];
  if (start === undefined) {
    throw new ProblemError(
      'invalid_request',
      'The cursor "after" is invalid.',
      'Start again without "after".',
    );
  }
  return { file: Number(file), page: Number(page), start: Number(start) };
}

const encodeCursor = ({ file, page, start }: Position): string => `${file}-${page}-${start}`;

function groupByPage(locations: readonly RowLocation[]): RowLocation[][] {
  const groups: RowLocation[][] = [];
  for (const location of locations) {
    const group = groups.at(-1);
    const [first] = group ?? [];
    if (first?.file === location.file && first.page === location.page) group?.push(location);
    else groups.push([location]);
  }
  return groups;
}

async function* readPageRecords(
  bucket: RowStore['bucket'],
  locations: readonly RowLocation[],
  toValue: typeof BigInt | undefined,
): AsyncGenerator<{ location: RowLocation; record: DataRecord | undefined }, void> {
  const [first] = locations;
  const last = locations.at(-1);
  if (first === undefined || last === undefined) return;
  const range = { offset: first.start, length: last.start + last.length - first.start };
  const object = await bucket.get(getPageKey(first.requestId, first.file, first.page), { range });
  const bytes = object === null ? new Uint8Array(0) : new Uint8Array(await object.arrayBuffer());
  for (const location of locations) {
    const from = location.start - first.start;
    const line = bytes.subarray(from, from + location.length);
    yield { location, record: parseRecord(line, location.recordId, toValue) };
  }
}

/** Reads and converts records until a limit is reached. */
async function readItems<T>(
  { bucket, db }: RowStore,
  { requestId, after, limit, maxBytes, beforeFile = Number.MAX_SAFE_INTEGER }: RecordsQuery,
  convert: (record: DataRecord) => T,
  toValue?: typeof BigInt,
): Promise<{ items: T[]; after: string | null }> {
  const all = await new RowIndex(db).listAfter(requestId, decodeCursor(after), limit + 1);
  const found = all.filter(({ file }) => file < beforeFile);
  const locations = found.slice(0, limit);
  const items: T[] = [];
  // One byte for the opening bracket, and one per item for a comma or the closing bracket.
  let bytes = 1;
  let last = after ?? null;
  for (const group of groupByPage(locations)) {
    for await (const { location, record } of readPageRecords(bucket, group, toValue)) {
      if (record !== undefined) {
        const item = convert(record);
        bytes += encoder.encode(stringifyExactly(item)).length + 1;
        if (items.length > 0 && bytes > maxBytes) return { items, after: last };
        items.push(item);
      }
      last = encodeCursor(location);
    }
  }
  return { items, after: found.length > locations.length ? last : null };
}

function parseColumns(family: Family, names: readonly string[]): (Column & { steps: (string | number)[] })[] {
  const types = new Map(getRecordColumns(family).map(({ name, type }) => [name, type]));
  return names.map((name) => {
    const steps = parseFieldPath(name);
    if (steps === undefined) {
      throw new ProblemError(
        'invalid_request',
        `The column "${name}" is not a valid field path.`,
        'Write columns as name, location.city or experience[0].title.',
      );
    }
    return { name, type: types.get(name) ?? 'text', steps };
  });
}

/**
 * Reads rows, flattened.
 * @throws ProblemError if the cursor or a column is invalid
 */
export async function readRows(store: RowStore, query: RowsQuery): Promise<RowsPage> {
  const columns = parseColumns(query.family, query.columns ?? families[query.family].defaultFields);
  const { items, after } = await readItems(store, query, (record) =>
    columns.map(({ steps }) => getValueAt(record, steps) ?? null),
  );
  return { columns: columns.map(({ name, type }) => ({ name, type })), rows: items, after };
}

/**
 * Reads whole records.
 * @throws ProblemError if the cursor is invalid
 */
export async function readRecords(store: RowStore, query: RecordsQuery): Promise<RecordsPage> {
  const { items, after } = await readItems(store, query, (record) => record, BigInt);
  return { records: items, after };
}

/** Returns the family of the rows of a data request; undefined if it has none. */
export function getRowsFamily({ db }: Pick<RowStore, 'db'>, requestId: string): Promise<Family | undefined> {
  return new RowIndex(db).getFamily(requestId);
}

export function countRows({ db }: Pick<RowStore, 'db'>, requestId: string): Promise<number> {
  return new RowIndex(db).count(requestId);
}

/** Lists the distinct ids of the records in some data requests, in order. */
export function listRecordIds(
  { db }: Pick<RowStore, 'db'>,
  requestIds: readonly string[],
  limit: number,
): Promise<string[]> {
  return new RowIndex(db).listRecordIds(requestIds, limit);
}

/**
 * Reads the newest version of some records in some data requests.
 * @param requestIds - newest first
 * @param recordIds - digits
 * @returns records by id; missing ones are absent
 */
export async function findEarlierRecords(
  { bucket, db }: RowStore,
  requestIds: readonly string[],
  recordIds: readonly string[],
): Promise<Map<string, DataRecord>> {
  if (requestIds.length === 0 || recordIds.length === 0) return new Map();
  const ages = new Map(requestIds.map((id, age) => [id, age]));
  const newest = new Map<string, RowLocation>();
  for (const location of await new RowIndex(db).findLocations(requestIds, recordIds)) {
    const current = newest.get(location.recordId);
    if (current === undefined || Number(ages.get(location.requestId)) < Number(ages.get(current.requestId))) {
      newest.set(location.recordId, location);
    }
  }
  const byPage = new Map<string, RowLocation[]>();
  for (const location of newest.values()) {
    const key = getPageKey(location.requestId, location.file, location.page);
    byPage.set(key, [...(byPage.get(key) ?? []), location]);
  }
  const records = new Map<string, DataRecord>();
  for (const [key, locations] of byPage) {
    const object = await bucket.get(key);
    if (object === null) continue;
    const bytes = new Uint8Array(await object.arrayBuffer());
    for (const { recordId, start, length } of locations) {
      const record = parseRecord(bytes.subarray(start, start + length), recordId);
      if (record !== undefined) records.set(recordId, record);
    }
  }
  return records;
}
