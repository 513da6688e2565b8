// What the tests of the query parser share: a mapping, a simple analyzer, and a way to write a tree as one line.
import { createMappingLookup } from '../../../../../worker/sandbox/search/fields.ts';
import type { Mapping } from '../../../../../worker/sandbox/search/mapping.ts';
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

/** Words of letters and digits, in small letters; dots and colons between them belong to them. */
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

function end(bound: Bound | undefined, signs: readonly [string, string], lower: boolean): string {
  const sign = bound === undefined || bound.inclusive ? signs[0] : signs[1];
  const value = bound === undefined ? '*' : written(bound.value);
  return lower ? sign + value : value + sign;
}

function written(value: TermValue): string {
  return typeof value === 'bigint' ? `${value}n` : String(value);
}

function showBool(query: Extract<Query, { kind: 'bool' }>, top: boolean): string {
  const parts = [
    ...query.must.map((one) => `+${show(one, false)}`),
    ...query.should.map((one) => show(one, false)),
    ...query.filter.map((one) => `#${show(one, false)}`),
    ...query.mustNot.map((one) => `-${show(one, false)}`),
  ];
  const usual = query.must.length + query.filter.length === 0 && query.should.length > 0 ? 1 : 0;
  const unusual = query.minimumShouldMatch === usual ? '' : `~${query.minimumShouldMatch}`;
  return top && unusual === '' && query.boost === 1 ? parts.join(' ') : `(${parts.join(' ')})${unusual}`;
}

function showFuzzy(query: Extract<Query, { kind: 'fuzzy' }>): string {
  const { field, value, maxEdits, prefixLength, maxExpansions, transpositions } = query;
  const options = [
    prefixLength === 0 ? [] : [`prefix ${prefixLength}`],
    maxExpansions === 50 ? [] : [`${maxExpansions} terms`],
    transpositions ? [] : ['no swaps'],
  ].flat();
  return `${fieldPrefix(field)}${value}~${maxEdits}${options.length === 0 ? '' : `{${options.join(', ')}}`}`;
}

function showPhrase(query: Extract<Query, { kind: 'phrase' }>): string {
  const words = query.terms.map(({ term }) => term).join(' ');
  const most = query.maxExpansions === undefined ? '' : `{${query.maxExpansions}}`;
  const slop = query.slop === 0 ? '' : `~${query.slop}`;
  return `${fieldPrefix(query.field)}"${words}${query.prefix ? `*${most}` : ''}"${slop}`;
}

function showPlain(query: Query, top: boolean): string {
  switch (query.kind) {
    case 'all':
      return '*:*';
    case 'none':
      return 'nothing';
    case 'term':
      return `${fieldPrefix(query.field)}${written(query.value)}`;
    case 'terms':
      return `${fieldPrefix(query.field)}in(${query.values.map(written).join(', ')})`;
    case 'phrase':
      return showPhrase(query);
    case 'range':
      return `${fieldPrefix(query.field)}${end(query.lower, ['[', '{'], true)} TO ${end(query.upper, [']', '}'], false)}`;
    case 'exists':
      return `exists(${query.field})`;
    case 'prefix':
      return `${fieldPrefix(query.field)}${query.value}*${query.caseInsensitive ? 'i' : ''}`;
    case 'wildcard':
      return `${fieldPrefix(query.field)}${query.pattern}${query.caseInsensitive ? 'i' : ''}`;
    case 'regexp':
      return `${fieldPrefix(query.field)}/${query.pattern}/${query.caseInsensitive ? 'i' : ''}`;
    case 'fuzzy':
      return showFuzzy(query);
    case 'ids':
      return `ids(${query.values.join(', ')})`;
    case 'bool':
      return showBool(query, top);
    case 'constant':
      return `constant(${show(query.query)})`;
    case 'disMax':
      return `best(${query.queries.map((one) => show(one)).join(' | ')})${query.tieBreaker === 0 ? '' : `+${query.tieBreaker}`}`;
    case 'nested':
      return `${query.path}.${query.scoreMode}(${show(query.query)})`;
  }
}

/**
 * Writes a tree as one line, much as Lucene does: `+a b #c -d` is a bool of must, should, filter and must not, with
 * `~2` behind it where two of its should clauses have to match and that is not what it is by default.
 */
export function show(query: Query, top = true): string {
  const boost = query.kind === 'none' || query.boost === 1 ? '' : `^${query.boost}`;
  return showPlain(query, top) + boost;
}

/** What a query comes to, as one line; the message behind `error: ` where it is refused. */
export function read(json: unknown): string {
  try {
    return show(parseQuery(json, context));
  } catch (error) {
    if (error instanceof QueryError) return `error: ${error.message}`;
    throw error;
  }
}
