// The leaves of a query: one condition on one field, in the form that the field's type gives it.
import { type DateScope, toDateBounds, toInstantRange } from '../date-math.ts';
import { dateFormat } from '../dates.ts';
import { PatternError } from '../engine/query/automaton.ts';
import { compileRegexp } from '../engine/query/pattern.ts';
import type { MappedField } from '../mapping.ts';
import type { Query, TermValue } from '../query.ts';
import type { Zone } from '../time-zones.ts';
import { ValueError } from '../value-error.ts';
import {
  type Bounds,
  normaliseKeyword,
  type RangeInput,
  type Scalar,
  toQueryBooleans,
  toQueryBounds,
  toQueryValue,
  type ValueProperty,
} from '../values.ts';
import { buildBool, buildMatchAll, MATCH_NONE, withConstantScore } from './combine.ts';
import { FieldError, toCreationMessage } from './errors.ts';
import { type Fuzziness, getMaxEdits } from './fuzziness.ts';
import { MAX_CLAUSES } from './limits.ts';
import type { Scope } from './scope.ts';

/** The name under which a document's own id is addressed, whatever the mapping. */
export const ID_FIELD = '_id';

const idField: MappedField = { path: ID_FIELD, property: { type: 'keyword' } };

/** A field by its name, the document's own id included; undefined for what is not mapped. */
export function findField(scope: Scope, path: string): MappedField | undefined {
  return path === ID_FIELD ? idField : scope.mapping.getField(path);
}

/** What dates in a query are read by. */
export interface DateOptions {
  /** In place of the field's own. */
  format?: string | undefined;
  /** For dates that name none. */
  zone?: Zone | undefined;
}

function isText(property: ValueProperty): boolean {
  return property.type === 'text' || property.type === 'keyword';
}

/**
 * Makes one leaf. A field of a nested object is seen from inside that object alone: elsewhere nothing matches.
 * @throws FieldError for a field that cannot be searched, a value that does not fit it
 */
function buildLeaf(scope: Scope, field: MappedField, make: (property: ValueProperty) => Query): Query {
  const { property } = field;
  if (property.type === 'binary' || property.type === 'object' || property.type === 'nested') {
    throw new FieldError('Binary fields do not support searching');
  }
  if (property.index === false) {
    throw new FieldError(
      toCreationMessage(`Cannot search on field [${field.path}] since it is not indexed.`),
    );
  }
  const query = withFieldErrors(() => make(property));
  if (query.kind === 'none' || field.nestedPath !== scope.nestedPath) return MATCH_NONE;
  scope.budget.take();
  return query;
}

/** Tells a value that does not fit its field in the words of a query. */
export function withFieldErrors<T>(read: () => T): T {
  try {
    return read();
  } catch (error) {
    if (error instanceof ValueError) throw new FieldError(toCreationMessage(error.message));
    throw error;
  }
}

/** @throws FieldError for a field that is neither text nor keyword */
function requireText(field: MappedField, property: ValueProperty, clause: string): void {
  if (isText(property) && field.path !== ID_FIELD) return;
  const type = field.path === ID_FIELD ? ID_FIELD : property.type;
  const message = `Can only use ${clause} queries on keyword and text fields - not on [${field.path}] which is of type [${type}]`;
  throw new FieldError(clause === 'fuzzy' ? toCreationMessage(message) : message);
}

function createDateScope(scope: Scope, format: string | undefined, options: DateOptions): DateScope {
  const { zone } = options;
  const dates = { format: dateFormat(options.format ?? format), now: scope.now };
  return zone === undefined ? dates : { ...dates, zone };
}

/** A range whose ends lie beyond all values asks whether there is any. */
function toRangeQuery({ path }: MappedField, bounds: Bounds | undefined): Query {
  if (bounds === undefined) return MATCH_NONE;
  const open = bounds.lower === undefined && bounds.upper === undefined;
  return open
    ? { kind: 'exists', field: path, boost: 1 }
    : { kind: 'range', field: path, ...bounds, boost: 1 };
}

