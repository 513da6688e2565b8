// /cdapi/v2/data_requests: bulk data requests in the drop-in API, with the provider's ids and responses. They are priced,
// reserved and tracked like the data requests of the add-on.

import type { Context } from 'hono';
import * as z from 'zod';
import {
  type BulkOperation,
  fileOperations,
  operations,
  type QueryStyle,
} from '../../../shared/operations.ts';
import type { ProblemCode } from '../../../shared/problems.ts';
import { RowIndex } from '../../data-requests/ingest/index.ts';
import { type Order, type Pricing, priceKeys, priceQuery } from '../../data-requests/order/order.ts';
import {
  type CountFailure,
  countMatches,
  separateFromRunning,
} from '../../data-requests/order/resolve-query.ts';
import { isFileName, ProviderClient, toProviderFailure } from '../../data-requests/provider-client.ts';
import { DataRequestRepository } from '../../data-requests/repository.ts';
import { runDataRequest } from '../../data-requests/run-request.ts';
import { DataRequestService } from '../../data-requests/service.ts';
import { ROW_RETENTION_MS } from '../../data-requests/state-machine.ts';
import type { RequestRow } from '../../db/schema.ts';
import type { Env } from '../../env.ts';
import type { ChangeTest } from '../../gateway/auth/authenticate.ts';
import { requireScope } from '../../gateway/auth/tokens.ts';
import type { GatewayContext } from '../../gateway/context.ts';
import type { GatewayEnv, Services } from '../../gateway/services.ts';
import { isLocalProvider } from '../../gateway/upstream/configured-upstream.ts';
import { getPublicOrigin } from '../../http/public-origin.ts';
import { requireDecodableUrl } from '../../http/read-body.ts';
import { addRequestSummary } from '../../http/request-log.ts';
import { parseJson } from '../../lib/exact-json.ts';
import { wakeJobs } from '../../queue/jobs.ts';
import { dataRequestListener } from '../../tables/data-request-listener.ts';
import {
  compactQuery,
  createTooLargeResponse,
  isQueryTooLong,
  parseBody,
  queryFields,
} from './data-request-bodies.ts';
import type { DropInHandler } from './respond.ts';
import { createFailureResponse, createProblemResponse, createRefusal } from './responses.ts';

/** Deadline for the provider's id, in milliseconds. */
const MAX_WAIT_MS = 25_000;
const BUSY_WAIT_MS = 250;
const MAX_KEY_LENGTH = 200;
/** Minimum interval between checks of an unpaid data request, in milliseconds. */
const RECHECK_MS = 5_000;

/** Carries the provider's error out of the price estimate. */
class CountError extends Error {
  readonly failure: CountFailure;

  constructor(failure: CountFailure) {
    super(failure.problem);
    this.failure = failure;
  }
}

const validationErrorSchema = z.looseObject({
  detail: z.array(z.looseObject({ loc: z.tuple([z.literal('body')], z.union([z.string(), z.number()])) })),
});

/** Locates the errors of a query in the body of the data request: the search that counted its matches had only the query. */
function locateInBody(failure: CountFailure, style: QueryStyle): CountFailure {
  const { answer } = failure;
  if (answer === undefined) return failure;
  const body = validationErrorSchema.safeParse(parseJson(answer.body));
  if (!body.success) return failure;
  const detail = body.data.detail.map(({ loc: [first, ...rest], ...issue }) => ({
    loc: [first, queryFields[style], ...rest],
    ...issue,
  }));
  return { ...failure, answer: { ...answer, body: JSON.stringify({ ...body.data, detail }) } };
}

async function priceOrder(env: Env, order: Order, context: GatewayContext): Promise<Pricing> {
  const { operation, selection } = order;
  if ('keys' in selection) return priceKeys(selection);
  const style = operation.kind === 'filter' ? 'filter' : 'es_dsl';
  const query = style === 'filter' ? selection.query : compactQuery(selection.query);
  const total = await countMatches(operation.family, style, query, context);
  if (typeof total !== 'number') throw new CountError(locateInBody(total, style));
  return separateFromRunning(env, operation, priceQuery(selection, total));
}

const NO_STORE = { 'cache-control': 'private, no-store' };

