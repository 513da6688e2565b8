// Routes that search and count, over one index or several.
import { isObject } from '../../shared/lib/is-object.ts';
import { analyze, lowerCase } from '../../worker/sandbox/search/analysis/standard.ts';
import { compareCodePoints } from '../../worker/sandbox/search/engine/codec/code-points.ts';
import type { SortKey } from '../../worker/sandbox/search/parse/index.ts';
import { toShortFloat } from '../../worker/sandbox/search/short-float.ts';
import { type Call, parseLine, type Route, selectIndexes, splitLines } from './call.ts';
import {
  type ErrorDetails,
  EsError,
  illegalArgument,
  parsingError,
  ShardError,
  toEsError,
} from './errors.ts';
import type { EsIndex, Facade } from './facade.ts';
import { type JsonObject, parseJson } from './json.ts';
import { createQueryLookup } from './mapping.ts';
import { Parameters, parseSearchParameters } from './parameters.ts';
import { parseSearchBody, type SearchBody } from './search-body.ts';
import { type FoundDocument, type FoundDocuments, type SortValue, searchIndex } from './search-index.ts';
import { filterSource } from './source-filter.ts';

/** Higher than the provider's limit: a dynamic mapping can have many fields, and a query on all fields has as many clauses. */
const MAX_CLAUSES = 8192;

interface IndexHit extends FoundDocument {
  index: EsIndex;
}

function searchOne({ engine, platform }: Facade, index: EsIndex, body: SearchBody): Promise<FoundDocuments> {
  const mapping = createQueryLookup(index.mapping);
  const context = { mapping, now: platform.now, analyze, lowerCase, maxClauses: MAX_CLAUSES };
  return searchIndex(engine, index.name, context, body);
}

/** Infinite numbers are texts in responses. */
const isText = (value: SortValue): boolean => typeof value === 'string' && !/^-?Infinity$/.test(value);
const toNumber = (value: SortValue): number | bigint => (typeof value === 'bigint' ? value : Number(value));

function compareValues({ order, missing }: SortKey, a: SortValue, b: SortValue): number {
  if (a === null || b === null) {
    const nullsLast = Number(a === null) - Number(b === null);
    return missing === '_first' ? -nullsLast : nullsLast;
  }
  const [first, second] = order === 'asc' ? [a, b] : [b, a];
  if (isText(a) || isText(b)) return compareCodePoints(String(first), String(second));
  return Number(toNumber(first) > toNumber(second)) - Number(toNumber(first) < toNumber(second));
}

function compareHits(keys: readonly SortKey[], a: FoundDocument, b: FoundDocument): number {
  if (keys.length === 0) return (b.score ?? 0) - (a.score ?? 0);
  const orders = keys.map((key, at) => compareValues(key, a.sort?.[at] ?? null, b.sort?.[at] ?? null));
  return orders.find((order) => order !== 0) ?? 0;
}

function formatHit({ index, id, score, sort }: IndexHit, body: SearchBody): JsonObject {
  const document = index.documents.get(id);
  return {
    _index: index.name,
    _id: id,
    _score: score === null ? null : toShortFloat(score),
    _source: document === undefined ? undefined : filterSource(parseJson(document.source), body.source),
    sort,
  };
}

function formatTotal(total: number, trackTotal: SearchBody['trackTotal'], asInteger: boolean): unknown {
  if (asInteger) return trackTotal === false ? -1 : total;
  if (trackTotal === false) return undefined;
  const limit = trackTotal === true ? Number.POSITIVE_INFINITY : trackTotal;
  return { value: Math.min(total, limit), relation: total > limit ? 'gte' : 'eq' };
}

