// Reads the body of a search: all of it that can be read without knowing an index.
import { isObject } from '../../shared/lib/is-object.ts';
import { QueryError } from '../../worker/sandbox/search/parse/errors.ts';
import { parseSort, SCORE, type SortKey } from '../../worker/sandbox/search/parse/index.ts';
import {
  booleanReader,
  numberReader,
  type OptionReader,
  Options,
  textListReader,
} from '../../worker/sandbox/search/parse/options.ts';
import { EsError, illegalArgument, parsingError } from './es-error.ts';

/** All of a source, nothing, or what fits a pattern of paths and no pattern of those that are left out. */
export type SourceFilter = boolean | { includes: readonly string[]; excludes: readonly string[] };

/** What a search asks for. */
export interface SearchBody {
  /** Still JSON: it is read once for each index. Undefined: everything. */
  query: unknown;
  /** Narrows the hits; as nothing is aggregated here, the total as well. */
  postFilter: unknown;
  /** Empty: the best first. */
  sort: readonly SortKey[];
  /** By the field of a sort key: the format that its dates are told in. */
  sortFormats: ReadonlyMap<string, string>;
  from: number;
  size: number;
  /** Values of all sort keys: only hits behind them are wanted. */
  after: readonly unknown[] | undefined;
  /** How far hits are counted. */
  totals: boolean | number;
  /** Whether hits have scores where the order does not need them. */
  scores: boolean;
  /** Hits with a lower score are none. */
  minScore: number | undefined;
  source: SourceFilter;
  /** What hits are told beside their source. */
  version: boolean;
  seqNo: boolean;
  /** Pattern of index names, and by what the scores of those indexes are multiplied. The first that fits counts. */
  boosts: readonly (readonly [pattern: string, boost: number])[];
}

const DEFAULT_SIZE = 10;
const GREATEST_INT = 2 ** 31 - 1;

/** What changes nothing here: there is no explanation, no profile and no time limit. */
const passedOver = [
  ...['explain', 'profile', 'stats', 'ext', 'timeout'],
  ...['include_named_queries_score', 'phase_took', 'verbose_pipeline'],
];

/** A whole number from 0 on. */
const natural: OptionReader<number> = (value, place) => {
  const number = typeof value === 'bigint' ? Number(value) : numberReader(value, place);
  if (number > GREATEST_INT)
    throw new EsError(400, 'input_coercion_exception', `Numeric value (${number}) out of range of int`);
  if (!Number.isInteger(number)) throw parsingError(`[${place.option}] takes a whole number`);
  if (number < 0) throw illegalArgument(`[${place.option}] parameter cannot be negative, found [${number}]`);
  return number;
};

/** @throws EsError for a number: hits are counted to the end */
const terminateAfter: OptionReader<void> = (value, place) => {
  if (natural(value, place) > 0)
    throw illegalArgument('[terminate_after] is not supported: all documents are looked at');
};

const totals: OptionReader<boolean | number> = (value) => {
  if (String(value) === 'true' || String(value) === 'false') return String(value) === 'true';
  const number = Number(value);
  if (!Number.isInteger(number))
    throw parsingError(`[track_total_hits] takes a boolean or a whole number, found [${String(value)}]`);
  if (number < -1)
    throw illegalArgument(`[track_total_hits] parameter must be positive or equals to -1, got ${number}`);
  return number === -1 ? true : number;
};

const afterValues: OptionReader<readonly unknown[]> = (value) => {
  if (!Array.isArray(value)) throw parsingError('[search_after] takes an array of values');
  if (value.length === 0) throw illegalArgument('Values must contains at least one value.');
  return value;
};

const boosts: OptionReader<SearchBody['boosts']> = (value, place) =>
  [value].flat().flatMap((entry: unknown) => {
    if (!isObject(entry)) throw parsingError('[indices_boost] takes objects of an index and its boost');
    return Object.entries(entry).map(([pattern, boost]) => [pattern, numberReader(boost, place)] as const);
  });

function sortKeys(json: unknown): readonly SortKey[] {
  const keys = json === undefined ? [] : parseSort(json);
  const [first] = keys;
  // An order by the score alone is the order that there is anyway.
  return keys.length === 1 && first?.field === SCORE && first.order === 'desc' ? [] : keys;
}

function sortFormats(json: unknown): ReadonlyMap<string, string> {
  const keys = [json].flat().flatMap((entry) => (isObject(entry) ? Object.entries(entry) : []));
  return new Map(
    keys.flatMap(([field, options]) =>
      isObject(options) && typeof options.format === 'string' ? [[field, options.format] as const] : [],
    ),
  );
}

/**
 * Reads `_source`.
 * @throws EsError for what is no filter
 */
export function readSourceFilter(json: unknown): SourceFilter {
  if (json === undefined) return true;
  if (typeof json === 'boolean') return json;
  const options = new Options('_source', isObject(json) ? json : { includes: json });
  const read = (...names: string[]): readonly string[] =>
    names.flatMap((name) => options.read(name, textListReader) ?? []);
  const filter = { includes: read('includes', 'include'), excludes: read('excludes', 'exclude') };
  options.finish('unknown key');
  return filter;
}

/** @throws EsError for values that can't be those of the sort keys */
function checkAfter({ after, sort, from }: SearchBody): void {
  if (after === undefined) return;
  if (sort.length === 0) throw illegalArgument('Sort must contain at least one field.');
  if (from > 0) throw illegalArgument('`from` parameter must be set to 0 when `search_after` is used');
  if (after.length !== sort.length)
    throw illegalArgument(`search_after has ${after.length} value(s) but sort has ${sort.length}.`);
}

/**
 * Reads the body of a search.
 * @param json - undefined for none
 * @throws EsError or QueryError for what is no such body or asks for what is not there
 */
export function readSearchBody(json: unknown = {}): SearchBody {
  if (!isObject(json)) throw parsingError('Expected [START_OBJECT] as body of a search');
  const { query, post_filter: postFilter, sort, _source: source, ...rest } = json;
  const options = new Options('search', rest);
  const hidesSource =
    source === undefined && options.read('stored_fields', textListReader)?.includes('_source') === false;
  const read: SearchBody = {
    query,
    postFilter,
    sort: sortKeys(sort),
    sortFormats: sortFormats(sort),
    from: options.read('from', natural) ?? 0,
    size: options.read('size', natural) ?? DEFAULT_SIZE,
    after: options.read('search_after', afterValues),
    totals: options.read('track_total_hits', totals) ?? true,
    scores: options.read('track_scores', booleanReader) ?? false,
    minScore: options.read('min_score', numberReader),
    source: !hidesSource && readSourceFilter(source),
    version: options.read('version', booleanReader) ?? false,
    seqNo: options.read('seq_no_primary_term', booleanReader) ?? false,
    boosts: options.read('indices_boost', boosts) ?? [],
  };
  options.read('terminate_after', terminateAfter);
  options.ignore(...passedOver, 'stored_fields');
  const [unknown] = options.getUnread();
  if (unknown !== undefined) throw new QueryError(`[${unknown}] is not supported in the body of a search`);
  checkAfter(read);
  return read;
}
