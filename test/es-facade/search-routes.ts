// The paths that search and count.
import { isObject } from '../../shared/lib/is-object.ts';
import { parseJson } from './answers.ts';
import { bodyLines } from './bulk.ts';
import { formError, illegalArgument, parsingError, searchError } from './es-error.ts';
import type { Facade } from './facade.ts';
import type { JsonObject } from './json.ts';
import { Parameters, searchMembers } from './parameters.ts';
import { type Call, namedIndexes, type Route } from './route.ts';
import { searchAll } from './search-all.ts';
import { readSearchBody, type SearchBody } from './search-body.ts';

/** @throws EsError or QueryError for what is no body of a search */
function readSearch(json: unknown, parameters: Parameters): SearchBody {
  const members = searchMembers(parameters);
  const body = readSearchBody(json === undefined || isObject(json) ? { ...json, ...members } : json);
  if (parameters.flag('rest_total_hits_as_int') && typeof body.totals === 'number')
    throw illegalArgument(
      `[rest_total_hits_as_int] cannot be used if the tracking of total hits is not accurate, got ${body.totals}`,
    );
  return body;
}

function search(
  facade: Facade,
  expression: string | undefined,
  body: SearchBody,
  parameters: Parameters,
): Promise<JsonObject> {
  return searchAll(facade, namedIndexes(facade, expression, parameters), body, {
    totalAsInt: parameters.flag('rest_total_hits_as_int'),
    ignoreUnavailable: parameters.flag('ignore_unavailable'),
  });
}

async function count(call: Call): Promise<JsonObject> {
  const { query, ...rest } = await call.object();
  const [unknown] = Object.keys(rest);
  if (unknown !== undefined) throw parsingError(`request does not support [${unknown}]`);
  const members = { ...searchMembers(call.parameters), size: 0, sort: ['_doc'] };
  const body = readSearchBody({ query, ...members });
  const options = { totalAsInt: true, ignoreUnavailable: false };
  const { hits, _shards } = await searchAll(call.facade, call.indexes(), body, options);
  return { count: isObject(hits) ? hits.total : 0, _shards };
}

/** One search of `_msearch`: what its header names goes before what the request's address says. */
function readHeader(json: unknown, call: Call): { expression: string | undefined; parameters: Parameters } {
  if (!isObject(json)) throw formError('a header of [_msearch] must be an object');
  const { index = call.index, ignore_unavailable: ignores } = json;
  const own = new URL(call.url);
  if (ignores !== undefined) own.searchParams.set('ignore_unavailable', String(ignores));
  const expression = index === undefined ? undefined : [index].flat().map(String).join(',');
  return { expression, parameters: new Parameters(own) };
}

async function searchMany(call: Call): Promise<JsonObject> {
  const { facade } = call;
  const started = facade.platform.now();
  const lines = bodyLines(await call.text(), 'msearch').filter((line) => line.trim() !== '');
  const searches = lines.flatMap((line, at) => {
    if (at % 2 === 1) return [];
    const header = readHeader(parseJson(line), call);
    return { ...header, body: readSearch(parseJson(lines[at + 1] ?? ''), header.parameters) };
  });
  const responses: JsonObject[] = [];
  for (const { expression, body, parameters } of searches) {
    try {
      responses.push({ ...(await search(facade, expression, body, parameters)), status: 200 });
    } catch (error) {
      const told = searchError(error);
      if (told === undefined) throw error;
      responses.push(told.body);
    }
  }
  return { took: facade.platform.now() - started, responses };
}

/** The paths of searches. */
export const searchRoutes: readonly Route[] = [
  [
    'GET POST',
    '/_search /:index/_search',
    async (call) =>
      search(call.facade, call.index, readSearch(await call.json(), call.parameters), call.parameters),
  ],
  ['GET POST', '/_count /:index/_count', count],
  ['GET POST', '/_msearch /:index/_msearch', searchMany],
];
