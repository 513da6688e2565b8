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
import type { RecordsQuery, RowStore, RowsQuery } from './types.ts';

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

const toPageKey = ({ requestId, file, page }: RowLocation): string => getPageKey(requestId, file, page);

/** Reads the records of one page; undefined for a record that is not there, because the page is being rewritten. */
export async function* readPageRecords(
  bucket: RowStore['bucket'],
  locations: readonly RowLocation[],
  toValue?: typeof BigInt,
): AsyncGenerator<{ location: RowLocation; record: DataRecord | undefined }, void> {
  const [first] = locations;
  if (first === undefined) return;
  const offset = Math.min(...locations.map(({ start }) => start));
  const end = Math.max(...locations.map(({ start, length }) => start + length));
  const object = await bucket.get(toPageKey(first), { range: { offset, length: end - offset } });
  const bytes = object === null ? new Uint8Array(0) : new Uint8Array(await object.arrayBuffer());
  for (const location of locations) {
    const from = location.start - offset;
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
  for (const group of Map.groupBy(locations, toPageKey).values()) {
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
 * @returns rows with a value for each column, null if the record has none; and the cursor of the next page, null at the end
 * @throws ProblemError if the cursor or a column is invalid
 */
export async function readRows(store: RowStore, query: RowsQuery) {
  const columns = parseColumns(query.family, query.columns ?? families[query.family].defaultFields);
  const { items, after } = await readItems(store, query, (record) =>
    columns.map(({ steps }) => getValueAt(record, steps) ?? null),
  );
  return { columns: columns.map(({ name, type }) => ({ name, type })), rows: items, after };
}

/**
 * Reads whole records; integers beyond 2^53 are bigints.
 * @returns records, and the cursor of the next page, null at the end
 * @throws ProblemError if the cursor is invalid
 */
export async function readRecords(store: RowStore, query: RecordsQuery) {
  const { items, after } = await readItems(store, query, (record) => record, BigInt);
  return { records: items, after };
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
  const records = new Map<string, DataRecord>();
  for (const group of Map.groupBy(newest.values(), toPageKey).values()) {
    for await (const { location, record } of readPageRecords(bucket, group))
      if (record !== undefined) records.set(location.recordId, record);
  }
  return records;
}
