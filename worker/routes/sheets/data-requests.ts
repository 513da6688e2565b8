// /sheets/v1/requests: data requests of the add-on and their rows.

import * as z from 'zod';
import * as api from '../../../shared/api/data-requests.ts';
import { formatNumber } from '../../../shared/lib/format-count.ts';
import type { ProblemCode } from '../../../shared/problems.ts';
import { CACHED_PER_STEP } from '../../data-requests/ingest/cached-rows.ts';
import { readRows } from '../../data-requests/ingest/index.ts';
import { findConflict } from '../../data-requests/order/key-claims.ts';
import { calculatePrice } from '../../data-requests/order/order.ts';
import {
  planDataRequest,
  priceDataRequest,
  requireBulkOperation,
  requireKeys,
  requireKnownFields,
  serializeQuery,
} from '../../data-requests/order/plan.ts';
import { DataRequestRepository } from '../../data-requests/repository.ts';
import { runDataRequest } from '../../data-requests/run-request.ts';
import { DataRequestService } from '../../data-requests/service.ts';
import { endedPhases, getRowStore } from '../../data-requests/state-machine.ts';
import { toRequestView } from '../../data-requests/view.ts';
import type { RequestRow } from '../../db/schema.ts';
import { getFamilies, requireScope } from '../../gateway/auth/tokens.ts';
import { parseProviderMessage } from '../../gateway/query.ts';
import { ProblemError } from '../../http/problem-error.ts';
import { getPublicOrigin } from '../../http/public-origin.ts';
import { toIsoTime } from '../../lib/format.ts';
import { createSecret, sha256Hex } from '../../lib/hash.ts';
import { enqueue } from '../../queue/jobs.ts';
import { dataRequestListener } from '../../tables/data-request-listener.ts';
import { PushStore } from '../../tables/push/store.ts';
import { MAX_ROWS_BYTES, type Route, type RouteContext, route } from './route.ts';

/** Lifetime of a ticket, in milliseconds. */
const TICKET_MS = 60_000;

const createService = ({ env, now, getProvider }: RouteContext): DataRequestService =>
  new DataRequestService({ env, now: () => now, upstream: getProvider });

async function toView({ env }: RouteContext, row: RequestRow) {
  return toRequestView(
    row,
    await new DataRequestRepository(env.DB).listFiles([row.id]),
    parseProviderMessage,
  );
}

/**
 * Finds a data request of the team.
 * @throws ProblemError `not_found`, also for requests of other teams; `forbidden_scope`
 */
async function find({ env, caller }: RouteContext, id: string): Promise<RequestRow> {
  const row = await new DataRequestRepository(env.DB).findForTeam(caller.teamId, id);
  if (row === undefined || row.phase === 'reserving') {
    throw new ProblemError(
      'not_found',
      'This bulk order does not exist.',
      'Check the list of bulk orders. Orders of other teams are not visible.',
    );
  }
  requireScope(caller, row.family, 'bulk');
  return row;
}

const orderProblems: readonly ProblemCode[] = [
  'invalid_request',
  'unknown_field',
  'too_large',
  'forbidden_scope',
  'not_configured',
  'price_changed',
  'already_ordered',
  'too_many',
  'over_budget',
  'spending_off',
  'rate_limited',
  'provider_out_of_credits',
  'provider_unavailable',
  'provider_unclear',
  'provider_refused',
];

/** Completes a data request that orders nothing, while its caller waits. After a crash its job completes it. */
async function finishWithoutOrder(context: RouteContext, { id }: RequestRow): Promise<void> {
  const runner = { env: context.env, platform: { now: () => context.now } };
  const options = { turns: Number.POSITIVE_INFINITY, isWaitedFor: true };
  await runDataRequest(runner, createService(context), id, dataRequestListener, options);
}

const create = route({
  method: 'POST',
  path: '/requests',
  summary: 'Order up to 10,000 records',
  description:
    'A query is resolved to ids by free searches. Fresh cached records are free. The other records are ordered, and their price is reserved until the delivery is known. An order is rejected with `already_ordered` if another order is already fetching some of its records. If everything is cached, a request for up to 500 records is ready at once; otherwise poll its state.',
  problems: orderProblems,
  request: z.object({ headers: api.idempotencyHeaders, body: api.newDataRequest }),
  success: { status: 201, description: 'The data request, reserved', schema: api.dataRequestView },
  handle: async ({ headers, body }, context) => {
    const { env, caller, request } = context;
    context.addToLog({ family: body.family, operation: 'bulk' });
    requireScope(caller, body.family, 'bulk');
    const operation = requireBulkOperation(body);
    requireKnownFields(body);
    const selection =
      'keys' in body
        ? { keys: requireKeys(body, operation) }
        : { query: serializeQuery(body), ...(body.limit === undefined ? {} : { limit: body.limit }) };
    const order = { operation, selection, relayUrl: null, columns: body.columns ?? null };
    const row = await createService(context).create(order, () => priceDataRequest(body, operation, context), {
      payer: { team: caller.teamId, token: caller.tokenId },
      origin: getPublicOrigin(env, request),
      idempotencyKey: headers['idempotency-key'] ?? null,
      maxCredits: body.max_credits,
    });
    context.addToLog({ credits: 0 });
    if (row.phase !== 'reserved') return toView(context, row);
    if (row.reserved > 0 || row.cached > CACHED_PER_STEP)
      await enqueue(env, [{ kind: 'data_request', id: row.id }]);
    else await finishWithoutOrder(context, row);
    return toView(context, await find(context, row.id));
  },
});

