// The settings of an index. Those that would change results are rejected.
import { isObject } from '../../shared/lib/is-object.ts';
import { illegalArgument, malformedRequest } from './errors.ts';

/** Settings by full name, beginning with `index.`; all values are texts. */
export type Settings = Readonly<Record<string, string>>;

const PREFIX = 'index.';

/** The only supported values of some settings. */
const supportedValues: Readonly<Record<string, string>> = {
  'index.max_result_window': '10000',
  'index.max_terms_count': '65536',
  'index.max_regex_length': '1000',
  'index.mapping.coerce': 'true',
  'index.mapping.ignore_malformed': 'false',
  'index.query.default_field': '*',
  'index.query_string.lenient': 'false',
};

/** Prefixes of settings that change the order or the scores of hits. */
const rejectedPrefixes = ['index.sort.', 'index.similarity.'];

const LOWERCASE = ['lowercase', '["lowercase"]'];
/** Supported parts of a custom normalizer. */
const normalizerParts: Readonly<Record<string, readonly string[]>> = {
  type: ['custom'],
  filter: ['[]', ...LOWERCASE],
  char_filter: ['[]'],
};
const NORMALIZER = /^index\.analysis\.normalizer\.([^.]+)\.([^.]+)$/;

function flatten(value: unknown, name: string, flattened: Record<string, string>): void {
  if (isObject(value)) {
    for (const [key, inner] of Object.entries(value))
      flatten(inner, name === '' ? key : `${name}.${key}`, flattened);
  } else if (value !== null && value !== undefined) {
    const text = Array.isArray(value) ? JSON.stringify(value) : String(value);
    flattened[name.startsWith(PREFIX) ? name : PREFIX + name] = text;
  }
}

function isSupported(name: string, value: string): boolean {
  const [, , part] = NORMALIZER.exec(name) ?? [];
  if (part !== undefined) return normalizerParts[part]?.includes(value) === true;
  return (
    (supportedValues[name] ?? value) === value && !rejectedPrefixes.some((prefix) => name.startsWith(prefix))
  );
}

/**
 * Parses settings, nested or flat, with or without the prefix `index`.
 * @throws EsError for unsupported settings
 */
export function parseSettings(json: unknown): Settings {
  if (json === undefined || json === null) return {};
  if (!isObject(json)) throw malformedRequest('key [settings] must be an object');
  const settings: Record<string, string> = {};
  flatten(json, '', settings);
  for (const [name, value] of Object.entries(settings)) {
    if (!isSupported(name, value))
      throw illegalArgument(`setting [${name}] with value [${value}] is not supported`);
  }
  return settings;
}

/** Returns the normalizers for keywords, and whether each lower-cases. */
export function getNormalizers(settings: Settings): ReadonlyMap<string, boolean> {
  const normalizers = new Map([['lowercase', true]]);
  for (const [setting, value] of Object.entries(settings)) {
    const [, name, part] = NORMALIZER.exec(setting) ?? [];
    if (name === undefined) continue;
    const lowercases = part === 'filter' && LOWERCASE.includes(value);
    normalizers.set(name, normalizers.get(name) === true || lowercases);
  }
  return normalizers;
}