/** Creates the response for a data request after its submission, successful or not. */
function toResponse({ phase, providerId, failure, reserved }: RequestRow): Response {
  if (providerId !== null) {
    const location = fileOperations.list.path.replace('{data_request_id}', () => providerId);
    return Response.json({ request_id: providerId }, { status: 201, headers: { ...NO_STORE, location } });
  }
  const problem: ProblemCode = failure?.problem ?? (phase === 'cancelled' ? 'rate_limited' : 'internal');
  return createFailureResponse({
    problem,
    credits: phase === 'unclear' ? reserved : 0,
    ...(failure?.answer === undefined ? {} : { answer: failure.answer }),
  });
}

/** Submits a data request while its caller waits. Cancels it if the provider does not accept it in time. */
async function submitNow(
  env: Env,
  service: DataRequestService,
  row: RequestRow,
  { now, sleep }: Pick<Services, 'now' | 'sleep'>,
): Promise<RequestRow> {
  const until = now() + MAX_WAIT_MS;
  for (;;) {
    const current = (await service.repository.get(row.id)) ?? row;
    if (current.phase !== 'reserved') return current;
    const runner = { env, platform: { now } };
    const next = await runDataRequest(runner, service, row.id, dataRequestListener, { maxSteps: 1 });
    // Another process may run it: its job, or a call with the same idempotency key.
    const waitMs = next === undefined ? BUSY_WAIT_MS : next.over ? 0 : next.waitMs;
    if (now() + waitMs >= until) {
      const latest = (await service.repository.get(row.id)) ?? row;
      await service.cancel(latest);
      return (await service.repository.get(row.id)) ?? latest;
    }
    if (waitMs > 0) await sleep(waitMs);
  }
}

async function create<E extends Env>(
  c: Context<GatewayEnv<E>>,
  operation: BulkOperation,
  services: Services<E>,
): Promise<Response> {
  const caller = c.get('caller');
  requireScope(caller, operation.family, 'bulk');
  const isLocal = isLocalProvider(await services.getUpstream(c.env));
  const body = await parseBody(operation, c.req.raw, isLocal);
  if (body === undefined) return createTooLargeResponse(operation.kind === 'es_dsl');
  if ('issues' in body) return createRefusal('invalid_request', { detail: body.issues });
  const { selection } = body;
  if (operation.kind === 'es_dsl' && 'query' in selection && isQueryTooLong(selection.query))
    return createTooLargeResponse(true);
  const context = await services.createContext(c, 'formula');
  const order = { operation, selection, webhookUrl: body.webhook, columns: null };
  const service = new DataRequestService({
    env: c.env,
    now: services.now,
    upstream: async () => services.getUpstream(c.env),
  });
  const orderOptions = {
    payer: context.payer,
    origin: getPublicOrigin(c.env, c.req.raw),
    idempotencyKey: c.req.header('idempotency-key')?.slice(0, MAX_KEY_LENGTH) ?? null,
  };
  // Continues after the caller disconnects, because the outcome of a sent request must be recorded.
  const work = (async () => {
    const row = await service.create(order, () => priceOrder(c.env, order, context), orderOptions);
    return submitNow(c.env, service, row, services);
  })();
  context.waitUntil(work.catch(() => {}));
  try {
    return toResponse(await work);
  } catch (error) {
    if (error instanceof CountError) return createFailureResponse(error.failure);
    throw error;
  }
}

function notFoundResponse(what: 'Data request' | 'File'): Response {
  return Response.json({ detail: `${what} not found` }, { status: 404, headers: NO_STORE });
}

/** Contract, "Status list": 404 for "a data request older than 30 days". */
function isExpired({ createdAt, clearedAt }: RequestRow, now: number): boolean {
  return clearedAt !== null || now >= createdAt + ROW_RETENTION_MS;
}

/**
 * Lists the files of a data request.
 * @throws ProblemError `forbidden_scope`
 */
async function list<E extends Env>(
  { env, executionCtx, get }: Context<GatewayEnv<E>>,
  { now }: Services<E>,
  id: string,
): Promise<Response> {
  const caller = get('caller');
  const store = new DataRequestRepository(env.DB);
  const row = await store.findByProviderId(caller.teamId, id);
  if (row === undefined || isExpired(row, now())) return notFoundResponse('Data request');
  requireScope(caller, row.family, 'bulk');
  if (row.endedAt === null) {
    // Contract, "Bulk": "402 appears on GET files". Rechecks, because credits may have been added since.
    if (row.failure?.problem === 'provider_out_of_credits') {
      if (now() >= row.updatedAt + RECHECK_MS)
        executionCtx.waitUntil(wakeJobs(env, 'data_request', [row.id], now()));
      return toResponse({ ...row, providerId: null });
    }
    return Response.json(
      { message: 'Data request is still being processed' },
      { status: 202, headers: NO_STORE },
    );
  }
  if (row.phase === 'failed') return toResponse({ ...row, providerId: null });
  const files = await store.listFiles([row.id]);
  return Response.json({ data_request_files: files.map(({ name }) => name) }, { headers: NO_STORE });
}

