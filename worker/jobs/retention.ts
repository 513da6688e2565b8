// How long lines of D1 are kept that no work clears by itself, as data; what is older goes once an hour.

import { and, eq, exists, inArray, isNotNull, lt, ne, not, or, type SQL, sql } from 'drizzle-orm';
import { drizzle } from 'drizzle-orm/d1';
import { QueryBuilder, type SQLiteColumn, type SQLiteTable } from 'drizzle-orm/sqlite-core';
import { type DeadLetterKind, deadLetterKinds } from '../../shared/api/admin-data-requests.ts';
import { dataRequestRetentionDays } from '../../shared/api/data-requests.ts';
import {
  alertMessages,
  deadLetters,
  pushes,
  requestFiles,
  requestHooks,
  requests,
  requestTickets,
  runs,
  tables,
  teams,
  usageDays,
  webhookSecrets,
} from '../db/schema.ts';
import type { Env } from '../env.ts';
import type { JobContext } from '../gateway/context.ts';
import { DAY_MS, toDay } from '../gateway/ledger/periods.ts';
import { isHourlySweep } from '../lib/hourly.ts';

/** What the add-on did is told for so long. */
export const runKeptDays = 90;

/** Lines of each kind that one sweep deletes. */
const LINES = 1000;

const query = new QueryBuilder();

const matches = (table: SQLiteTable, ...conditions: (SQL | undefined)[]): SQL =>
  exists(
    query
      .select({ one: sql`1` })
      .from(table)
      .where(and(...conditions)),
  );

/** What a dead letter can still be tried with; without it the letter is good for nothing. */
const tryable: Readonly<Record<DeadLetterKind, SQL>> = {
  hook: matches(requests, eq(requests.id, deadLetters.requestId), isNotNull(requests.dueAt)),
  relay: matches(requests, eq(requests.id, deadLetters.requestId), isNotNull(requests.relayUrl)),
  push: matches(pushes, eq(pushes.id, deadLetters.requestId)),
  alert: matches(alertMessages, eq(alertMessages.id, deadLetters.requestId)),
};
const isSpent = or(...deadLetterKinds.map((kind) => and(eq(deadLetters.kind, kind), not(tryable[kind]))));

/** A request that nobody can act on: what became of an unclear one is still to be said, and a table may be made of it. */
const isHistory = (before: number): SQL | undefined =>
  and(
    lt(requests.createdAt, before),
    isNotNull(requests.clearedAt),
    ne(requests.phase, 'unclear'),
    not(matches(tables, eq(tables.requestId, requests.id))),
  );

/** Lines that are forgotten. */
interface Lifetime {
  table: SQLiteTable;
  /** The columns that tell its lines apart. */
  key: readonly SQLiteColumn[];
  /** Which lines are too old: those of before a time, in milliseconds since 1970. */
  old: (before: number) => SQL | undefined;
  days: number;
}

/** In this order: what belongs to a line goes before it. */
const lifetimes: readonly Lifetime[] = [
  {
    table: deadLetters,
    key: [deadLetters.id],
    old: (before) => lt(deadLetters.at, before),
    days: dataRequestRetentionDays,
  },
  {
    table: deadLetters,
    key: [deadLetters.id],
    old: (before) => and(lt(deadLetters.at, before), isSpent),
    days: 1,
  },
  {
    table: requestFiles,
    key: [requestFiles.requestId, requestFiles.fileIndex],
    old: (before) =>
      inArray(
        requestFiles.requestId,
        query.select({ id: requests.id }).from(requests).where(isHistory(before)),
      ),
    days: 400,
  },
  {
    table: requests,
    key: [requests.id],
    old: (before) =>
      and(
        isHistory(before),
        ...[requestFiles, requestHooks, requestTickets].map((part) =>
          not(matches(part, eq(part.requestId, requests.id))),
        ),
      ),
    days: 400,
  },
  {
    table: webhookSecrets,
    key: [webhookSecrets.teamId],
    old: (before) =>
      inArray(
        webhookSecrets.teamId,
        query.select({ id: teams.id }).from(teams).where(lt(teams.deletedAt, before)),
      ),
    days: 60,
  },
  { table: runs, key: [runs.teamId, runs.id], old: (before) => lt(runs.notedAt, before), days: runKeptDays },
  {
    table: usageDays,
    key: [usageDays.day, usageDays.teamId, usageDays.tokenId, usageDays.family, usageDays.operation],
    old: (before) => lt(usageDays.day, toDay(before)),
    days: 1100,
  },
];

/** Forgets what is too old. @param now - milliseconds since 1970 */
export async function forgetOld(db: D1Database, now: number): Promise<void> {
  const orm = drizzle(db);
  const [first, ...rest] = lifetimes.map(({ table, key, old, days }) => {
    const columns = sql.join([...key], sql`, `);
    // D1 deletes without LIMIT, and drizzle compares no tuples.
    const oldest = sql`SELECT ${columns} FROM ${table} WHERE ${old(now - days * DAY_MS)} LIMIT ${LINES}`;
    return orm.delete(table).where(sql`(${columns}) IN (${oldest})`);
  });
  if (first !== undefined) await orm.batch([first, ...rest]);
}

/** Once an hour, forgets what is too old. */
export async function sweepOld<E extends Env>({ env, platform }: JobContext<E>): Promise<void> {
  const now = platform.now();
  if (isHourlySweep(now)) await forgetOld(env.DB, now);
}
