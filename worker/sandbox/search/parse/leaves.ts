// Builds the leaf queries: one condition on one field, by the field's type.
import type { MappedField } from '../../../../shared/index-fields/mapping.ts';
import type { Zone } from '../../../../shared/lib/time-zones.ts';
import { type DateScope, toDateBounds, toInstantRange } from '../date-math.ts';
import { findZone, getDateFormat, ValueError } from '../dates.ts';
import { PatternError } from '../engine/query/automaton.ts';
import { compileRegexp } from '../engine/query/pattern.ts';
import type { PatternKind, Query, TermValue } from '../query.ts';
import {
  type Bounds,
  type RangeInput,
  type Scalar,
  toQueryBooleans,
  toQueryBounds,
  toQueryValue,
  type ValueProperty,
} from '../values.ts';
import { buildBool, buildMatchAll, MATCH_NONE, withConstantScore } from './combine.ts';
import { type Fuzziness, getMaxEdits, type OptionReader, textReader } from './options.ts';
import { FieldError, MAX_CLAUSES, type Scope, toCreationMessage } from './scope.ts';

/** The document id as a field, independent of the mapping. */
export const ID_FIELD = '_id';

const idField: MappedField = { path: ID_FIELD, property: { type: 'keyword' } };

/** Finds a field by name, including the document id; undefined if it is not mapped. */
export function findField(scope: Scope, path: string): MappedField | undefined {
  return path === ID_FIELD ? idField : scope.mapping.getField(path);
}

/** How to parse dates in a query. */
export interface DateOptions {
  /** Replaces the field's format. */
  format?: string | undefined;
  /** The zone of dates without one. */
  zone?: Zone | undefined;
}

function isText(property: ValueProperty): boolean {
  return property.type === 'text' || property.type === 'keyword';
}

/**
 * Builds a leaf. An unmapped field matches nothing. A field of a nested object is visible only inside that object.
 * @throws FieldError for a field that can't be searched, or a value that doesn't fit it
 */
function buildLeaf(
  scope: Scope,
  field: MappedField | undefined,
  build: (property: ValueProperty, path: string) => Query,
): Query {
  if (field === undefined) return MATCH_NONE;
  const { property, path } = field;
  if (property.type === 'binary' || property.type === 'object' || property.type === 'nested') {
    throw new FieldError('Binary fields do not support searching');
  }
  if (property.index === false) {
    throw new FieldError(toCreationMessage(`Cannot search on field [${path}] since it is not indexed.`));
  }
  const query = withFieldErrors(() => build(property, path));
  if (query.kind === 'none' || field.nestedPath !== scope.nestedPath) return MATCH_NONE;
  scope.budget.countClause();
  return query;
}

function withFieldErrors<T>(convert: () => T): T {
  try {
    return convert();
  } catch (error) {
    if (error instanceof ValueError || error instanceof PatternError) {
      throw new FieldError(toCreationMessage(error.message));
    }
    throw error;
  }
}

/** Reads a time zone. */
export const zoneReader: OptionReader<Zone> = (value, location) =>
  withFieldErrors(() => findZone(textReader(value, location)));

/** @throws FieldError for a field that is neither text nor keyword */
function requireText(path: string, property: ValueProperty, clause: PatternKind | 'fuzzy'): void {
  if (isText(property) && path !== ID_FIELD) return;
  const type = path === ID_FIELD ? ID_FIELD : property.type;
  const message = `Can only use ${clause} queries on keyword and text fields - not on [${path}] which is of type [${type}]`;
  throw new FieldError(clause === 'fuzzy' ? toCreationMessage(message) : message);
}

function createDateScope({ now }: Scope, format: string | undefined, options: DateOptions): DateScope {
  return { format: getDateFormat(options.format ?? format), now, zone: options.zone };
}

/** Builds a range query. A range that covers all values checks for any value. */
function toRangeQuery(field: string, bounds: Bounds | undefined): Query {
  if (bounds === undefined) return MATCH_NONE;
  const isOpen = bounds.lower === undefined && bounds.upper === undefined;
  return isOpen ? { kind: 'exists', field, boost: 1 } : { kind: 'range', field, ...bounds, boost: 1 };
}

/** Matches one value of a field. A date matches the range that its text covers. */
export function buildTerm(
  scope: Scope,
  mappedField: MappedField | undefined,
  value: Scalar,
  dates: DateOptions = {},
): Query {
  return buildLeaf(scope, mappedField, (property, field) => {
    if (field === ID_FIELD) return { kind: 'ids', values: [String(value)], boost: 1 };
    if (property.type === 'date') {
      return toRangeQuery(field, toInstantRange(createDateScope(scope, property.format, dates), value));
    }
    const indexedValue = toQueryValue(property, value);
    return indexedValue === undefined ? MATCH_NONE : { kind: 'term', field, value: indexedValue, boost: 1 };
  });
}

/** Matches a term and ignores case; all hits score the same. */
export function buildCaseInsensitiveTerm(
  scope: Scope,
  mappedField: MappedField | undefined,
  value: Scalar,
): Query {
  return buildLeaf(scope, mappedField, (property, field) => {
    if (!isText(property) || field === ID_FIELD) {
      throw new FieldError(
        `[${field}] field which is of type [${property.type}], does not support case insensitive term queries`,
      );
    }
    const pattern = String(value).replaceAll(/[\\*?]/g, '\\$&');
    return { kind: 'wildcard', field, pattern, caseInsensitive: true, boost: 1 };
  });
}

