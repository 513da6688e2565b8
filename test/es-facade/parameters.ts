// The parameters of a request's address, and what of a search's body they stand for.
import { EsError, illegalArgument } from './es-error.ts';
import type { JsonObject } from './json.ts';

/** Parameters of every request. */
const common = [
  'pretty',
  'human',
  'error_trace',
  'filter_path',
  'source',
  'source_content_type',
  'format',
  'v',
];
const timing = ['timeout', 'master_timeout', 'cluster_manager_timeout', 'wait_for_active_shards'];
const indices = ['ignore_unavailable', 'allow_no_indices', 'expand_wildcards', 'ignore_throttled', 'local'];
const uriQuery = ['q', 'df', 'analyzer', 'analyze_wildcard', 'default_operator', 'lenient'];
const execution = [
  ...['preference', 'routing', 'request_cache', 'search_type', 'batched_reduce_size', 'typed_keys', 'scroll'],
  ...['pre_filter_shard_size', 'max_concurrent_shard_requests', 'max_concurrent_searches', 'shard_info'],
  ...['ccs_minimize_roundtrips', 'allow_partial_search_results', 'min_compatible_shard_node', 'phase_took'],
  ...['cancel_after_time_interval', 'include_named_queries_score', 'rest_total_hits_as_int'],
];
const searchBody = [
  ...[
    'from',
    'size',
    'sort',
    'track_scores',
    'track_total_hits',
    'version',
    'seq_no_primary_term',
    'explain',
  ],
  ...['_source', '_source_includes', '_source_include', '_source_excludes', '_source_exclude'],
  ...['stored_fields', 'docvalue_fields', 'terminate_after', 'stats', 'min_score'],
];

/** The parameters that each kind of request takes. */
const known = {
  search: [...indices, ...uriQuery, ...execution, ...searchBody, 'timeout'],
  count: [...indices, ...uriQuery, ...execution, 'min_score', 'terminate_after'],
  msearch: [...indices, ...execution],
  write: [...timing, 'refresh', 'routing', 'op_type', 'require_alias', '_source', 'type'],
  read: ['refresh', 'realtime', 'preference', 'routing', '_source', '_source_includes', '_source_excludes'],
  indices: [
    ...indices,
    ...timing,
    'include_type_name',
    'flat_settings',
    'include_defaults',
    'write_index_only',
  ],
  cat: [
    'h',
    'health',
    's',
    'help',
    'expand_wildcards',
    'bytes',
    'time',
    'pri',
    'local',
    'include_unloaded_segments',
  ],
  cluster: [
    ...indices,
    ...timing,
    'level',
    'wait_for_status',
    'wait_for_no_relocating_shards',
    'wait_for_nodes',
  ],
} as const satisfies Readonly<Record<string, readonly string[]>>;

/** The parameters of one request. */
export class Parameters {
  readonly #values: ReadonlyMap<string, string>;

  /** @throws EsError for a parameter that such a request does not take */
  constructor(url: URL, kind: keyof typeof known) {
    const names = [...new Set(url.searchParams.keys())];
    const taken: readonly string[] = known[kind];
    const unknown = names.find((name) => !common.includes(name) && !taken.includes(name));
    if (unknown !== undefined) {
      throw illegalArgument(`request [${url.pathname}] contains unrecognized parameter: [${unknown}]`);
    }
    this.#values = new Map(names.map((name) => [name, url.searchParams.getAll(name).join(',')]));
  }

  /** The text of a parameter; of one that stands several times, separated by commas. */
  text(name: string): string | undefined {
    return this.#values.get(name);
  }

  /** A parameter that is on or off; on if it has no value. @throws EsError for another value */
  flag(name: string, absent = false): boolean {
    const text = this.#values.get(name);
    if (text === undefined) return absent;
    if (text === '' || text === 'true') return true;
    if (text === 'false') return false;
    throw illegalArgument(`Failed to parse value [${text}] as only [true] or [false] are allowed.`);
  }

  /** A list, separated by commas. */
  list(name: string): string[] | undefined {
    const text = this.#values.get(name);
    return text === undefined ? undefined : text.split(',').filter((part) => part !== '');
  }
}

/** Parameters that stand for the member of a body of the same name. */
const same = [
  ...['from', 'size', 'track_scores', 'track_total_hits', 'version', 'seq_no_primary_term', 'explain'],
  ...['terminate_after', 'timeout', 'min_score'],
];

function sortMember(text: string): unknown[] {
  return text.split(',').map((key) => {
    const at = key.lastIndexOf(':');
    return at < 0 ? key : { [key.slice(0, at)]: key.slice(at + 1) };
  });
}

function sourceMember(parameters: Parameters): unknown {
  const includes = parameters.list('_source_includes') ?? parameters.list('_source_include');
  const excludes = parameters.list('_source_excludes') ?? parameters.list('_source_exclude');
  if (includes !== undefined || excludes !== undefined)
    return { includes: includes ?? [], excludes: excludes ?? [] };
  const source = parameters.text('_source');
  if (source === 'true' || source === 'false') return source === 'true';
  return parameters.list('_source');
}

function queryMember(parameters: Parameters): JsonObject | undefined {
  const query = parameters.text('q');
  if (query === undefined) return undefined;
  const settings = {
    query,
    default_field: parameters.text('df'),
    default_operator: parameters.text('default_operator'),
    analyzer: parameters.text('analyzer'),
    analyze_wildcard: parameters.text('analyze_wildcard'),
    lenient: parameters.text('lenient'),
  };
  return {
    query_string: Object.fromEntries(Object.entries(settings).filter(([, value]) => value !== undefined)),
  };
}

/**
 * The members of a search's body that its parameters stand for: they go before those of the body.
 * @throws EsError for those that ask for what is not there
 */
export function searchMembers(parameters: Parameters): JsonObject {
  if (parameters.text('scroll') !== undefined) {
    const size = Number(parameters.text('size') ?? 0);
    const tooLarge = `Batch size is too large, size must be less than or equal to: [10000] but was [${size}]. Scroll batch sizes cost as much memory as result windows so they are controlled by the [index.max_result_window] index level setting.`;
    throw illegalArgument(size > 10_000 ? tooLarge : '[scroll] is not supported: page with [search_after]');
  }
  const sort = parameters.text('sort');
  const members: Record<string, unknown> = {
    query: queryMember(parameters),
    sort: sort === undefined ? undefined : sortMember(sort),
    _source: sourceMember(parameters),
    stored_fields: parameters.list('stored_fields'),
    docvalue_fields: parameters.list('docvalue_fields'),
  };
  for (const name of same) members[name] = parameters.text(name);
  return Object.fromEntries(Object.entries(members).filter(([, value]) => value !== undefined));
}

/** @throws EsError where a total that is a number would not be exact */
export function checkTotals(totalAsInt: boolean, totals: boolean | number): void {
  if (!totalAsInt || typeof totals === 'boolean') return;
  const reason = `[rest_total_hits_as_int] cannot be used if the tracking of total hits is not accurate, got ${totals}`;
  throw new EsError(400, 'illegal_argument_exception', reason);
}
