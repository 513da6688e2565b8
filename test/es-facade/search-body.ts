// Reads the body of a search: all of it that can be read without knowing an index.

import { isObject } from '../../shared/is-object.ts';
import { QueryError } from '../../worker/provider/search/parse/error.ts';
import { parseSort, SCORE, type SortKey } from '../../worker/provider/search/parse/index.ts';
import { flag, type OptionReader, Options, texts } from '../../worker/provider/search/parse/options.ts';
import { EsError, illegalArgument, parsingError } from './es-error.ts';
import type { JsonObject } from './json.ts';
import { readSourceFilter, type SourceFilter } from './source-filter.ts';

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

/** What would change the answer and is not there, with the reason. */
const refused = new Map(
  Object.entries({
    aggs: 'nothing is aggregated here',
    aggregations: 'nothing is aggregated here',
    collapse: 'hits are not grouped here',
    derived: 'scripts cannot run here',
    docvalue_fields: 'hits have their source alone',
    fields: 'hits have their source alone',
    highlight: 'texts are not marked here',
    knn: 'there are no fields with vectors',
    pit: 'there are no points in time here',
    rank: 'there is one ranking here',
    rescore: 'there is one ranking here',
    retriever: 'there is one ranking here',
    runtime_mappings: 'scripts cannot run here',
    script_fields: 'scripts cannot run here',
    slice: 'an index has one part here',
    suggest: 'nothing is suggested here',
  }),
);

/** What changes nothing here: there is no explanation, no profile and no time limit. */
const passedOver = [
  ...['explain', 'profile', 'stats', 'ext', 'timeout'],
  ...['include_named_queries_score', 'phase_took', 'verbose_pipeline'],
];

/** A whole number from 0 on. */
const natural: OptionReader<number> = (value, { option }) => {
  const number = typeof value === 'string' && value.trim() !== '' ? Number(value) : value;
  if (typeof number === 'bigint' || (typeof number === 'number' && number > GREATEST_INT)) {
    throw new EsError(400, 'input_coercion_exception', `Numeric value (${number}) out of range of int`);
  }
  if (typeof number !== 'number' || !Number.isInteger(number)) {
    throw parsingError(`[${option}] takes a whole number, found [${String(value)}]`);
  }
  if (number < 0) throw illegalArgument(`[${option}] parameter cannot be negative, found [${number}]`);
  return number;
};

const decimal: OptionReader<number> = (value, { option }) => {
  const number = Number(value);
  if (!Number.isFinite(number)) throw parsingError(`[${option}] takes a number, found [${String(value)}]`);
  return number;
};

/** @throws EsError for a number: hits are counted to the end */
const terminateAfter: OptionReader<number> = (value, place) => {
  const number = natural(value, place);
  if (number > 0) throw illegalArgument('[terminate_after] is not supported: all documents are looked at');
  return number;
};

const totals: OptionReader<boolean | number> = (value) => {
  if (value === true || value === 'true') return true;
  if (value === false || value === 'false') return false;
  const number = Number(value);
  if (!Number.isInteger(number)) {
    throw parsingError(`[track_total_hits] takes a boolean or a whole number, found [${String(value)}]`);
  }
  if (number < -1) {
    throw illegalArgument(`[track_total_hits] parameter must be positive or equals to -1, got ${number}`);
  }
  return number === -1 ? true : number;
};

const afterReader: OptionReader<readonly unknown[]> = (value) => {
  if (!Array.isArray(value)) throw parsingError('[search_after] takes an array of values');
  if (value.length === 0) throw illegalArgument('Values must contains at least one value.');
  return value;
};

const boosts: OptionReader<SearchBody['boosts']> = (value) =>
  [value].flat().flatMap((entry: unknown) => {
    if (!isObject(entry)) throw parsingError('[indices_boost] takes objects of an index and its boost');
    return Object.entries(entry).map(([pattern, boost]) => {
      if (typeof boost !== 'number') throw parsingError('[indices_boost] takes a number for each index');
      return [pattern, boost] as const;
    });
  });

function sortKeys(json: unknown): readonly SortKey[] {
  const keys = json === undefined ? [] : parseSort(json);
  const [first] = keys;
  // An order by the score alone is the order that there is anyway.
  return keys.length === 1 && first?.field === SCORE && first.order === 'desc' ? [] : keys;
}

/** @throws EsError for a format that is no text */
function sortFormats(json: unknown): ReadonlyMap<string, string> {
  const formats = new Map<string, string>();
  for (const entry of [json].flat()) {
    for (const [field, options] of Object.entries(isObject(entry) ? entry : {})) {
      if (!isObject(options) || options.format === undefined || options.format === null) continue;
      if (typeof options.format !== 'string') throw parsingError('[format] of a sort key takes a text');
      formats.set(field, options.format);
    }
  }
  return formats;
}

/** @throws EsError for values that can't be those of the sort keys */
function checkAfter({ after, sort, from }: SearchBody): void {
  if (after === undefined) return;
  if (sort.length === 0) throw illegalArgument('Sort must contain at least one field.');
  if (from > 0) throw illegalArgument('`from` parameter must be set to 0 when `search_after` is used');
  if (after.length !== sort.length) {
    throw illegalArgument(`search_after has ${after.length} value(s) but sort has ${sort.length}.`);
  }
}

/**
 * Reads the body of a search.
 * @param json - undefined for none
 * @throws EsError or QueryError for what is no such body or asks for what is not there
 */
export function readSearchBody(json: unknown): SearchBody {
  if (json !== undefined && !isObject(json))
    throw parsingError('Expected [START_OBJECT] as body of a search');
  const body: JsonObject = json ?? {};
  for (const name of Object.keys(body)) {
    const reason = refused.get(name);
    if (reason !== undefined) throw illegalArgument(`[${name}] is not supported: ${reason}`);
  }
  const { query, post_filter: postFilter, sort, _source: source, ...rest } = body;
  const options = new Options('search', rest);
  const storedFields = options.read('stored_fields', texts);
  const filter = readSourceFilter(source);
  const read: SearchBody = {
    query,
    postFilter,
    sort: sortKeys(sort),
    sortFormats: sortFormats(sort),
    from: options.read('from', natural) ?? 0,
    size: options.read('size', natural) ?? DEFAULT_SIZE,
    after: options.read('search_after', afterReader),
    totals: options.read('track_total_hits', totals) ?? true,
    scores: options.read('track_scores', flag) ?? false,
    minScore: options.read('min_score', decimal),
    source: source === undefined && storedFields?.includes('_source') === false ? false : filter,
    version: options.read('version', flag) ?? false,
    seqNo: options.read('seq_no_primary_term', flag) ?? false,
    boosts: options.read('indices_boost', boosts) ?? [],
  };
  options.read('terminate_after', terminateAfter);
  options.ignore(...passedOver);
  const [unknown] = options.rest();
  if (unknown !== undefined) throw new QueryError(`unknown key [${unknown}] in the body of a search`);
  checkAfter(read);
  return read;
}
