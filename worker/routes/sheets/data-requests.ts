// /sheets/v1/requests: bulk requests, made, listed, watched, stopped, and their rows.

import * as z from 'zod';
import * as api from '../../../shared/api/data-requests.ts';
import type { ProblemCode } from '../../../shared/problems.ts';
import { readRows } from '../../data-requests/ingest/index.ts';
import { findConflict } from '../../data-requests/order/key-claims.ts';
import { calculatePrice } from '../../data-requests/order/order.ts';
import { DataRequestRepository } from '../../data-requests/repository.ts';
import { createSecret } from '../../data-requests/secret.ts';
import { DataRequestService } from '../../data-requests/service.ts';
import { endedPhases, getRowStore } from '../../data-requests/state-machine.ts';
import { toRequestView as viewOf } from '../../data-requests/view.ts';
import { startWorkflow } from '../../data-requests/workflow-instances.ts';
import type { RequestRow } from '../../db/schema.ts';
import { requireScope } from '../../gateway/auth/tokens.ts';
import { parseProviderMessage } from '../../gateway/query.ts';
import { ProblemError } from '../../http/problem-error.ts';
import { getPublicOrigin } from '../../http/public-origin.ts';
import { formatCount, toIsoTime } from '../../lib/format.ts';
import { sha256Hex } from '../../lib/hash.ts';
import { dataRequestListener } from '../../tables/data-request-listener.ts';
import { PushStore } from '../../tables/push/store.ts';
import {
  planDataRequest,
  priceDataRequest,
  requireBulkOperation,
  requireKeys,
  requireKnownFields,
  serializeQuery,
} from './data-request-plan.ts';
import { MAX_ROWS_BYTES, type Route, type RouteContext, route } from './route.ts';

/** A ticket is used at once. */
const TICKET_MS = 60_000;

const createService = ({ env, now, provider }: RouteContext): DataRequestService =>
  new DataRequestService({ env, now: () => now, upstream: provider });

async function toView({ env }: RouteContext, row: RequestRow) {
  return viewOf(row, await new DataRequestRepository(env.DB).listFiles([row.id]), parseProviderMessage);
}

/** @throws ProblemError `not_found`, for another team's as well */
async function find({ env, caller }: RouteContext, id: string): Promise<RequestRow> {
  const row = await new DataRequestRepository(env.DB).findForTeam(caller.teamId, id);
  if (row === undefined || row.phase === 'reserving') {
    throw new ProblemError(
      'not_found',
      'There is no such request.',
      'Look it up in the list of requests: another team’s can’t be seen.',
    );
  }
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
  'over_budget',
  'spending_off',
  'rate_limited',
  'provider_out_of_credits',
  'provider_unavailable',
  'provider_unclear',
  'provider_refused',
];

/** Ends a request that orders nothing, while its caller waits; whoever is killed meanwhile is followed by the sweep. */
async function finishWithoutOrder(context: RouteContext, { id }: RequestRow): Promise<void> {
  const own = createService(context);
  for (;;) {
    const next = await own.advance(id, dataRequestListener);
    if (next.over || next.waitMs > 0) return;
  }
}

const create = route({
  method: 'POST',
  path: '/requests',
  summary: 'Ask for up to 10,000 records at once',
  description:
    'A query is resolved to ids by free searches. Records that are cached and fresh cost nothing; the price is the number of the others times the price of a record, and these credits are held until it is known what was delivered. Records that another order has on its way are not ordered twice: such an order is refused (`already_ordered`). Where everything is cached the request is ready at once; otherwise rows come later: watch the state.',
  problems: orderProblems,
  request: z.object({ headers: api.idempotencyHeaders, body: api.newDataRequest }),
  success: { status: 201, description: 'The request, reserved', schema: api.dataRequestView },
  handle: async ({ headers, body }, context) => {
    const { env, caller, request } = context;
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
    if (row.reserved > 0) await startWorkflow(env, row);
    else await finishWithoutOrder(context, row);
    return toView(context, await find(context, row.id));
  },
});

