// The paths that search and count.
import { Hono } from 'hono';
import { isObject } from '../../shared/is-object.ts';
import { answer, bodyJson, bodyText, jsonOf } from './answers.ts';
import { bodyLines } from './bulk.ts';
import { EsError, searchError } from './es-error.ts';
import type { Facade, FacadeRoutes } from './facade.ts';
import { namedIndexes } from './index-routes.ts';
import type { JsonObject } from './json.ts';
import { checkTotals, Parameters, searchMembers } from './parameters.ts';
import { countBody, searchAll } from './search-all.ts';
import { readSearchBody, type SearchBody } from './search-body.ts';

const METHODS = ['GET', 'POST'];

/** @throws EsError or QueryError for what is no body of a search */
function readSearch(json: unknown, parameters: Parameters): SearchBody {
  const members = searchMembers(parameters);
  const body = readSearchBody(json === undefined || isObject(json) ? { ...json, ...members } : json);
  checkTotals(parameters.flag('rest_total_hits_as_int'), body.totals);
  return body;
}

async function search(
  facade: Facade,
  expression: string | undefined,
  body: SearchBody,
  parameters: Parameters,
): Promise<JsonObject> {
  const indexes = await namedIndexes(facade, expression, parameters);
  return searchAll(facade, indexes, body, {
    totalAsInt: parameters.flag('rest_total_hits_as_int'),
    ignoreUnavailable: parameters.flag('ignore_unavailable'),
  });
}

async function count(
  facade: Facade,
  expression: string | undefined,
  json: unknown,
  parameters: Parameters,
): Promise<JsonObject> {
  const body = readSearchBody({ ...countBody(json), ...searchMembers(parameters) });
  const indexes = await namedIndexes(facade, expression, parameters);
  const { hits, _shards } = await searchAll(facade, indexes, body, {
    totalAsInt: true,
    ignoreUnavailable: false,
  });
  return { count: isObject(hits) ? hits.total : 0, _shards };
}

/** The indexes that a header's line of `_msearch` names. */
function expressionOf(header: unknown, path: string | undefined): string | undefined {
  if (!isObject(header))
    throw new EsError(400, 'parse_exception', 'a header of [_msearch] must be an object');
  const { index = path } = header;
  return index === undefined ? undefined : [index].flat().map(String).join(',');
}

/** The parameters of one search of `_msearch`: those of the request, but for what its header says. */
function headerParameters(header: unknown, url: URL): Parameters {
  const own = new URL(url);
  const ignores = isObject(header) ? header.ignore_unavailable : undefined;
  if (ignores !== undefined) own.searchParams.set('ignore_unavailable', String(ignores));
  return new Parameters(own, 'msearch');
}

async function searchMany(
  facade: Facade,
  path: string | undefined,
  text: string,
  url: URL,
): Promise<JsonObject> {
  const started = facade.edges.now();
  const lines = bodyLines(text, 'msearch').filter((line) => line.trim() !== '');
  const searches: { expression: string | undefined; body: SearchBody; parameters: Parameters }[] = [];
  for (let at = 0; at < lines.length; at += 2) {
    const header = jsonOf(lines[at] ?? '');
    const parameters = headerParameters(header, url);
    const body = readSearch(jsonOf(lines[at + 1] ?? ''), parameters);
    searches.push({ expression: expressionOf(header, path), body, parameters });
  }
  const responses: JsonObject[] = [];
  for (const { expression, body, parameters } of searches) {
    try {
      const found = await search(facade, expression, body, parameters);
      responses.push({ ...found, status: 200 });
    } catch (error) {
      const told = searchError(error);
      if (told === undefined) throw error;
      const { root_cause: roots = [told.details], ...details } = told.details;
      responses.push({ error: { root_cause: roots, ...details }, status: told.status });
    }
  }
  return { took: facade.edges.now() - started, responses };
}

/** The paths of searches. */
export function searchRoutes(): Hono<FacadeRoutes> {
  const app = new Hono<FacadeRoutes>();
  app.on(METHODS, ['/_search', '/:index/_search'], async (c) => {
    const url = new URL(c.req.url);
    const parameters = new Parameters(url, 'search');
    const body = readSearch(await bodyJson(c.req.raw), parameters);
    return answer(url, await search(c.get('facade'), c.req.param('index'), body, parameters));
  });
  app.on(METHODS, ['/_count', '/:index/_count'], async (c) => {
    const url = new URL(c.req.url);
    const json = await bodyJson(c.req.raw);
    return answer(
      url,
      await count(c.get('facade'), c.req.param('index'), json, new Parameters(url, 'count')),
    );
  });
  app.on(METHODS, ['/_msearch', '/:index/_msearch'], async (c) => {
    const url = new URL(c.req.url);
    const text = await bodyText(c.req.raw);
    return answer(url, await searchMany(c.get('facade'), c.req.param('index'), text, url));
  });
  return app;
}
