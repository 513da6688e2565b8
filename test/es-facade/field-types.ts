// The supported field types and mapping parameters.
import type { Property } from '../../worker/sandbox/search/mapping.ts';

type EngineType = Exclude<Property['type'], 'object' | 'nested'>;

const withType = (type: EngineType, ...names: string[]): [string, EngineType][] =>
  names.map((name) => [name, type]);

/** The engine's types by Elasticsearch's. Some are replaced by a type with the same results. */
export const fieldTypes: ReadonlyMap<string, EngineType> = new Map([
  ...withType('text', 'text', 'match_only_text'),
  ...withType('keyword', 'keyword', 'wildcard'),
  ...(['byte', 'short', 'integer', 'long', 'boolean', 'date'] as const).flatMap((type) =>
    withType(type, type),
  ),
  ...withType('float', 'float', 'half_float'),
  ...withType('double', 'double', 'scaled_float'),
  // Stored, but not searchable.
  ...withType(
    'binary',
    'binary',
    'date_nanos',
    'unsigned_long',
    'ip',
    'version',
    'token_count',
    'completion',
  ),
  ...withType(
    'binary',
    'search_as_you_type',
    'geo_point',
    'geo_shape',
    'point',
    'shape',
    'flattened',
    'histogram',
  ),
  ...withType(
    'binary',
    'flat_object',
    'integer_range',
    'long_range',
    'float_range',
    'double_range',
    'date_range',
  ),
  ...withType('binary', 'ip_range'),
]);

/** Supported values of parameters, as text. */
const supportedValues: ReadonlyMap<string, readonly string[]> = new Map([
  ['analyzer', ['standard', 'default']],
  ['search_analyzer', ['standard', 'default']],
  ['search_quote_analyzer', ['standard', 'default']],
  ['similarity', ['BM25']],
  ['coerce', ['true']],
  ['ignore_malformed', ['false']],
  ['position_increment_gap', ['100']],
  ['boost', ['1']],
  ['copy_to', ['']],
  ['script', []],
]);

/**
 * Ignored parameters. `norms` and `index_options` change scores in Elasticsearch, and `fielddata` allows sorting by text;
 * here they have no effect.
 */
const ignoredParameters: ReadonlySet<string> = new Set([
  ...['store', 'meta', 'doc_values', 'eager_global_ordinals', 'term_vector', 'locale', 'depth_limit'],
  ...['index_prefixes', 'index_phrases', 'norms', 'index_options', 'fielddata', 'fielddata_frequency_filter'],
  ...['scaling_factor', 'time_series_dimension', 'time_series_metric', 'skip_list', 'ignore_z_value'],
]);

/** Checks a parameter of a field. */
export function getParameterSupport(name: string, value: unknown): 'supported' | 'unsupported' | 'unknown' {
  if (ignoredParameters.has(name)) return 'supported';
  const values = supportedValues.get(name);
  if (values === undefined) return 'unknown';
  return values.includes(String(value)) ? 'supported' : 'unsupported';
}
