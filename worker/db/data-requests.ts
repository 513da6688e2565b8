// Data requests, their files and webhooks. Times are milliseconds since 1970.
import { isNotNull, isNull, sql } from 'drizzle-orm';
import { check, index, integer, primaryKey, sqliteTable, text, unique } from 'drizzle-orm/sqlite-core';
import { dataRequestStates } from '../../shared/api/data-requests.ts';
import type { Family } from '../../shared/families/index.ts';
import type { BulkKind } from '../../shared/operations.ts';
import type { ProblemCode } from '../../shared/problems.ts';
import { isOneOf, isRunning } from './columns.ts';
import { teams } from './teams.ts';

/**
 * Phases of a data request. `reserving`: its credits are not reserved yet. `sending`: the call to the provider is in
 * progress. The others are the public states.
 */
const [reserved, ...laterStates] = dataRequestStates;
const phases = ['reserving', reserved, 'sending', ...laterStates] as const;
export type Phase = (typeof phases)[number];

/** Why a data request failed or is unclear. */
export interface Failure {
  problem: ProblemCode;
  detail?: string;
  /** The provider's response. */
  answer?: { status: number; body: string };
}

export const requests = sqliteTable(
  'requests',
  {
    /** Also the id of its reservation in the ledger. */
    id: text().primaryKey(),
    teamId: text('team_id')
      .notNull()
      .references(() => teams.id),
    tokenId: text('token_id').notNull(),
    family: text().$type<Family>().notNull(),
    kind: text().$type<BulkKind>().notNull(),
    idempotencyKey: text('idempotency_key'),
    /** Pseudonym of the order, to detect an idempotency key that is used for another one. */
    orderHash: text('order_hash').notNull(),
    columns: text({ mode: 'json' }).$type<string[]>(),
    /** Public origin of the gateway, for the provider's webhook. */
    origin: text().notNull(),
    /** The caller's webhook URL, encrypted: webhook-secrets.ts. */
    webhookUrl: text('webhook_url'),
    /** Number of records that the price is based on. */
    requested: integer().notNull(),
    /** Credits. */
    reserved: integer().notNull(),
    phase: text().$type<Phase>().notNull(),
    cancelRequested: integer('cancel_requested', { mode: 'boolean' }).notNull().default(false),
    providerId: text('provider_id'),
    /** SHA-256 of the secret in its webhook URL. */
    webhookHash: text('webhook_hash'),
    failure: text({ mode: 'json' }).$type<Failure>(),
    rows: integer().notNull().default(0),
    /** Credits; null while the charge is unknown. */
    charged: integer(),
    /** Credits beyond the reservation that nobody has accepted. */
    disputed: integer().notNull().default(0),
    /** Polls, or attempts of the current step, since the last transition. */
    attempts: integer().notNull().default(0),
    /** Delivery attempts of the caller's webhook; null if no delivery is pending. */
    webhookAttempts: integer('webhook_attempts'),
    createdAt: integer('created_at').notNull(),
    updatedAt: integer('updated_at').notNull(),
    endedAt: integer('ended_at'),
    /** When its rows were deleted. */
    clearedAt: integer('cleared_at'),
    /** Records from the cache; they are free. */
    cached: integer().notNull().default(0),
    /** Number of their rows so far; null before the first slice. */
    cachedRows: integer('cached_rows'),
    /** Slices of cached records that are stored as rows. */
    cachedSlices: integer('cached_slices').notNull().default(0),
    /** Identity of the provider. */
    identity: text(),
    /** Cursor after which delivered records must still be cached, '' for all; null if none are left. */
    cacheCursor: text('cache_cursor'),
  },
  (table) => [
    check('requests_phase', isOneOf(table.phase, phases)),
    unique().on(table.teamId, table.idempotencyKey),
    index('requests_by_team').on(table.teamId, table.createdAt),
    index('requests_by_provider_id').on(table.providerId).where(isNotNull(table.providerId)),
    index('requests_by_creation').on(table.createdAt, table.id),
    index('requests_running').on(table.createdAt).where(isRunning),
    index('requests_unclear').on(table.endedAt).where(sql`phase = 'unclear'`),
    index('requests_disputed').on(table.id).where(sql`disputed > 0`),
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
    /** Null until the file is ingested. */
    rows: integer(),
    /** `IngestProgress` as JSON, after a part of the pages is stored. */
    progress: text(),
    /** Records in the file, including duplicates: the provider may charge them all. */
    records: integer(),
    /** Records that another line or file has delivered. */
    duplicates: integer().notNull().default(0),
    bytes: integer(),
    /** Records that name erased people and companies. If there are any, the file can't be downloaded. */
    withheld: integer().notNull().default(0),
  },
  (table) => [primaryKey({ columns: [table.requestId, table.fileIndex] })],
);
export type FileRow = typeof requestFiles.$inferSelect;

/** Keys that open data requests have claimed, as pseudonyms. */
export const claimedKeys = sqliteTable(
  'claimed_keys',
  {
    /** Identity of the provider. */
    identity: text().notNull(),
    family: text().$type<Family>().notNull(),
    pseudonym: text().notNull(),
    requestId: text('request_id')
      .notNull()
      .references(() => requests.id, { onDelete: 'cascade' }),
  },
  (table) => [
    primaryKey({ columns: [table.identity, table.family, table.pseudonym] }),
    index('claimed_keys_by_request').on(table.requestId),
  ],
);

/** Distinct bodies of the provider's webhooks. */
export const requestWebhooks = sqliteTable(
  'request_webhooks',
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

/** Query texts of data requests, in lower case; '' if the query is deleted, null if it is too long. */
export const requestQueries = sqliteTable('request_queries', {
  requestId: text('request_id')
    .primaryKey()
    .references(() => requests.id, { onDelete: 'cascade' }),
  text: text(),
});

/** One-time tickets for event streams. */
export const requestTickets = sqliteTable('request_tickets', {
  hash: text().primaryKey(),
  requestId: text('request_id')
    .notNull()
    .references(() => requests.id),
  expiresAt: integer('expires_at').notNull(),
});

/** Secrets that sign the webhooks to a team's callers. */
export const webhookSecrets = sqliteTable('webhook_secrets', {
  teamId: text('team_id')
    .primaryKey()
    .references(() => teams.id),
  /** Encrypted: webhook-secrets.ts. */
  secret: text().notNull(),
  createdAt: integer('created_at').notNull(),
  /** The secret before the last rotation, encrypted in the same way, and until when it signs too. */
  previousSecret: text('previous_secret'),
  previousUntil: integer('previous_until'),
});
