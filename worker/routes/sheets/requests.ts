// /sheets/v1/requests: bulk requests, made, listed, watched, stopped, and their rows.

import * as z from 'zod';
import { unknownRecordFields } from '../../../shared/known-fields.ts';
import { type BulkKind, type BulkOperation, operations } from '../../../shared/operations.ts';
import type { ProblemCode } from '../../../shared/problems.ts';
import { maxRequestRecords, type NewRequest } from '../../../shared/requests-api.ts';
import { isoTime } from '../../format.ts';
import { requireKnown, requireKnownQuery, wordsOf } from '../../gateway/query.ts';
import { requireScope } from '../../gateway/tokens.ts';
import { sha256Hex } from '../../hash.ts';
import { ProblemError } from '../../problem-error.ts';
import { publicOrigin } from '../../public-origin.ts';
import { endPhases, rowStore } from '../../requests/book.ts';
import { RequestDesk } from '../../requests/desk.ts';
import { type Complaint, readKeys } from '../../requests/keys.ts';
import { bulkOperation, type Priced, pricedList, pricedQuery } from '../../requests/order.ts';
import { countMatches } from '../../requests/price.ts';
import { readRows } from '../../requests/rows/index.ts';
import { newSecret } from '../../requests/secret.ts';
import { RequestStore } from '../../requests/store.ts';
import type { RequestRow } from '../../requests/tables.ts';
import { requestView as viewOf } from '../../requests/view.ts';
import { begin } from '../../requests/wake.ts';
import { PushStore } from '../../tables/pushes.ts';
import * as bodies from './requests-bodies.ts';
import { type Route, route, type Visit } from './route.ts';

/** A ticket is used at once. */
const TICKET_MS = 60_000;

/** The operation behind a kind; ids are a file where the family takes them so. */
function operationOf({ family, kind }: NewRequest): BulkOperation {
  const found =
    bulkOperation(family, kind) ?? (kind === 'ids' ? bulkOperation(family, 'id_file') : undefined);
  if (found !== undefined) return found;
  const known = operations.flatMap((operation) =>
    operation.name === 'bulk' && operation.family === family ? [operation.kind] : [],
  );
  const kinds = known.map((own): BulkKind => (own === 'id_file' ? 'ids' : own));
  throw new ProblemError(
    'invalid_request',
    kinds.length === 0
      ? `family: ${family} has no bulk requests.`
      : `kind: ${family} takes ${kinds.join(', ')}, not ${kind}.`,
  );
}

/** @throws ProblemError that names the first keys that can't be */
function keysOf(request: Extract<NewRequest, { keys: unknown }>, { kind, family }: BulkOperation): string[] {
  const read = readKeys(kind === 'filter' || kind === 'es_dsl' ? 'ids' : kind, family, request.keys);
  if ('keys' in read) return read.keys.slice(0, request.limit);
  const complaints = 'complaints' in read ? read.complaints : [];
  const words = complaints.map(({ at, msg }: Complaint) => `keys.${at}: ${msg}`);
  throw new ProblemError(
    'invalid_request',
    `${words.slice(0, 5).join('; ')}.`,
    'Correct these keys, or leave them out.',
  );
}

/** Says what a request may cost. */
async function priceOf(request: NewRequest, operation: BulkOperation, visit: Visit): Promise<Priced> {
  if ('keys' in request) return pricedList({ keys: keysOf(request, operation) });
  const query = queryOf(request);
  const style = request.kind;
  const total = await countMatches(request.family, style, query, await visit.rooms());
  if (typeof total !== 'number') throw new ProblemError(total.problem, wordsOf(total.answer));
  if (total === 0) {
    throw new ProblemError('invalid_request', 'The query matches no records, so there is nothing to bring.');
  }
  const { limit } = request;
  // People are not left with a request that fails later because it is too large: it brings as many as it can.
  return pricedQuery({ query, limit: Math.min(limit ?? maxRequestRecords, maxRequestRecords) }, total);
}

function queryOf(request: Extract<NewRequest, { kind: 'filter' | 'es_dsl' }>): string {
  if (request.kind === 'filter') return JSON.stringify(request.filters);
  return JSON.stringify('query' in request.es_dsl ? request.es_dsl : { query: request.es_dsl });
}

/** @throws ProblemError `unknown_field`, before anything is bought */
function requireFields(request: NewRequest): void {
  if (request.any_fields === true) return;
  if (!('keys' in request)) requireKnownQuery(request.family, request);
  requireKnown(unknownRecordFields(request.family, request.columns ?? []));
}

const desk = ({ env, now, provider }: Visit): RequestDesk =>
  new RequestDesk({ env, now: () => now, upstream: provider });

async function view({ env }: Visit, row: RequestRow) {
  return viewOf(row, await new RequestStore(env.DB).files([row.id]), wordsOf);
}

