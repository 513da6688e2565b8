// Compiles a flat filter object to a query of the DSL: each filter becomes a clause, and all must match.

import { closest } from 'fastest-levenshtein';
import { type Family, filters, indexFields } from '../../../../shared/families/registry.ts';
import { extractDomain, isUrlField, toIndexedUrl } from '../../../../shared/index-fields/indexed-url.ts';
import type { Property } from '../../../../shared/index-fields/mapping.ts';
import {
  type Clause,
  ExpressionError,
  type ForEachField,
  parseExpression,
  toClause,
} from '../../../../shared/query/filter-expressions.ts';
import type { Filter, FilterType } from '../../../../shared/query/filters.ts';
import { type IssueReason, NOT_INTEGER, NOT_TEXT, type ValidationIssue } from '../../api/service-errors.ts';
import { createMappingLookup } from '../fields.ts';

/** A compiled filter object, or all its errors. */
export type CompiledFilters = { ok: true; query: Clause } | { ok: false; issues: ValidationIssue[] };

/** An invalid filter value. */
class ValueError extends Error {
  readonly reason: IssueReason;

  constructor(reason: IssueReason) {
    super(reason.msg);
    this.reason = reason;
  }
}

const MAX_TEXT_LENGTH = 15_000;
const DATETIME = /^\d{4}-\d{2}-\d{2} \d{2}:\d{2}:\d{2}$/;
const DATE = /^\d{4}-\d{2}-\d{2}$/;
const MONTH = /^\d{4}(?:-\d{2}){0,2}$/;

function parseText(value: unknown): string {
  if (typeof value !== 'string') throw new ValueError(NOT_TEXT);
  if (value.trim() === '') {
    const msg = 'ensure this value has at least 1 characters';
    throw new ValueError({ msg, type: 'value_error.any_str.min_length' });
  }
  if (value.length > MAX_TEXT_LENGTH) {
    const msg = `ensure this value has at most ${MAX_TEXT_LENGTH} characters`;
    throw new ValueError({ msg, type: 'value_error.any_str.max_length' });
  }
  return value;
}

function createFormatParser(form: RegExp, name: string): (value: unknown) => string {
  return (value) => {
    const text = parseText(value);
    const time = Date.parse(
      `${text.length === 4 ? `${text}-01` : text}`.replace(' ', 'T') + (text.length > 10 ? 'Z' : ''),
    );
    const type = 'value_error.datetime';
    if (!form.test(text) || Number.isNaN(time))
      throw new ValueError({ msg: `invalid datetime format, ${name} expected`, type });
    // Date rolls over a day that doesn't exist; the formatted date then differs.
    if (text.length >= 10 && new Date(time).toISOString().slice(0, 10) !== text.slice(0, 10)) {
      throw new ValueError({ msg: 'day is out of range for month', type });
    }
    return text;
  };
}

/** Converts an integer or its text. @returns undefined for other values */
export function toInteger(value: unknown): number | undefined {
  const number = typeof value === 'string' && /^-?\d{1,15}$/.test(value) ? Number(value) : value;
  return typeof number === 'number' && Number.isSafeInteger(number) ? number : undefined;
}

function parseInteger(value: unknown): number {
  const number = toInteger(value);
  if (number === undefined) throw new ValueError(NOT_INTEGER);
  return number;
}

function parseFlag(value: unknown): boolean {
  if (value === true || value === 1 || value === '1' || value === 'true') return true;
  if (value === false || value === 0 || value === '0' || value === 'false') return false;
  throw new ValueError({ msg: 'value could not be parsed to a boolean', type: 'type_error.bool' });
}

/** Matches any of several fields, with the best score. */
function buildAnyOf(clauses: readonly Clause[]): Clause {
  const [only] = clauses;
  return clauses.length === 1 && only !== undefined ? only : { dis_max: { queries: clauses } };
}

/** Returns the number under which missing values are indexed. */
function getMissingNumber(property: Property | undefined): number | undefined {
  return property !== undefined && 'null_value' in property && typeof property.null_value === 'number'
    ? property.null_value
    : undefined;
}

/** Builds a range that excludes missing values: their substitute is below all others. */
function buildRange(bound: 'gte' | 'lte', end: string | number, missing: number | undefined): Clause {
  if (missing === undefined || typeof end === 'string') return { [bound]: end };
  return bound === 'lte' ? { gt: missing, lte: end } : { gte: Math.max(end, missing + 1) };
}

