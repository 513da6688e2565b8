// Checks a query that is typed as JSON: where it breaks, said by line, before anything is sent.
import { isObject } from '../../../shared/lib/is-object.ts';
import { jsonFault } from './json-syntax.ts';

/** A query that can be sent, or what is wrong with it. */
export type CheckedDsl =
  | { ok: true; query: { es_dsl: Record<string, unknown>; any_fields?: true } }
  | { ok: false; sentence: string };

/** Contract, "Credits and limits". */
const MAX_CHARACTERS = 15_000;
/** `any_fields` is the gateway's own: it takes names of fields that are in no list. */
const BODY_KEYS = new Set(['query', 'sort', 'any_fields']);

const wrong = (sentence: string): CheckedDsl => ({ ok: false, sentence });

/**
 * Reads a query of the DSL: a body with `query` and perhaps `sort` and `any_fields`, or a query alone.
 * @param text - as it was typed
 */
export function checkDsl(text: string): CheckedDsl {
  if (text.trim() === '') return wrong('Enter a query, such as {"match": {"industry": "software"}}.');
  if (text.length > MAX_CHARACTERS) return wrong('The query is longer than 15,000 characters. Shorten it.');
  const fault = jsonFault(text);
  if (fault !== undefined) return wrong(`Line ${fault.line}: ${fault.what}.`);
  const value: unknown = JSON.parse(text);
  if (!isObject(value)) return wrong('A query must be a JSON object. Start it with {.');
  const names = Object.keys(value);
  if (names.length === 0) return wrong('The query is empty. Add a clause, such as match.');
  if (!names.includes('query')) {
    if (names.length > 1) return wrong('A query starts with one clause. Put several clauses into bool.');
    return { ok: true, query: { es_dsl: { query: value } } };
  }
  const other = names.find((name) => !BODY_KEYS.has(name));
  if (other !== undefined) return wrong(`Remove “${other.slice(0, 40)}”. Only sort can stand beside query.`);
  const { any_fields: anyFields = false, ...body } = value;
  if (typeof anyFields !== 'boolean') return wrong('Set “any_fields” to true or false.');
  return { ok: true, query: anyFields ? { es_dsl: body, any_fields: true } : { es_dsl: body } };
}
