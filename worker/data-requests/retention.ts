// Retention rules for data requests, their files, webhook secrets and dead letters in D1.
import {
  and,
  eq,
  exists,
  inArray,
  isNotNull,
  lt,
  ne,
  not,
  or,
  type SQL,
  type SQLWrapper,
  sql,
} from 'drizzle-orm';
import { QueryBuilder, type SQLiteTable } from 'drizzle-orm/sqlite-core';
import { type DeadLetterKind, deadLetterKinds } from '../../shared/api/admin-data-requests.ts';
import { dataRequestRetentionDays } from '../../shared/api/data-requests.ts';
import type { RetentionRule } from '../db/retention.ts';
import {
  deadLetters,
  requestFiles,
  requestHooks,
  requests,
  requestTickets,
  webhookSecrets,
} from '../db/schema.ts';
import { selectTeamsDeletedBefore } from '../gateway/auth/team-repository.ts';

const query = new QueryBuilder();

const hasRow = (table: SQLiteTable, ...conditions: (SQL | undefined)[]): SQL =>
  exists(
    query
      .select({ one: sql`1` })
      .from(table)
      .where(and(...conditions)),
  );

export interface RetentionConditions {
  /** True if rows of other folders still refer to a data request. */
  isRequestInUse: (requestId: SQLWrapper) => SQL;
  /** True if the push or alert of a dead letter still exists. */
  hasPush: (id: SQLWrapper) => SQL;
  hasAlert: (id: SQLWrapper) => SQL;
}

export function createRetentionRules({
  isRequestInUse,
  hasPush,
  hasAlert,
}: RetentionConditions): readonly RetentionRule[] {
  const canRetry: Readonly<Record<DeadLetterKind, SQL>> = {
    relay: hasRow(requests, eq(requests.id, deadLetters.requestId), isNotNull(requests.relayUrl)),
    push: hasPush(deadLetters.requestId),
    alert: hasAlert(deadLetters.requestId),
  };
  const cannotRetry = or(
    ...deadLetterKinds.map((kind) => and(eq(deadLetters.kind, kind), not(canRetry[kind]))),
  );

  /** True if no one needs the data request any more. An unclear or disputed one must still be settled. */
  const isObsolete = (before: number): SQL | undefined =>
    and(
      lt(requests.createdAt, before),
      isNotNull(requests.clearedAt),
      ne(requests.phase, 'unclear'),
      eq(requests.disputed, 0),
      not(isRequestInUse(requests.id)),
    );

  return [
    {
      table: deadLetters,
      key: [deadLetters.id],
      isExpired: (before) => lt(deadLetters.at, before),
      days: dataRequestRetentionDays,
    },
    {
      table: deadLetters,
      key: [deadLetters.id],
      isExpired: (before) => and(lt(deadLetters.at, before), cannotRetry),
      days: 1,
    },
    {
      table: requestFiles,
      key: [requestFiles.requestId, requestFiles.fileIndex],
      isExpired: (before) =>
        inArray(
          requestFiles.requestId,
          query.select({ id: requests.id }).from(requests).where(isObsolete(before)),
        ),
      days: 400,
    },
    {
      table: requests,
      key: [requests.id],
      isExpired: (before) =>
        and(
          isObsolete(before),
          ...[requestFiles, requestHooks, requestTickets].map((table) =>
            not(hasRow(table, eq(table.requestId, requests.id))),
          ),
        ),
      days: 400,
    },
    {
      table: webhookSecrets,
      key: [webhookSecrets.teamId],
      isExpired: (before) => inArray(webhookSecrets.teamId, selectTeamsDeletedBefore(before)),
      days: 60,
    },
  ];
}