/** @throws ProblemError `not_found`, for another team's as well */
async function find({ env, caller }: Visit, id: string): Promise<RequestRow> {
  const row = await new RequestStore(env.DB).ofTeam(caller.teamId, id);
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
  'over_budget',
  'spending_off',
  'provider_unavailable',
  'provider_refused',
];

const create = route({
  method: 'POST',
  path: '/requests',
  summary: 'Ask for up to 10,000 records at once',
  description:
    'The price is what the query matches now, or the number of keys, times the price of a record; these credits are held until it is known what was delivered. Rows come later: watch the state.',
  problems: priced,
  request: z.object({ headers: bodies.idempotency, body: bodies.newRequestBody }),
  success: { status: 201, description: 'The request, reserved', schema: bodies.requestView },
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
      origin: publicOrigin(env, request),
      idempotencyKey: headers['idempotency-key'] ?? null,
    });
    if (row.phase === 'reserved') await begin(env, row);
    visit.tell({ credits: 0 });
    return view(visit, row);
  },
});

const list = route({
  method: 'GET',
  path: '/requests',
  summary: 'The team’s requests, the newest first',
  problems: ['invalid_request', 'not_found'],
  request: z.object({ query: bodies.listQuery }),
  success: { status: 200, description: 'A page of requests', schema: bodies.requestList },
  answer: async ({ query: { after, limit } }, visit) => {
    const store = new RequestStore(visit.env.DB);
    const start = after === undefined ? undefined : await find(visit, after);
    const rows = await store.list(visit.caller.teamId, start, limit + 1);
    const shown = rows.slice(0, limit);
    const files = await store.files(shown.map(({ id }) => id));
    return {
      requests: shown.map((row) => viewOf(row, files, wordsOf)),
      after: rows.length > limit ? (shown.at(-1)?.id ?? null) : null,
    };
  },
});

const look = route({
  method: 'GET',
  path: '/requests/{id}',
  summary: 'How a request stands',
  problems: ['not_found'],
  request: z.object({ params: bodies.requestParams }),
  success: { status: 200, description: 'The request', schema: bodies.requestView },
  answer: async ({ params: { id } }, visit) => view(visit, await find(visit, id)),
});

const stop = route({
  method: 'DELETE',
  path: '/requests/{id}',
  summary:
    'Stop a request: before it was sent its credits are given back, afterwards nobody watches it any more',
  problems: ['not_found'],
  request: z.object({ params: bodies.requestParams }),
  success: { status: 200, description: 'What became of it', schema: bodies.requestStopped },
  answer: async ({ params: { id } }, visit) => {
    const row = await find(visit, id);
    const released = await desk(visit).stop(row);
    const message = released
      ? 'Cancelled before it was sent: its credits are free again.'
      : endPhases.includes(row.phase)
        ? 'It had ended already: nothing was changed.'
        : 'Nobody watches it any more. The provider works on it and charges it all the same; what it delivers can be read for free.';
    return { request: await view(visit, await find(visit, id)), released, message };
  },
});

const rows = route({
  method: 'GET',
  path: '/requests/{id}/rows',
  summary: 'Rows of a request, flattened; free for 30 days',
  problems: ['not_found', 'forbidden_scope', 'invalid_request', 'pending'],
  request: z.object({ params: bodies.requestParams, query: bodies.rowsQuery }),
  success: { status: 200, description: 'A page of rows', schema: bodies.requestRows },
  answer: async ({ params: { id }, query }, visit) => {
    const row = await find(visit, id);
    requireScope(visit.caller, row.family);
    if (!endPhases.includes(row.phase)) throw new ProblemError('pending', 'The rows are still on their way.');
    if (row.clearedAt !== null) {
      throw new ProblemError(
        'not_found',
        'Its rows were kept for 30 days and are gone.',
        'Make the request again.',
      );
    }
    const { after, limit, columns = row.columns ?? undefined } = query;
    await new PushStore(visit.env.DB).giveWay(row.teamId, id, visit.now);
    return readRows(rowStore(visit.env), {
      requestId: id,
      family: row.family,
      limit,
      maxBytes: bodies.MAX_ROWS_BYTES,
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
  request: z.object({ params: bodies.requestParams }),
  success: { status: 201, description: 'The ticket', schema: bodies.requestTicket },
  answer: async ({ params: { id } }, visit) => {
    await find(visit, id);
    const secret = newSecret();
    const expiresAt = visit.now + TICKET_MS;
    await new RequestStore(visit.env.DB).addTicket(await sha256Hex(secret), id, expiresAt);
    return { ticket: secret, expires_at: isoTime(expiresAt) };
  },
});

/** The routes of bulk requests. Events have a door of their own (requests-events.ts): browsers send no header there. */
export const requestRoutes: readonly Route[] = [create, list, look, stop, rows, ticket];
