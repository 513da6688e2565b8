// Reads the query of a formula: words, a range of filters and values, or JSON.
import type { Query } from '../../../shared/api/query.ts';
import type { Family } from '../../../shared/families/index.ts';
import { operations, type SortField } from '../../../shared/operations.ts';
import { isBlank, type Options, quote, toRows } from './options.ts';

/** Writes the day and the time that a cell shows, in a format of `Utilities.formatDate`. */
export type FormatDate = (date: Date, format: string) => string;

const MAX_TEXT = 15_000;
const NO_QUERY = 'Write a query: words, a range of two columns with filters and values, or JSON.';
const BROKEN = 'The query begins like JSON but can’t be read as JSON: check its quotes, commas and brackets.';
const PAIRS = 'A query range has two columns: in each row the name of a filter and its value.';

/** The clauses of the query language: an object that begins with one of them is a query, not filters. */
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

/** Tells whether a family has named filters. */
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

/** Filters with a day in their names take days; the others that a date is given to take a time as well. */
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

/** A day is the first second of it where a filter takes a time, or its last where it ends a range. */
function toFilterValue(name: string, value: unknown, formatDate: FormatDate): string {
  const text = toText(value, formatDate);
  if (isDayFilter(name)) return value instanceof Date ? text.slice(0, 10) : text;
  if (!isTimeFilter(name) || !DAY.test(text)) return text;
  return `${text} ${name.endsWith('_lte') ? LAST_SECOND : MIDNIGHT}`;
}

const RANGE = /^(.+)_(gte|lte)$/;

/** A condition on an index field, for families without named filters. */
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
    if (isBlank(cell)) throw new Error(`${quote(String(value))} has no filter’s name beside it. ${PAIRS}`);
    const name = String(cell).trim();
    if (pairs.some(([other]) => other === name)) throw new Error(`The filter ${quote(name)} stands twice.`);
    pairs.push([name, filters ? toFilterValue(name, value, formatDate) : toText(value, formatDate)]);
  }
  if (pairs.length === 0) throw new Error(NO_QUERY);
  if (filters) return { filters: Object.fromEntries(pairs), known_values: true };
  const conditions = pairs.map(([name, value]) => toCondition(name, value));
  return { es_dsl: { query: { bool: { filter: conditions } } }, known_values: true };
}

function parsePlainQuery(family: Family, argument: unknown, formatDate: FormatDate): Query {
  const rows = toRows(argument);
  if (rows.every((row) => row.every(isBlank))) throw new Error(NO_QUERY);
  if (Array.isArray(argument)) return parsePairs(family, rows, formatDate);
  if (typeof argument !== 'string' && typeof argument !== 'number') throw new Error(NO_QUERY);
  const text = String(argument).trim();
  if (text.length > MAX_TEXT) throw new Error(`A query has at most ${MAX_TEXT} characters.`);
  return text.startsWith('{') ? parseJsonQuery(family, text) : { text };
}

/**
 * Reads a query.
 * @param argument - a text of words (`name:acme AND founded:>2015`), a JSON text (a body of the query DSL, or named filters
 * where the family has them), or a range of two columns with a name and a value in each row; rows without a value are left
 * out. On families without named filters the names are fields, each with all words of its value, or `_gte` and `_lte`.
 * @param writeDate - by the spreadsheet's clock
 * @param options - `anyFields`: names that are in no list are taken
 * @throws Error with one sentence, where it can't be read
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

/** What a family's search can be ordered by, in this way to say a query. */
function listSorts(family: Family, query: Query): readonly SortField[] {
  const style = 'filters' in query ? 'filter' : 'es_dsl';
  return operations.flatMap((operation) =>
    operation.family === family && operation.name === 'search' && operation.style === style
      ? operation.sorts
      : [],
  );
}

/**
 * Reads what a search is sorted by.
 * @returns undefined where nothing is named
 * @throws Error with one sentence that names what the family sorts by
 */
export function parseSort(family: Family, query: Query, argument: unknown): SortField | undefined {
  if (isBlank(argument)) return undefined;
  const sorts = listSorts(family, query);
  const sort = sorts.find((known) => known === String(argument).trim());
  if (sort === undefined && sorts.length > 0) {
    throw new Error(`${quote(String(argument))} is no order of ${family}: use ${sorts.join(' or ')}.`);
  }
  return sort;
}