/** One value of one field. A date is the range of instants that its text leaves open. */
export function buildTerm(scope: Scope, field: MappedField, value: Scalar, dates: DateOptions = {}): Query {
  return buildLeaf(scope, field, (property) => {
    if (field.path === ID_FIELD) return { kind: 'ids', values: [String(value)], boost: 1 };
    if (property.type === 'date') {
      return toRangeQuery(field, toInstantRange(createDateScope(scope, property.format, dates), value));
    }
    const sought = toQueryValue(property, value);
    return sought === undefined ? MATCH_NONE : { kind: 'term', field: field.path, value: sought, boost: 1 };
  });
}

/** A term whatever the size of its letters; every hit scores the same. */
export function buildCaseInsensitiveTerm(scope: Scope, field: MappedField, value: Scalar): Query {
  return buildLeaf(scope, field, (property) => {
    if (!isText(property) || field.path === ID_FIELD) {
      throw new FieldError(
        `[${field.path}] field which is of type [${property.type}], does not support case insensitive term queries`,
      );
    }
    const pattern = String(value).replaceAll(/[\\*?]/g, '\\$&');
    return { kind: 'wildcard', field: field.path, pattern, caseInsensitive: true, boost: 1 };
  });
}

/** Any of several values of one field; every hit scores the same. */
export function buildTerms(scope: Scope, field: MappedField, values: readonly Scalar[]): Query {
  if (values.length === 0) return MATCH_NONE;
  return buildLeaf(scope, field, (property) => {
    if (field.path === ID_FIELD) return { kind: 'ids', values: values.map(String), boost: 1 };
    if (property.type === 'date') {
      const dates = createDateScope(scope, property.format, {});
      const ranges = values.map((value) => toRangeQuery(field, toInstantRange(dates, value)));
      for (const _ of ranges.slice(1)) scope.budget.take();
      return withConstantScore(buildBool({ should: ranges }));
    }
    const sought = new Set<TermValue>();
    for (const value of values) {
      const one = toQueryValue(property, value);
      if (one !== undefined) sought.add(one);
    }
    return sought.size === 0
      ? MATCH_NONE
      : { kind: 'terms', field: field.path, values: [...sought], boost: 1 };
  });
}

/** A range of values of one field; open at both ends it asks whether there is any. */
export function buildRange(
  scope: Scope,
  field: MappedField,
  ends: RangeInput,
  dates: DateOptions = {},
): Query {
  if (ends.lower === undefined && ends.upper === undefined) return buildFieldExists(scope, field);
  return buildLeaf(scope, field, (property) => {
    if (field.path === ID_FIELD) {
      throw new FieldError(toCreationMessage('Field [_id] of type [_id] does not support range queries'));
    }
    if (property.type === 'date') {
      return toRangeQuery(field, toDateBounds(createDateScope(scope, property.format, dates), ends));
    }
    if (property.type === 'boolean') {
      const values = toQueryBooleans(ends);
      return values.length === 0 ? MATCH_NONE : { kind: 'terms', field: field.path, values, boost: 1 };
    }
    return toRangeQuery(field, toQueryBounds(property, ends));
  });
}

/** Whether a field has any value. What is stored only counts as absent: its values are not looked at. */
export function buildFieldExists(scope: Scope, field: MappedField): Query {
  const { property } = field;
  if (property.type === 'binary' || ('index' in property && property.index === false)) return MATCH_NONE;
  if (field.path === ID_FIELD)
    return scope.nestedPath === undefined ? withConstantScore(buildMatchAll()) : MATCH_NONE;
  return buildLeaf(scope, field, () => ({ kind: 'exists', field: field.path, boost: 1 }));
}

