// Converts the conditions of a search form to a query: named filters if the family has them, otherwise the DSL.

import type { Family } from '../families/index.ts';
import { extractDomain, toIndexedUrl } from '../index-fields/indexed-url.ts';
import { type Clause, ExpressionError, parseExpression, toClause } from './filter-expressions.ts';
import type { FilterType } from './filters.ts';
import { type FormField, getFormFields, type IndexTarget } from './form-fields.ts';
import { expandKnownValues, expandKnownValuesInText } from './known-expressions.ts';
import { getSpellings } from './known-values.ts';

/** A condition of the form, as the user entered it. */
export interface FormCondition {
  /** Name of the form field. */
  name: string;
  /** Alternative values, or the two ends of a range, '' for an open end. */
  values: readonly string[];
  /** Absent: a record matches if it has one of the values. Other comparisons need the query DSL. */
  comparison?: 'isNot' | 'isEmpty' | 'hasValue';
}

/** Checks whether a condition restricts the search. */
export const isFilledIn = ({ values, comparison }: FormCondition): boolean =>
  comparison === 'isEmpty' || comparison === 'hasValue' || values.some((value) => value.trim() !== '');

/** The query of a form, or the first problem of each invalid field. */
export type FormQuery =
  | { ok: true; query: { filters: Record<string, unknown> } | { es_dsl: Record<string, unknown> } }
  | { ok: false; problems: { name: string; message: string }[] };

class InvalidInput extends Error {}

const INTEGER = /^-?\d{1,15}$/;
const DAY = /^\d{4}-\d{2}-\d{2}$/;
const MONTH = /^\d{4}(?:-\d{2}){0,2}$/;

