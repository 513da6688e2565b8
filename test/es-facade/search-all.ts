// A search of several indexes: each is asked, and what they found is put together.
import { analyze, lowerCase } from '../../worker/sandbox/search/analysis/standard.ts';
import { compareCodePoints } from '../../worker/sandbox/search/engine/codec/code-points.ts';
import { isPattern, matchesPattern } from '../../worker/sandbox/search/fields.ts';
import type { SortKey } from '../../worker/sandbox/search/parse/index.ts';
import { toShortFloat } from '../../worker/sandbox/search/short-float.ts';
import { type Cause, EsError, noSuchIndex, ShardError, searchError } from './es-error.ts';
import type { EsIndex, Facade } from './facade.ts';
import { type JsonObject, readJson } from './json.ts';
import { queryLookup } from './lookup.ts';
import { filterSource } from './path-filter.ts';
import type { SearchBody } from './search-body.ts';
import { type FoundDocument, type FoundDocuments, searchIndex } from './search-index.ts';
import type { ToldValue } from './sort-values.ts';

/** A dynamic mapping has more fields than one that was thought of: a query on all of them has more clauses too. */
const MAX_CLAUSES = 8192;

/** What a request says beside the body of its search. */
export interface SearchOptions {
  /** `hits.total` as a number. */
  totalAsInt: boolean;
  ignoreUnavailable: boolean;
}

interface PlacedDocument extends FoundDocument {
  index: EsIndex;
}

function searchOne({ engine, platform }: Facade, index: EsIndex, body: SearchBody): Promise<FoundDocuments> {
  const mapping = queryLookup(index.mapping);
  const limited = body.sort.find(({ field }) => index.mapping.limited.has(field));
  if (limited !== undefined)
    throw new ShardError(400, 'query_shard_exception', `can't sort by [${limited.field}]`);
  const context = { mapping, now: platform.now, analyze, lowerCase, maxClauses: MAX_CLAUSES };
  const [, boost = 1] = body.boosts.find(([pattern]) => matchesPattern(index.name, pattern)) ?? [];
  return searchIndex(engine, index.name, context, body, boost);
}

/** Numbers that JSON has no digits for are told as texts. */
const isText = (value: ToldValue): boolean => typeof value === 'string' && !/^-?Infinity$/.test(value);
const toNumber = (value: ToldValue): number | bigint => (typeof value === 'bigint' ? value : Number(value));

function compareKey({ order, missing }: SortKey, a: ToldValue, b: ToldValue): number {
  if (a === null || b === null) {
    const absent = Number(a === null) - Number(b === null);
    return missing === '_first' ? -absent : absent;
  }
  const [first, second] = order === 'asc' ? [a, b] : [b, a];
  if (isText(a) || isText(b)) return compareCodePoints(String(first), String(second));
  return Number(toNumber(first) > toNumber(second)) - Number(toNumber(first) < toNumber(second));
}

function compare(keys: readonly SortKey[], a: FoundDocument, b: FoundDocument): number {
  if (keys.length === 0) return (b.score ?? 0) - (a.score ?? 0);
  const orders = keys.map((key, at) => compareKey(key, a.sort?.[at] ?? null, b.sort?.[at] ?? null));
  return orders.find((order) => order !== 0) ?? 0;
}

function toldHit({ index, id, score, sort }: PlacedDocument, body: SearchBody): JsonObject {
  const { source: filter, version, seqNo } = body;
  const kept = index.documents.get(id);
  const source: unknown = kept === undefined || filter === false ? undefined : readJson(kept.source);
  return {
    _index: index.name,
    _id: id,
    ...(version && { _version: kept?.version }),
    ...(seqNo && { _seq_no: kept?.seqNo, _primary_term: 1 }),
    _score: score === null ? null : toShortFloat(score),
    _routing: kept?.routing,
    _ignored: kept?.ignored.length ? kept.ignored : undefined,
    _source: typeof filter === 'object' ? filterSource(source, filter) : source,
    sort,
  };
}

function toldTotal(total: number, totals: SearchBody['totals'], asInt: boolean): unknown {
  if (asInt) return totals === false ? -1 : total;
  if (totals === false) return undefined;
  const most = totals === true ? Number.POSITIVE_INFINITY : totals;
  return { value: Math.min(total, most), relation: total > most ? 'gte' : 'eq' };
}

/**
 * Searches indexes.
 * @returns the answer of `_search`
 * @throws EsError
 */
export async function searchAll(
  facade: Facade,
  indexes: readonly EsIndex[],
  body: SearchBody,
  { totalAsInt, ignoreUnavailable }: SearchOptions,
): Promise<JsonObject> {
  const started = facade.platform.now();
  const names = facade.indexes.map(({ name }) => name);
  const missing = body.boosts.find(([name]) => !isPattern(name) && !names.includes(name));
  if (missing !== undefined && !ignoreUnavailable) throw noSuchIndex(missing[0]);
  const { from, size, sort, totals } = body;
  // Of several indexes each one may have the whole page.
  const isMany = indexes.length > 1;
  const asked = isMany ? { ...body, from: 0, size: from + size } : body;
  const found: FoundDocuments[] = [];
  const placed: PlacedDocument[] = [];
  const failures: Cause[] = [];
  for (const index of indexes) {
    try {
      const documents = await searchOne(facade, index, asked);
      found.push(documents);
      placed.push(...documents.hits.map((hit) => ({ ...hit, index })));
    } catch (error) {
      const told = searchError(error);
      if (!(told instanceof ShardError)) throw told ?? error;
      failures.push({ ...told.details, index: index.name });
    }
  }
  const failed = failures.map((reason) => ({ shard: 0, index: reason.index, node: 'es-facade', reason }));
  if (found.length === 0 && failures.length > 0) {
    const more = { root_cause: failures, phase: 'query', grouped: true, failed_shards: failed };
    throw new EsError(400, 'search_phase_execution_exception', 'all shards failed', {
      ...more,
      caused_by: failures[0],
    });
  }
  const page = isMany ? placed.sort((a, b) => compare(sort, a, b)).slice(from, from + size) : placed;
  const scores = found.flatMap(({ maxScore }) => maxScore ?? []);
  const total = found.reduce((sum, documents) => sum + documents.total, 0);
  return {
    took: facade.platform.now() - started,
    timed_out: false,
    _shards: {
      total: indexes.length,
      successful: found.length,
      skipped: 0,
      failed: failures.length,
      ...(failed.length > 0 && { failures: failed }),
    },
    hits: {
      total: toldTotal(total, totals, totalAsInt),
      max_score: scores.length === 0 ? null : toShortFloat(Math.max(...scores)),
      hits: page.map((hit) => toldHit(hit, body)),
    },
  };
}