const estimate = route({
  method: 'POST',
  path: '/estimate/data-request',
  summary: 'What a bulk request would bring and cost now; spends nothing',
  description:
    'The body is that of the request. A query is resolved to ids by free searches; records that are cached and fresh are not ordered again.',
  problems: orderProblems,
  request: z.object({ body: api.newDataRequest }),
  success: { status: 200, description: 'Records, and what they would cost', schema: api.dataRequestEstimate },
  handle: async ({ body }, context) => {
    requireScope(context.caller, body.family, 'bulk');
    requireKnownFields(body);
    const operation = requireBulkOperation(body);
    const planned = await planDataRequest(body, operation, context);
    const { cached, ordered } = planned.split;
    const { identity } = await context.getGatewayContext();
    const problem = await findConflict(context.env.DB, { identity, family: body.family }, planned.split);
    return {
      total: planned.total,
      records: cached.length + ordered.length,
      cached: cached.length,
      ordered: ordered.length,
      credits: calculatePrice(operation, planned),
      ...(problem === undefined ? {} : { problem }),
    };
  },
});

const list = route({
  method: 'GET',
  path: '/requests',
  summary: 'The team’s requests, the newest first',
  problems: ['invalid_request', 'not_found'],
  request: z.object({ query: api.listQuery }),
  success: { status: 200, description: 'A page of requests', schema: api.dataRequestList },
  handle: async ({ query: { after, limit } }, context) => {
    const store = new DataRequestRepository(context.env.DB);
    const start = after === undefined ? undefined : await find(context, after);
    const rows = await store.list(context.caller.teamId, start, limit + 1);
    const shown = rows.slice(0, limit);
    const files = await store.listFiles(shown.map(({ id }) => id));
    return {
      requests: shown.map((row) => viewOf(row, files, parseProviderMessage)),
      after: rows.length > limit ? (shown.at(-1)?.id ?? null) : null,
    };
  },
});

const get = route({
  method: 'GET',
  path: '/requests/{id}',
  summary: 'How a request stands',
  problems: ['not_found'],
  request: z.object({ params: api.dataRequestParams }),
  success: { status: 200, description: 'The request', schema: api.dataRequestView },
  handle: async ({ params: { id } }, context) => toView(context, await find(context, id)),
});

/** States exactly what was and what will be charged. */
function describeCancellation({ endedAt, charged, reserved }: RequestRow, released: boolean): string {
  if (released) return 'Cancelled: it was not sent, and nothing is charged.';
  if (endedAt === null) {
    return `Stopped waiting. The provider has the order and charges what it delivers, up to ${formatCount(reserved)} credits. Its rows can then be written for free.`;
  }
  return charged === null
    ? `It had already ended. Nobody knows whether its ${formatCount(reserved)} credits were charged; they count as spent.`
    : `It had already ended: ${formatCount(charged)} credits were charged.`;
}

const cancel = route({
  method: 'DELETE',
  path: '/requests/{id}',
  summary:
    'Stop a request: before it was sent its credits are given back, afterwards nobody watches it any more',
  problems: ['not_found'],
  request: z.object({ params: api.dataRequestParams }),
  success: { status: 200, description: 'What became of it', schema: api.cancelledDataRequest },
  handle: async ({ params: { id } }, context) => {
    const row = await find(context, id);
    const released = await createService(context).cancel(row);
    const now = await find(context, id);
    return { request: await toView(context, now), released, message: describeCancellation(now, released) };
  },
});

const listRows = route({
  method: 'GET',
  path: '/requests/{id}/rows',
  summary: 'Rows of a request, flattened; free for 30 days',
  problems: ['not_found', 'forbidden_scope', 'invalid_request', 'pending'],
  request: z.object({ params: api.dataRequestParams, query: api.rowsQuery }),
  success: { status: 200, description: 'A page of rows', schema: api.dataRequestRows },
  handle: async ({ params: { id }, query }, context) => {
    const row = await find(context, id);
    requireScope(context.caller, row.family);
    if (!endedPhases.includes(row.phase))
      throw new ProblemError('pending', 'The rows are still on their way.');
    if (row.clearedAt !== null) {
      throw new ProblemError(
        'not_found',
        'Its rows were kept for 30 days and are gone.',
        'Make the request again.',
      );
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
  summary: 'A ticket that opens the events of a request once, within a minute',
  problems: ['not_found'],
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

/** The routes of bulk requests. Events have a door of their own (requests-events.ts): browsers send no header there. */
export const dataRequestRoutes: readonly Route[] = [
  create,
  estimate,
  list,
  get,
  cancel,
  listRows,
  createTicket,
];
