// /sheets/v1/requests: data requests of the add-on and their rows.

import { sheetsEndpoints as endpoints } from '../../../shared/api/sheets-endpoints.ts';
import { defined } from '../../../shared/lib/defined.ts';
import { formatNumber } from '../../../shared/lib/format-count.ts';
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
import { cutPage } from '../paging.ts';
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

/** Completes a data request that orders nothing, while its caller waits. After a crash its job completes it. */
async function finishWithoutOrder(context: RouteContext, { id }: RequestRow): Promise<void> {
  const runner = { env: context.env, platform: { now: () => context.now } };
  const options = { maxSteps: Number.POSITIVE_INFINITY, isWaitedFor: true };
  await runDataRequest(runner, createService(context), id, dataRequestListener, options);
}

const create = route(endpoints.createDataRequest, {
  summary: 'Order up to 10,000 records',
  description:
    'A query is resolved to ids by free searches. Fresh cached records are free. The other records are ordered, and their price is reserved until the delivery is known. An order is rejected with `already_ordered` if another order is already fetching some of its records. If everything is cached, a request for up to 500 records is ready at once; otherwise poll its state.',
  returns: 'The data request, reserved',
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
    const order = { operation, selection, webhookUrl: null, columns: body.columns ?? null };
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

const estimate = route(endpoints.estimateDataRequest, {
  summary: 'Estimate the records and price of a data request; free',
  description:
    'Takes the body of the order. A query is resolved to ids by free searches. Fresh cached records are not ordered again.',
  returns: 'Records and price',
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

const list = route(endpoints.listDataRequests, {
  summary: 'List the team’s data requests, newest first',
  description: 'Families outside the token’s scopes are left out; without the operation `bulk`, all are.',
  returns: 'A page of data requests',
  handle: async ({ query: { after, limit } }, context) => {
    const store = new DataRequestRepository(context.env.DB);
    const start = after === undefined ? undefined : await find(context, after);
    const { caller } = context;
    const filter = { team: caller.teamId, families: getFamilies(caller, 'bulk') };
    const rows = await store.list(filter, start, limit + 1);
    const { shown, last } = cutPage(rows, limit);
    const files = await store.listFiles(shown.map(({ id }) => id));
    return {
      requests: shown.map((row) => toRequestView(row, files, parseProviderMessage)),
      after: last?.id ?? null,
    };
  },
});

const get = route(endpoints.getDataRequest, {
  summary: 'Get a data request',
  returns: 'The request',
  handle: async ({ params: { id } }, context) => toView(context, await find(context, id)),
});

function describeCancellation({ endedAt, charged, reserved }: RequestRow, released: boolean): string {
  if (released) return 'Cancelled before it was sent. Nothing is charged.';
  if (endedAt === null) {
    return `Stopped waiting. The provider has the order and charges for what it delivers, up to ${formatNumber(reserved)} credits. You can then write the rows for free.`;
  }
  return charged === null
    ? `It had already ended. Nobody knows whether its ${formatNumber(reserved)} credits were charged; they count as spent.`
    : `It had already ended: ${formatNumber(charged)} credits were charged.`;
}

const cancel = route(endpoints.cancelDataRequest, {
  summary:
    'Cancel a data request: before it is sent, its credits are released; afterwards the gateway only stops waiting for it',
  returns: 'The data request and its charges',
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

const listRows = route(endpoints.listDataRequestRows, {
  summary: 'Read the rows of a data request; free for 30 days',
  returns: 'A page of rows',
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
      ...defined({ after, columns }),
    });
  },
});

const createTicket = route(endpoints.createTicket, {
  summary: 'Create a single-use ticket for the event stream, valid for a minute',
  returns: 'The ticket',
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