const clauseBuilders: Readonly<Record<FilterType, (value: unknown, eachField: ForEachField) => Clause>> = {
  text: (value, eachField) => {
    try {
      return toClause(parseExpression(parseText(value)), eachField);
    } catch (error) {
      if (error instanceof ExpressionError)
        throw new ValueError({ msg: error.message, type: 'value_error.filter' });
      throw error;
    }
  },
  exact: (value, eachField) => {
    const whole = parseText(value);
    return eachField((field) => ({
      term: { [`${field}.exact`]: isUrlField(field) ? toIndexedUrl(whole) : whole },
    }));
  },
  host: (value, eachField) => {
    const host = extractDomain(parseText(value));
    if (host === undefined)
      throw new ValueError({ msg: 'value is not a valid website', type: 'value_error.url.host' });
    return eachField((field) => ({ match_phrase: { [`${field}.domain_only`]: host } }));
  },
  integer: (value, eachField) => {
    const number = parseInteger(value);
    return eachField((field, property) =>
      number === getMissingNumber(property) ? { match_none: {} } : { term: { [field]: number } },
    );
  },
  flag: (value, eachField) => buildTermClause(parseFlag(value) ? 1 : 0, eachField),
  datetime: (value, eachField) => buildTermClause(parseDateTime(value), eachField),
  date: (value, eachField) => buildTermClause(parseDate(value), eachField),
  month: (value, eachField) => buildTermClause(parseMonth(value), eachField),
};

function buildTermClause(value: string | number, eachField: ForEachField): Clause {
  return eachField((field) => ({ term: { [field]: value } }));
}

const parseDateTime = createFormatParser(DATETIME, 'YYYY-MM-DD HH:MM:SS');
const parseDate = createFormatParser(DATE, 'YYYY-MM-DD');
const parseMonth = createFormatParser(MONTH, 'YYYY-MM');

const boundParsers: Partial<Record<FilterType, (value: unknown) => string | number>> = {
  integer: parseInteger,
  datetime: parseDateTime,
  date: parseDate,
  month: parseMonth,
};

function buildFilterClause(family: Family, filter: Filter, value: unknown): Clause {
  const { bound, type, fields, path } = filter;
  const mapping = createMappingLookup(indexFields[family]);
  const eachField: ForEachField = (buildClause) =>
    buildAnyOf(
      fields.map((field) => {
        const [first = ''] = field.split('.');
        const needsNested = path === undefined && mapping.isNested(first);
        const clause = buildClause(field, mapping.getField(field)?.property);
        return needsNested ? { nested: { path: first, query: clause } } : clause;
      }),
    );
  if (bound === undefined) return clauseBuilders[type](value, eachField);
  const end = (boundParsers[type] ?? parseText)(value);
  return eachField((field, property) => ({
    range: { [field]: buildRange(bound, end, getMissingNumber(property)) },
  }));
}

function createUnknownFilterIssue(name: string, definitions: readonly Filter[]): ValidationIssue {
  const nearest = closest(
    name.toLowerCase(),
    definitions.map((filter) => filter.name),
  );
  return {
    loc: ['body', name],
    msg: `extra fields not permitted; did you mean "${nearest}"?`,
    type: 'value_error.extra',
  };
}

/**
 * Compiles a filter object.
 * @param body - the parsed object; null values count as absent
 * @returns a query of the DSL, match_all without filters; or one issue for each invalid filter
 */
export function compileFilters(family: Family, body: Readonly<Record<string, unknown>>): CompiledFilters {
  const definitions = filters[family];
  const issues: ValidationIssue[] = [];
  const byPath = new Map<string | undefined, Clause[]>();
  for (const [name, value] of Object.entries(body)) {
    const filter = definitions.find((candidate) => candidate.name === name);
    if (filter === undefined) {
      issues.push(createUnknownFilterIssue(name.slice(0, 100), definitions));
      continue;
    }
    if (value === null) continue;
    try {
      byPath.set(filter.path, [...(byPath.get(filter.path) ?? []), buildFilterClause(family, filter, value)]);
    } catch (error) {
      if (!(error instanceof ValueError)) throw error;
      issues.push({ loc: ['body', name], ...error.reason });
    }
  }
  if (issues.length > 0) return { ok: false, issues };
  const must = [...byPath].flatMap(([path, clauses]) =>
    path === undefined ? clauses : [{ nested: { path, query: { bool: { must: clauses } } } }],
  );
  return { ok: true, query: must.length === 0 ? { match_all: {} } : { bool: { must } } };
}