const estimate = route({
  method: 'POST',
  path: '/estimate/data-request',
  summary: 'Estimate the records and price of a data request; free',
  description:
    'Takes the body of the order. A query is resolved to ids by free searches. Fresh cached records are not ordered again.',
  problems: orderProblems,
  request: z.object({ body: api.newDataRequest }),
  success: { status: 200, description: 'Records and price', schema: api.dataRequestEstimate },
  handle: async ({ body }, context) => {
    requireScope(context.caller, body.family, 'bulk');
    requireKnownFields(body);
    const operation = requireBulkOperation(body);
    const plan = await planDataRequest(body, operation, context);
    const { cached, ordered } = plan.split;
    const { identity } = await context.getGatewayContext();
    const problem = await findConflict(context.env, { identity, family: body.family }, plan.split);
    return {
      total: plan.total,
      records: cached.length + ordered.length,
      cached: cached.length,
      ordered: ordered.length,
      credits: calculatePrice(operation, plan),
      ...(problem === undefined ? {} : { problem }),
    };
  },
});

const list = route({
  method: 'GET',
  path: '/requests',
  summary: 'List the team’s data requests, newest first',
  description: 'Families outside the token’s scopes are left out; without the operation `bulk`, all are.',
  problems: ['invalid_request', 'not_found', 'forbidden_scope'],
  request: z.object({ query: api.listQuery }),
  success: { status: 200, description: 'A page of data requests', schema: api.dataRequestList },
  handle: async ({ query: { after, limit } }, context) => {
    const store = new DataRequestRepository(context.env.DB);
    const start = after === undefined ? undefined : await find(context, after);
    const { caller } = context;
    const filter = { team: caller.teamId, families: getFamilies(caller, 'bulk') };
    const rows = await store.list(filter, start, limit + 1);
    const shown = rows.slice(0, limit);
    const files = await store.listFiles(shown.map(({ id }) => id));
    return {
      requests: shown.map((row) => toRequestView(row, files, parseProviderMessage)),
      after: rows.length > limit ? (shown.at(-1)?.id ?? null) : null,
    };
  },
});

const get = route({
  method: 'GET',
  path: '/requests/{id}',
  summary: 'Get a data request',
  problems: ['not_found', 'forbidden_scope'],
  request: z.object({ params: api.dataRequestParams }),
  success: { status: 200, description: 'The request', schema: api.dataRequestView },
  handle: async ({ params: { id } }, context) => toView(context, await find(context, id)),
});

/** Describes the charges of a cancelled data request. */
function describeCancellation({ endedAt, charged, reserved }: RequestRow, released: boolean): string {
  if (released) return 'Cancelled before it was sent. Nothing is charged.';
  if (endedAt === null) {
    return `Stopped waiting. The provider has the order and charges for what it delivers, up to ${formatNumber(reserved)} credits. You can then write the rows for free.`;
  }
  return charged === null
    ? `It had already ended. Nobody knows whether its ${formatNumber(reserved)} credits were charged; they count as spent.`
    : `It had already ended: ${formatNumber(charged)} credits were charged.`;
}

const cancel = route({
  method: 'DELETE',
  path: '/requests/{id}',
  summary:
    'Cancel a data request: before it is sent, its credits are released; afterwards the gateway only stops waiting for it',
  problems: ['not_found', 'forbidden_scope'],
  request: z.object({ params: api.dataRequestParams }),
  success: { status: 200, description: 'The data request and its charges', schema: api.cancelledDataRequest },
  handle: async ({ params: { id } }, context) => {
    const row = await find(context, id);
    const released = await createService(context).cancel(row);
    const current = await find(context, id);
    return {
      request: await toView(context, current),
      released,
      message: describeCancellation(current, released),
    };
  },
});

const listRows = route({
  method: 'GET',
  path: '/requests/{id}/rows',
  summary: 'Read the rows of a data request; free for 30 days',
  problems: ['not_found', 'forbidden_scope', 'invalid_request', 'pending'],
  request: z.object({ params: api.dataRequestParams, query: api.rowsQuery }),
  success: { status: 200, description: 'A page of rows', schema: api.dataRequestRows },
  handle: async ({ params: { id }, query }, context) => {
    const row = await find(context, id);
    if (!endedPhases.includes(row.phase)) throw new ProblemError('pending', 'The rows are not ready yet.');
    if (row.clearedAt !== null) {
      throw new ProblemError('not_found', 'The rows were deleted after 30 days.', 'Order the records again.');
    }
    const { after, limit, columns = row.columns ?? undefined } = query;
    await new PushStore(context.env.DB).postponeForReader(row.teamId, id, context.now);
    return readRows(getRowStore(context.env), {
      requestId: id,
      family: row.family,
      limit,
      maxBytes: MAX_ROWS_BYTES,
      ...(after === undefined ? {} : { after }),
      ...(columns === undefined ? {} : { columns }),
    });
  },
});

const createTicket = route({
  method: 'POST',
  path: '/requests/{id}/ticket',
  summary: 'Create a single-use ticket for the event stream, valid for a minute',
  problems: ['not_found', 'forbidden_scope'],
  request: z.object({ params: api.dataRequestParams }),
  success: { status: 201, description: 'The ticket', schema: api.eventTicket },
  handle: async ({ params: { id } }, context) => {
    await find(context, id);
    const secret = createSecret();
    const expiresAt = context.now + TICKET_MS;
    await new DataRequestRepository(context.env.DB).insertTicket(await sha256Hex(secret), id, expiresAt);
    return { ticket: secret, expires_at: toIsoTime(expiresAt) };
  },
});

/** Routes of data requests. The event stream is separate (data-request-events.ts), because browsers send no token there. */
export const dataRequestRoutes: readonly Route[] = [
  create,
  estimate,
  list,
  get,
  cancel,
  listRows,
  createTicket,
];
