// A mapping and an analyzer for the parser's tests, and a formatter of query trees.
import type { Mapping } from '../../../../../shared/index-fields/mapping.ts';
import { createMappingLookup } from '../../../../../worker/sandbox/search/fields.ts';
import {
  type ParseContext,
  parseQuery,
  QueryError,
} from '../../../../../worker/sandbox/search/parse/index.ts';
import type { Bound, Query, TermValue } from '../../../../../worker/sandbox/search/query.ts';

const exact = { exact: { type: 'keyword', null_value: 'NULL' } } as const;

const mapping: Mapping = {
  properties: {
    d: { type: 'text' },
    e: { type: 'text' },
    f: { type: 'text' },
    title: { type: 'text', fields: exact },
    tags: { type: 'keyword' },
    code: { type: 'keyword', ignore_above: 5 },
    amount: { type: 'integer' },
    level: { type: 'byte' },
    big: { type: 'long' },
    ratio: { type: 'double' },
    share: { type: 'float' },
    active: { type: 'boolean' },
    day: { type: 'date', format: 'yyyy-MM-dd' },
    at: { type: 'date', format: 'yyyy-MM-dd HH:mm:ss' },
    moment: { type: 'date' },
    hidden: { type: 'text', index: false },
    picture: { type: 'binary' },
    book: { type: 'object', properties: { title: { type: 'text' }, genre: { type: 'keyword' } } },
    people: {
      type: 'nested',
      properties: {
        name: { type: 'text', fields: exact },
        age: { type: 'integer' },
        skills: { type: 'nested', properties: { skill: { type: 'text' }, years: { type: 'integer' } } },
      },
    },
    events: { type: 'nested', properties: { kind: { type: 'keyword' } } },
  },
};

const lowerCase = (text: string): string => text.toLowerCase();

/** Its analyzer splits lower-case words of letters and digits; dots and colons inside words belong to them. */
export const context: ParseContext = {
  mapping: createMappingLookup(mapping),
  now: () => Date.parse('2024-05-15T13:45:30.500Z'),
  analyze: (text) =>
    (lowerCase(text).match(/[\p{L}\p{N}]+(?:[.:][\p{L}\p{N}]+)*/gu) ?? []).map((term, position) => ({
      term,
      position,
    })),
  lowerCase,
};

function fieldPrefix(field: string): string {
  return field === 'd' ? '' : `${field}:`;
}

function formatBound(
  bound: Bound | undefined,
  brackets: readonly [string, string],
  isLower: boolean,
): string {
  const bracket = bound === undefined || bound.inclusive ? brackets[0] : brackets[1];
  const value = bound === undefined ? '*' : formatValue(bound.value);
  return isLower ? bracket + value : value + bracket;
}

function formatValue(value: TermValue): string {
  return typeof value === 'bigint' ? `${value}n` : String(value);
}

function formatBool(query: Extract<Query, { kind: 'bool' }>, top: boolean): string {
  const parts = [
    ...query.must.map((part) => `+${formatQuery(part, false)}`),
    ...query.should.map((part) => formatQuery(part, false)),
    ...query.filter.map((part) => `#${formatQuery(part, false)}`),
    ...query.mustNot.map((part) => `-${formatQuery(part, false)}`),
  ];
  const defaultMinimum = query.must.length + query.filter.length === 0 && query.should.length > 0 ? 1 : 0;
  const minimum = query.minimumShouldMatch === defaultMinimum ? '' : `~${query.minimumShouldMatch}`;
  return top && minimum === '' && query.boost === 1 ? parts.join(' ') : `(${parts.join(' ')})${minimum}`;
}

function formatFuzzy(query: Extract<Query, { kind: 'fuzzy' }>): string {
  const { field, value, maxEdits, prefixLength, maxExpansions, transpositions } = query;
  const options = [
    prefixLength === 0 ? [] : [`prefix ${prefixLength}`],
    maxExpansions === 50 ? [] : [`${maxExpansions} terms`],
    transpositions ? [] : ['no swaps'],
  ].flat();
  return `${fieldPrefix(field)}${value}~${maxEdits}${options.length === 0 ? '' : `{${options.join(', ')}}`}`;
}

function formatPhrase(query: Extract<Query, { kind: 'phrase' }>): string {
  const words = query.terms.map(({ term }) => term).join(' ');
  const prefix = query.maxExpansions === undefined ? '' : `*{${query.maxExpansions}}`;
  const slop = query.slop === 0 ? '' : `~${query.slop}`;
  return `${fieldPrefix(query.field)}"${words}${prefix}"${slop}`;
}

function formatUnboosted(query: Query, top: boolean): string {
  switch (query.kind) {
    case 'all':
      return '*:*';
    case 'none':
      return 'nothing';
    case 'term':
      return `${fieldPrefix(query.field)}${formatValue(query.value)}`;
    case 'terms':
      return `${fieldPrefix(query.field)}in(${query.values.map(formatValue).join(', ')})`;
    case 'phrase':
      return formatPhrase(query);
    case 'range':
      return `${fieldPrefix(query.field)}${formatBound(query.lower, ['[', '{'], true)} TO ${formatBound(query.upper, [']', '}'], false)}`;
    case 'exists':
      return `exists(${query.field})`;
    case 'prefix':
      return `${fieldPrefix(query.field)}${query.pattern}*${query.caseInsensitive ? 'i' : ''}`;
    case 'wildcard':
      return `${fieldPrefix(query.field)}${query.pattern}${query.caseInsensitive ? 'i' : ''}`;
    case 'regexp':
      return `${fieldPrefix(query.field)}/${query.pattern}/${query.caseInsensitive ? 'i' : ''}`;
    case 'fuzzy':
      return formatFuzzy(query);
    case 'ids':
      return `ids(${query.values.join(', ')})`;
    case 'bool':
      return formatBool(query, top);
    case 'constant':
      return `constant(${formatQuery(query.query)})`;
    case 'disMax':
      return `best(${query.queries.map((part) => formatQuery(part)).join(' | ')})${query.tieBreaker === 0 ? '' : `+${query.tieBreaker}`}`;
    case 'nested':
      return `${query.path}.${query.scoreMode}(${formatQuery(query.query)})`;
  }
}

/**
 * Formats a tree on a single line, similar to Lucene: `+a b #c -d` is a bool of must, should, filter and must_not. A `~2`
 * after it is a minimum_should_match other than the default.
 */
function formatQuery(query: Query, top = true): string {
  const boost = query.kind === 'none' || query.boost === 1 ? '' : `^${query.boost}`;
  return formatUnboosted(query, top) + boost;
}

/** Parses a query and formats its tree, or its error after `error: `. */
export function parseToText(json: unknown): string {
  try {
    return formatQuery(parseQuery(json, context));
  } catch (error) {
    if (error instanceof QueryError) return `error: ${error.message}`;
    throw error;
  }
}
