// One search of one index: from the body of a search to calls of the engine, and from what it found to hits.
import type { Hit, SearchEngine, SearchRequest } from '../../worker/provider/search/engine/engine.ts';
import type { SortKey as EngineKey } from '../../worker/provider/search/engine/sort.ts';
import type { MappedField } from '../../worker/provider/search/mapping.ts';
import {
  type ParseContext,
  parseQuery,
  SCORE,
  type SortKey,
} from '../../worker/provider/search/parse/index.ts';
import type { Query } from '../../worker/provider/search/tree.ts';
import { illegalArgument, ShardError } from './es-error.ts';
import type { SearchBody } from './search-body.ts';
import { type SortKind, sortKind, type ToldValue, takenValue, toldValue } from './sort-values.ts';

/** Hits that can be paged through by their number. */
const LONGEST_WINDOW = 10_000;
/** More hits than an index has. */
const ALL = 1_000_000;
const DOC = '_doc';

/** A document that was found. */
export interface FoundDocument {
  id: string;
  /** Null if nobody asked. */
  score: number | null;
  /** Its values of the sort keys; undefined where the best come first. */
  sort: readonly ToldValue[] | undefined;
}

/** What was found in one index. */
export interface FoundDocuments {
  /** Exact. */
  total: number;
  /** The best of all scores, not only of this page's; null where nobody asked. */
  maxScore: number | null;
  hits: readonly FoundDocument[];
}

/** A sort key with what its field is. */
interface PlannedKey {
  key: SortKey;
  kind: SortKind;
  field: MappedField | undefined;
  /** That its dates are told in. */
  format: string | undefined;
}

const NO_FIELD_DATA =
  'Text fields are not optimised for operations that require per-document field data like aggregations and sorting, so these operations are disabled by default. Please use a keyword field instead.';

/** @throws ShardError for what an index can't be sorted by */
function plannedKey(key: SortKey, { mapping }: ParseContext, format: string | undefined): PlannedKey {
  if (key.field === SCORE || key.field === DOC) {
    return { key, kind: key.field === SCORE ? 'score' : 'whole', field: undefined, format };
  }
  if (key.field === '_id')
    throw illegalArgument('sort by [_id] is not supported: sort by a field of the documents');
  const field = mapping.field(key.field);
  if (field === undefined) {
    if (key.unmappedType !== undefined) return { key, kind: 'keyword', field, format };
    const reason = `No mapping found for [${key.field}] in order to sort on`;
    throw new ShardError(400, 'query_shard_exception', reason);
  }
  const { property } = field;
  if (property.type === 'text') throw new ShardError(400, 'illegal_argument_exception', NO_FIELD_DATA);
  if (property.type === 'binary' || ('index' in property && property.index === false)) {
    const reason = `Can't sort by [${key.field}]: its values are stored, not indexed`;
    throw new ShardError(400, 'illegal_argument_exception', reason);
  }
  return { key, kind: sortKind(field), field, format };
}

/** The value that a sort key has for documents without one, in the engine's form. */
function engineKey({ key, kind, field }: PlannedKey): EngineKey {
  const { order, missing, mode } = key;
  const engine: EngineKey = { field: field?.path ?? key.field, order };
  if (mode !== undefined) engine.mode = mode;
  if (missing === '_first' || missing === '_last') engine.missing = missing;
  else if (missing !== undefined) engine.missing = takenValue(key, kind, field, missing) ?? missing;
  return engine;
}

function afterValues(keys: readonly PlannedKey[], { after }: SearchBody): SearchRequest['after'] {
  return (
    after && keys.map(({ key, kind, field, format }, at) => takenValue(key, kind, field, after[at], format))
  );
}

function readQuery({ query, postFilter }: SearchBody, context: ParseContext, boost: number): Query {
  const all: Query = { kind: 'all', boost: 1 };
  const main = query === undefined || query === null ? all : parseQuery(query, context);
  const boosted = boost === 1 || main.kind === 'none' ? main : { ...main, boost: main.boost * boost };
  if (postFilter === undefined || postFilter === null) return boosted;
  return {
    kind: 'bool',
    must: [boosted],
    should: [],
    filter: [parseQuery(postFilter, context)],
    mustNot: [],
    minimumShouldMatch: 0,
    boost: 1,
  };
}

/**
 * Searches one index.
 * @param context - its mapping, and how queries are read
 * @param boost - by what its scores are multiplied
 * @throws QueryError, PatternError, LimitError, EsError; ShardError for what this index alone complains of
 */
export async function searchIndex(
  engine: SearchEngine,
  index: string,
  context: ParseContext,
  body: SearchBody,
  boost = 1,
): Promise<FoundDocuments> {
  const { from, size, minScore } = body;
  if (from + size > LONGEST_WINDOW) {
    throw new ShardError(
      400,
      'illegal_argument_exception',
      `Result window is too large, from + size must be less than or equal to: [${LONGEST_WINDOW}] but was [${from + size}]. See the scroll api for a more efficient way to request large data sets. This limit can be set by changing the [index.max_result_window] index level setting.`,
    );
  }
  const query = readQuery(body, context, boost);
  const keys = body.sort.map((key) => plannedKey(key, context, body.sortFormats.get(key.field)));
  const bestFirst = keys.length === 0;
  const byScore = bestFirst || keys.some(({ kind }) => kind === 'score');
  const scores = byScore || body.scores;
  const after = afterValues(keys, body);
  const request: SearchRequest = {
    query,
    sort: keys.map(engineKey),
    from,
    size,
    scores: scores || minScore !== undefined,
    ...(after === undefined ? {} : { after }),
  };
  const found =
    minScore === undefined
      ? await engine.search(index, request)
      : await above(engine, index, request, minScore);
  const told = ({ id, score, sort }: Hit): FoundDocument => ({
    id,
    score: scores ? score : null,
    sort: bestFirst
      ? undefined
      : keys.map(({ key, kind, format }, at) => toldValue(key, kind, format, sort[at] ?? null)),
  });
  const wantsBest = size > 0 && (bestFirst || body.scores || isBestFirst(keys[0]));
  const first = bestFirst && from === 0 ? found.hits[0] : undefined;
  const maxScore =
    !wantsBest || found.total === 0 ? null : (first?.score ?? (await bestScore(engine, index, query)));
  return { total: found.total, maxScore, hits: found.hits.map(told) };
}

const isBestFirst = (planned: PlannedKey | undefined): boolean =>
  planned?.kind === 'score' && planned.key.order === 'desc';

async function bestScore(engine: SearchEngine, index: string, query: Query): Promise<number | null> {
  const { hits } = await engine.search(index, { query, size: 1 });
  return hits[0]?.score ?? null;
}

/** Searches for hits that have a least score: the engine gives all, so that they can be counted. */
async function above(
  engine: SearchEngine,
  index: string,
  request: SearchRequest,
  least: number,
): Promise<{ total: number; hits: Hit[] }> {
  const { from = 0, size, after, ...rest } = request;
  const isAbove = ({ score }: Hit): boolean => (score ?? 0) >= least;
  const all = await engine.search(index, { ...rest, size: ALL });
  const behind = after === undefined ? all : await engine.search(index, { ...rest, after, size: ALL });
  return {
    total: all.hits.filter(isAbove).length,
    hits: behind.hits.filter(isAbove).slice(from, from + size),
  };
}
