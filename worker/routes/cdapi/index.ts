// The drop-in API: /cdapi/v2. It mirrors the provider's API, with a team token instead of the provider's key.
import { type Context, Hono } from 'hono';
import {
  type KeyResult,
  normaliseId,
  normaliseProfileUrl,
  normaliseShorthandName,
  normaliseWebsite,
} from '../../../shared/keys/index.ts';
import { findUrlOwner, looksLikeUrl } from '../../../shared/keys/profile.ts';
import { describeOperation } from '../../../shared/openapi/service-operations.ts';
import {
  isRecordOperation,
  operations,
  type QueryOperation,
  type RecordOperation,
} from '../../../shared/operations.ts';
import type { Env } from '../../env.ts';
import { readApiKeyToken } from '../../gateway/auth/authenticate.ts';
import { requireScope } from '../../gateway/auth/tokens.ts';
import { createVerbatimKey, type RecordKey } from '../../gateway/cache/cache-keys.ts';
import { type CacheDirectives, parseCacheControl } from '../../gateway/cache/freshness.ts';
import type { Admission } from '../../gateway/rate-limit/rate-limit.ts';
import { deleteExpiredSnapshot, fetchPage, type PageRequest } from '../../gateway/search-pages.ts';
import type { GatewayEnv, KeyReader, Services } from '../../gateway/services.ts';
import { readRequestText, requireDecodableUrl } from '../../http/read-body.ts';
import { parseJson } from '../../lib/exact-json.ts';
import { isNestedDeeper, MAX_BODY_DEPTH } from '../../lib/json-depth.ts';
import { TOO_DEEP } from '../route.ts';
import { createTooLargeResponse, isQueryTooLong, MAX_QUERY_BYTES } from './data-request-bodies.ts';
import {
  createUnknownPathResponse,
  isDataRequest,
  listDataRequestRoutes,
  wrongMethodResponse,
} from './data-requests.ts';
import { answerRecord, MAX_WAIT_MS } from './record.ts';
import { createResponder, type DropInHandler } from './respond.ts';
import {
  createDataResponse,
  createFailureResponse,
  createProblemResponse,
  createRefusal,
} from './responses.ts';
import { computeLimit } from './service-headers.ts';

type KeyParser = (operation: RecordOperation, text: string) => KeyResult;

/** Parses the key in a path: digits are an id, anything else is a shorthand name or profile URL (provider API, "Keys"). */
const parsePathKey: KeyParser = ({ family }, text) => {
  // The provider ignores white space around an id, and a slash at the end of a path.
  const plain = text.endsWith('/') && !looksLikeUrl(text.slice(0, -1)) ? text.slice(0, -1) : text;
  if (/^\d+$/.test(plain.trim())) return normaliseId(plain);
  return looksLikeUrl(plain) ? normaliseProfileUrl(plain, family) : normaliseShorthandName(plain);
};

const parseWebsiteKey: KeyParser = (_, text) => normaliseWebsite(text);

const NO_PROFILE = 'This is not a profile URL of the network. Send an id, a shorthand name or a profile URL.';

/** Parses the query parameters; undefined for the many calls without any. */
function getSearchParams(url: string): URLSearchParams | undefined {
  return url.includes('?') ? new URL(url).searchParams : undefined;
}

function resolveRecordKey(
  operation: RecordOperation,
  text: string | undefined,
): RecordKey | Promise<RecordKey> {
  const { family, keyParameter } = operation;
  const parseKey = keyParameter === undefined ? parsePathKey : parseWebsiteKey;
  const key = text === undefined ? undefined : parseKey(operation, text);
  return key?.ok ? { family, kind: key.kind, value: key.value } : createVerbatimKey(family, text);
}

function listParameters(operation: QueryOperation): ReadonlySet<string> {
  const { parameters = [] } = describeOperation(operation);
  return new Set(parameters.filter((parameter) => parameter.in === 'query').map(({ name }) => name));
}

/** Keeps the known parameters, repeated ones included: only the service knows which value counts. */
function keepParameters(parameters: Iterable<[string, string]>, known: ReadonlySet<string>): URLSearchParams {
  return new URLSearchParams([...parameters].filter(([name]) => known.has(name)));
}

/** The provider keeps a snapshot for a while, which it does not document. */
const MAX_SNAPSHOT_AGE_MS = 600_000;

/** Accepts no page whose snapshot token the provider may no longer know: later pages would fail, and starting again costs a page. */
function limitSnapshotAge(
  parameters: URLSearchParams,
  directives: CacheDirectives,
  now: number,
): CacheDirectives & Pick<PageRequest, 'mustRevalidate'> {
  if (parameters.getAll('snapshot').every((value) => value === 'false')) return directives;
  const since = Math.max(directives.since, now - MAX_SNAPSHOT_AGE_MS);
  return { ...directives, since, mustRevalidate: true };
}

