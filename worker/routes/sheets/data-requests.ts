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
import { PushStore } from '../../tables/push/store.ts';
import { keysOf, operationOf, plan, priceOf, queryOf, requireFields } from './data-request-plan.ts';
import { MAX_ROWS_BYTES, type Route, route, type Visit } from './route.ts';

/** A ticket is used at once. */
const TICKET_MS = 60_000;

const desk = ({ env, now, provider }: Visit): DataRequestService =>
  new DataRequestService({ env, now: () => now, upstream: provider });

async function view({ env }: Visit, row: RequestRow) {
  return viewOf(row, await new DataRequestRepository(env.DB).listFiles([row.id]), parseProviderMessage);
}

/** @throws ProblemError `not_found`, for another team's as well */
async function find({ env, caller }: Visit, id: string): Promise<RequestRow> {
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

const priced: readonly ProblemCode[] = [
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
async function finish(visit: Visit, { id }: RequestRow): Promise<void> {
  const own = desk(visit);
  for (;;) {
    const next = await own.advance(id);
    if (next.over || next.waitMs > 0) return;
  }
}

const create = route({
  method: 'POST',
  path: '/requests',
  summary: 'Ask for up to 10,000 records at once',
  description:
    'A query is resolved to ids by free searches. Records that are cached and fresh cost nothing; the price is the number of the others times the price of a record, and these credits are held until it is known what was delivered. Records that another order has on its way are not ordered twice: such an order is refused (`already_ordered`). Where everything is cached the request is ready at once; otherwise rows come later: watch the state.',
  problems: priced,
  request: z.object({ headers: api.idempotency, body: api.newRequest }),
  success: { status: 201, description: 'The request, reserved', schema: api.requestView },
  answer: async ({ headers, body }, visit) => {
    const { env, caller, request } = visit;
    requireScope(caller, body.family, 'bulk');
    const operation = operationOf(body);
    requireFields(body);
    const selection =
      'keys' in body
        ? { keys: keysOf(body, operation) }
        : { query: queryOf(body), ...(body.limit === undefined ? {} : { limit: body.limit }) };
    const order = { operation, selection, relayUrl: null, columns: body.columns ?? null };
    const row = await desk(visit).create(order, () => priceOf(body, operation, visit), {
      payer: { team: caller.teamId, token: caller.tokenId },
      origin: getPublicOrigin(env, request),
      idempotencyKey: headers['idempotency-key'] ?? null,
      maxCredits: body.max_credits,
    });
    visit.tell({ credits: 0 });
    if (row.phase !== 'reserved') return view(visit, row);
    if (row.reserved > 0) await startWorkflow(env, row);
    else await finish(visit, row);
    return view(visit, await find(visit, row.id));
  },
});

const estimate = route({
  method: 'POST',
  path: '/estimate/data-request',
  summary: 'What a bulk request would bring and cost now; spends nothing',
  description:
    'The body is that of the request. A query is resolved to ids by free searches; records that are cached and fresh are not ordered again.',
  problems: priced,
  request: z.object({ body: api.newRequest }),
  success: { status: 200, description: 'Records, and what they would cost', schema: api.requestEstimate },
  answer: async ({ body }, visit) => {
    requireScope(visit.caller, body.family, 'bulk');
    requireFields(body);
    const operation = operationOf(body);
    const planned = await plan(body, operation, visit);
    const { cached, ordered } = planned.split;
    const { identity } = await visit.context();
    const problem = await findConflict(visit.env.DB, { identity, family: body.family }, planned.split);
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
  success: { status: 200, description: 'A page of requests', schema: api.requestList },
  answer: async ({ query: { after, limit } }, visit) => {
    const store = new DataRequestRepository(visit.env.DB);
    const start = after === undefined ? undefined : await find(visit, after);
    const rows = await store.list(visit.caller.teamId, start, limit + 1);
    const shown = rows.slice(0, limit);
    const files = await store.listFiles(shown.map(({ id }) => id));
    return {
      requests: shown.map((row) => viewOf(row, files, parseProviderMessage)),
      after: rows.length > limit ? (shown.at(-1)?.id ?? null) : null,
    };
  },
});

const look = route({
  method: 'GET',
  path: '/requests/{id}',
  summary: 'How a request stands',
  problems: ['not_found'],
  request: z.object({ params: api.requestParams }),
  success: { status: 200, description: 'The request', schema: api.requestView },
  answer: async ({ params: { id } }, visit) => view(visit, await find(visit, id)),
});

/** States exactly what was and what will be charged. */
function stoppedWords({ endedAt, charged, reserved }: RequestRow, released: boolean): string {
  if (released) return 'Cancelled: it was not sent, and nothing is charged.';
  if (endedAt === null) {
    return `Stopped waiting. The provider has the order and charges what it delivers, up to ${formatCount(reserved)} credits. Its rows can then be written for free.`;
  }
  return charged === null
    ? `It had already ended. Nobody knows whether its ${formatCount(reserved)} credits were charged; they count as spent.`
    : `It had already ended: ${formatCount(charged)} credits were charged.`;
}

const stop = route({
  method: 'DELETE',
  path: '/requests/{id}',
  summary:
    'Stop a request: before it was sent its credits are given back, afterwards nobody watches it any more',
  problems: ['not_found'],
  request: z.object({ params: api.requestParams }),
  success: { status: 200, description: 'What became of it', schema: api.requestStopped },
  answer: async ({ params: { id } }, visit) => {
    const row = await find(visit, id);
    const released = await desk(visit).cancel(row);
    const now = await find(visit, id);
    return { request: await view(visit, now), released, message: stoppedWords(now, released) };
  },
});

const rows = route({
  method: 'GET',
  path: '/requests/{id}/rows',
  summary: 'Rows of a request, flattened; free for 30 days',
  problems: ['not_found', 'forbidden_scope', 'invalid_request', 'pending'],
  request: z.object({ params: api.requestParams, query: api.rowsQuery }),
  success: { status: 200, description: 'A page of rows', schema: api.requestRows },
  answer: async ({ params: { id }, query }, visit) => {
    const row = await find(visit, id);
    requireScope(visit.caller, row.family);
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
    await new PushStore(visit.env.DB).postponeForReader(row.teamId, id, visit.now);
    return readRows(getRowStore(visit.env), {
      requestId: id,
      family: row.family,
      limit,
      maxBytes: MAX_ROWS_BYTES,
      ...(after === undefined ? {} : { after }),
      ...(columns === undefined ? {} : { columns }),
    });
  },
});

const ticket = route({
  method: 'POST',
  path: '/requests/{id}/ticket',
  summary: 'A ticket that opens the events of a request once, within a minute',
  problems: ['not_found'],
  request: z.object({ params: api.requestParams }),
  success: { status: 201, description: 'The ticket', schema: api.requestTicket },
  answer: async ({ params: { id } }, visit) => {
    await find(visit, id);
    const secret = createSecret();
    const expiresAt = visit.now + TICKET_MS;
    await new DataRequestRepository(visit.env.DB).insertTicket(await sha256Hex(secret), id, expiresAt);
    return { ticket: secret, expires_at: toIsoTime(expiresAt) };
  },
});

/** The routes of bulk requests. Events have a door of their own (requests-events.ts): browsers send no header there. */
export const requestRoutes: readonly Route[] = [create, estimate, list, look, stop, rows, ticket];
