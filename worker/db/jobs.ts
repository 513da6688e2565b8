// Background jobs and dead letters. Times are milliseconds since 1970.
import { isNotNull } from 'drizzle-orm';
import { check, index, integer, primaryKey, sqliteTable, text } from 'drizzle-orm/sqlite-core';
import { type DeadLetterKind, deadLetterKinds } from '../../shared/api/admin-data-requests.ts';
import { isOneOf } from './columns.ts';

const jobKinds = [
  'data_request',
  'schedule',
  'enrichment',
  'push',
  'alert',
  'erasure',
  'housekeeping',
] as const;
export type JobKind = (typeof jobKinds)[number];

/** Work that outlives a request. A row exists as long as there is something left to do. */
export const jobs = sqliteTable(
  'jobs',
  {
    kind: text({ enum: jobKinds }).notNull(),
    /** Id of the data request, push, alert message or erasure; of a schedule or enrichment with its team. */
    id: text().notNull(),
    /** Jobs with one key run one after another, the oldest first. Null: independent of others. */
    concurrencyKey: text('concurrency_key'),
    createdAt: integer('created_at').notNull(),
    /** Time of the next attempt; null: it waits until somebody wakes it. */
    dueAt: integer('due_at'),
    /** End of the lease: until then one process runs it. */
    leaseUntil: integer('lease_until').notNull().default(0),
    /** Whether it was woken after its lease began, so that it has to run again. */
    isWoken: integer('is_woken', { mode: 'boolean' }).notNull().default(false),
    /** Failed attempts in a row. */
    attempts: integer().notNull().default(0),
  },
  (table) => [
    primaryKey({ columns: [table.kind, table.id] }),
    check('jobs_kind', isOneOf(table.kind, jobKinds)),
    index('jobs_due').on(table.dueAt).where(isNotNull(table.dueAt)),
    index('jobs_by_concurrency_key')
      .on(table.concurrencyKey, table.createdAt, table.id)
      .where(isNotNull(table.concurrencyKey)),
  ],
);
export type JobRow = typeof jobs.$inferSelect;
/** The name of a job, and the body of its message. */
export type JobKey = Pick<JobRow, 'kind' | 'id'>;

/** Work that failed too often. */
export const deadLetters = sqliteTable(
  'dead_letters',
  {
    id: text().primaryKey(),
    at: integer().notNull(),
    kind: text().$type<DeadLetterKind>().notNull(),
    teamId: text('team_id').notNull(),
    /** Id of the data request, push or alert message. */
    requestId: text('request_id').notNull(),
    body: text().notNull(),
    /** `http_404`, `no_answer`, or the code of a problem. */
    code: text().notNull(),
    error: text().notNull(),
    replayedAt: integer('replayed_at'),
    dismissedAt: integer('dismissed_at'),
  },
  (table) => [
    check('dead_letters_kind', isOneOf(table.kind, deadLetterKinds)),
    index('dead_letters_by_time').on(table.at, table.id),
  ],
);
export type DeadLetterRow = typeof deadLetters.$inferSelect;
