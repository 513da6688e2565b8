// Finds the index fields that a query names, in query strings and in the query DSL.
import type { Query } from '../api/query.ts';
import { isObject } from '../lib/is-object.ts';

export interface QueryField {
  name: string;
  /** Set if the field is inside a `nested` clause. */
  isNested: boolean;
}

/** Clauses whose member names are field names. */
const BY_FIELD: ReadonlySet<string> = new Set([
  'fuzzy',
  'match',
  'match_bool_prefix',
  'match_phrase',
  'match_phrase_prefix',
  'prefix',
  'range',
  'regexp',
  'term',
  'terms',
  'wildcard',
]);

/** Members of these clauses that are not fields. */
const OPTIONS: ReadonlySet<string> = new Set(['boost', '_name']);

/** Members whose value is a field name. */
const NAMES_FIELD: ReadonlySet<string> = new Set(['field', 'path', 'default_field']);

/** Characters that end a name or word. */
const ENDS_WORD = /[\s:()"[\]{}^~/]/;
const ENDS_RANGE = /[\]}]/;

/** Returns the index after the next unescaped end character, or the end of the text. */
function skipPast(text: string, from: number, ends: (sign: string) => boolean): number {
  for (let at = from; at < text.length; at += 1) {
    const sign = text.charAt(at);
    if (sign === '\\') at += 1;
    else if (ends(sign)) return at + 1;
  }
  return text.length;
}

/** Reads a word and removes its escapes. */
function readWord(text: string, from: number): { word: string; end: number } {
  let word = '';
  let at = from;
  while (at < text.length && !ENDS_WORD.test(text.charAt(at))) {
    if (text.charAt(at) === '\\') at += 1;
    word += text.charAt(at);
    at += 1;
  }
  return { word, end: at };
}

/**
 * Finds the fields in a query string: `field:value`, `field:(…)`, `_exists_:field`. After a syntax error, later fields
 * may be missing.
 */
export function getTextFieldNames(text: string): string[] {
  const names: string[] = [];
  let at = 0;
  while (at < text.length) {
    const sign = text.charAt(at);
    if (sign === '"') at = skipPast(text, at + 1, (end) => end === '"');
    else if (sign === '[' || sign === '{') at = skipPast(text, at + 1, (end) => ENDS_RANGE.test(end));
    else if (sign === '/') at = skipPast(text, at + 1, (end) => end === '/');
    else if (/[+\-!]/.test(sign) || ENDS_WORD.test(sign)) at += 1;
    else {
      const { word, end } = readWord(text, at);
      const following = text.slice(end).trimStart();
      at = end;
      if (following.startsWith(':')) {
        at = text.length - following.length + 1;
        if (word === '_exists_') {
          const start = text.length - text.slice(at).trimStart().length;
          const field = readWord(text, start);
          names.push(field.word);
          at = field.end;
        } else names.push(word);
      }
    }
  }
  return names.filter((name) => name !== '');
}

/** Returns the fields that a member of a clause names directly. */
function getNamedFields(member: string, value: unknown): string[] {
  if (typeof value === 'string') return NAMES_FIELD.has(member) ? [value] : [];
  if (member === 'fields' && Array.isArray(value))
    return value.map((field) => String(field).replace(/\^.*$/s, ''));
  if (!isObject(value)) return [];
  if (BY_FIELD.has(member)) return Object.keys(value).filter((name) => !OPTIONS.has(name));
  return member === 'query_string' && typeof value.query === 'string' ? getTextFieldNames(value.query) : [];
}

/** Walks a body without recursion, because callers control its depth. */
function getDslFields(body: unknown): QueryField[] {
  const fields: QueryField[] = [];
  const pending: { part: unknown; isNested: boolean }[] = [{ part: body, isNested: false }];
  for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
    const { part, isNested } = next;
    if (Array.isArray(part)) for (const item of part) pending.push({ part: item, isNested });
    else if (isObject(part)) {
      for (const [member, value] of Object.entries(part)) {
        const isInNested = isNested || member === 'nested';
        // Members below `nested` count as nested, its own path included.
        const named = getNamedFields(member, value);
        for (const name of named) fields.push({ name, isNested: isInNested });
        if (!BY_FIELD.has(member)) pending.push({ part: value, isNested: isInNested });
      }
    }
  }
  return fields;
}

/**
 * Finds the fields that a text or DSL query names, in no particular order. Names with wildcards are skipped; filter
 * queries name no fields.
 */
export function getQueryFields(query: Query): QueryField[] {
  if ('filters' in query) return [];
  const fields =
    'text' in query
      ? getTextFieldNames(query.text).map((name) => ({ name, isNested: false }))
      : getDslFields(query.es_dsl);
  return fields.filter(({ name }) => !name.includes('*'));
}
