// Searches one index: converts a search body to a search of the engine, and its sort values to Elasticsearch's.
import { getDateFormat, parseDate } from '../../worker/sandbox/search/dates.ts';
import type { SearchEngine, SearchRequest } from '../../worker/sandbox/search/engine/engine.ts';
import type {
  SortKey as EngineKey,
  SortValue as EngineValue,
} from '../../worker/sandbox/search/engine/sort/sort.ts';
import type { MappedField, Property } from '../../worker/sandbox/search/mapping.ts';
import {
  type ParseContext,
  parseQuery,
  SCORE,
  type SortKey,
} from '../../worker/sandbox/search/parse/index.ts';
import type { Query } from '../../worker/sandbox/search/query.ts';
import { toShortFloat } from '../../worker/sandbox/search/short-float.ts';
import { ValueError } from '../../worker/sandbox/search/value-error.ts';
import { illegalArgument, ShardError } from './errors.ts';
import type { SearchBody } from './search-body.ts';

/** A value of a sort key in a response. */
export type SortValue = string | number | bigint | null;

/** A matching document. */
export interface FoundDocument {
  id: string;
  /** Null if the search didn't need scores. */
  score: number | null;
  /** Undefined if hits are sorted by score alone. */
  sort: readonly SortValue[] | undefined;
}

/** The matches in one index. */
export interface FoundDocuments {
  /** The exact number of matches. */
  total: number;
  /** The best score of all matches, not only of the page; null if the search didn't need scores. */
  maxScore: number | null;
  hits: readonly FoundDocument[];
}

type SortType = 'score' | 'integer' | 'real' | 'date' | 'boolean' | 'keyword';

interface ResolvedKey {
  key: SortKey;
  type: SortType;
  /** Undefined for the score and for unmapped fields. */
  field: MappedField | undefined;
}

const MAX_WINDOW = 10_000;
const MAX_LONG = 2n ** 63n - 1n;
const MIN_LONG = -(2n ** 63n);
const INTEGER = /^[+-]?\d{1,19}$/;
const NO_FIELD_DATA =
  'Text fields are not optimised for operations that require per-document field data like aggregations and sorting, so these operations are disabled by default. Please use a keyword field instead.';

const sortTypes: Readonly<Partial<Record<Property['type'], SortType>>> = {
  keyword: 'keyword',
  boolean: 'boolean',
  date: 'date',
  float: 'real',
  double: 'real',
};

const createShardError = (reason: string): ShardError =>
  new ShardError(400, 'illegal_argument_exception', reason);

/** @throws ShardError for a field that can't be sorted by */
function resolveKey(key: SortKey, { mapping }: ParseContext): ResolvedKey {
  if (key.field === SCORE) return { key, type: 'score', field: undefined };
  if (key.field === '_doc') return { key, type: 'integer', field: undefined };
  if (key.field === '_id')
    throw illegalArgument('sort by [_id] is not supported: sort by a field of the documents');
  const field = mapping.getField(key.field);
  if (field === undefined) {
    if (key.unmappedType !== undefined) return { key, type: 'keyword', field };
    const reason = `No mapping found for [${key.field}] in order to sort on`;
    throw new ShardError(400, 'query_shard_exception', reason);
  }
  const { property } = field;
  if (property.type === 'text') throw createShardError(NO_FIELD_DATA);
  if (property.type === 'binary' || ('index' in property && property.index === false))
    throw createShardError(`Can't sort by [${key.field}]: its values are stored, not indexed`);
  return { key, type: sortTypes[property.type] ?? 'integer', field };
}

/** Returns the sort value of documents without a value: the lowest or highest of its type. */
function getMissingValue({ key: { missing, order }, type }: ResolvedKey): SortValue {
  if (type === 'keyword') return null;
  const isHighest = (missing === '_first') === (order === 'desc');
  if (type === 'real' || type === 'score') return isHighest ? 'Infinity' : '-Infinity';
  return isHighest ? MAX_LONG : MIN_LONG;
}

/** Converts a sort value of the engine to one of a response. */
function toSortValue(key: ResolvedKey, value: EngineValue): SortValue {
  if (value === null) return getMissingValue(key);
  if (key.type === 'boolean') return value === 'T' ? 1 : 0;
  if (key.type === 'score') return toShortFloat(Number(value));
  return key.type === 'integer' && typeof value === 'string' ? BigInt(value) : value;
}

const toNumber = (value: unknown): number => (String(value).trim() === '' ? Number.NaN : Number(value));

