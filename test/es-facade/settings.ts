// The settings of an index: kept to be shown; those that would change answers are refused.
import { isObject } from '../../shared/lib/is-object.ts';
import { formError, illegalArgument } from './es-error.ts';
import type { JsonObject } from './json.ts';

/** Settings by their name, which begins with `index.`; all values are texts, as Elasticsearch shows them. */
export type Settings = Readonly<Record<string, string>>;

const PREFIX = 'index.';

/** Settings with the one value that they may have: what holds anyway. */
const fixed: Readonly<Record<string, string>> = {
  'index.max_result_window': '10000',
  'index.max_terms_count': '65536',
  'index.max_regex_length': '1000',
  'index.mapping.coerce': 'true',
  'index.query.default_field': '*',
  'index.query_string.lenient': 'false',
  'index.default_pipeline': '_none',
  'index.final_pipeline': '_none',
};

/** Settings below these would order or score hits in another way. */
const refusedPrefixes = ['index.sort.', 'index.similarity.'];

const LOWERCASE = ['lowercase', '["lowercase"]'];
/** What a custom normalizer may be made of: lower case is the one that the engine has. */
const normalizerParts: Readonly<Record<string, readonly string[]>> = {
  type: ['custom'],
  filter: ['[]', ...LOWERCASE],
  char_filter: ['[]'],
};
const NORMALIZER = /^index\.analysis\.normalizer\.([^.]+)\.([^.]+)$/;

function flatten(value: unknown, name: string, into: Record<string, string>): void {
  if (isObject(value)) {
    for (const [inner, below] of Object.entries(value))
      flatten(below, name === '' ? inner : `${name}.${inner}`, into);
  } else if (value !== null && value !== undefined) {
    const text = Array.isArray(value) ? JSON.stringify(value) : String(value);
    into[name.startsWith(PREFIX) ? name : PREFIX + name] = text;
  }
}

function changesAnswers(name: string, value: string): boolean {
  const [, , part] = NORMALIZER.exec(name) ?? [];
  if (part !== undefined) return !normalizerParts[part]?.includes(value);
  return (fixed[name] ?? value) !== value || refusedPrefixes.some((prefix) => name.startsWith(prefix));
}

/**
 * Reads settings, nested or flat, with or without `index` before them.
 * @throws EsError for those that would change answers
 */
export function readSettings(json: unknown): Settings {
  if (json === undefined || json === null) return {};
  if (!isObject(json)) throw formError('key [settings] must be an object');
  const read: Record<string, string> = {};
  flatten(json, '', read);
  for (const [name, value] of Object.entries(read)) {
    if (changesAnswers(name, value))
      throw illegalArgument(`setting [${name}] with value [${value}] is not supported`);
  }
  return read;
}

/** The normalizers that keywords may have, each with whether it lower-cases. */
export function normalizersOf(settings: Settings): ReadonlyMap<string, boolean> {
  const normalizers = new Map([['lowercase', true]]);
  for (const [setting, value] of Object.entries(settings)) {
    const [, name, part] = NORMALIZER.exec(setting) ?? [];
    if (name === undefined) continue;
    const lowercases = part === 'filter' && LOWERCASE.includes(value);
    normalizers.set(name, normalizers.get(name) === true || lowercases);
  }
  return normalizers;
}

/** Settings as they are shown: an object in an object for each part of a name. */
export function shownSettings(settings: Settings): JsonObject {
  const shown: Record<string, unknown> = {};
  for (const [name, value] of Object.entries(settings)) {
    const parts = name.split('.');
    const last = parts.pop() ?? name;
    let at = shown;
    for (const part of parts) {
      const inner: Record<string, unknown> = { ...(isObject(at[part]) ? at[part] : {}) };
      at[part] = inner;
      at = inner;
    }
    at[last] = value;
  }
  return shown;
}