/** Searches indexes and merges their hits. @throws EsError */
async function searchAll(
  facade: Facade,
  indexes: readonly EsIndex[],
  body: SearchBody,
  totalAsInteger: boolean,
): Promise<JsonObject> {
  const { from, size, sort, trackTotal } = body;
  // Each of several indexes may contain the whole page.
  const isMerged = indexes.length > 1;
  const found: FoundDocuments[] = [];
  const hits: IndexHit[] = [];
  const errors: ErrorDetails[] = [];
  for (const index of indexes) {
    try {
      const documents = await searchOne(
        facade,
        index,
        isMerged ? { ...body, from: 0, size: from + size } : body,
      );
      found.push(documents);
      hits.push(...documents.hits.map((hit) => ({ ...hit, index })));
    } catch (error) {
      const known = toEsError(error);
      if (!(known instanceof ShardError)) throw known ?? error;
      errors.push({ ...known.details, index: index.name });
    }
  }
  const failures = errors.map((reason) => ({ shard: 0, index: reason.index, node: 'es-facade', reason }));
  if (found.length === 0 && errors.length > 0) {
    const details = { root_cause: errors, phase: 'query', grouped: true, failed_shards: failures };
    throw new EsError(400, 'search_phase_execution_exception', 'all shards failed', {
      ...details,
      caused_by: errors[0],
    });
  }
  const page = isMerged ? hits.sort((a, b) => compareHits(sort, a, b)).slice(from, from + size) : hits;
  const scores = found.flatMap(({ maxScore }) => maxScore ?? []);
  const total = found.reduce((sum, documents) => sum + documents.total, 0);
  return {
    took: 0,
    timed_out: false,
    _shards: {
      total: indexes.length,
      successful: found.length,
      skipped: 0,
      failed: errors.length,
      ...(errors.length > 0 && { failures }),
    },
    hits: {
      total: formatTotal(total, trackTotal, totalAsInteger),
      max_score: scores.length === 0 ? null : toShortFloat(Math.max(...scores)),
      hits: page.map((hit) => formatHit(hit, body)),
    },
  };
}

function search(facade: Facade, json: unknown, parameters: Parameters, index?: string): Promise<JsonObject> {
  const members = parseSearchParameters(parameters);
  const body = parseSearchBody(json === undefined || isObject(json) ? { ...json, ...members } : json);
  const totalAsInteger = parameters.getFlag('rest_total_hits_as_int');
  if (totalAsInteger && typeof body.trackTotal === 'number')
    throw illegalArgument(
      `[rest_total_hits_as_int] cannot be used if the tracking of total hits is not accurate, got ${body.trackTotal}`,
    );
  return searchAll(facade, selectIndexes(facade, index, parameters), body, totalAsInteger);
}

/** Runs the searches of `_msearch`. The members of a search's header replace those of the request. */
async function searchMany(call: Call): Promise<JsonObject> {
  const { facade, url, index } = call;
  const lines = splitLines(await call.readText(), 'msearch').filter((line) => line.trim() !== '');
  const responses: JsonObject[] = [];
  for (let at = 0; at < lines.length; at += 2) {
    const [header, body] = [parseLine(lines[at]), parseLine(lines[at + 1])];
    const { index: names = index, ignore_unavailable: ignored } = isObject(header) ? header : {};
    const searchUrl = new URL(url);
    if (ignored !== undefined) searchUrl.searchParams.set('ignore_unavailable', String(ignored));
    const expression = names === undefined ? undefined : [names].flat().join(',');
    try {
      const response = await search(facade, body, new Parameters(searchUrl), expression);
      responses.push({ ...response, status: 200 });
    } catch (error) {
      const known = toEsError(error);
      if (known === undefined) throw error;
      responses.push(known.body);
    }
  }
  return { took: 0, responses };
}

async function count(call: Call): Promise<JsonObject> {
  const { query, ...others } = await call.readObject();
  const [unknown] = Object.keys(others);
  if (unknown !== undefined) throw parsingError(`request does not support [${unknown}]`);
  const members = { ...parseSearchParameters(call.parameters), size: 0, sort: ['_doc'] };
  const body = parseSearchBody({ query, ...members });
  const { hits, _shards } = await searchAll(call.facade, call.getIndexes(), body, true);
  return { count: isObject(hits) ? hits.total : 0, _shards };
}

/** Routes of searches. */
export const searchRoutes: readonly Route[] = [
  [
    'GET POST',
    '/_search /:index/_search',
    async (call) => search(call.facade, await call.readJson(), call.parameters, call.index),
  ],
  ['GET POST', '/_msearch /:index/_msearch', searchMany],
  ['GET POST', '/_count /:index/_count', count],
];
