// Sort order of search pages, and the cursors between pages. Contract, "Headers".
import { type Family, families } from '../../../shared/families/index.ts';
import type { SortField } from '../../../shared/operations.ts';
import { ID, SCORE, type SortKey, type SortValue } from '../search/engine/query/sort.ts';
import { validationError } from './service-errors.ts';

/** The engine's document id. The field `id` holds only 32 bits. */
const ID_LAST: SortKey = { field: ID, order: 'asc' };
const SCORE_FIRST: SortKey = { field: SCORE, order: 'desc' };

function leadingSortKeys(family: Family, sort: SortField | undefined): readonly SortKey[] {
  const updated = (order: SortKey['order']): SortKey => ({ field: families[family].updatedField, order });
  switch (sort) {
    case undefined:
    case 'id':
      return [];
    case 'last_updated':
      return [updated('asc')];
    case '_score':
      return [SCORE_FIRST, updated('desc')];
    default:
      return [{ field: sort, order: 'desc' }, updated('desc')];
  }
}

/**
 * Builds the sort keys of a search. Without a sort, pages are ordered by id. Scores and counts sort descending, ties by
 * last update and id. Provider API, "Search (POST) returning IDs".
 * @param sort - the requested sort, if any
 */
export function buildSortKeys(family: Family, sort: SortField | undefined): readonly SortKey[] {
  return [...leadingSortKeys(family, sort), ID_LAST];
}

const DATE = /^(\d{4}-\d{2}-\d{2})(?: (\d{2}:\d{2}:\d{2}))?$/;

/** @param milliseconds - a valid time of a Date */
function formatTimestamp(milliseconds: number): string {
  return new Date(milliseconds).toISOString().slice(0, 19).replace('T', ' ');
}

function parseTimestamp(text: string): number {
  const [, day, time = '00:00:00'] = DATE.exec(text) ?? [];
  return day === undefined ? Number.NaN : Date.parse(`${day}T${time}Z`);
}

/** Checks whether a key's values are timestamps, which cursors write as date and time. */
function isTimestamp(family: Family, { field }: SortKey): boolean {
  return field === families[family].updatedField;
}

function formatValue(family: Family, key: SortKey, value: SortValue): string {
  if (typeof value !== 'number') return JSON.stringify(value);
  if (isTimestamp(family, key)) return JSON.stringify(formatTimestamp(value));
  return String(key === SCORE_FIRST ? toShortFloat(value) : value);
}

/**
 * Writes the cursor after the last record of a page: its sort values, separated by commas, dates in quotes, the id last.
 * @param last - the record's id and its sort values
 * @param updated - the record's last update as stored; a cursor without a sort includes it
 */
export function writeCursor(
  family: Family,
  sort: SortField | undefined,
  last: { id: string; sort: readonly SortValue[] },
  updated: string | undefined,
): string {
  const parts = leadingSortKeys(family, sort).map((key, at) =>
    formatValue(family, key, last.sort[at] ?? null),
  );
  if (sort === undefined) {
    const moment = parseTimestamp(updated ?? '');
    parts.push(JSON.stringify(Number.isNaN(moment) ? null : formatTimestamp(moment)));
  }
  return [...parts, last.id].join(',');
}

function throwInvalidCursor(): never {
  const msg = 'invalid cursor: pass the value of the x-next-page-after header unchanged';
  throw validationError({ loc: ['query', 'after'], msg, type: 'value_error.cursor' });
}

function parseParts(text: string): unknown[] {
  try {
    const parts: unknown = JSON.parse(`[${text}]`);
    return Array.isArray(parts) ? parts : throwInvalidCursor();
  } catch {
    return throwInvalidCursor();
  }
}

/** The id is last and stays text, because it can exceed 2^53. */
const CURSOR = /^(?:(.+),)?\s*(\d{1,19})\s*$/s;

function parseValue(family: Family, key: SortKey, part: unknown): SortValue {
  if (part === null) return null;
  if (isTimestamp(family, key)) {
    const moment = typeof part === 'string' ? parseTimestamp(part) : Number.NaN;
    return Number.isNaN(moment) ? throwInvalidCursor() : moment;
  }
  const value = typeof part === 'number' ? part : Number.NaN;
  const exact = key === SCORE_FIRST ? Math.fround(value) : value;
  return Number.isFinite(exact) ? exact : throwInvalidCursor();
}

/**
 * Parses a cursor.
 * @returns the sort values after which the next page begins
 * @throws ServiceError 422 if it isn't a cursor of this family and sort
 */
export function parseCursor(family: Family, sort: SortField | undefined, text: string): SortValue[] {
  const keys = leadingSortKeys(family, sort);
  const [, before, id = throwInvalidCursor()] = CURSOR.exec(text) ?? [];
  const parts = before === undefined ? [] : parseParts(before);
  // A cursor by id needs no date.
  if (sort === undefined && parts.length === 1) parts.pop();
  if (parts.length !== keys.length) throwInvalidCursor();
  return [...keys.map((key, at) => parseValue(family, key, parts[at])), id];
}

/**
 * Finds the number with the fewest digits that rounds to the same float.
 * @param float - a 32-bit float
 */
export function toShortFloat(float: number): number {
  const candidates = [6, 7, 8].map((digits) => Number(float.toPrecision(digits)));
  return candidates.find((candidate) => Math.fround(candidate) === float) ?? Number(float.toPrecision(9));
}
