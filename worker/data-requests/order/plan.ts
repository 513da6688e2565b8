// Plans a data request of the add-on: parses its keys or resolves its query, and separates cached records.

import type { NewDataRequest } from '../../../shared/api/data-requests.ts';
import type { Query } from '../../../shared/api/query.ts';
import { maxRequestRecords } from '../../../shared/limits.ts';
import { type BulkKind, type BulkOperation, operations } from '../../../shared/operations.ts';
import { describeUnknownRecordFields } from '../../../shared/query/known-fields.ts';
import type { Env } from '../../env.ts';
import type { GatewayContext } from '../../gateway/context.ts';
import { rejectUnknownFields, rejectUnknownQueryFields } from '../../gateway/query.ts';
import { ProblemError } from '../../http/problem-error.ts';
import { findBulkOperation, type Pricing } from './order.ts';
import type { ListKind } from './parse-keys.ts';
import { type KeyIssue, parseKeys } from './parse-keys.ts';
import { findIdOperation, resolveQuery } from './resolve-query.ts';
import { type KeySplit, splitKeys } from './split-keys.ts';

/** Environment and provider of a plan. */
interface PlanContext {
  env: Env;
  /** @throws ProblemError `not_configured` */
  getGatewayContext: () => Promise<GatewayContext>;
}

/**
 * Finds the operation for a kind of data request. Some families take ids as a file.
 * @throws ProblemError `invalid_request` if the family does not support the kind
 */
export function requireBulkOperation({ family, kind }: NewDataRequest): BulkOperation {
  const found =
    findBulkOperation(family, kind) ?? (kind === 'ids' ? findBulkOperation(family, 'id_file') : undefined);
  if (found !== undefined) return found;
  const known = operations.flatMap((operation) =>
    operation.name === 'bulk' && operation.family === family ? [operation.kind] : [],
  );
  const kinds = known.map((supported): BulkKind => (supported === 'id_file' ? 'ids' : supported));
  throw new ProblemError(
    'invalid_request',
    kinds.length === 0
      ? `family: ${family} does not support bulk orders.`
      : `kind: ${family} supports ${kinds.join(', ')}, not ${kind}.`,
  );
}

/**
 * Parses the keys of a data request.
 * @throws ProblemError `invalid_request` with the first invalid keys
 */
export function requireKeys(
  request: Extract<NewDataRequest, { keys: unknown }>,
  operation: BulkOperation,
): string[] {
  const parsed = parseKeys(toListKind(operation), request.family, request.keys);
  if ('keys' in parsed) return parsed.keys.slice(0, request.limit);
  const complaints = 'issues' in parsed ? parsed.issues : [];
  const messages = complaints.map(({ index, msg }: KeyIssue) => `keys.${index}: ${msg}`);
  throw new ProblemError(
    'invalid_request',
    `${messages.slice(0, 5).join('; ')}.`,
    'Correct or remove these keys.',
  );
}

/** The plan of a data request: cached and ordered records, and the total number of matches. */
interface DataRequestPlan extends Pricing {
  split: KeySplit;
  total: number;
}

/** Resolves a data request to keys and splits them into cached keys and keys to order. Free. */
export async function planDataRequest(
  request: NewDataRequest,
  operation: BulkOperation,
  context: PlanContext,
): Promise<DataRequestPlan> {
  const gateway = await context.getGatewayContext();
  const { family } = request;
  if ('keys' in request) {
    const keys = requireKeys(request, operation);
    const split = await splitKeys(context.env, { kind: toListKind(operation), family, keys }, gateway);
    return { records: countRecords(split), selection: { keys }, split, total: keys.length };
  }
  const limit = Math.min(request.limit ?? maxRequestRecords, maxRequestRecords);
  const query: Query = {
    ...(request.kind === 'filter' ? { filters: request.filters } : { es_dsl: request.es_dsl }),
    ...(request.any_fields === true ? { any_fields: true } : {}),
  };
  const { ids, total } = await resolveQuery(family, query, limit, gateway);
  const kind = toListKind(findIdOperation(family) ?? operation);
  const split = await splitKeys(context.env, { kind, family, keys: ids }, gateway);
  return { records: countRecords(split), selection: { query: serializeQuery(request), limit }, split, total };
}

const countRecords = ({ cached, ordered }: KeySplit): number => cached.length + ordered.length;

const toListKind = ({ kind }: BulkOperation): ListKind =>
  kind === 'filter' || kind === 'es_dsl' ? 'ids' : kind;

/**
 * Plans a data request for an order.
 * @throws ProblemError `invalid_request` if nothing matches
 */
export async function priceDataRequest(
  request: NewDataRequest,
  operation: BulkOperation,
  context: PlanContext,
): Promise<Pricing> {
  const plan = await planDataRequest(request, operation, context);
  if (plan.total === 0) {
    throw new ProblemError('invalid_request', 'The query matches no records, so there is nothing to order.');
  }
  return plan;
}

export function serializeQuery(request: Extract<NewDataRequest, { kind: 'filter' | 'es_dsl' }>): string {
  if (request.kind === 'filter') return JSON.stringify(request.filters);
  return JSON.stringify('query' in request.es_dsl ? request.es_dsl : { query: request.es_dsl });
}

/**
 * Rejects unknown fields before anything is bought.
 * @throws ProblemError `unknown_field`
 */
export function requireKnownFields(request: NewDataRequest): void {
  if (request.any_fields === true) return;
  if (!('keys' in request)) rejectUnknownQueryFields(request.family, request);
  rejectUnknownFields(describeUnknownRecordFields(request.family, request.columns ?? []));
}
