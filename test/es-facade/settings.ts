// The settings of an index: kept to be shown; those that would change answers are refused.

import { isObject } from '../../shared/is-object.ts';
import { EsError, illegalArgument } from './es-error.ts';
import type { JsonObject } from './json.ts';

/** Settings by their name, which begins with `index.`; all values are texts, as Elasticsearch shows them. */
export type Settings = Readonly<Record<string, string>>;

const PREFIX = 'index.';

/** Settings with the one value that they may have: what holds anyway. */
const fixed = new Map(
  Object.entries({
    'index.max_result_window': '10000',
    'index.max_terms_count': '65536',
    'index.max_regex_length': '1000',
    'index.mapping.coerce': 'true',
    'index.query.default_field': '*',
    'index.query_string.lenient': 'false',
    'index.default_pipeline': '_none',
    'index.final_pipeline': '_none',
  }),
);

/** Settings below these would order or score hits in another way. */
const refusedPrefixes = ['index.sort.', 'index.similarity.'];

function flatten(value: unknown, name: string, into: Record<string, string>): void {
  if (isObject(value)) {
    for (const [inner, below] of Object.entries(value))
      flatten(below, name === '' ? inner : `${name}.${inner}`, into);
  } else if (value !== null && value !== undefined) {
    into[name.startsWith(PREFIX) ? name : PREFIX + name] = Array.isArray(value)
      ? JSON.stringify(value)
      : String(value);
  }
}

/** What a custom normalizer may be made of: lower case is the one that the engine has. */
const normalizerParts: Readonly<Record<string, readonly string[]>> = {
  type: ['custom'],
  filter: ['lowercase', '["lowercase"]'],
  char_filter: ['[]'],
};
const NORMALIZER = /^index\.analysis\.normalizer\.([^.]+)\.([^.]+)$/;

/** Whether a setting of a normalizer is one that would change answers in a way that is not there. */
function isForeignNormalizer(name: string, value: string): boolean {
  const [, , part] = NORMALIZER.exec(name) ?? [];
  return part !== undefined && !normalizerParts[part]?.includes(value);
}

/** The names of the normalizers that keywords may have; each of them lower-cases. */
export function normalizersOf(settings: Settings): ReadonlySet<string> {
  const own = Object.keys(settings).flatMap((setting) => {
    const [, name, part] = NORMALIZER.exec(setting) ?? [];
    return name !== undefined && part === 'filter' ? [name] : [];
  });
  return new Set(['lowercase', ...own]);
}

/**
 * Reads settings, nested or flat, with or without `index` before them.
 * @throws EsError for those that would change answers
 */
export function readSettings(json: unknown): Settings {
  if (json === undefined || json === null) return {};
  if (!isObject(json)) throw new EsError(400, 'parse_exception', 'key [settings] must be an object');
  const read: Record<string, string> = {};
  flatten(json, '', read);
  for (const [name, value] of Object.entries(read)) {
    const only = fixed.get(name);
    const isRefused =
      (only !== undefined && only !== value) ||
      refusedPrefixes.some((prefix) => name.startsWith(prefix)) ||
      isForeignNormalizer(name, value);
    if (isRefused) {
      throw illegalArgument(`setting [${name}] with value [${value}] is not supported`);
    }
  }
  return read;
}

/** Whether fields pass over values that don't fit unless they say otherwise. */
export function toleratesMalformed(settings: Settings): boolean {
  return settings['index.mapping.ignore_malformed'] === 'true';
}

/** Settings as they are shown: an object in an object for each part of a name. */
export function shownSettings(settings: Settings): JsonObject {
  const shown: Record<string, unknown> = {};
  for (const [name, value] of Object.entries(settings)) {
    const parts = name.split('.');
    let at = shown;
    for (const part of parts.slice(0, -1)) {
      const inner: Record<string, unknown> = { ...(isObject(at[part]) ? at[part] : {}) };
      at[part] = inner;
      at = inner;
    }
    at[parts.at(-1) ?? name] = value;
  }
  return shown;
}