function integer(text: string): number {
  const plain = text.replace(/[ ,']/g, '');
  if (!INTEGER.test(plain)) throw new InvalidInput(`“${text}” is not a whole number.`);
  return Number(plain);
}

function day(text: string): string {
  const time = DAY.test(text) ? Date.parse(`${text}T00:00:00Z`) : Number.NaN;
  if (Number.isNaN(time) || new Date(time).toISOString().slice(0, 10) !== text)
    throw new InvalidInput(`“${text}” is not a date. Use the form 2026-01-31.`);
  return text;
}

function month(text: string): string {
  if (!MONTH.test(text) || Number.isNaN(Date.parse(text)))
    throw new InvalidInput(`“${text}” is not a month. Use the form 2026-01.`);
  return text;
}

function flag(text: string): boolean {
  if (text !== 'yes' && text !== 'no') throw new InvalidInput('Choose yes or no.');
  return text === 'yes';
}

function host(text: string): string {
  const domain = extractDomain(text);
  if (domain === undefined)
    throw new InvalidInput(`“${text}” is not a website. Use one such as example.com.`);
  return domain;
}

function expression(text: string) {
  try {
    return parseExpression(text);
  } catch (error) {
    if (error instanceof ExpressionError)
      throw new InvalidInput(`There’s a mistake near “${text}”: ${error.message}.`);
    throw error;
  }
}

/** Parses a value for the query. The upper bound of a datetime range is the last second of the day. */
function parseValue(type: FilterType, text: string, end: 'gte' | 'lte' = 'gte'): string | number | boolean {
  switch (type) {
    case 'integer':
      return integer(text);
    case 'flag':
      return flag(text);
    case 'date':
      return day(text);
    case 'datetime':
      return `${day(text)} ${end === 'gte' ? '00:00:00' : '23:59:59'}`;
    case 'month':
      return month(text);
    case 'host':
      return host(text);
    case 'exact':
      return text;
    case 'text':
      expression(text);
      return text;
  }
}

function parseRange(
  type: FilterType,
  [from = '', to = '']: readonly string[],
): Partial<Record<'gte' | 'lte', string | number>> {
  const range: Partial<Record<'gte' | 'lte', string | number>> = {};
  for (const [end, text] of [
    ['gte', from],
    ['lte', to],
  ] as const) {
    const value = text === '' ? undefined : parseValue(type, text, end);
    if (value !== undefined && typeof value !== 'boolean') range[end] = value;
  }
  if (range.gte !== undefined && range.lte !== undefined && range.gte > range.lte)
    throw new InvalidInput('The start of the range is after its end.');
  return range;
}

function toFilterEntries(field: FormField, values: readonly string[]): [string, unknown][] {
  if (field.isRange)
    return Object.entries(parseRange(field.type, values)).map(([end, value]) => [
      `${field.name}_${end}`,
      value,
    ]);
  const [first = ''] = values;
  for (const value of field.isMultiple ? values : [first]) parseValue(field.type, value);
  if (field.type !== 'text') return [[field.name, parseValue(field.type, first)]];
  const text = values.length === 1 ? first : values.map((value) => `(${value})`).join(' OR ');
  return [[field.name, expandKnownValuesInText(field.name, text)]];
}

function normaliseUrls(text: string): string {
  return text.replace(/[^\s()"]+/g, (word) => toIndexedUrl(word));
}

/** Returns alternative clauses for a value: a known value may have several spellings. */
function toValueClauses(
  type: FilterType,
  { path, isNumericFlag, isUrl }: IndexTarget,
  given: string,
): Clause[] {
  const text = isUrl ? normaliseUrls(given) : given;
  if (type === 'text') {
    const typed = expression(text);
    const known = expandKnownValues(path, typed);
    const parts = known.kind === 'or' && known !== typed ? known.parts : [known];
    return parts.map((part) => toClause(part, (make) => make(path)));
  }
  const value = parseValue(type, text);
  if (type === 'host') return [{ match_phrase: { [path]: value } }];
  if (type === 'exact' && text.length > 1 && text.endsWith('*'))
    return [{ prefix: { [path]: text.slice(0, -1) } }];
  if (type === 'exact') return getSpellings(path, text).map((spelling) => ({ term: { [path]: spelling } }));
  return [{ term: { [path]: typeof value === 'boolean' && isNumericFlag ? Number(value) : value } }];
}

/** Removes duplicate clauses. Two typed values may mean the same known value. */
const dedupeClauses = (clauses: readonly Clause[]): Clause[] => [
  ...new Map(clauses.map((clause) => [JSON.stringify(clause), clause])).values(),
];

export const LAST_YEAR = 9999;
const formatYear = (year: string | number): string => String(year).padStart(4, '0');

function toIndexClause(field: FormField, at: IndexTarget, values: readonly string[]): Clause {
  if (field.isRange) {
    const range = parseRange(field.type, values);
    if (at.isYear) {
      // Texts are compared by character, and NULL sorts after every year.
      const { gte = 0, lte = LAST_YEAR } = range;
      return { range: { [at.path]: { gte: formatYear(gte), lte: formatYear(lte) } } };
    }
    // Missing numbers are indexed as a number below all others.
    const open = range.gte === undefined && at.missingValue !== undefined;
    return { range: { [at.path]: open ? { gt: at.missingValue, ...range } : range } };
  }
  const counted = field.isMultiple ? values : values.slice(0, 1);
  const clauses = dedupeClauses(counted.flatMap((value) => toValueClauses(field.type, at, value)));
  const [only] = clauses;
  return clauses.length === 1 && only !== undefined ? only : { bool: { should: clauses } };
}

/** Builds the clause for records with a value. Missing ones are indexed as the word NULL or as a number below all others. */
export function toValueClause({ path, nullPath, missingValue }: IndexTarget): Clause {
  if (nullPath !== undefined) {
    return {
      bool: { must: [{ exists: { field: nullPath } }], must_not: [{ term: { [nullPath]: 'NULL' } }] },
    };
  }
  return missingValue === undefined
    ? { exists: { field: path } }
    : { range: { [path]: { gt: missingValue } } };
}

interface PlacedClause {
  nested: string | undefined;
  clause: Clause;
  /** Matching records are excluded: none of their nested objects may match. */
  excludes: boolean;
}

/** Combines clauses. Clauses with the same nested path must match the same nested object. */
function combineClauses(clauses: readonly PlacedClause[]): Clause {
  const byPath = new Map<string | undefined, Clause[]>();
  for (const { nested, clause, excludes } of clauses) {
    if (!excludes) byPath.set(nested, [...(byPath.get(nested) ?? []), clause]);
  }
  const must = [...byPath].flatMap(([path, those]) =>
    path === undefined ? those : [{ nested: { path, query: { bool: { must: those } } } }],
  );
  const mustNot = clauses
    .filter(({ excludes }) => excludes)
    .map(({ nested: path, clause }) => (path === undefined ? clause : { nested: { path, query: clause } }));
  if (clauses.length === 0) return { match_all: {} };
  return {
    bool: { ...(must.length === 0 ? {} : { must }), ...(mustNot.length === 0 ? {} : { must_not: mustNot }) },
  };
}

/**
 * Builds the query of a form. Empty conditions are ignored; without conditions the query matches every record.
 * @param asDsl - builds a DSL query also for a family with named filters
 * @returns the query, or the problems of invalid fields
 */
export function buildFormQuery(
  family: Family,
  conditions: readonly FormCondition[],
  asDsl = false,
): FormQuery {
  const fields = new Map(getFormFields(family).map((field) => [field.name, field]));
  const named: Record<string, unknown> = {};
  const clauses: PlacedClause[] = [];
  const problems: { name: string; message: string }[] = [];
  const filled = conditions.flatMap((condition) => {
    const field = fields.get(condition.name);
    return field !== undefined && isFilledIn(condition) ? { ...condition, field } : [];
  });
  const isDsl =
    asDsl ||
    filled.some(({ comparison }) => comparison !== undefined) ||
    ![...fields.values()].some(({ isFilter }) => isFilter);
  for (const { name, values, comparison, field } of filled) {
    const trimmed = values.map((value) => value.trim());
    const given = field.isRange ? trimmed : trimmed.filter((value) => value !== '');
    try {
      const { target: indexed } = field;
      if (!isDsl) Object.assign(named, Object.fromEntries(toFilterEntries(field, given)));
      else if (indexed === undefined) throw new InvalidInput('The query DSL can’t express it.');
      else {
        const byValue = comparison === 'isEmpty' || comparison === 'hasValue';
        const clause = byValue ? toValueClause(indexed) : toIndexClause(field, indexed, given);
        const excludes = comparison === 'isEmpty' || comparison === 'isNot';
        clauses.push({ nested: indexed.nested, clause, excludes });
      }
    } catch (error) {
      if (!(error instanceof InvalidInput)) throw error;
      problems.push({ name, message: error.message });
    }
  }
  if (problems.length > 0) return { ok: false, problems };
  return { ok: true, query: isDsl ? { es_dsl: { query: combineClauses(clauses) } } : { filters: named } };
}
