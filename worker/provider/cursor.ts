// The order of a search's pages, and the cursors that lead from one to the next. Contract, "Headers".
import { type Family, families } from '../../shared/families.ts';
import type { SortField } from '../../shared/operations.ts';
import { validationError } from './answers.ts';
import { SCORE, type SortKey } from './search/parse/index.ts';

/** A value of a sort key: dates in milliseconds, null where a record has none. */
export type SortValue = string | number | null;

const ID: SortKey = { field: 'id', order: 'asc' };
const SCORE_FIRST: SortKey = { field: SCORE, order: 'desc' };

/**
 * The keys that pages are ordered by. Without a sort that is the id; scores and counts go from high to low, ties by
 * last update and id. Service description, "Search (POST) returning IDs".
 * @param sort - what the caller asked for, or nothing
 */
export function orderOf(family: Family, sort: SortField | undefined): readonly SortKey[] {
  const updated = (order: SortKey['order']): SortKey => ({ field: families[family].updatedField, order });
  switch (sort) {
    case undefined:
    case 'id':
      return [ID];
    case 'last_updated':
      return [updated('asc'), ID];
    case '_score':
      return [SCORE_FIRST, updated('desc'), ID];
    default:
      return [{ field: sort, order: 'desc' }, updated('desc'), ID];
  }
}

const DATE = /^(\d{4}-\d{2}-\d{2})(?: (\d{2}:\d{2}:\d{2}))?$/;

function toText(milliseconds: number): string {
  return new Date(milliseconds).toISOString().slice(0, 19).replace('T', ' ');
}

function toMilliseconds(text: string): number {
  const [, day, time = '00:00:00'] = DATE.exec(text) ?? [];
  return day === undefined ? Number.NaN : Date.parse(`${day}T${time}Z`);
}

/** Tells whether a key's values are moments, which cursors spell as date and time. */
function isMoment(family: Family, { field }: SortKey): boolean {
  return field === families[family].updatedField;
}

/**
 * Writes the cursor behind the last record of a page: its sort values, separated by commas, dates in quotes.
 * @param values - the record's values of the order's keys
 * @param updated - the record's last update as it stands in it; it goes along where no sort was asked
 */
export function writeCursor(
  family: Family,
  sort: SortField | undefined,
  values: readonly SortValue[],
  updated: string | undefined,
): string {
  const parts = orderOf(family, sort).map((key, at) => {
    const value = values[at] ?? null;
    return isMoment(family, key) && typeof value === 'number' ? toText(value) : value;
  });
  if (sort === undefined) parts.unshift(updated === undefined ? null : toText(toMilliseconds(updated)));
  return parts.map((part) => JSON.stringify(part)).join(',');
}

function unreadable(): never {
  const msg = 'invalid cursor: pass the value of the x-next-page-after header as it came';
  throw validationError({ loc: ['query', 'after'], msg, type: 'value_error.cursor' });
}

function parseParts(text: string): unknown[] {
  try {
    const parts: unknown = JSON.parse(`[${text}]`);
    return Array.isArray(parts) ? parts : unreadable();
  } catch {
    return unreadable();
  }
}

/**
 * Reads a cursor.
 * @returns the sort values behind which the next page begins
 * @throws ServiceError 422 where it is none of this family and sort
 */
export function readCursor(family: Family, sort: SortField | undefined, text: string): SortValue[] {
  const keys = orderOf(family, sort);
  const parts = parseParts(text);
  // The date of a cursor by id says nothing that the id does not.
  if (sort === undefined && parts.length === 2) parts.shift();
  if (parts.length !== keys.length) unreadable();
  return keys.map((key, at) => {
    const part = parts[at];
    if (part === null && key !== ID) return null;
    if (isMoment(family, key)) {
      const moment = typeof part === 'string' ? toMilliseconds(part) : Number.NaN;
      return Number.isNaN(moment) ? unreadable() : moment;
    }
    return typeof part === 'number' && Number.isFinite(part) ? part : unreadable();
  });
}
