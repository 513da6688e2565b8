// From the conditions of a search form to a query: named filters where a family has them, the DSL elsewhere; and back.

import type { Family } from '../families/index.ts';
import { extractDomain } from '../index-fields/domain.ts';
import { toIndexedUrl } from '../index-fields/indexed-url.ts';
import { isObject } from '../lib/is-object.ts';
import { type Clause, ExpressionError, parseExpression, toClause } from './filter-expressions.ts';
import type { FilterType } from './filters.ts';
import { type FormField, getFormFields, type IndexTarget } from './form-fields.ts';
import { expandKnownValues, expandKnownValuesInText } from './known-expressions.ts';
import { getSpellings } from './known-values.ts';

/** One line of a form as a person filled it. */
export interface FormCondition {
  /** The field's name. */
  name: string;
  /** What was typed: values of which any will do, or the two ends of a range, '' where one is open. */
  values: readonly string[];
}

/** A query of the form, or the first thing that is wrong in each of its fields. */
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
    throw new InvalidInput(`“${text}” is not a date: write it as 2026-01-31.`);
  return text;
}

function month(text: string): string {
  if (!MONTH.test(text) || Number.isNaN(Date.parse(text)))
    throw new InvalidInput(`“${text}” is not a month: write it as 2026-01.`);
  return text;
}

function flag(text: string): boolean {
  if (text !== 'yes' && text !== 'no') throw new InvalidInput('Choose yes or no.');
  return text === 'yes';
}

function host(text: string): string {
  const domain = extractDomain(text);
  if (domain === undefined) throw new InvalidInput(`“${text}” is not a website such as example.com.`);
  return domain;
}

function expression(text: string) {
  try {
    return parseExpression(text);
  } catch (error) {
    if (error instanceof ExpressionError)
      throw new InvalidInput(`“${text}” can’t be read: ${error.message}.`);
    throw error;
  }
}

/** A value as it is sent; the last second of a day where it is the end of a range of times. */
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
    throw new InvalidInput('The first is after the second.');
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