async function handleQuery<E extends Env>(
  operation: QueryOperation,
  knownParameters: ReadonlySet<string>,
  c: Context<GatewayEnv<E>>,
  services: Services<E>,
): Promise<Response> {
  const context = await services.createContext(c, 'formula');
  const directives = parseCacheControl(c.req.raw.headers.get('cache-control'), services.now);
  const parameters = keepParameters(getSearchParams(c.req.url) ?? [], knownParameters);
  const body = await readRequestText(c.req.raw, MAX_QUERY_BYTES);
  if (body === undefined) return createTooLargeResponse(operation.style === 'es_dsl');
  if (isNestedDeeper(body, MAX_BODY_DEPTH) && parseJson(body) !== undefined)
    return createRefusal('invalid_request', {
      detail: [{ loc: ['body'], msg: TOO_DEEP, type: 'value_error' }],
    });
  // With parameters, the provider may have another error.
  if (operation.style === 'es_dsl' && parameters.size === 0 && isQueryTooLong(body))
    return createTooLargeResponse(true);
  const query = { operation, parameters, body };
  const answer = await fetchPage(
    { ...query, ...limitSnapshotAge(parameters, directives, context.now()), waitMs: MAX_WAIT_MS },
    context,
  );
  if (answer.outcome === 'failed') {
    if (answer.answer?.status === 422 && parameters.has('snapshot_token'))
      await deleteExpiredSnapshot(query, context);
    return createFailureResponse(answer);
  }
  const { items, headers } = answer.page;
  const metadata = { ...answer, now: context.now(), limit: computeLimit(c, services) };
  return createDataResponse(items.text, 200, metadata, Object.entries(headers));
}

/** Reads the text of the key from the path or the parameter of a record operation. */
function readKeyText(
  { keyParameter }: RecordOperation,
  c: Context,
  parameters: URLSearchParams | undefined,
): string | undefined {
  return keyParameter === undefined ? c.req.param('key') : (parameters?.get(keyParameter) ?? undefined);
}

/** Answers without a promise if it can: a cache hit takes only microseconds. */
function handleRecord<E extends Env>(
  operation: RecordOperation,
  c: Context<GatewayEnv<E>>,
  services: Services<E>,
): Response | Promise<Response> {
  const parameters = getSearchParams(c.req.url);
  const directives = parseCacheControl(c.req.raw.headers.get('cache-control'), services.now);
  const text = readKeyText(operation, c, parameters);
  // The provider might take a page of any website for a profile, and charge for another record.
  if (operation.keyParameter === undefined && findUrlOwner(text ?? '') === 'other')
    return createProblemResponse('invalid_key', NO_PROFILE);
  const answer = (key: RecordKey): Response | Promise<Response> => {
    const fields = parameters?.getAll('fields') ?? [];
    const sentKey = key.kind === 'verbatim' ? text : key.value;
    return answerRecord({ operation, key, text: sentKey, directives, fields, c, services });
  };
  const key = resolveRecordKey(operation, text);
  return key instanceof Promise ? key.then(answer) : answer(key);
}

/**
 * Creates the drop-in API, with one route for each operation of the service.
 */
export function createCdapiRoutes<E extends Env>(services: Services<E>): Hono<GatewayEnv<E>> {
  const routes = new Hono<GatewayEnv<E>>();
  const respond = createResponder(services);
  // Data requests are the only change; the ledger, which knows of a revocation at once, refuses other purchases.
  const requireCaller = (readKeys?: KeyReader) =>
    services.requireCaller(readApiKeyToken, isDataRequest, readKeys);
  const addRoute = (path: string, answer: DropInHandler<GatewayEnv<E>>, admit: Admission): void => {
    routes.all(
      path,
      respond((c) => admit(c, () => answer(c))),
    );
  };
  for (const operation of operations) {
    if (operation.name === 'bulk') continue;
    const { family, method, path } = operation;
    const route = path.replace('{key}', ':key{.+}');
    const knownParameters = isRecordOperation(operation) ? new Set<string>() : listParameters(operation);
    const readKeys: KeyReader = async (c) =>
      isRecordOperation(operation) && c.req.method === method
        ? [await resolveRecordKey(operation, readKeyText(operation, c, getSearchParams(c.req.url)))]
        : [];
    const answer: DropInHandler<GatewayEnv<E>> = (c) => {
      if (c.req.method !== method) return wrongMethodResponse();
      requireScope(c.get('caller'), family, operation.name);
      requireDecodableUrl(c.req.url);
      return isRecordOperation(operation)
        ? handleRecord(operation, c, services)
        : handleQuery(operation, knownParameters, c, services);
    };
    addRoute(route, answer, requireCaller(readKeys));
  }
  const admit = requireCaller();
  for (const [path, answer] of listDataRequestRoutes(services)) addRoute(path, answer, admit);
  addRoute('*', createUnknownPathResponse, admit);
  return routes;
}
