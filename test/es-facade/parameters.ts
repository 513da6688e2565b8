// The parameters of a request's address, and what of a search's body they stand for.
import { illegalArgument } from './es-error.ts';
import type { JsonObject } from './json.ts';

const words = (text: string): string[] => text.trim().split(/\s+/);

/** Members of a search's body that a parameter of the same name stands for. */
const bodyMembers = words(`
  from size track_scores track_total_hits version seq_no_primary_term explain terminate_after timeout min_score
`);
/** Options of the `query_string` that `q` makes. */
const queryOptions = words('default_operator analyzer analyze_wildcard lenient');

/** Every parameter that some request takes. Many change nothing here. */
const known = new Set([
  ...bodyMembers,
  ...queryOptions,
  ...words(`
    q df sort _source _source_includes _source_include _source_excludes _source_exclude stored_fields docvalue_fields
    pretty human error_trace filter_path source source_content_type format v h s help bytes time pri health level
    master_timeout cluster_manager_timeout wait_for_active_shards wait_for_status wait_for_nodes
    wait_for_no_relocating_shards ignore_unavailable allow_no_indices expand_wildcards ignore_throttled local
    preference routing request_cache search_type batched_reduce_size typed_keys scroll pre_filter_shard_size
    max_concurrent_shard_requests max_concurrent_searches shard_info ccs_minimize_roundtrips phase_took
    allow_partial_search_results min_compatible_shard_node cancel_after_time_interval include_named_queries_score
    rest_total_hits_as_int stats refresh op_type require_alias type realtime include_type_name flat_settings
    include_defaults write_index_only include_unloaded_segments
  `),
]);

/** The parameters of one request. */
export class Parameters {
  readonly #values: ReadonlyMap<string, string>;

  /** @throws EsError for a parameter that no request takes */
  constructor({ pathname, searchParams }: URL) {
    const names = [...new Set(searchParams.keys())];
    const unknown = names.find((name) => !known.has(name));
    if (unknown !== undefined)
      throw illegalArgument(`request [${pathname}] contains unrecognized parameter: [${unknown}]`);
    this.#values = new Map(names.map((name) => [name, searchParams.getAll(name).join(',')]));
  }

  /** The text of a parameter; of one that stands several times, separated by commas. */
  text(name: string): string | undefined {
    return this.#values.get(name);
  }

  /** A parameter that is on or off; on if it has no value. @throws EsError for another value */
  flag(name: string, absent = false): boolean {
    const text = this.text(name);
    if (text === undefined) return absent;
    if (text === '' || text === 'true') return true;
    if (text === 'false') return false;
    throw illegalArgument(`Failed to parse value [${text}] as only [true] or [false] are allowed.`);
  }

  /** A list, separated by commas. */
  list(name: string): string[] | undefined {
    return this.text(name)
      ?.split(',')
      .filter((part) => part !== '');
  }
}

/** Leaves out what is undefined. */
function given(members: JsonObject): JsonObject {
  return Object.fromEntries(Object.entries(members).filter(([, value]) => value !== undefined));
}

function sortMember(text: string): unknown[] {
  return text.split(',').map((key) => {
    const at = key.lastIndexOf(':');
    return at < 0 ? key : { [key.slice(0, at)]: key.slice(at + 1) };
  });
}

/** `_source` as its parameters say it. */
export function sourceMember(parameters: Parameters): unknown {
  const includes = parameters.list('_source_includes') ?? parameters.list('_source_include');
  const excludes = parameters.list('_source_excludes') ?? parameters.list('_source_exclude');
  if (includes !== undefined || excludes !== undefined)
    return { includes: includes ?? [], excludes: excludes ?? [] };
  const source = parameters.text('_source');
  return source === 'true' || source === 'false' ? source === 'true' : parameters.list('_source');
}

/**
 * The members of a search's body that its parameters stand for: they go before those of the body.
 * @throws EsError for those that ask for what is not there
 */
export function searchMembers(parameters: Parameters): JsonObject {
  const named = (names: readonly string[]): JsonObject =>
    Object.fromEntries(names.map((name) => [name, parameters.text(name)]));
  if (parameters.text('scroll') !== undefined) {
    const size = Number(parameters.text('size') ?? 0);
    const tooLarge = `Batch size is too large, size must be less than or equal to: [10000] but was [${size}]. Scroll batch sizes cost as much memory as result windows so they are controlled by the [index.max_result_window] index level setting.`;
    throw illegalArgument(size > 10_000 ? tooLarge : '[scroll] is not supported: page with [search_after]');
  }
  const [query, sort] = [parameters.text('q'), parameters.text('sort')];
  const queryString = { ...named(queryOptions), query, default_field: parameters.text('df') };
  return given({
    ...named(bodyMembers),
    query: query === undefined ? undefined : { query_string: given(queryString) },
    sort: sort === undefined ? undefined : sortMember(sort),
    _source: sourceMember(parameters),
    stored_fields: parameters.list('stored_fields'),
    docvalue_fields: parameters.list('docvalue_fields'),
  });
}
