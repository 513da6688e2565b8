// One search of one index: from the body of a search to calls of the engine, and from what it found to hits.
import type { Hit, SearchEngine, SearchRequest } from '../../worker/sandbox/search/engine/engine.ts';
import type { SortKey as EngineKey } from '../../worker/sandbox/search/engine/sort/sort.ts';
import {
  type ParseContext,
  parseQuery,
  SCORE,
  type SortKey,
} from '../../worker/sandbox/search/parse/index.ts';
import type { Query } from '../../worker/sandbox/search/query.ts';
import { illegalArgument, ShardError } from './es-error.ts';
import type { SearchBody } from './search-body.ts';
import { type PlannedKey, sortKind, type ToldValue, takenValue, toldValue } from './sort-values.ts';

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

const NO_FIELD_DATA =
  'Text fields are not optimised for operations that require per-document field data like aggregations and sorting, so these operations are disabled by default. Please use a keyword field instead.';

const refuse = (reason: string): ShardError => new ShardError(400, 'illegal_argument_exception', reason);

/** @throws ShardError for what an index can't be sorted by */
function planKey(key: SortKey, { mapping }: ParseContext, format: string | undefined): PlannedKey {
  if (key.field === SCORE) return { key, kind: 'score', field: undefined, format };
  if (key.field === DOC) return { key, kind: 'whole', field: undefined, format };
  if (key.field === '_id')
    throw illegalArgument('sort by [_id] is not supported: sort by a field of the documents');
  const field = mapping.getField(key.field);
  if (field === undefined) {
    if (key.unmappedType !== undefined) return { key, kind: 'keyword', field, format };
    const reason = `No mapping found for [${key.field}] in order to sort on`;
    throw new ShardError(400, 'query_shard_exception', reason);
  }
  const { property } = field;
  if (property.type === 'text') throw refuse(NO_FIELD_DATA);
  if (property.type === 'binary' || ('index' in property && property.index === false))
    throw refuse(`Can't sort by [${key.field}]: its values are stored, not indexed`);
  return { key, kind: sortKind(field), field, format };
}

/** A sort key in the engine's form, with the value for documents that have none. */
function engineKey(planned: PlannedKey): EngineKey {
  const { field, order, missing, mode } = planned.key;
  const engine: EngineKey = { field: planned.field?.path ?? field, order };
  if (mode !== undefined) engine.mode = mode;
  if (missing === '_first' || missing === '_last') engine.missing = missing;
  else if (missing !== undefined)
    engine.missing = takenValue({ ...planned, format: undefined }, missing) ?? missing;
  return engine;
}

function readQuery({ query, postFilter }: SearchBody, context: ParseContext, boost: number): Query {
  const all: Query = { kind: 'all', boost: 1 };
  const main = query === undefined || query === null ? all : parseQuery(query, context);
  const boosted = boost === 1 || main.kind === 'none' ? main : { ...main, boost: main.boost * boost };
  if (postFilter === undefined || postFilter === null) return boosted;
  const filter = [parseQuery(postFilter, context)];
  return { kind: 'bool', must: [boosted], should: [], filter, mustNot: [], minimumShouldMatch: 0, boost: 1 };
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
  const { from, size, minScore, after } = body;
  if (from + size > LONGEST_WINDOW)
    throw refuse(
      `Result window is too large, from + size must be less than or equal to: [${LONGEST_WINDOW}] but was [${from + size}]. See the scroll api for a more efficient way to request large data sets. This limit can be set by changing the [index.max_result_window] index level setting.`,
    );
  const query = readQuery(body, context, boost);
  const keys = body.sort.map((key) => planKey(key, context, body.sortFormats.get(key.field)));
  const bestFirst = keys.length === 0;
  const scores = bestFirst || body.scores || keys.some(({ kind }) => kind === 'score');
  const request: SearchRequest = {
    query,
    sort: keys.map(engineKey),
    from,
    size,
    scores: scores || minScore !== undefined,
    ...(after && { after: keys.map((key, at) => takenValue(key, after[at])) }),
  };
  const found =
    minScore === undefined
      ? await engine.search(index, request)
      : await searchAbove(engine, index, request, minScore);
  const [first] = keys;
  const wantsBest = bestFirst || body.scores || (first?.kind === 'score' && first.key.order === 'desc');
  return {
    total: found.total,
    maxScore: wantsBest && size > 0 && found.total > 0 ? await bestScore(engine, index, query) : null,
    hits: found.hits.map(({ id, score, sort }) => ({
      id,
      score: scores ? score : null,
      sort: bestFirst ? undefined : keys.map((key, at) => toldValue(key, sort[at] ?? null)),
    })),
  };
}

async function bestScore(engine: SearchEngine, index: string, query: Query): Promise<number | null> {
  const { hits } = await engine.search(index, { query, size: 1 });
  return hits[0]?.score ?? null;
}

/** Searches for hits that have a least score: the engine gives all, so that they can be counted. */
async function searchAbove(
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
