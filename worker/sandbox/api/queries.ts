// From the body of a search, preview or data request to a query of the engine.

import type { Family } from '../../../shared/families/index.ts';
import { indexFields } from '../../../shared/families/registry.ts';
import { isObject } from '../../../shared/lib/is-object.ts';
import type { QueryStyle, SortField } from '../../../shared/operations.ts';
import { getStoredFamily } from '../record-store.ts';
import { analyze, lowerCase } from '../search/analysis/standard.ts';
import { createMappingLookup } from '../search/fields.ts';
import { compileFilters } from '../search/filters/compile.ts';
import {
  MAX_BODY_CHARACTERS,
  type ParseContext,
  parseBody,
  parseQuery,
  QueryError,
  type SearchBody,
} from '../search/parse/index.ts';
import type { Query } from '../search/query.ts';
import { findDuplicateKey, readJson } from './json-body.ts';
import { queryError, validationError } from './service-errors.ts';

/** Longer filter bodies are refused unread. */
const MAX_FILTER_CHARACTERS = 100_000;

/** A query and the order that its body asks for. */
export interface ParsedQuery {
  query: Query;
  sort: SortField | undefined;
}

/**
 * What the parser needs to read a query on a family.
 * @param now - milliseconds since 1970, what `now` means in a range
 */
export function createParseContext(family: Family, now: () => number): ParseContext {
  return { mapping: createMappingLookup(indexFields[getStoredFamily(family)]), now, analyze, lowerCase };
}

/** Runs the parser; its complaints become the service's 400. */
function withServiceErrors<T>(parse: () => T): T {
  try {
    return parse();
  } catch (error) {
    if (error instanceof QueryError) throw queryError(error.answer);
    throw error;
  }
}

/**
 * Reads a filter object.
 * @param value - as it came in JSON
 * @param loc - where it stands in the body
 * @throws ServiceError 422 that names each filter that is wrong
 */
export function parseFilters(
  family: Family,
  value: unknown,
  now: () => number,
  loc: string[] = [],
): ParsedQuery {
  if (!isObject(value)) {
    throw validationError({
      loc: ['body', ...loc],
      msg: 'value is not a valid dict',
      type: 'type_error.dict',
    });
  }
  const compiled = compileFilters(family, value);
  if (!compiled.ok) {
    throw validationError(
      ...compiled.issues.map((issue) => ({ ...issue, loc: ['body', ...loc, ...issue.loc.slice(1)] })),
    );
  }
  return {
    query: withServiceErrors(() => parseQuery(compiled.query, createParseContext(family, now))),
    sort: undefined,
  };
}

/** The order that a DSL body asks for: a list of names, of which the first decides. */
function parseSort({ sort }: SearchBody, raw: unknown, allowed: readonly SortField[]): SortField | undefined {
  const named = [raw].flat().every((entry) => entry === undefined || typeof entry === 'string');
  const unknown = sort.find(({ field }) => !allowed.some((name) => name === field));
  if (!named || unknown !== undefined) {
    const what = unknown === undefined ? '' : ` [${unknown.field}]`;
    throw queryError(`Query validation failed: sort${what} is not allowed: name ${allowed.join(', ')}`);
  }
  return allowed.find((name) => name === sort[0]?.field);
}

/**
 * Reads a DSL body: `query`, and `sort` as a list of names.
 * @param value - as it came in JSON
 * @param allowed - what can be sorted by
 * @throws ServiceError 400 in the engine's words
 */
export function parseDsl(
  family: Family,
  value: unknown,
  allowed: readonly SortField[],
  now: () => number,
): ParsedQuery {
  const body = withServiceErrors(() => parseBody(value, createParseContext(family, now)));
  const raw = isObject(value) ? value.sort : undefined;
  return { query: body.query, sort: parseSort(body, raw, allowed) };
}

/**
 * Reads the body of a search or preview.
 * @param text - as it came
 * @throws ServiceError 422 where it is no JSON, a key stands twice or a filter is wrong; 400 where the DSL is wrong
 */
export function parseQueryBody(
  family: Family,
  style: QueryStyle,
  text: string,
  allowed: readonly SortField[],
  now: () => number,
): ParsedQuery {
  const longest = style === 'filter' ? MAX_FILTER_CHARACTERS : MAX_BODY_CHARACTERS;
  if (text.length > longest) {
    if (style === 'es_dsl')
      throw queryError(`Query validation failed: it is longer than ${longest} characters`);
    throw validationError({
      loc: ['body'],
      msg: `ensure this value has at most ${longest} characters`,
      type: 'value_error.any_str.max_length',
      ctx: { limit_value: longest },
    });
  }
  const value = readJson(text);
  if (style === 'es_dsl') return parseDsl(family, value, allowed, now);
  const duplicate = findDuplicateKey(text);
  if (duplicate !== undefined) {
    const msg = 'Duplicate keys are not allowed within filters';
    throw validationError({ loc: ['body', duplicate], msg, type: 'value_error.duplicate' });
  }
  return parseFilters(family, value, now);
}