/** Matches any of several values of a field; all hits score the same. */
export function buildTerms(
  scope: Scope,
  mappedField: MappedField | undefined,
  values: readonly Scalar[],
): Query {
  if (values.length === 0) return MATCH_NONE;
  return buildLeaf(scope, mappedField, (property, field) => {
    if (field === ID_FIELD) return { kind: 'ids', values: values.map(String), boost: 1 };
    if (property.type === 'date') {
      const dates = createDateScope(scope, property.format, {});
      const ranges = values.map((value) => toRangeQuery(field, toInstantRange(dates, value)));
      for (const _ of ranges.slice(1)) scope.budget.countClause();
      return withConstantScore(buildBool({ should: ranges }));
    }
    const indexedValues = new Set<TermValue>();
    for (const value of values) {
      const indexedValue = toQueryValue(property, value);
      if (indexedValue !== undefined) indexedValues.add(indexedValue);
    }
    return indexedValues.size === 0
      ? MATCH_NONE
      : { kind: 'terms', field, values: [...indexedValues], boost: 1 };
  });
}

/** Matches a range of values of a field; a range without bounds checks for any value. */
export function buildRange(
  scope: Scope,
  mappedField: MappedField | undefined,
  ends: RangeInput,
  dates: DateOptions = {},
): Query {
  if (ends.lower === undefined && ends.upper === undefined) return buildFieldExists(scope, mappedField);
  return buildLeaf(scope, mappedField, (property, field) => {
    if (field === ID_FIELD) {
      throw new FieldError(toCreationMessage('Field [_id] of type [_id] does not support range queries'));
    }
    if (property.type === 'date') {
      return toRangeQuery(field, toDateBounds(createDateScope(scope, property.format, dates), ends));
    }
    if (property.type === 'boolean') {
      const values = toQueryBooleans(ends);
      return values.length === 0 ? MATCH_NONE : { kind: 'terms', field, values, boost: 1 };
    }
    return toRangeQuery(field, toQueryBounds(property, ends));
  });
}

/** Matches documents with any value in a field. Unindexed fields count as absent. */
function buildFieldExists(scope: Scope, mappedField: MappedField | undefined): Query {
  if (mappedField === undefined) return MATCH_NONE;
  const { property, path } = mappedField;
  if (property.type === 'binary' || ('index' in property && property.index === false)) return MATCH_NONE;
  if (path === ID_FIELD)
    return scope.nestedPath === undefined ? withConstantScore(buildMatchAll()) : MATCH_NONE;
  return buildLeaf(scope, mappedField, (_, field) => ({ kind: 'exists', field, boost: 1 }));
}

/** Matches documents with a value in a field, in any field of an object, or in any field that matches a pattern. */
export function buildExists(scope: Scope, name: string): Query {
  const { mapping } = scope;
  const field = findField(scope, name);
  const fields =
    field !== undefined ? [field] : mapping.findMatching(mapping.isObject(name) ? `${name}.*` : name);
  const leaves = fields
    .map((mappedField) => buildFieldExists(scope, mappedField))
    .filter((query) => query.kind !== 'none');
  const [only] = leaves;
  if (only === undefined) return MATCH_NONE;
  return leaves.length === 1 ? only : withConstantScore(buildBool({ should: leaves }));
}

/** Matches terms of a text field in sequence. */
export function buildPhrase(
  scope: Scope,
  mappedField: MappedField,
  phrase: Pick<Extract<Query, { kind: 'phrase' }>, 'terms' | 'slop' | 'maxExpansions'>,
): Query {
  return buildLeaf(scope, mappedField, (_, field) => ({ kind: 'phrase', field, ...phrase, boost: 1 }));
}

/**
 * Matches terms by their start, by a pattern of `*` and `?`, or by a regular expression.
 * @throws FieldError for an invalid expression
 */
export function buildPattern(
  kind: PatternKind,
  scope: Scope,
  mappedField: MappedField | undefined,
  pattern: string,
  caseInsensitive = false,
): Query {
  return buildLeaf(scope, mappedField, (property, field) => {
    requireText(field, property, kind);
    if (kind === 'regexp') compileRegexp(pattern, caseInsensitive);
    return { kind, field, pattern, caseInsensitive, boost: 1 };
  });
}

/** How to match similar terms. */
export interface FuzzyOptions {
  fuzziness: Fuzziness;
  /** Number of letters at the start that must be equal. */
  prefixLength: number;
  /** Maximum number of terms, the nearest first. */
  maxExpansions: number;
  /** Whether two swapped letters count as one edit. */
  transpositions: boolean;
}

/** Matches similar terms. If no edit is allowed, it matches the term itself. */
export function buildFuzzy(
  scope: Scope,
  mappedField: MappedField | undefined,
  value: string,
  options: FuzzyOptions,
): Query {
  const { fuzziness, prefixLength, transpositions } = options;
  return buildLeaf(scope, mappedField, (property, field) => {
    requireText(field, property, 'fuzzy');
    const maxEdits = getMaxEdits(fuzziness, value);
    if (maxEdits === 0 || prefixLength >= value.length) return { kind: 'term', field, value, boost: 1 };
    const maxExpansions = Math.min(options.maxExpansions, MAX_CLAUSES);
    return { kind: 'fuzzy', field, value, maxEdits, prefixLength, maxExpansions, transpositions, boost: 1 };
  });
}

/**
 * Builds a query in which the last term is a prefix and the earlier terms are whole.
 * @returns undefined if the text has no terms
 */
export function buildAnalyzedPrefix(
  scope: Scope,
  field: MappedField,
  text: string,
  operator: 'and' | 'or',
): Query | undefined {
  const terms = scope.analyze(text);
  const queries = terms.map(({ term }, at) =>
    at === terms.length - 1 ? buildPattern('prefix', scope, field, term) : buildTerm(scope, field, term),
  );
  if (queries.length <= 1) return queries[0];
  return buildBool(operator === 'and' ? { must: queries } : { should: queries });
}
