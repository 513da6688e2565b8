// Converts the body of a search, preview or data request to a query of the engine.
import type { Family } from '../../../shared/families/index.ts';
import { indexFields } from '../../../shared/families/registry.ts';
import { isObject } from '../../../shared/lib/is-object.ts';
import type { QueryStyle, SortField } from '../../../shared/operations.ts';
import { getStoredFamily } from '../record-store.ts';
import { analyze, lowerCase } from '../search/analysis/standard.ts';
import { PatternError } from '../search/engine/query/automaton.ts';
import { LimitError } from '../search/engine/query/term-expansion.ts';
import { createMappingLookup } from '../search/fields.ts';
import { compileFilters } from '../search/filters/compile.ts';
import {
  MAX_BODY_CHARACTERS,
  type ParseContext,
  parseBody,
  parseQuery,
  QueryError,
} from '../search/parse/index.ts';
import type { Query } from '../search/query.ts';
import { findDuplicateKey, readJson } from './json-body.ts';
import { filterError, NOT_OBJECT, queryError, type ServiceError, validationError } from './service-errors.ts';

const MAX_FILTER_CHARACTERS = 100_000;

export interface ParsedQuery {
  query: Query;
  sort: SortField | undefined;
}

/**
 * Creates the context in which the parser reads a query on a family.
 * @param now - the value of `now` in date ranges, in milliseconds since 1970
 */
export function createParseContext(family: Family, now: () => number): ParseContext {
  return { mapping: createMappingLookup(indexFields[getStoredFamily(family)]), now, analyze, lowerCase };
}

/** Runs the parser and converts its errors to the service's 400, or as given. */
function withServiceErrors<T>(parse: () => T, toError: (text: string) => ServiceError = queryError): T {
  try {
    return parse();
  } catch (error) {
    if (error instanceof QueryError) throw toError(error.answer);
    throw error;
  }
}

/**
 * Parses a filter object.
 * @param value - parsed JSON
 * @param loc - its location in the body
 * @throws ServiceError 422 that names each invalid filter
 */
export function parseFilters(
  family: Family,
  value: unknown,
  now: () => number,
  loc: string[] = [],
): ParsedQuery {
  if (!isObject(value)) throw validationError({ loc: ['body', ...loc], ...NOT_OBJECT });
  const compiled = compileFilters(family, value);
  if (!compiled.ok) {
    throw validationError(
      ...compiled.issues.map((issue) => ({ ...issue, loc: ['body', ...loc, ...issue.loc.slice(1)] })),
    );
  }
  return {
    query: withServiceErrors(() => parseQuery(compiled.query, createParseContext(family, now)), filterError),
    sort: undefined,
  };
}

/** Reads the order of a DSL body: a list of names, of which the first decides. */
function parseSort(sort: unknown, allowedSorts: readonly SortField[]): SortField | undefined {
  const entries: readonly unknown[] = sort === undefined ? [] : [sort].flat();
  const unknown = entries.find((entry) => !allowedSorts.some((name) => name === entry));
  if (unknown !== undefined) {
    const suffix = typeof unknown === 'string' ? ` [${unknown}]` : '';
    throw queryError(
      `Query validation failed: sort${suffix} is not allowed: name ${allowedSorts.join(', ')}`,
    );
  }
  return allowedSorts.find((name) => name === entries[0]);
}

/**
 * Parses a DSL body: `query`, and `sort` as a list of names.
 * @param value - parsed JSON
 * @param allowedSorts - fields that allow sorting
 * @throws ServiceError 400 with the engine's message
 */
export function parseDsl(
  family: Family,
  value: unknown,
  allowedSorts: readonly SortField[],
  now: () => number,
): ParsedQuery {
  const { query, sort } = withServiceErrors(() => parseBody(value, createParseContext(family, now)));
  return { query, sort: parseSort(sort, allowedSorts) };
}

/**
 * Parses the body of a search or preview.
 * @throws ServiceError 422 for invalid JSON, a duplicate key or an invalid filter; 400 for an invalid DSL body
 */
export function parseQueryBody(
  family: Family,
  style: QueryStyle,
  text: string,
  allowedSorts: readonly SortField[],
  now: () => number,
): ParsedQuery {
  if (style === 'es_dsl') {
    if (text.length > MAX_BODY_CHARACTERS) throw createTooLongError();
    return parseDsl(family, readJson(text), allowedSorts, now);
  }
  if (text.length > MAX_FILTER_CHARACTERS) {
    throw validationError({
      loc: ['body'],
      msg: `ensure this value has at most ${MAX_FILTER_CHARACTERS} characters`,
      type: 'value_error.any_str.max_length',
      ctx: { limit_value: MAX_FILTER_CHARACTERS },
    });
  }
  const value = readJson(text);
  rejectDuplicates(text);
  return parseFilters(family, value, now);
}

/** Creates the error of a DSL body that is too long. */
export function createTooLongError(): ServiceError {
  return queryError(`Query validation failed: it is longer than ${MAX_BODY_CHARACTERS} characters`);
}

/**
 * Rejects a filter object with a duplicate key.
 * @param text - the body, which is valid JSON
 * @param within - path of the filters in the body
 * @throws ServiceError 422 that names the key
 */
export function rejectDuplicates(text: string, within: readonly string[] = []): void {
  const duplicate = findDuplicateKey(text, within);
  if (duplicate === undefined) return;
  const msg = 'Duplicate keys are not allowed within filters';
  throw validationError({ loc: ['body', ...within, duplicate], msg, type: 'value_error.duplicate' });
}

/**
 * Converts an error of the engine. Callers of filters know no engine: theirs is a validation error.
 * @returns the service's 400, or 422 for filters; undefined for other errors
 */
export function toServiceError(error: unknown, style: QueryStyle): ServiceError | undefined {
  if (!(error instanceof PatternError || error instanceof LimitError)) return undefined;
  return style === 'filter' ? filterError() : queryError(`Query validation failed: ${error.message}`);
}