function toInteger(value: unknown): EngineValue | undefined {
  if (typeof value === 'number') return Math.trunc(value);
  if (!INTEGER.test(String(value))) return undefined;
  const integer = BigInt(String(value));
  return Number.isSafeInteger(Number(integer)) ? Number(integer) : String(integer);
}

function toInstant(value: unknown, { field }: ResolvedKey): EngineValue | undefined {
  if (typeof value === 'number' || typeof value === 'bigint') return Number(value);
  const format = field?.property.type === 'date' ? field.property.format : undefined;
  try {
    return parseDate(getDateFormat(format), String(value));
  } catch (error) {
    if (error instanceof ValueError) return undefined;
    throw error;
  }
}

const booleans: Readonly<Record<string, string>> = { true: 'T', 1: 'T', false: 'F', 0: 'F' };

const parsers: Readonly<Record<SortType, (value: unknown, key: ResolvedKey) => EngineValue | undefined>> = {
  // Restores the float whose shortest digits the response has.
  score: (value) => Math.fround(toNumber(value)),
  real: toNumber,
  integer: toInteger,
  date: toInstant,
  boolean: (value) => booleans[String(value)],
  keyword: String,
};

/** Converts a value of `search_after` or `missing` to one of the engine. @throws EsError for an invalid value */
function toEngineValue(key: ResolvedKey, value: unknown): EngineValue {
  if (value === null || value === undefined) return null;
  if (typeof value === 'object')
    throw illegalArgument(`Can't handle [search_after] field value of type object`);
  const missing = getMissingValue(key);
  if (missing !== null && String(missing) === String(value)) return null;
  const parsed = parsers[key.type](value, key);
  if (parsed === undefined || Number.isNaN(parsed))
    throw illegalArgument(`Failed to parse search_after value for field [${key.key.field}].`);
  return parsed;
}

function toEngineKey(resolved: ResolvedKey): EngineKey {
  const { field, order, missing, mode } = resolved.key;
  const engineKey: EngineKey = { field: resolved.field?.path ?? field, order };
  if (mode !== undefined) engineKey.mode = mode;
  if (missing === '_first' || missing === '_last') engineKey.missing = missing;
  else if (missing !== undefined) engineKey.missing = toEngineValue(resolved, missing) ?? missing;
  return engineKey;
}

function buildQuery({ query, postFilter }: SearchBody, context: ParseContext): Query {
  const all: Query = { kind: 'all', boost: 1 };
  const main = query === undefined || query === null ? all : parseQuery(query, context);
  if (postFilter === undefined || postFilter === null) return main;
  const filter = [parseQuery(postFilter, context)];
  return { kind: 'bool', must: [main], should: [], filter, mustNot: [], minimumShouldMatch: 0, boost: 1 };
}

/**
 * Searches one index.
 * @param context - its mapping and the parser's settings
 * @throws QueryError, PatternError, LimitError, EsError; ShardError for errors of this index alone
 */
export async function searchIndex(
  engine: SearchEngine,
  index: string,
  context: ParseContext,
  body: SearchBody,
): Promise<FoundDocuments> {
  const { from, size, after } = body;
  if (from + size > MAX_WINDOW)
    throw createShardError(
      `Result window is too large, from + size must be less than or equal to: [${MAX_WINDOW}] but was [${from + size}]. See the scroll api for a more efficient way to request large data sets. This limit can be set by changing the [index.max_result_window] index level setting.`,
    );
  const query = buildQuery(body, context);
  const keys = body.sort.map((key) => resolveKey(key, context));
  const byScore = keys.length === 0;
  const scores = byScore || body.trackScores || keys.some(({ type }) => type === 'score');
  const request: SearchRequest = {
    query,
    sort: keys.map(toEngineKey),
    from,
    size,
    scores,
    ...(after && { after: keys.map((key, at) => toEngineValue(key, after[at])) }),
  };
  const { total, hits } = await engine.search(index, request);
  const [first] = keys;
  const needsMaxScore =
    byScore || body.trackScores || (first?.type === 'score' && first.key.order === 'desc');
  const best = needsMaxScore && size > 0 ? await engine.search(index, { query, size: 1 }) : undefined;
  return {
    total,
    maxScore: best?.hits[0]?.score ?? null,
    hits: hits.map(({ id, score, sort }) => ({
      id,
      score: scores ? score : null,
      sort: byScore ? undefined : keys.map((key, at) => toSortValue(key, sort[at] ?? null)),
    })),
  };
}
