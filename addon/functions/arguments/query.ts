// Parses the query argument: words, a range of filters and values, or JSON.
import type { Query } from '../../../shared/api/query.ts';
import type { Family } from '../../../shared/families/index.ts';
import { operations, type SortField } from '../../../shared/operations.ts';
import { isUnfinishedValue } from '../../lib/cell-errors.ts';
import { isBlank, type Options, quote, toRows } from './options.ts';

/** Formats a date in the spreadsheet's time zone, as `Utilities.formatDate` does. */
export type FormatDate = (date: Date, format: string) => string;

const MAX_TEXT = 15_000;
const NO_QUERY = 'Write a query: words, a range of two columns with filters and values, or JSON.';
const BROKEN = 'The query begins like JSON but can’t be read as JSON: check its quotes, commas and brackets.';
const UNFINISHED =
  'A cell of the query is still loading or shows an error: the search waits for its value. A query can’t end with “…”.';
const PAIRS = 'A query range has two columns: in each row the name of a filter and its value.';

/** Clauses of the query DSL. A JSON object with one of them is a DSL body; any other object holds named filters. */
const CLAUSES: readonly string[] = [
  'bool',
  'exists',
  'fuzzy',
  'ids',
  'match',
  'match_all',
  'match_phrase',
  'multi_match',
  'nested',
  'prefix',
  'query',
  'query_string',
  'range',
  'term',
  'terms',
  'wildcard',
];

function hasNamedFilters(family: Family): boolean {
  return operations.some(
    (operation) => operation.family === family && operation.name === 'search' && operation.style === 'filter',
  );
}

function parseJsonQuery(family: Family, text: string): Query {
  let body: unknown;
  try {
    body = JSON.parse(text);
  } catch {
    throw new Error(BROKEN);
  }
  if (typeof body !== 'object' || body === null || Array.isArray(body)) throw new Error(BROKEN);
  const object = Object.fromEntries(Object.entries(body));
  if (Object.keys(object).some((name) => CLAUSES.includes(name))) return { es_dsl: object };
  if (hasNamedFilters(family)) return { filters: object };
  throw new Error(`${family} has no filters: write words, or JSON with "query".`);
}

/** Filters with `date` in their names take a day; the other date filters take a time as well. */
const isDayFilter = (name: string): boolean => /_date(?:_|$)/.test(name);
const isTimeFilter = (name: string): boolean => /_(?:at|updated)_[gl]te$/.test(name);

const DAY = /^\d{4}-\d{2}-\d{2}$/;
const MIDNIGHT = '00:00:00';
const LAST_SECOND = '23:59:59';

function toText(value: unknown, formatDate: FormatDate): string {
  if (!(value instanceof Date)) return String(value).trim();
  const day = formatDate(value, 'yyyy-MM-dd');
  const time = formatDate(value, 'HH:mm:ss');
  return time === MIDNIGHT ? day : `${day} ${time}`;
}

/** Formats a filter value. A day becomes its first second, or its last second at the end of a range. */
function toFilterValue(name: string, value: unknown, formatDate: FormatDate): string {
  const text = toText(value, formatDate);
  if (isDayFilter(name)) return value instanceof Date ? text.slice(0, 10) : text;
  if (!isTimeFilter(name) || !DAY.test(text)) return text;
  return `${text} ${name.endsWith('_lte') ? LAST_SECOND : MIDNIGHT}`;
}

const RANGE = /^(.+)_(gte|lte)$/;

/** Builds a DSL condition, for families without named filters. */
function toCondition(name: string, value: string): Record<string, unknown> {
  if (name.includes('.')) {
    throw new Error(`${quote(name)} is inside a list: write the query as JSON with "nested".`);
  }
  const [, field, bound] = RANGE.exec(name) ?? [];
  return field !== undefined && bound !== undefined
    ? { range: { [field]: { [bound]: value } } }
    : { match: { [name]: { query: value, operator: 'and' } } };
}

function parsePairs(family: Family, rows: readonly unknown[][], formatDate: FormatDate): Query {
  const filters = hasNamedFilters(family);
  const pairs: [string, string][] = [];
  for (const row of rows) {
    if (row.length !== 2) throw new Error(PAIRS);
    const [cell, value] = row;
    if (isBlank(value)) continue;
    if (isBlank(cell)) throw new Error(`${quote(String(value))} has no filter name beside it. ${PAIRS}`);
    const name = String(cell).trim();
    if (pairs.some(([earlier]) => earlier === name))
      throw new Error(`The filter ${quote(name)} appears twice.`);
    pairs.push([name, filters ? toFilterValue(name, value, formatDate) : toText(value, formatDate)]);
  }
  if (pairs.length === 0) throw new Error(NO_QUERY);
  if (filters) return { filters: Object.fromEntries(pairs), known_values: true };
  const conditions = pairs.map(([name, value]) => toCondition(name, value));
  return { es_dsl: { query: { bool: { filter: conditions } } }, known_values: true };
}

function parsePlainQuery(family: Family, argument: unknown, formatDate: FormatDate): Query {
  const rows = toRows(argument);
  if (rows.some((row) => row.some(isUnfinishedValue))) throw new Error(UNFINISHED);
  if (rows.every((row) => row.every(isBlank))) throw new Error(NO_QUERY);
  if (Array.isArray(argument)) return parsePairs(family, rows, formatDate);
  if (typeof argument !== 'string' && typeof argument !== 'number') throw new Error(NO_QUERY);
  const text = String(argument).trim();
  if (text.length > MAX_TEXT) throw new Error(`A query has at most ${MAX_TEXT} characters.`);
  return text.startsWith('{') ? parseJsonQuery(family, text) : { text };
}

/**
 * Parses a query.
 * @param argument - one of:
 * - words, such as `name:acme AND founded:>2015`
 * - JSON: a body of the query DSL, or named filters if the family has them
 * - a range with two columns, a name and a value in each row; rows without a value are skipped. For families without
 * named filters the names are fields: each matches all words of its value, or a bound if it ends in `_gte` or `_lte`
 * @param formatDate - formats dates in the spreadsheet's time zone
 * @param options - `anyFields` allows unlisted field names
 * @throws Error if the query can't be parsed
 */
export function parseQuery(
  family: Family,
  argument: unknown,
  formatDate: FormatDate,
  { anyFields }: Pick<Options, 'anyFields'> = { anyFields: false },
): Query {
  const query = parsePlainQuery(family, argument, formatDate);
  return anyFields ? { ...query, any_fields: true } : query;
}

/** Lists the sort orders that a family supports for this kind of query. */
function listSorts(family: Family, query: Query): readonly SortField[] {
  const style = 'filters' in query ? 'filter' : 'es_dsl';
  return operations.flatMap((operation) =>
    operation.family === family && operation.name === 'search' && operation.style === style
      ? operation.sorts
      : [],
  );
}

/**
 * Parses the sort argument.
 * @returns undefined if it is empty
 * @throws Error that lists the family's sort orders
 */
export function parseSort(family: Family, query: Query, argument: unknown): SortField | undefined {
  if (isBlank(argument)) return undefined;
  const sorts = listSorts(family, query);
  const sort = sorts.find((known) => known === String(argument).trim());
  if (sort === undefined && sorts.length > 0) {
    throw new Error(
      `${quote(String(argument))} is not a sort order of ${family}: use ${sorts.join(' or ')}.`,
    );
  }
  return sort;
}
