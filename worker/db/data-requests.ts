// Data requests, their files, webhooks and dead letters. Times are milliseconds since 1970.
import { isNotNull, isNull } from 'drizzle-orm';
import { check, index, integer, primaryKey, sqliteTable, text, unique } from 'drizzle-orm/sqlite-core';
import { type DeadLetterKind, deadLetterKinds } from '../../shared/api/admin-data-requests.ts';
import type { Family } from '../../shared/families/index.ts';
import type { BulkKind } from '../../shared/operations.ts';
import type { ProblemCode } from '../../shared/problems.ts';
import { isOneOf } from './columns.ts';
import { teams } from './teams.ts';

/**
 * Where a request is on its way. `reserving`: the ledger is being asked. `sending`: nobody knows yet whether the provider
 * has it. The others are as their team sees them.
 */
const phases = [
  'reserving',
  'reserved',
  'sending',
  'submitted',
  'running',
  'ingesting',
  'ready',
  'failed',
  'cancelled',
  'unclear',
] as const;
export type Phase = (typeof phases)[number];

/** Why a request failed, or why nobody knows. */
export interface Failure {
  problem: ProblemCode;
  /** In words, where somebody said any. */
  detail?: string;
  /** What the provider answered. */
  answer?: { status: number; contentType: string; body: string };
}

export const requests = sqliteTable(
  'requests',
  {
    /** Also the id of its reservation in the team's ledger. */
    id: text().primaryKey(),
    teamId: text('team_id')
      .notNull()
      .references(() => teams.id),
    tokenId: text('token_id').notNull(),
    family: text().$type<Family>().notNull(),
    kind: text().$type<BulkKind>().notNull(),
    idempotencyKey: text('idempotency_key'),
    /** SHA-256 of what was ordered: the same key with another order is a mistake. */
    orderHash: text('order_hash').notNull(),
    columns: text({ mode: 'json' }).$type<string[]>(),
    /** Where the provider reaches the gateway. */
    origin: text().notNull(),
    /** Where the caller wants to be told. */
    relayUrl: text('relay_url'),
    /** Records that the price was made for. */
    asked: integer().notNull(),
    /** Credits. */
    reserved: integer().notNull(),
    phase: text().$type<Phase>().notNull(),
    watched: integer({ mode: 'boolean' }).notNull().default(true),
    providerId: text('provider_id'),
    /** SHA-256 of the secret in the address of its webhook. */
    hookHash: text('hook_hash'),
    failure: text({ mode: 'json' }).$type<Failure>(),
    rows: integer().notNull().default(0),
    /** Credits; null until it is known what was delivered. */
    charged: integer(),
    /** How often it was looked at, or the same step was tried, since it last moved on. */
    turns: integer().notNull().default(0),
    /** Counts the Workflow instances that worked on it. */
    run: integer().notNull().default(0),
    /** How often the caller was tried to be told; null where there is nothing to tell any more. */
    relayTries: integer('relay_tries'),
    /** Milliseconds since 1970, as all times here. */
    createdAt: integer('created_at').notNull(),
    updatedAt: integer('updated_at').notNull(),
    endedAt: integer('ended_at'),
    /** By then it should have moved; if not, somebody wakes it. Null where nothing is left to do. */
    dueAt: integer('due_at'),
    /** When its rows were deleted. */
    clearedAt: integer('cleared_at'),
    /** Records that come from the cache, for free. */
    cached: integer().notNull().default(0),
    /** How many of them are rows; null until all are. */
    cachedRows: integer('cached_rows'),
    /** The provider whose cache it reads and fills. */
    identity: text(),
    /** Behind which row its delivered records are still to be cached, '' for all; null where there is nothing to cache. */
    cacheCursor: text('cache_cursor'),
  },
  (table) => [
    check('requests_phase', isOneOf(table.phase, phases)),
    unique().on(table.teamId, table.idempotencyKey),
    index('requests_by_team').on(table.teamId, table.createdAt),
    index('requests_by_provider_id').on(table.providerId).where(isNotNull(table.providerId)),
    index('requests_due').on(table.dueAt).where(isNotNull(table.dueAt)),
    index('requests_by_creation').on(table.createdAt, table.id),
    index('requests_with_rows').on(table.createdAt).where(isNull(table.clearedAt)),
  ],
);
export type RequestRow = typeof requests.$inferSelect;

export const requestFiles = sqliteTable(
  'request_files',
  {
    requestId: text('request_id')
      .notNull()
      .references(() => requests.id),
    fileIndex: integer('file_index').notNull(),
    name: text().notNull(),
    /** Null until it is read. */
    rows: integer(),
    /** Records that stood in it, duplicates included: what the provider charges. */
    records: integer(),
    bytes: integer(),
    /** Records in it of people who had been erased: the file itself is not handed out. */
    withheld: integer().notNull().default(0),
  },
  (table) => [primaryKey({ columns: [table.requestId, table.fileIndex] })],
);
export type FileRow = typeof requestFiles.$inferSelect;

/** Keys that open data requests have ordered, as pseudonyms: each of them once. */
export const keysOnOrder = sqliteTable(
  'keys_on_order',
  {
    /** Of the provider. */
    identity: text().notNull(),
    family: text().$type<Family>().notNull(),
    pseudonym: text().notNull(),
    requestId: text('request_id')
      .notNull()
      .references(() => requests.id, { onDelete: 'cascade' }),
  },
  (table) => [
    primaryKey({ columns: [table.identity, table.family, table.pseudonym] }),
    index('keys_on_order_by_request').on(table.requestId),
  ],
);

/** What the provider sent to a request's webhook, each text once. */
export const requestHooks = sqliteTable(
  'request_hooks',
  {
    requestId: text('request_id')
      .notNull()
      .references(() => requests.id),
    digest: text().notNull(),
    at: integer().notNull(),
    body: text().notNull(),
  },
  (table) => [primaryKey({ columns: [table.requestId, table.digest] })],
);

/** Words of the query of a request, lower case; '' when the query is forgotten, null where it is too long. */
export const askedQueries = sqliteTable('asked_queries', {
  requestId: text('request_id')
    .primaryKey()
    .references(() => requests.id, { onDelete: 'cascade' }),
  text: text(),
});

/** Each opens the events of a request once. */
export const requestTickets = sqliteTable('request_tickets', {
  hash: text().primaryKey(),
  requestId: text('request_id')
    .notNull()
    .references(() => requests.id),
  expiresAt: integer('expires_at').notNull(),
});

/** With which a team's own webhooks are signed. */
export const webhookSecrets = sqliteTable('webhook_secrets', {
  teamId: text('team_id')
    .primaryKey()
    .references(() => teams.id),
  secret: text().notNull(),
  createdAt: integer('created_at').notNull(),
});

/** What was tried often and given up. */
export const deadLetters = sqliteTable(
  'dead_letters',
  {
    id: text().primaryKey(),
    at: integer().notNull(),
    kind: text().$type<DeadLetterKind>().notNull(),
    /** Id of the request, or of the push or message. */
    requestId: text('request_id').notNull(),
    body: text().notNull(),
    error: text().notNull(),
    replayedAt: integer('replayed_at'),
  },
  (table) => [
    check('dead_letters_kind', isOneOf(table.kind, deadLetterKinds)),
    index('dead_letters_by_time').on(table.at, table.id),
  ],
);
export type DeadLetterRow = typeof deadLetters.$inferSelect;