/**
 * Streams a file from the provider to the team that paid for it.
 * @throws ProblemError `forbidden_scope`
 */
async function download<E extends Env>(
  { env, get }: Context<GatewayEnv<E>>,
  { now, getUpstream }: Services<E>,
  id: string,
  name: string,
): Promise<Response> {
  const caller = get('caller');
  const store = new DataRequestRepository(env.DB);
  const row = isFileName(name) ? await store.findByProviderId(caller.teamId, id) : undefined;
  const files = row === undefined ? [] : await store.listFiles([row.id]);
  if (row?.providerId == null || isExpired(row, now()) || !files.some((file) => file.name === name)) {
    return notFoundResponse('File');
  }
  requireScope(caller, row.family, 'bulk');
  // The provider's file still contains records that were erased here.
  const erased =
    files.some(({ withheld }) => withheld > 0) || (await new RowIndex(env.DB).count(row.id)) < row.rows;
  if (erased)
    return createProblemResponse(
      'erased',
      'A record in this file was erased. Read the rows of the request instead.',
    );
  const provider = new ProviderClient(env, await getUpstream(env), caller.teamId, now);
  const permit = await provider.acquirePermit();
  if (permit === undefined) return createProblemResponse('provider_unavailable');
  const file = await provider.openFile(row.providerId, name, permit);
  if (file instanceof ReadableStream) {
    return new Response(file, { headers: { ...NO_STORE, 'content-type': 'application/gzip' } });
  }
  if (file === undefined) return createProblemResponse('provider_unavailable');
  if (file.status === 404) return notFoundResponse('File');
  return createFailureResponse({ problem: toProviderFailure(file).problem, answer: file, credits: 0 });
}

/** Creates the service's answer to a wrong method. Contract, "Status list". */
export const wrongMethodResponse = (): Response =>
  Response.json({ detail: 'Internal Server Error' }, { status: 500 });

/** Path prefix of the drop-in API. */
const PREFIX = '/cdapi';

export const isDataRequest: ChangeTest = ({ path }) => path.startsWith(`${PREFIX}/v2/data_requests/`);

/** Converts a path template to a pattern. A final parameter matches the rest of the path. */
function toPattern(path: string): RegExp {
  return new RegExp(`^${PREFIX}${path.replace(/\{\w+\}$/, '(.+)').replaceAll(/\{\w+\}/g, '([^/]+)')}$`);
}

const filePaths = Object.values(fileOperations).map(({ path }) => ({ path, pattern: toPattern(path) }));

function decode(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}

/** Creates the service's answer to an unknown path. */
export const createUnknownPathResponse = (): Response =>
  new Response('404 page not found', { status: 404, headers: { 'content-type': 'text/plain' } });

/** Lists the routes of data requests: paths and handlers, of authenticated requests. */
export function listDataRequestRoutes<E extends Env>(
  services: Services<E>,
): (readonly [path: string, answer: DropInHandler<GatewayEnv<E>>])[] {
  const orders = operations
    .filter((operation) => operation.name === 'bulk')
    .map((operation) => {
      const answer: DropInHandler<GatewayEnv<E>> = (c) =>
        c.req.method === operation.method ? create(c, operation, services) : wrongMethodResponse();
      return [operation.path, answer] as const;
    });
  const answerFileRequest: DropInHandler<GatewayEnv<E>> = (c) => {
    for (const { path, pattern } of filePaths) {
      const [, id, name] = pattern.exec(c.req.path) ?? [];
      if (id === undefined) continue;
      addRequestSummary(c, { route: PREFIX + path });
      if (c.req.method !== 'GET') return wrongMethodResponse();
      requireDecodableUrl(c.req.url);
      return name === undefined
        ? list(c, services, decode(id))
        : download(c, services, decode(id), decode(name));
    }
    return createUnknownPathResponse();
  };
  // Parameters next to the fixed paths would make Hono use its slower router for every request.
  return [...orders, ['/v2/data_requests/*', answerFileRequest]];
}
