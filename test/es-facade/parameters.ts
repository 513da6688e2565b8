// The query parameters of requests, and the members of a search body that they replace.
import { illegalArgument } from './errors.ts';
import type { JsonObject } from './json.ts';

const splitWords = (text: string): string[] => text.trim().split(/\s+/);

/** Members of a search body with a parameter of the same name. */
const bodyMembers = splitWords('from size track_scores track_total_hits explain terminate_after timeout');
/** Options of `query_string` for the parameter `q`. */
const queryOptions = splitWords('default_operator analyzer analyze_wildcard lenient');

/** The accepted parameters. Many have no effect. */
const knownParameters = new Set([
  ...bodyMembers,
  ...queryOptions,
  ...splitWords(`
    q df sort _source _source_includes _source_include _source_excludes _source_exclude stored_fields docvalue_fields
    pretty human error_trace format v h s help bytes time pri health level
    master_timeout cluster_manager_timeout wait_for_active_shards wait_for_status wait_for_nodes
    wait_for_no_relocating_shards ignore_unavailable allow_no_indices expand_wildcards ignore_throttled local
    preference routing request_cache search_type batched_reduce_size typed_keys scroll pre_filter_shard_size
    max_concurrent_shard_requests shard_info ccs_minimize_roundtrips phase_took
    allow_partial_search_results min_compatible_shard_node cancel_after_time_interval include_named_queries_score
    rest_total_hits_as_int stats refresh op_type require_alias type realtime include_type_name flat_settings
    include_defaults write_index_only include_unloaded_segments
  `),
]);

/** The parameters of one request. */
export class Parameters {
  readonly #values: ReadonlyMap<string, string>;

  /** @throws EsError for an unknown parameter */
  constructor({ pathname, searchParams }: URL) {
    const names = [...new Set(searchParams.keys())];
    const unknown = names.find((name) => !knownParameters.has(name));
    if (unknown !== undefined)
      throw illegalArgument(`request [${pathname}] contains unrecognized parameter: [${unknown}]`);
    this.#values = new Map(names.map((name) => [name, searchParams.getAll(name).join(',')]));
  }

  /** Returns a parameter; the values of a repeated one are joined by commas. */
  getText(name: string): string | undefined {
    return this.#values.get(name);
  }

  /** Returns a boolean parameter; one without a value is true. @throws EsError for another value */
  getFlag(name: string, defaultValue = false): boolean {
    const text = this.getText(name);
    if (text === undefined) return defaultValue;
    if (text === '' || text === 'true') return true;
    if (text === 'false') return false;
    throw illegalArgument(`Failed to parse value [${text}] as only [true] or [false] are allowed.`);
  }

  /** Returns a comma-separated list. */
  getList(name: string): string[] | undefined {
    return this.getText(name)
      ?.split(',')
      .filter((part) => part !== '');
  }
}

function removeUndefined(members: JsonObject): JsonObject {
  return Object.fromEntries(Object.entries(members).filter(([, value]) => value !== undefined));
}

function parseSort(text: string): unknown[] {
  return text.split(',').map((key) => {
    const at = key.lastIndexOf(':');
    return at < 0 ? key : { [key.slice(0, at)]: key.slice(at + 1) };
  });
}

/** Builds `_source` from its parameters. */
export function parseSourceParameters(parameters: Parameters): unknown {
  const includes = parameters.getList('_source_includes') ?? parameters.getList('_source_include');
  const excludes = parameters.getList('_source_excludes') ?? parameters.getList('_source_exclude');
  if (includes !== undefined || excludes !== undefined)
    return { includes: includes ?? [], excludes: excludes ?? [] };
  const source = parameters.getText('_source');
  return source === 'true' || source === 'false' ? source === 'true' : parameters.getList('_source');
}

/**
 * Builds the members of a search body that the parameters replace.
 * @throws EsError for unsupported parameters
 */
export function parseSearchParameters(parameters: Parameters): JsonObject {
  const pick = (names: readonly string[]): JsonObject =>
    Object.fromEntries(names.map((name) => [name, parameters.getText(name)]));
  if (parameters.getText('scroll') !== undefined)
    throw illegalArgument('[scroll] is not supported: page with [search_after]');
  const [query, sort] = [parameters.getText('q'), parameters.getText('sort')];
  const queryString = { ...pick(queryOptions), query, default_field: parameters.getText('df') };
  return removeUndefined({
    ...pick(bodyMembers),
    query: query === undefined ? undefined : { query_string: removeUndefined(queryString) },
    sort: sort === undefined ? undefined : parseSort(sort),
    _source: parseSourceParameters(parameters),
    stored_fields: parameters.getList('stored_fields'),
    docvalue_fields: parameters.getList('docvalue_fields'),
  });
}
