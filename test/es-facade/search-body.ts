// Parses the body of a search, except the parts that depend on the index.
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
import { EsError, illegalArgument, parsingError } from './errors.ts';
import { parseSourceFilter, type SourceFilter } from './source-filter.ts';

/** A parsed search body. */
export interface SearchBody {
  /** JSON, parsed for each index. Undefined matches everything. */
  query: unknown;
  /** Filters hits and total. */
  postFilter: unknown;
  /** Empty sorts by score. */
  sort: readonly SortKey[];
  from: number;
  size: number;
  /** Sort values after which the hits begin. */
  after: readonly unknown[] | undefined;
  /** The number up to which hits are counted, or whether they are counted at all. */
  trackTotal: boolean | number;
  /** Whether to score hits even if the order doesn't need it. */
  trackScores: boolean;
  source: SourceFilter;
}

const DEFAULT_SIZE = 10;
const MAX_INT = 2 ** 31 - 1;

/** Options without effect: there are no explanations, profiles and time limits. */
const ignoredOptions =
  'explain profile stats ext timeout stored_fields include_named_queries_score phase_took verbose_pipeline';

const countReader: OptionReader<number> = (value, location) => {
  const number = typeof value === 'bigint' ? Number(value) : numberReader(value, location);
  if (number > MAX_INT)
    throw new EsError(400, 'input_coercion_exception', `Numeric value (${number}) out of range of int`);
  if (!Number.isInteger(number)) throw parsingError(`[${location.option}] takes a whole number`);
  if (number < 0)
    throw illegalArgument(`[${location.option}] parameter cannot be negative, found [${number}]`);
  return number;
};

const trackTotalReader: OptionReader<boolean | number> = (value) => {
  if (String(value) === 'true' || String(value) === 'false') return String(value) === 'true';
  const number = Number(value);
  if (!Number.isInteger(number))
    throw parsingError(`[track_total_hits] takes a boolean or a whole number, found [${String(value)}]`);
  if (number < -1)
    throw illegalArgument(`[track_total_hits] parameter must be positive or equals to -1, got ${number}`);
  return number === -1 ? true : number;
};

const afterReader: OptionReader<readonly unknown[]> = (value) => {
  if (!Array.isArray(value)) throw parsingError('[search_after] takes an array of values');
  if (value.length === 0) throw illegalArgument('Values must contains at least one value.');
  return value;
};

function parseSortKeys(json: unknown): readonly SortKey[] {
  const keys = json === undefined ? [] : parseSort(json);
  const [first] = keys;
  // The default order.
  return keys.length === 1 && first?.field === SCORE && first.order === 'desc' ? [] : keys;
}

function checkAfter({ after, sort, from }: SearchBody): void {
  if (after === undefined) return;
  if (sort.length === 0) throw illegalArgument('Sort must contain at least one field.');
  if (from > 0) throw illegalArgument('`from` parameter must be set to 0 when `search_after` is used');
  if (after.length !== sort.length)
    throw illegalArgument(`search_after has ${after.length} value(s) but sort has ${sort.length}.`);
}

/**
 * Parses the body of a search.
 * @param json - undefined without a body
 * @throws EsError or QueryError for an invalid body or unsupported options
 */
export function parseSearchBody(json: unknown = {}): SearchBody {
  if (!isObject(json)) throw parsingError('Expected [START_OBJECT] as body of a search');
  const { query, post_filter: postFilter, sort, _source: source, ...others } = json;
  const options = new Options('search', others);
  const hidesSource =
    source === undefined && options.read('stored_fields', textListReader)?.includes('_source') === false;
  const body: SearchBody = {
    query,
    postFilter,
    sort: parseSortKeys(sort),
    from: options.read('from', countReader) ?? 0,
    size: options.read('size', countReader) ?? DEFAULT_SIZE,
    after: options.read('search_after', afterReader),
    trackTotal: options.read('track_total_hits', trackTotalReader) ?? true,
    trackScores: options.read('track_scores', booleanReader) ?? false,
    source: !hidesSource && parseSourceFilter(source),
  };
  options.ignore(...ignoredOptions.split(' '));
  const [unknown] = options.getUnread();
  if (unknown !== undefined) throw new QueryError(`[${unknown}] is not supported in the body of a search`);
  checkAfter(body);
  return body;
}
