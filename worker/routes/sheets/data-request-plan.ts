// What a bulk request of the add-on brings: its keys are read, or its query is resolved, and what is cached is told apart.

import type { NewRequest } from '../../../shared/api/data-requests.ts';
import type { Query } from '../../../shared/api/query.ts';
import { maxRequestRecords } from '../../../shared/limits.ts';
import { type BulkKind, type BulkOperation, operations } from '../../../shared/operations.ts';
import { unknownRecordFields } from '../../../shared/query/known-fields.ts';
import type { ListKind } from '../../data-requests/order/list-kinds.ts';
import { findBulkOperation, type Pricing } from '../../data-requests/order/order.ts';
import { type KeyIssue, parseKeys } from '../../data-requests/order/parse-keys.ts';
import { findIdOperation, resolveQuery } from '../../data-requests/order/resolve-query.ts';
import { type KeySplit, splitKeys } from '../../data-requests/order/split-keys.ts';
import { rejectUnknownFields, rejectUnknownQueryFields } from '../../gateway/query.ts';
import { ProblemError } from '../../http/problem-error.ts';
import type { Visit } from './route.ts';

/** The operation behind a kind; ids are a file where the family takes them so. */
export function operationOf({ family, kind }: NewRequest): BulkOperation {
  const found =
    findBulkOperation(family, kind) ?? (kind === 'ids' ? findBulkOperation(family, 'id_file') : undefined);
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
export function keysOf(request: Extract<NewRequest, { keys: unknown }>, operation: BulkOperation): string[] {
  const read = parseKeys(listKindOf(operation), request.family, request.keys);
  if ('keys' in read) return read.keys.slice(0, request.limit);
  const complaints = 'complaints' in read ? read.complaints : [];
  const words = complaints.map(({ index, msg }: KeyIssue) => `keys.${index}: ${msg}`);
  throw new ProblemError(
    'invalid_request',
    `${words.slice(0, 5).join('; ')}.`,
    'Correct these keys, or leave them out.',
  );
}

/** What a request brings: what is cached, what is ordered, and how many records there are to choose from. */
interface Planned extends Pricing {
  split: KeySplit;
  total: number;
}

/** Resolves a request to keys, and splits them into cached ones and those to order; free. */
export async function plan(request: NewRequest, operation: BulkOperation, visit: Visit): Promise<Planned> {
  const context = await visit.context();
  const { family } = request;
  if ('keys' in request) {
    const keys = keysOf(request, operation);
    const split = await splitKeys(visit.env, { kind: listKindOf(operation), family, keys }, context);
    return { records: countOf(split), selection: { keys }, split, total: keys.length };
  }
  const limit = Math.min(request.limit ?? maxRequestRecords, maxRequestRecords);
  const query: Query = {
    ...(request.kind === 'filter' ? { filters: request.filters } : { es_dsl: request.es_dsl }),
    ...(request.any_fields === true ? { any_fields: true } : {}),
  };
  const { ids, total } = await resolveQuery(family, query, limit, context);
  const kind = listKindOf(findIdOperation(family) ?? operation);
  const split = await splitKeys(visit.env, { kind, family, keys: ids }, context);
  return { records: countOf(split), selection: { query: queryOf(request), limit }, split, total };
}

const countOf = ({ cached, ordered }: KeySplit): number => cached.length + ordered.length;

const listKindOf = ({ kind }: BulkOperation): ListKind =>
  kind === 'filter' || kind === 'es_dsl' ? 'ids' : kind;

/** @throws ProblemError where there is nothing to bring */
export async function priceOf(request: NewRequest, operation: BulkOperation, visit: Visit): Promise<Pricing> {
  const planned = await plan(request, operation, visit);
  if (planned.total === 0) {
    throw new ProblemError('invalid_request', 'The query matches no records, so there is nothing to bring.');
  }
  return planned;
}

export function queryOf(request: Extract<NewRequest, { kind: 'filter' | 'es_dsl' }>): string {
  if (request.kind === 'filter') return JSON.stringify(request.filters);
  return JSON.stringify('query' in request.es_dsl ? request.es_dsl : { query: request.es_dsl });
}

/** @throws ProblemError `unknown_field`, before anything is bought */
export function requireFields(request: NewRequest): void {
  if (request.any_fields === true) return;
  if (!('keys' in request)) rejectUnknownQueryFields(request.family, request);
  rejectUnknownFields(unknownRecordFields(request.family, request.columns ?? []));
}
