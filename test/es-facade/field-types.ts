// The supported field types and mapping parameters.
import type { Property } from '../../worker/sandbox/search/mapping.ts';

type EngineType = Exclude<Property['type'], 'object' | 'nested'>;

/** Stored, but not searchable. */
const unsearchableTypes = `binary date_nanos unsigned_long ip version token_count completion search_as_you_type geo_point geo_shape
  point shape flattened histogram flat_object integer_range long_range float_range double_range date_range ip_range`;

const sameTypes = [
  'text',
  'keyword',
  'byte',
  'short',
  'integer',
  'long',
  'boolean',
  'date',
  'float',
  'double',
] as const;

/** The engine's types by Elasticsearch's. Some are replaced by a type with the same results. */
export const fieldTypes: ReadonlyMap<string, EngineType> = new Map<string, EngineType>([
  ...sameTypes.map((type) => [type, type] as const),
  ...unsearchableTypes.split(/\s+/).map((name) => [name, 'binary'] as const),
  ['match_only_text', 'text'],
  ['wildcard', 'keyword'],
  ['half_float', 'float'],
  ['scaled_float', 'double'],
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
