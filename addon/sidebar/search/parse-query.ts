// Parses a query typed as JSON.
import { isObject } from '../../../shared/lib/is-object.ts';
import { t } from '../../texts/texts.ts';

export type ParsedQuery =
  | { ok: true; query: { es_dsl: Record<string, unknown>; any_fields?: true } }
  | { ok: false; sentence: string };

/** Contract, "Credits and limits". */
const MAX_CHARACTERS = 15_000;
/** `any_fields` is an option of the gateway: it accepts unknown field names. */
const BODY_KEYS = new Set(['query', 'sort', 'any_fields']);

const reject = (sentence: string): ParsedQuery => ({ ok: false, sentence });

/** Parses JSON. @returns its value, or the browser’s message about a syntax error */
function parseJson(text: string): { value: unknown } | { error: string } {
  try {
    return { value: JSON.parse(text) };
  } catch (error) {
    return { error: error instanceof Error ? error.message : '' };
  }
}

/** Parses a query of the DSL: a body with `query` and optionally `sort` and `any_fields`, or a clause alone. */
export function parseQuery(text: string): ParsedQuery {
  if (text.trim() === '')
    return reject(
      t('Enter a query, such as {example}.', { example: '{"query_string": {"query": "software"}}' }),
    );
  if (text.length > MAX_CHARACTERS)
    return reject(t('The query is longer than 15,000 characters. Shorten it.'));
  const parsed = parseJson(text);
  if ('error' in parsed) return reject(t('This is not JSON: {error}.', { error: parsed.error }));
  const { value } = parsed;
  if (!isObject(value))
    return reject(t('A query must be a JSON object. Start it with {brace}.', { brace: '{' }));
  const names = Object.keys(value);
  if (names.length === 0) return reject(t('The query is empty. Add a clause, such as match.'));
  if (!names.includes('query')) {
    if (names.length > 1) return reject(t('A query starts with one clause. Put several clauses into bool.'));
    return { ok: true, query: { es_dsl: { query: value } } };
  }
  const unknown = names.find((name) => !BODY_KEYS.has(name));
  if (unknown !== undefined)
    return reject(t('Remove “{name}”. Only sort can stand beside query.', { name: unknown.slice(0, 40) }));
  const { any_fields: anyFields = false, ...body } = value;
  if (typeof anyFields !== 'boolean') return reject(t('Set “any_fields” to true or false.'));
  return { ok: true, query: anyFields ? { es_dsl: body, any_fields: true } : { es_dsl: body } };
}
