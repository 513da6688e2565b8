// A search of several indexes: each is asked, and what they found is put together.

import { isObject } from '../../shared/is-object.ts';
import { analyze, normalise } from '../../worker/provider/search/analysis/standard.ts';
import { byCodePoint } from '../../worker/provider/search/engine/code-points.ts';
import { fitsPattern, isPattern } from '../../worker/provider/search/fields.ts';
import type { SortKey } from '../../worker/provider/search/parse/index.ts';
import { shortFloat } from '../../worker/provider/short-float.ts';
import { type Cause, EsError, noSuchIndex, ShardError, searchError } from './es-error.ts';
import type { Facade } from './facade.ts';
import { type JsonObject, readJson } from './json.ts';
import { checkLimited, queryLookup } from './lookup.ts';
import { readMapping } from './mapping.ts';
import type { SearchBody } from './search-body.ts';
import { type FoundDocument, type FoundDocuments, searchIndex } from './search-index.ts';
import type { ToldValue } from './sort-values.ts';
import { filterSource } from './source-filter.ts';
import type { KeptDocument, KeptIndex } from './store.ts';

/** A dynamic mapping has more fields than one that was thought of: a query on all of them has more clauses too. */
const MAX_CLAUSES = 8192;

/** What one index complains of. */
interface Failure {
  index: string;
  cause: Cause;
}

interface PlacedDocument extends FoundDocument {
  index: string;
}

async function searchOne(facade: Facade, kept: KeptIndex, body: SearchBody): Promise<FoundDocuments> {
  const mapping = readMapping(kept.mapping, kept.settings);
  checkLimited([body.query, body.postFilter, body.sort], mapping);
  const context = {
    mapping: queryLookup(mapping),
    now: facade.edges.now,
    analyze,
    normalise,
    maxClauses: MAX_CLAUSES,
  };
  const [, boost = 1] = body.boosts.find(([pattern]) => fitsPattern(kept.name, pattern)) ?? [];
  return searchIndex(facade.engine, kept.name, context, body, boost);
}

/** Numbers that JSON has no digits for are told as texts. */
const isText = (value: ToldValue): boolean => typeof value === 'string' && !/^-?Infinity$/.test(value);
const number = (value: ToldValue): number | bigint => (typeof value === 'bigint' ? value : Number(value));

/** The order of two values of a sort key, before it is turned around. */
function compareValues(a: ToldValue, b: ToldValue): number {
  if (isText(a) || isText(b)) return byCodePoint(String(a), String(b));
  const [first, second] = [number(a), number(b)];
  return first < second ? -1 : first > second ? 1 : 0;
}

function compareKey(key: SortKey, a: ToldValue, b: ToldValue): number {
  if (a === null || b === null) {
    const missing = Number(a === null) - Number(b === null);
    return key.missing === '_first' ? -missing : missing;
  }
  return key.order === 'asc' ? compareValues(a, b) : -compareValues(a, b);
}

function compare(keys: readonly SortKey[], a: FoundDocument, b: FoundDocument): number {
  if (keys.length === 0) return (b.score ?? 0) - (a.score ?? 0);
  for (const [at, key] of keys.entries()) {
    const order = compareKey(key, a.sort?.[at] ?? null, b.sort?.[at] ?? null);
    if (order !== 0) return order;
  }
  return 0;
}

/** @throws EsError for a boost of an index that is not there */
function checkBoosts({ boosts }: SearchBody, names: readonly string[], ignoreUnavailable: boolean): void {
  const missing = boosts.find(([name]) => !isPattern(name) && !names.includes(name));
  if (missing !== undefined && !ignoreUnavailable) throw noSuchIndex(missing[0]);
}

function allFailed(failures: readonly Failure[]): EsError {
  const [first] = failures;
  return new EsError(400, 'search_phase_execution_exception', 'all shards failed', {
    root_cause: failures.map(({ index, cause }) => ({ ...cause, index })),
    phase: 'query',
    grouped: true,
    failed_shards: failures.map(failedShard),
    ...(first === undefined ? {} : { caused_by: first.cause }),
  });
}

function failedShard({ index, cause }: Failure): JsonObject {
  return { shard: 0, index, node: 'es-facade', reason: { ...cause, index } };
}

