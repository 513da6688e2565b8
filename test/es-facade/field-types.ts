// The types of field that a mapping may name and the parameters that it may set: what they become in the engine.
import type { Property } from '../../worker/provider/search/mapping.ts';

/** A type that the engine has: its own, or another that answers the same. */
export type FieldType = Exclude<Property['type'], 'object' | 'nested'>;

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

const isOn = (value: unknown): boolean => value === true || value === 'true';
const isOff = (value: unknown): boolean => value === false || value === 'false';
const isStandard = (value: unknown): boolean => value === 'standard' || value === 'default';

/** Parameters with values that change no answer; with others they are refused. */
export const checkedParameters: ReadonlyMap<string, (value: unknown) => boolean> = new Map(
  Object.entries({
    analyzer: isStandard,
    search_analyzer: isStandard,
    search_quote_analyzer: isStandard,
    similarity: (value: unknown) => value === 'BM25',
    coerce: isOn,
    position_increment_gap: (value: unknown) => Number(value) === 100,
    split_queries_on_whitespace: isOff,
    include_in_parent: isOff,
    include_in_root: isOff,
    boost: (value: unknown) => Number(value) === 1,
    subobjects: isOn,
    copy_to: (value: unknown) => Array.isArray(value) && value.length === 0,
    script: () => false,
  }),
);

/**
 * Parameters of which any value is taken: of most no answer depends. `norms` and `index_options` change scores in
 * Elasticsearch, `fielddata` lets a text be sorted by; here they do nothing.
 */
export const passedParameters: ReadonlySet<string> = new Set([
  ...['store', 'meta', 'doc_values', 'eager_global_ordinals', 'term_vector', 'locale', 'depth_limit'],
  ...['index_prefixes', 'index_phrases', 'norms', 'index_options', 'fielddata', 'fielddata_frequency_filter'],
  ...['scaling_factor', 'time_series_dimension', 'time_series_metric', 'skip_list', 'ignore_z_value'],
]);
