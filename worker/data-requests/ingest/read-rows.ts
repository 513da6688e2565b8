// Reads rows: as columns for a sheet, or as whole records, a page of them at a time.
import type { Column, DataRecord } from '../../../shared/api/common.ts';
import { getRecordColumns } from '../../../shared/families/columns.ts';
import { type Family, families } from '../../../shared/families/index.ts';
import { getValueAt, parseFieldPath } from '../../../shared/query/field-paths.ts';
import { ProblemError } from '../../http/problem-error.ts';
import { getPageKey } from './page.ts';
import { parseRecord } from './parse-record.ts';
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
      'The cursor "after" is none that an earlier answer gave.',
      'Start again without "after".',
    );
  }
  return { file: Number(file), page: Number(page), start: Number(start) };
}

const encodeCursor = ({ file, page, start }: Position): string => `${file}-${page}-${start}`;

/** Rows that stand in one page, behind each other. */
function groupByPage(places: readonly RowLocation[]): RowLocation[][] {
  const groups: RowLocation[][] = [];
  for (const place of places) {
    const group = groups.at(-1);
    const [first] = group ?? [];
    if (first?.file === place.file && first.page === place.page) group?.push(place);
    else groups.push([place]);
  }
  return groups;
}

/** Reads so much of a page as these rows take. @returns them in their order */
async function* readPageRecords(
  bucket: RowStore['bucket'],
  places: readonly RowLocation[],
): AsyncGenerator<{ place: RowLocation; record: DataRecord | undefined }, void> {
  const [first] = places;
  const last = places.at(-1);
  if (first === undefined || last === undefined) return;
  const range = { offset: first.start, length: last.start + last.length - first.start };
  const object = await bucket.get(getPageKey(first.requestId, first.file, first.page), { range });
  const bytes = object === null ? new Uint8Array(0) : new Uint8Array(await object.arrayBuffer());
  for (const place of places) {
    const from = place.start - first.start;
    yield { place, record: parseRecord(bytes.subarray(from, from + place.length), place.recordId) };
  }
}

/** Reads records and makes something of each, until there are enough of them. */
async function read<T>(
  { bucket, db }: RowStore,
  { requestId, after, limit, maxBytes, beforeFile = Number.MAX_SAFE_INTEGER }: RecordsQuery,
  make: (record: DataRecord) => T,
): Promise<{ made: T[]; after: string | null }> {
  const all = await new RowIndex(db).listAfter(requestId, decodeCursor(after), limit + 1);
  const found = all.filter(({ file }) => file < beforeFile);
  const places = found.slice(0, limit);
  const made: T[] = [];
  // Of the two brackets one, and with each of them a comma or the other one.
  let bytes = 1;
  let last = after ?? null;
  for (const group of groupByPage(places)) {
    for await (const { place, record } of readPageRecords(bucket, group)) {
      if (record !== undefined) {
        const one = make(record);
        bytes += encoder.encode(JSON.stringify(one)).length + 1;
        if (made.length > 0 && bytes > maxBytes) return { made, after: last };
        made.push(one);
      }
      last = encodeCursor(place);
    }
  }
  return { made, after: found.length > places.length ? last : null };
}

function parseColumns(family: Family, names: readonly string[]): (Column & { steps: (string | number)[] })[] {
  const types = new Map(getRecordColumns(family).map(({ name, type }) => [name, type]));
  return names.map((name) => {
    const steps = parseFieldPath(name);
    if (steps === undefined) {
      throw new ProblemError(
        'invalid_request',
        `The column "${name}" is no path to a field.`,
        'Write columns as name, location.city or experience[0].title.',
      );
    }
    return { name, type: types.get(name) ?? 'text', steps };
  });
}

/**
 * Reads rows, flattened.
 * @throws ProblemError where the cursor or a column can't be read
 */
export async function readRows(store: RowStore, query: RowsQuery): Promise<RowsPage> {
  const columns = parseColumns(query.family, query.columns ?? families[query.family].defaultFields);
  const { made, after } = await read(store, query, (record) =>
    columns.map(({ steps }) => getValueAt(record, steps) ?? null),
  );
  return { columns: columns.map(({ name, type }) => ({ name, type })), rows: made, after };
}

/**
 * Reads whole records.
 * @throws ProblemError where the cursor can't be read
 */
export async function readRecords(store: RowStore, query: RecordsQuery): Promise<RecordsPage> {
  const { made, after } = await read(store, query, (record) => record);
  return { records: made, after };
}

/** @returns how many rows a request has */
export function countRows({ db }: Pick<RowStore, 'db'>, requestId: string): Promise<number> {
  return new RowIndex(db).count(requestId);
}

/** Lists the ids of the records in some requests, at most so many, in their order. */
export function listRecordIds(
  { db }: Pick<RowStore, 'db'>,
  requestIds: readonly string[],
  limit: number,
): Promise<string[]> {
  return new RowIndex(db).listRecordIds(requestIds, limit);
}
