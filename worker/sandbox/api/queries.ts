// From the body of a search, preview or data request to a query of the engine.

import type { Family } from '../../../shared/families/index.ts';
import { indexFields } from '../../../shared/families/registry.ts';
import { isObject } from '../../../shared/lib/is-object.ts';
import type { QueryStyle, SortField } from '../../../shared/operations.ts';
import { storedFamily } from '../record-store.ts';
import { analyze, normalise } from '../search/analysis/standard.ts';
import { mappingLookup } from '../search/fields.ts';
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
import { queryError, validationError } from './service-errors.ts';
import { duplicateKey, readJson } from './json-body.ts';

/** Longer filter bodies are refused unread. */
const MAX_FILTER_CHARACTERS = 100_000;

/** A query and the order that its body asks for. */
export interface ReadQuery {
  query: Query;
  sort: SortField | undefined;
}

/**
 * What the parser needs to read a query on a family.
 * @param now - milliseconds since 1970, what `now` means in a range
 */
export function parseContext(family: Family, now: () => number): ParseContext {
  return { mapping: mappingLookup(indexFields[storedFamily(family)]), now, analyze, normalise };
}

/** Runs the parser; its complaints become the service's 400. */
function parsing<T>(parse: () => T): T {
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
export function readFilters(
  family: Family,
  value: unknown,
  now: () => number,
  loc: string[] = [],
): ReadQuery {
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
  return { query: parsing(() => parseQuery(compiled.query, parseContext(family, now))), sort: undefined };
}

/** The order that a DSL body asks for: a list of names, of which the first decides. */
function readSort({ sort }: SearchBody, raw: unknown, allowed: readonly SortField[]): SortField | undefined {
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
export function readDsl(
  family: Family,
  value: unknown,
  allowed: readonly SortField[],
  now: () => number,
): ReadQuery {
  const body = parsing(() => parseBody(value, parseContext(family, now)));
  const raw = isObject(value) ? value.sort : undefined;
  return { query: body.query, sort: readSort(body, raw, allowed) };
}

/**
 * Reads the body of a search or preview.
 * @param text - as it came
 * @throws ServiceError 422 where it is no JSON, a key stands twice or a filter is wrong; 400 where the DSL is wrong
 */
export function readQueryBody(
  family: Family,
  style: QueryStyle,
  text: string,
  allowed: readonly SortField[],
  now: () => number,
): ReadQuery {
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
  if (style === 'es_dsl') return readDsl(family, value, allowed, now);
  const duplicate = duplicateKey(text);
  if (duplicate !== undefined) {
    const msg = 'Duplicate keys are not allowed within filters';
    throw validationError({ loc: ['body', duplicate], msg, type: 'value_error.duplicate' });
  }
  return readFilters(family, value, now);
}
