// Expands known values in queries: `germany OR usa` also matches the spellings that records use.
import type { Query } from '../api/query.ts';
import { isObject } from '../lib/is-object.ts';
import { type Expression, ExpressionError, parseExpression } from './filter-expressions.ts';
import { getSpellings } from './known-values.ts';

/** Characters that end a word. */
const NEEDS_QUOTES = /[()"]/;

function formatExpression(expression: Expression): string {
  switch (expression.kind) {
    case 'words':
      return NEEDS_QUOTES.test(expression.text) ? `"${expression.text}"` : expression.text;
    case 'phrase':
      return `"${expression.text}"`;
    case 'prefix':
      return `${expression.text}*`;
    default:
      return expression.parts
        .map((part) => `(${formatExpression(part)})`)
        .join(expression.kind === 'or' ? ' OR ' : ' AND ');
  }
}

/** Returns the spellings of a word or phrase, or undefined if it stays unchanged. */
function expandSpellings(
  path: string,
  { kind, text }: { kind: 'words' | 'phrase'; text: string },
): Expression[] | undefined {
  const spellings = getSpellings(path, text);
  const isSame = spellings.length === 1 && spellings[0] === text;
  return isSame ? undefined : spellings.map((spelling) => ({ kind, text: spelling }));
}

/** Returns a key for comparison. Words and phrases with the same text are equal. */
const getFingerprint = (expression: Expression): string =>
  expression.kind === 'words' || expression.kind === 'phrase' ? expression.text : JSON.stringify(expression);

const combineAlternatives = (parts: Expression[]): Expression => {
  const fingerprints = parts.map(getFingerprint);
  const different = parts.filter((_, at) => fingerprints.indexOf(fingerprints[at] ?? '') === at);
  const [only] = different;
  return different.length === 1 && only !== undefined ? only : { kind: 'or', parts: different };
};

/**
 * Replaces known values in an expression by the spellings that records use.
 * @returns the same object if nothing changes
 */
export function expandKnownValues(path: string, expression: Expression): Expression {
  if (expression.kind === 'prefix') return expression;
  if (expression.kind === 'words' || expression.kind === 'phrase') {
    const spellings = expandSpellings(path, { kind: expression.kind, text: expression.text });
    return spellings === undefined ? expression : combineAlternatives(spellings);
  }
  const { kind, parts: before } = expression;
  const parts = before.map((part) => expandKnownValues(path, part));
  if (parts.every((part, at) => part === before[at])) return expression;
  if (kind === 'and') return { kind, parts };
  const changed = combineAlternatives(parts.flatMap((part) => (part.kind === 'or' ? part.parts : part)));
  // The expression may already list all spellings.
  const isSame =
    changed.kind === 'or' &&
    changed.parts.length === before.length &&
    changed.parts.every((part, at) => getFingerprint(part) === getFingerprint(before[at] ?? part));
  return isSame ? expression : changed;
}

/** Replaces known values in the text of a filter. Text that can't be parsed is returned unchanged. */
export function expandKnownValuesInText(path: string, text: string): string {
  // A known value may contain brackets, so it is tried before parsing.
  const spellings = expandSpellings(path, { kind: 'words', text });
  if (spellings !== undefined) return formatExpression(combineAlternatives(spellings));
  try {
    const expression = parseExpression(text);
    const known = expandKnownValues(path, expression);
    return known === expression ? text : formatExpression(known);
  } catch (error) {
    if (error instanceof ExpressionError) return text;
    throw error;
  }
}

/** Expands the value of a `match` clause, as filter tables make it. Other clauses stay unchanged. */
function expandMatchClause(clause: unknown): unknown {
  const match = isObject(clause) ? clause.match : undefined;
  const [field, more] = isObject(match) ? Object.entries(match) : [];
  if (field === undefined || more !== undefined) return clause;
  const [name, options] = field;
  if (!isObject(options) || typeof options.query !== 'string') return clause;
  const spellings = getSpellings(name, options.query);
  const matches = spellings.map((query) => ({ match: { [name]: { ...options, query } } }));
  return matches.length === 1 ? matches[0] : { bool: { should: matches } };
}

/**
 * Replaces known values by the spellings that records use: in text filters, and in the `match` clauses of a body's
 * top-level `bool.filter`.
 */
export function expandKnownValuesInQuery(query: Query): Query {
  if ('filters' in query) {
    const entries = Object.entries(query.filters).map(([name, value]) => [
      name,
      typeof value === 'string' ? expandKnownValuesInText(name, value) : value,
    ]);
    return { ...query, filters: Object.fromEntries(entries) };
  }
  const clause = 'es_dsl' in query ? query.es_dsl.query : undefined;
  const bool = isObject(clause) ? clause.bool : undefined;
  if (!('es_dsl' in query) || !isObject(clause) || !isObject(bool) || !Array.isArray(bool.filter))
    return query;
  const filter = bool.filter.map(expandMatchClause);
  return { ...query, es_dsl: { ...query.es_dsl, query: { ...clause, bool: { ...bool, filter } } } };
}
