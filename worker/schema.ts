// The gateway's relational data, as tables; worker/migrations makes them.
import { integer, primaryKey, sqliteTable, text } from 'drizzle-orm/sqlite-core';
import type { Family } from '../shared/families.ts';
import type { SortField } from '../shared/operations.ts';
import type { ProblemCode } from '../shared/problems.ts';
import { defaultConfirmAboveCredits, type Query, type RunKind, type RunState } from '../shared/sheets-api.ts';
import type { OperationName } from './gateway/call.ts';

/** A department that spends from one budget. */
export const teams = sqliteTable('teams', {
  id: text().primaryKey(),
  name: text().notNull(),
  /** Milliseconds since 1970. */
  createdAt: integer('created_at').notNull(),
  /** Are stale records bought again behind the answer, unasked? */
  backgroundRefresh: integer('background_refresh', { mode: 'boolean' }).notNull().default(false),
  /** The sidebar asks once more before it spends more credits than this; null is never. */
  confirmAboveCredits: integer('confirm_above_credits').default(defaultConfirmAboveCredits),
  /** Its tokens are revoked from then on; what it spent stays on the books. */
  deletedAt: integer('deleted_at'),
});

/** What a caller shows in place of the provider's key. Only its hash is kept. */
export const tokens = sqliteTable('tokens', {
  id: text().primaryKey(),
  teamId: text('team_id')
    .notNull()
    .references(() => teams.id),
  /** SHA-256 of the token, hexadecimal. */
  hash: text().notNull().unique(),
  /** Its first characters, by which people tell tokens apart. */
  prefix: text().notNull(),
  createdAt: integer('created_at').notNull(),
  expiresAt: integer('expires_at'),
  revokedAt: integer('revoked_at'),
  /** What people call it. */
  name: text().notNull().default(''),
  /** The families that it may use; null is all. */
  families: text({ mode: 'json' }).$type<Family[]>(),
  /** The operations that it may use; null is all. */
  operations: text({ mode: 'json' }).$type<OperationName[]>(),
  ratePerMinute: integer('rate_per_minute').notNull().default(6000),
});

/** What the deployment made for itself once, such as the key of its pseudonyms. */
export const settings = sqliteTable('settings', {
  name: text().primaryKey(),
  value: text().notNull(),
});

/** Proof that somebody was erased. */
export const erasures = sqliteTable('erasures', {
  id: text().primaryKey(),
  at: integer().notNull(),
  /** `company`, `employee`, `job` or `post`. */
  subject: text().notNull(),
  /** What was removed where, as counts. */
  removed: text({ mode: 'json' }).$type<Record<string, number>>().notNull(),
  /** When nothing is left anywhere; null until all is removed. */
  goneBy: integer('gone_by'),
});

/** Keys that are refused from then on, as HMACs. */
export const erasedKeys = sqliteTable('erased_keys', {
  pseudonym: text().primaryKey(),
  erasureId: text('erasure_id')
    .notNull()
    .references(() => erasures.id),
});

/** What each token did on a day, rolled up from the teams' ledgers. */
export const usageDays = sqliteTable(
  'usage_days',
  {
    /** `YYYY-MM-DD`, UTC. */
    day: text().notNull(),
    teamId: text('team_id').notNull(),
    tokenId: text('token_id').notNull(),
    family: text().$type<Family>().notNull(),
    operation: text().$type<OperationName>().notNull(),
    hit: integer().notNull(),
    stale: integer().notNull(),
    coalesced: integer().notNull(),
    fetched: integer().notNull(),
    notFound: integer('not_found').notNull(),
    failed: integer().notNull(),
    credits: integer().notNull(),
    saved: integer().notNull(),
    latencyMs: integer('latency_ms').notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.day, table.teamId, table.tokenId, table.family, table.operation] }),
  ],
);

/** Searches that people keep: the team's, or one token's. */
export const searches = sqliteTable('searches', {
  id: text().primaryKey(),
  teamId: text('team_id')
    .notNull()
    .references(() => teams.id),
  /** Whose it is alone; null is the whole team's. */
  tokenId: text('token_id').references(() => tokens.id),
  name: text().notNull(),
  /** The name as it may stand once with an owner. */
  foldedName: text('folded_name').notNull(),
  family: text().$type<Family>().notNull(),
  query: text({ mode: 'json' }).$type<Query>().notNull(),
  sort: text().$type<SortField>(),
  columns: text({ mode: 'json' }).$type<string[]>(),
  createdAt: integer('created_at').notNull(),
  updatedAt: integer('updated_at').notNull(),
});

/** What the add-on did in sheets. */
export const runs = sqliteTable(
  'runs',
  {
    teamId: text('team_id')
      .notNull()
      .references(() => teams.id),
    /** Chosen by the caller. */
    id: text().notNull(),
    kind: text().$type<RunKind>().notNull(),
    title: text().notNull(),
    family: text().$type<Family>().notNull(),
    rows: integer().notNull(),
    failed: integer().notNull(),
    credits: integer().notNull(),
    saved: integer().notNull(),
    startedAt: integer('started_at').notNull(),
    endedAt: integer('ended_at').notNull(),
    state: text().$type<RunState>().notNull(),
    problem: text().$type<ProblemCode>(),
    /** When it came here. */
    notedAt: integer('noted_at').notNull(),
  },
  (table) => [primaryKey({ columns: [table.teamId, table.id] })],
);

/** What an admin did. */
export const audit = sqliteTable('audit', {
  number: integer().primaryKey({ autoIncrement: true }),
  at: integer().notNull(),
  /** `team.create`, `token.revoke`. */
  action: text().notNull(),
  /** Id of what was touched; never a key of a record. */
  target: text().notNull(),
  detail: text({ mode: 'json' }).$type<Record<string, unknown>>().notNull(),
});
