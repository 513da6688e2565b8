// Checks a query that is typed as JSON: where it breaks, said by line, before anything is sent.
import { isObject } from '../../../shared/lib/is-object.ts';
import { findJsonError } from './json-syntax.ts';

/** A query that can be sent, or what is wrong with it. */
export type ParsedQuery =
  | { ok: true; query: { es_dsl: Record<string, unknown>; any_fields?: true } }
  | { ok: false; sentence: string };

/** Contract, "Credits and limits". */
const MAX_CHARACTERS = 15_000;
/** `any_fields` is the gateway's own: it takes names of fields that are in no list. */
const BODY_KEYS = new Set(['query', 'sort', 'any_fields']);

const reject = (sentence: string): ParsedQuery => ({ ok: false, sentence });

/**
 * Reads a query of the DSL: a body with `query` and perhaps `sort` and `any_fields`, or a query alone.
 * @param text - as it was typed
 */
export function parseQuery(text: string): ParsedQuery {
  if (text.trim() === '') return reject('Enter a query, such as {"match": {"industry": "software"}}.');
  if (text.length > MAX_CHARACTERS) return reject('The query is longer than 15,000 characters. Shorten it.');
  const fault = findJsonError(text);
  if (fault !== undefined) return reject(`Line ${fault.line}: ${fault.message}.`);
  const value: unknown = JSON.parse(text);
  if (!isObject(value)) return reject('A query must be a JSON object. Start it with {.');
  const names = Object.keys(value);
  if (names.length === 0) return reject('The query is empty. Add a clause, such as match.');
  if (!names.includes('query')) {
    if (names.length > 1) return reject('A query starts with one clause. Put several clauses into bool.');
    return { ok: true, query: { es_dsl: { query: value } } };
  }
  const other = names.find((name) => !BODY_KEYS.has(name));
  if (other !== undefined) return reject(`Remove “${other.slice(0, 40)}”. Only sort can stand beside query.`);
  const { any_fields: anyFields = false, ...body } = value;
  if (typeof anyFields !== 'boolean') return reject('Set “any_fields” to true or false.');
  return { ok: true, query: anyFields ? { es_dsl: body, any_fields: true } : { es_dsl: body } };
}