/** Brings the URLs among some words into the form in which they are indexed. */
function normaliseUrls(text: string): string {
  return text.replace(/[^\s()"]+/g, (word) => toIndexedUrl(word));
}

/** The clauses of a value, of which any will do: a known value may have several spellings. */
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

/** Each clause once: two values may be the same known one. */
const dedupeClauses = (clauses: readonly Clause[]): Clause[] => [
  ...new Map(clauses.map((clause) => [JSON.stringify(clause), clause])).values(),
];

function toIndexClause(field: FormField, at: IndexTarget, values: readonly string[]): Clause {
  if (field.isRange) {
    const range = parseRange(field.type, values);
    // A missing number is indexed as one that is below all others.
    const open = range.gte === undefined && at.missingValue !== undefined;
    return { range: { [at.path]: open ? { gt: at.missingValue, ...range } : range } };
  }
  const counted = field.isMultiple ? values : values.slice(0, 1);
  const clauses = dedupeClauses(counted.flatMap((value) => toValueClauses(field.type, at, value)));
  const [only] = clauses;
  return clauses.length === 1 && only !== undefined ? only : { bool: { should: clauses } };
}

/** Conditions on the same nested object are about one of them. */
function combineClauses(clauses: readonly { nested: string | undefined; clause: Clause }[]): Clause {
  const byPath = new Map<string | undefined, Clause[]>();
  for (const { nested, clause } of clauses) byPath.set(nested, [...(byPath.get(nested) ?? []), clause]);
  const must = [...byPath].flatMap(([path, those]) =>
    path === undefined ? those : [{ nested: { path, query: { bool: { must: those } } } }],
  );
  return must.length === 0 ? { match_all: {} } : { bool: { must } };
}

/**
 * Makes the query of a form.
 * @param conditions - lines that hold nothing count as not there
 * @returns everything of the family where no line holds anything; problems where lines can't be read
 */
export function buildFormQuery(family: Family, conditions: readonly FormCondition[]): FormQuery {
  const fields = new Map(getFormFields(family).map((field) => [field.name, field]));
  const named: Record<string, unknown> = {};
  const clauses: { nested: string | undefined; clause: Clause }[] = [];
  const problems: { name: string; message: string }[] = [];
  let dsl = ![...fields.values()].some(({ target }) => target === undefined);
  for (const { name, values } of conditions) {
    const field = fields.get(name);
    if (field === undefined) continue;
    const trimmed = values.map((value) => value.trim());
    const given = field.isRange ? trimmed : trimmed.filter((value) => value !== '');
    if (!given.some((value) => value !== '')) continue;
    try {
      const { target: indexed } = field;
      if (indexed === undefined) Object.assign(named, Object.fromEntries(toFilterEntries(field, given)));
      else clauses.push({ nested: indexed.nested, clause: toIndexClause(field, indexed, given) });
      dsl = indexed !== undefined;
    } catch (error) {
      if (!(error instanceof InvalidInput)) throw error;
      problems.push({ name, message: error.message });
    }
  }
  if (problems.length > 0) return { ok: false, problems };
  return { ok: true, query: dsl ? { es_dsl: { query: combineClauses(clauses) } } : { filters: named } };
}

function formatValue(type: FilterType, value: unknown): string | undefined {
  if (type === 'flag') {
    const yes = value === true || value === 1 || value === '1' || value === 'true';
    const no = value === false || value === 0 || value === '0' || value === 'false';
    return yes ? 'yes' : no ? 'no' : undefined;
  }
  if (typeof value !== 'string' && typeof value !== 'number') return undefined;
  return type === 'datetime' ? String(value).slice(0, 10) : String(value);
}

/**
 * The lines of a form that say what named filters say.
 * @param named - such as a saved search holds
 * @returns undefined where the form can't say it
 */
export function filtersToConditions(
  family: Family,
  named: Readonly<Record<string, unknown>>,
): FormCondition[] | undefined {
  const fields = getFormFields(family);
  const conditions = new Map<string, string[]>();
  for (const [name, value] of Object.entries(named)) {
    const end = /_(gte|lte)$/.exec(name)?.[1];
    const field =
      fields.find((one) => one.name === name && !one.isRange) ??
      fields.find((one) => one.isRange && end !== undefined && one.name === name.slice(0, -4));
    const text = field === undefined ? undefined : formatValue(field.type, value);
    if (field === undefined || text === undefined) return undefined;
    if (!field.isRange) conditions.set(field.name, [text]);
    else {
      const [from = '', to = ''] = conditions.get(field.name) ?? [];
      conditions.set(field.name, end === 'gte' ? [text, to] : [from, text]);
    }
  }
  const lines = [...conditions].map(([name, values]) => ({ name, values }));
  const again = buildFormQuery(family, lines);
  const same = again.ok && 'filters' in again.query && hasSameValues(again.query.filters, named);
  return same ? lines : undefined;
}

/** The one member of an object of one, as clauses are. */
function getOnlyMember(of: unknown): [name: string, value: unknown] {
  const [first, more] = isObject(of) ? Object.entries(of) : [];
  return first === undefined || more !== undefined ? ['', undefined] : first;
}

const list = (value: unknown): unknown[] => (Array.isArray(value) ? value : []);

/** The path that a clause asks: of several, that of the first. */
function findPath(clause: unknown): string {
  const [kind, body] = getOnlyMember(clause);
  return kind === 'bool' ? findPath(list(getOnlyMember(body)[1])[0]) : getOnlyMember(body)[0];
}

/** What somebody would type for a clause. */
function formatClause(type: FilterType, clause: unknown): string {
  const [kind, body] = getOnlyMember(clause);
  const value = getOnlyMember(body)[1];
  if (kind === 'bool') {
    const parts = list(value).map((part) => formatClause(type, part));
    return `(${parts.join(getOnlyMember(body)[0] === 'must' ? ' AND ' : ' OR ')})`;
  }
  const text = String(isObject(value) ? (value.value ?? value.query) : value);
  if (kind === 'match_phrase' && type === 'text') return `"${text}"`;
  return kind === 'prefix' ? `${text}*` : (formatValue(type, value) ?? text);
}

function formatClauseValues({ type, isRange, isMultiple }: FormField, clause: unknown): string[] {
  const [kind, body] = getOnlyMember(clause);
  const value = getOnlyMember(body)[1];
  if (isRange) {
    const { gte, lte }: Record<string, unknown> = isObject(value) ? value : {};
    return [formatValue(type, gte) ?? '', formatValue(type, lte) ?? ''];
  }
  const clauses =
    isMultiple && kind === 'bool' && getOnlyMember(body)[0] === 'should' ? list(value) : [clause];
  return clauses.map((one) => {
    const text = formatClause(type, one);
    return getOnlyMember(one)[0] === 'bool' ? text.slice(1, -1) : text;
  });
}

/**
 * The lines of a form that say what a query of the DSL says, where it came from a form; of any other they say something else.
 * @param query - of a family without filters
 */
export function dslToConditions(family: Family, query: unknown): FormCondition[] {
  const fields = getFormFields(family);
  const clauses = list(getOnlyMember(getOnlyMember(query)[1])[1]).flatMap((clause) => {
    const [kind, body] = getOnlyMember(clause);
    return kind === 'nested' && isObject(body)
      ? list(getOnlyMember(getOnlyMember(body.query)[1])[1])
      : [clause];
  });
  return clauses.flatMap((clause) => {
    const path = findPath(clause);
    const field = fields.find(({ target }) => target?.path === path);
    return field === undefined ? [] : { name: field.name, values: formatClauseValues(field, clause) };
  });
}

/** Whether two flat objects hold the same, whatever the order and whether a number is a text. */
function hasSameValues(
  one: Readonly<Record<string, unknown>>,
  other: Readonly<Record<string, unknown>>,
): boolean {
  const names = Object.keys(one);
  return (
    names.length === Object.keys(other).length &&
    names.every((name) => String(one[name]) === String(other[name]))
  );
}