function toldHit(hit: PlacedDocument, kept: KeptDocument | undefined, body: SearchBody): JsonObject {
  const { source: filter, version, seqNo } = body;
  const source: unknown = kept === undefined || filter === false ? undefined : readJson(kept.source);
  return {
    _index: hit.index,
    _id: hit.id,
    ...(version ? { _version: kept?.version } : {}),
    ...(seqNo ? { _seq_no: kept?.seqNo, _primary_term: 1 } : {}),
    _score: hit.score === null ? null : shortFloat(hit.score),
    ...(kept?.routing === undefined ? {} : { _routing: kept.routing }),
    ...(kept !== undefined && kept.ignored.length > 0 ? { _ignored: kept.ignored } : {}),
    ...(source === undefined
      ? {}
      : { _source: typeof filter === 'object' ? filterSource(source, filter) : source }),
    ...(hit.sort === undefined ? {} : { sort: hit.sort }),
  };
}

async function toldHits(
  facade: Facade,
  hits: readonly PlacedDocument[],
  body: SearchBody,
): Promise<JsonObject[]> {
  const kept = new Map<string, ReadonlyMap<string, KeptDocument>>();
  for (const [index, some] of Map.groupBy(hits, (hit) => hit.index)) {
    kept.set(
      index,
      await facade.store.documents(
        index,
        some.map(({ id }) => id),
      ),
    );
  }
  return hits.map((hit) => toldHit(hit, kept.get(hit.index)?.get(hit.id), body));
}

function toldTotal(total: number, totals: SearchBody['totals'], asInt: boolean): unknown {
  if (asInt) return totals === false ? -1 : total;
  if (totals === false) return undefined;
  const most = totals === true ? Number.POSITIVE_INFINITY : totals;
  return { value: Math.min(total, most), relation: total > most ? 'gte' : 'eq' };
}

/** What a request says beside the body of its search. */
export interface SearchOptions {
  /** `hits.total` as a number. */
  totalAsInt: boolean;
  ignoreUnavailable: boolean;
}

/**
 * Searches indexes.
 * @returns the answer of `_search`
 * @throws EsError
 */
export async function searchAll(
  facade: Facade,
  indexes: readonly KeptIndex[],
  body: SearchBody,
  options: SearchOptions,
): Promise<JsonObject> {
  const started = facade.edges.now();
  checkBoosts(
    body,
    (await facade.store.indexes()).map(({ name }) => name),
    options.ignoreUnavailable,
  );
  const { from, size } = body;
  // Of several indexes each one may have the whole page.
  const asked = indexes.length > 1 ? { ...body, from: 0, size: from + size } : body;
  const found: { index: string; documents: FoundDocuments }[] = [];
  const failures: Failure[] = [];
  for (const kept of indexes) {
    try {
      found.push({ index: kept.name, documents: await searchOne(facade, kept, asked) });
    } catch (error) {
      const told = searchError(error);
      if (!(told instanceof ShardError)) throw told ?? error;
      failures.push({ index: kept.name, cause: told.details });
    }
  }
  if (found.length === 0 && failures.length > 0) throw allFailed(failures);
  const placed = found.flatMap(({ index, documents }) => documents.hits.map((hit) => ({ ...hit, index })));
  const page =
    indexes.length > 1 ? placed.sort((a, b) => compare(body.sort, a, b)).slice(from, from + size) : placed;
  const scores = found.flatMap(({ documents }) => documents.maxScore ?? []);
  const total = toldTotal(
    found.reduce((sum, { documents }) => sum + documents.total, 0),
    body.totals,
    options.totalAsInt,
  );
  return {
    took: facade.edges.now() - started,
    timed_out: false,
    _shards: {
      total: indexes.length,
      successful: found.length,
      skipped: 0,
      failed: failures.length,
      ...(failures.length === 0 ? {} : { failures: failures.map(failedShard) }),
    },
    hits: {
      ...(total === undefined ? {} : { total }),
      max_score: scores.length === 0 ? null : shortFloat(Math.max(...scores)),
      hits: await toldHits(facade, page, body),
    },
  };
}

/** Whether a body asks for nothing but a query, as `_count` does. @throws EsError */
export function countBody(json: unknown): JsonObject {
  if (json === undefined) return { size: 0 };
  if (!isObject(json))
    throw new EsError(400, 'parsing_exception', 'Expected [START_OBJECT] as body of a count');
  const { query, ...rest } = json;
  const [unknown] = Object.keys(rest);
  if (unknown !== undefined)
    throw new EsError(400, 'parsing_exception', `request does not support [${unknown}]`);
  return { query, size: 0, sort: ['_doc'] };
}
