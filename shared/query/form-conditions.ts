// Converts queries back to the conditions of a search form.
import type { Family } from '../families/index.ts';
import { isObject } from '../lib/is-object.ts';
import type { FilterType } from './filters.ts';
import { type FormField, getFormFields } from './form-fields.ts';
import { buildFormQuery, type FormCondition, LAST_YEAR, toValueClause } from './form-query.ts';
import { mergeSpellings } from './known-values.ts';

function formatValue(type: FilterType, value: unknown): string | undefined {
  if (type === 'flag') {
    const yes = value === true || value === 1 || value === '1' || value === 'true';
    const no = value === false || value === 0 || value === '0' || value === 'false';
    return yes ? 'yes' : no ? 'no' : undefined;
  }
  if (typeof value !== 'string' && typeof value !== 'number') return undefined;
  return type === 'datetime' ? String(value).slice(0, 10) : String(value);
}

/** Splits the alternatives of a text filter, if the form made them of several values. */
function splitAlternatives(family: Family, { name, type }: FormField, text: string): string[] {
  if (type !== 'text' || !/^\([^()]*\)(?: OR \([^()]*\))+$/.test(text)) return [text];
  const values = mergeSpellings(name, text.slice(1, -1).split(') OR ('));
  const rebuilt = buildFormQuery(family, [{ name, values }]);
  return rebuilt.ok && 'filters' in rebuilt.query && rebuilt.query.filters[name] === text ? values : [text];
}

/**
 * Converts named filters to form conditions.
 * @param named - such as the filters of a saved search
 * @returns undefined if the form can't express the filters
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
      fields.find((each) => each.name === name && !each.isRange) ??
      fields.find((each) => each.isRange && end !== undefined && each.name === name.slice(0, -4));
    const text = field === undefined ? undefined : formatValue(field.type, value);
    if (field === undefined || text === undefined) return undefined;
    if (!field.isRange) conditions.set(field.name, splitAlternatives(family, field, text));
    else {
      const [from = '', to = ''] = conditions.get(field.name) ?? [];
      conditions.set(field.name, end === 'gte' ? [text, to] : [from, text]);
    }
  }
  const lines = [...conditions].map(([name, values]) => ({ name, values }));
  const rebuilt = buildFormQuery(family, lines);
  const isSame = rebuilt.ok && 'filters' in rebuilt.query && hasSameValues(rebuilt.query.filters, named);
  return isSame ? lines : undefined;
}

function getOnlyMember(of: unknown): [name: string, value: unknown] {
  const [first, more] = isObject(of) ? Object.entries(of) : [];
  return first === undefined || more !== undefined ? ['', undefined] : first;
}

const list = (value: unknown): unknown[] => (Array.isArray(value) ? value : []);

/** Returns the path that a clause queries. Of several clauses, the first counts. */
function findPath(clause: unknown): string {
  const [kind, body] = getOnlyMember(clause);
  return kind === 'bool' ? findPath(list(getOnlyMember(body)[1])[0]) : getOnlyMember(body)[0];
}

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

const isOpenYear = (year: unknown): boolean => Number(year) === 0 || Number(year) === LAST_YEAR;

function formatClauseValues({ type, isRange, isMultiple, target }: FormField, clause: unknown): string[] {
  const [kind, body] = getOnlyMember(clause);
  const value = getOnlyMember(body)[1];
  if (isRange) {
    const { gte, lte }: Record<string, unknown> = isObject(value) ? value : {};
    if (target?.isYear) return [gte, lte].map((year) => (isOpenYear(year) ? '' : String(year)));
    return [formatValue(type, gte) ?? '', formatValue(type, lte) ?? ''];
  }
  const clauses =
    isMultiple && kind === 'bool' && getOnlyMember(body)[0] === 'should' ? list(value) : [clause];
  const values = clauses.map((each) => {
    const text = formatClause(type, each);
    return getOnlyMember(each)[0] === 'bool' ? text.slice(1, -1) : text;
  });
  return mergeSpellings(target?.path ?? '', values);
}

/**
 * Converts a DSL query that a form built back to its conditions. Other queries give wrong conditions: callers compare
 * the rebuilt query.
 */
export function dslToConditions(family: Family, query: unknown): FormCondition[] {
  const fields = getFormFields(family);
  const bool = getOnlyMember(query)[1];
  const { must, must_not: mustNot }: Record<string, unknown> = isObject(bool) ? bool : {};
  const required = list(must).flatMap((clause) => {
    const [kind, body] = getOnlyMember(clause);
    return kind === 'nested' && isObject(body)
      ? list(getOnlyMember(getOnlyMember(body.query)[1])[1])
      : [clause];
  });
  const excluded = list(mustNot).map((clause) => {
    const [kind, body] = getOnlyMember(clause);
    return kind === 'nested' && isObject(body) ? body.query : clause;
  });
  return [
    ...required.flatMap((clause) => toCondition(fields, clause, false)),
    ...excluded.flatMap((clause) => toCondition(fields, clause, true)),
  ];
}

/** Converts a clause to a condition; none if no field has it. */
function toCondition(fields: readonly FormField[], clause: unknown, excludes: boolean): FormCondition[] {
  const text = JSON.stringify(clause);
  const byValue = fields.find(({ target }) => target && JSON.stringify(toValueClause(target)) === text);
  if (byValue !== undefined)
    return [{ name: byValue.name, values: [], comparison: excludes ? 'isEmpty' : 'hasValue' }];
  const path = findPath(clause);
  const field = fields.find(({ target }) => target?.path === path);
  if (field === undefined) return [];
  const values = formatClauseValues(field, clause);
  return [{ name: field.name, values, ...(excludes ? { comparison: 'isNot' } : {}) }];
}

const toPlainText = (value: unknown): string => String(typeof value === 'boolean' ? Number(value) : value);

/** Compares two flat objects, ignoring order and the difference between numbers, texts and flags. */
function hasSameValues(
  left: Readonly<Record<string, unknown>>,
  right: Readonly<Record<string, unknown>>,
): boolean {
  const names = Object.keys(left);
  return (
    names.length === Object.keys(right).length &&
    names.every((name) => toPlainText(left[name]) === toPlainText(right[name]))
  );
}