/** Whether a field, any field of an object, or any field whose name fits a pattern has a value. */
export function buildExists(scope: Scope, name: string): Query {
  const { mapping } = scope;
  const field = findField(scope, name);
  const fields =
    field !== undefined ? [field] : mapping.findMatching(mapping.isObject(name) ? `${name}.*` : name);
  const leaves = fields.map((one) => buildFieldExists(scope, one)).filter((query) => query.kind !== 'none');
  const [only] = leaves;
  if (only === undefined) return MATCH_NONE;
  return leaves.length === 1 ? only : withConstantScore(buildBool({ should: leaves }));
}

/** Terms of a text field that follow one another. */
export function buildPhrase(
  scope: Scope,
  field: MappedField,
  phrase: Pick<Extract<Query, { kind: 'phrase' }>, 'terms' | 'slop' | 'prefix' | 'maxExpansions'>,
): Query {
  return buildLeaf(scope, field, () => ({ kind: 'phrase', field: field.path, ...phrase, boost: 1 }));
}

/** Terms that start with a text, as it stands. */
export function buildPrefix(scope: Scope, field: MappedField, value: string, caseInsensitive = false): Query {
  return buildLeaf(scope, field, (property) => {
    requireText(field, property, 'prefix');
    return {
      kind: 'prefix',
      field: field.path,
      value: normaliseKeyword(property, value),
      caseInsensitive,
      boost: 1,
    };
  });
}

/** Terms that fit a pattern of `*` and `?`, as it stands. */
export function buildWildcard(
  scope: Scope,
  field: MappedField,
  pattern: string,
  caseInsensitive = false,
): Query {
  return buildLeaf(scope, field, (property) => {
    requireText(field, property, 'wildcard');
    return {
      kind: 'wildcard',
      field: field.path,
      pattern: normaliseKeyword(property, pattern),
      caseInsensitive,
      boost: 1,
    };
  });
}

/** Terms that fit a regular expression as a whole. @throws FieldError for an expression that is none */
export function buildRegexp(
  scope: Scope,
  field: MappedField,
  pattern: string,
  caseInsensitive = false,
): Query {
  return buildLeaf(scope, field, (property) => {
    requireText(field, property, 'regexp');
    checkRegexp(pattern, caseInsensitive);
    return { kind: 'regexp', field: field.path, pattern, caseInsensitive, boost: 1 };
  });
}

function checkRegexp(pattern: string, caseInsensitive: boolean): void {
  try {
    compileRegexp(pattern, caseInsensitive);
  } catch (error) {
    if (error instanceof PatternError) throw new FieldError(toCreationMessage(error.message));
    throw error;
  }
}

/** How terms that are nearly the same are looked for. */
export interface FuzzyOptions {
  fuzziness: Fuzziness;
  /** Letters at the start that may not differ. */
  prefixLength: number;
  /** How many terms are taken, the nearest first. */
  maxExpansions: number;
  /** Two letters that changed places count as one edit. */
  transpositions: boolean;
}

/** What the engine assumes of `prefix_length`, `max_expansions` and `fuzzy_transpositions`. */
export const fuzzyDefaults = { prefixLength: 0, maxExpansions: 50, transpositions: true } as const;

/** Terms that are nearly a text. Where no edit is allowed, and so none scaled, it is the term itself. */
export function buildFuzzy(scope: Scope, field: MappedField, sought: string, options: FuzzyOptions): Query {
  const { fuzziness, prefixLength, transpositions } = options;
  return buildLeaf(scope, field, (property) => {
    requireText(field, property, 'fuzzy');
    const value = normaliseKeyword(property, sought);
    const maxEdits = getMaxEdits(fuzziness, value);
    if (maxEdits === 0 || prefixLength >= value.length) {
      return { kind: 'term', field: field.path, value, boost: 1 };
    }
    const maxExpansions = Math.min(options.maxExpansions, MAX_CLAUSES);
    return {
      kind: 'fuzzy',
      field: field.path,
      value,
      maxEdits,
      prefixLength,
      maxExpansions,
      transpositions,
      boost: 1,
    };
  });
}
