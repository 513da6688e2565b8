// The types of field that a mapping may name and the parameters that it may set: what they become in the engine.
import type { Property } from '../../worker/sandbox/search/mapping.ts';

/** A type that the engine has: its own, or another that answers the same. */
type FieldType = Exclude<Property['type'], 'object' | 'nested'>;

/** Types by the name that a mapping has for them. */
export const fieldTypes: ReadonlyMap<string, FieldType> = new Map(
  Object.entries({
    text: 'text',
    match_only_text: 'text',
    keyword: 'keyword',
    wildcard: 'keyword',
    byte: 'byte',
    short: 'short',
    integer: 'integer',
    long: 'long',
    float: 'float',
    half_float: 'float',
    double: 'double',
    scaled_float: 'double',
    boolean: 'boolean',
    date: 'date',
    binary: 'binary',
  } as const),
);

/** Types of which it is known that a document has a value, and no more. */
export const limitedTypes: ReadonlySet<string> = new Set([
  ...['date_nanos', 'unsigned_long', 'ip', 'version', 'token_count', 'completion', 'search_as_you_type'],
  ...['geo_point', 'geo_shape', 'point', 'shape', 'flattened', 'flat_object', 'histogram'],
  ...['integer_range', 'long_range', 'float_range', 'double_range', 'date_range', 'ip_range'],
]);

/** The values of parameters that change no answer, as text; with others they are refused. */
const harmlessValues: Readonly<Record<string, readonly string[]>> = {
  analyzer: ['standard', 'default'],
  search_analyzer: ['standard', 'default'],
  search_quote_analyzer: ['standard', 'default'],
  similarity: ['BM25'],
  coerce: ['true'],
  position_increment_gap: ['100'],
  split_queries_on_whitespace: ['false'],
  include_in_parent: ['false'],
  include_in_root: ['false'],
  boost: ['1'],
  subobjects: ['true'],
  copy_to: [''],
  script: [],
};

/**
 * Parameters of which any value is taken: of most no answer depends. `norms` and `index_options` change scores in
 * Elasticsearch, `fielddata` lets a text be sorted by; here they do nothing.
 */
const passedParameters: ReadonlySet<string> = new Set([
  ...['store', 'meta', 'doc_values', 'eager_global_ordinals', 'term_vector', 'locale', 'depth_limit'],
  ...['index_prefixes', 'index_phrases', 'norms', 'index_options', 'fielddata', 'fielddata_frequency_filter'],
  ...['scaling_factor', 'time_series_dimension', 'time_series_metric', 'skip_list', 'ignore_z_value'],
]);

/**
 * Whether a parameter changes no answer.
 * @returns undefined for a parameter that there is not
 */
export function changesNothing(name: string, value: unknown): boolean | undefined {
  if (passedParameters.has(name)) return true;
  return Object.hasOwn(harmlessValues, name) ? harmlessValues[name]?.includes(String(value)) : undefined;
}
