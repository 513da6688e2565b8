// Retention rules for data requests, their files, and webhook secrets in D1.
import {
  and,
  eq,
  exists,
  inArray,
  isNotNull,
  lt,
  ne,
  not,
  type SQL,
  type SQLWrapper,
  sql,
} from 'drizzle-orm';
import { QueryBuilder, type SQLiteTable } from 'drizzle-orm/sqlite-core';
import type { RetentionRule } from '../db/retention.ts';
import { requestFiles, requests, requestTickets, requestWebhooks, webhookSecrets } from '../db/schema.ts';
import { selectTeamsDeletedBefore } from '../gateway/auth/team-repository.ts';

const query = new QueryBuilder();

const hasRow = (table: SQLiteTable, ...conditions: (SQL | undefined)[]): SQL =>
  exists(
    query
      .select({ one: sql`1` })
      .from(table)
      .where(and(...conditions)),
  );

/** Matches ids of data requests whose caller’s webhook can be sent again. */
export const hasWebhook = (id: SQLWrapper): SQL =>
  hasRow(requests, eq(requests.id, id), isNotNull(requests.webhookUrl));

/** @param isRequestInUse - SQL condition: rows of other folders still refer to a data request */
export function createRetentionRules(
  isRequestInUse: (requestId: SQLWrapper) => SQL,
): readonly RetentionRule[] {
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
          ...[requestFiles, requestWebhooks, requestTickets].map((table) =>
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
