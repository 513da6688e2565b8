// Teams, their tokens and usage, and the settings and audit log of the deployment. Times are milliseconds since 1970.
import { index, integer, primaryKey, sqliteTable, text } from 'drizzle-orm/sqlite-core';
import type { Family } from '../../shared/families/index.ts';
import { defaultConfirmAboveCredits, defaultFormulaMaxCredits } from '../../shared/limits.ts';
import type { Operation, ScopeName } from '../../shared/operations.ts';

type OperationName = Operation['name'];

/** A department that spends from one budget. */
export const teams = sqliteTable('teams', {
  id: text().primaryKey(),
  name: text().notNull(),
  createdAt: integer('created_at').notNull(),
  /** Whether stale records are refreshed in the background. */
  backgroundRefresh: integer('background_refresh', { mode: 'boolean' }).notNull().default(false),
  /** The sidebar asks for confirmation above this number of credits; null is never. */
  confirmAboveCredits: integer('confirm_above_credits').default(defaultConfirmAboveCredits),
  /** Copies of its caps in the ledger, for checks of all teams at once; null is no cap. */
  dayCap: integer('day_cap'),
  monthCap: integer('month_cap'),
  /** Credits that a run of a formula without `max_credits` may cost without a confirmation; null is no limit. */
  formulaMaxCredits: integer('formula_max_credits').default(defaultFormulaMaxCredits),
  /** Its tokens are revoked from then on. The row stays. */
  deletedAt: integer('deleted_at'),
});

/** Tokens of callers. Only their hashes are stored. */
export const tokens = sqliteTable(
  'tokens',
  {
    id: text().primaryKey(),
    teamId: text('team_id')
      .notNull()
      .references(() => teams.id),
    /** SHA-256 of the token, hexadecimal. */
    hash: text().notNull().unique(),
    /** Its first characters, so people recognise it. */
    prefix: text().notNull(),
    createdAt: integer('created_at').notNull(),
    expiresAt: integer('expires_at'),
    revokedAt: integer('revoked_at'),
    name: text().notNull().default(''),
    /** Allowed families; null is all. */
    families: text({ mode: 'json' }).$type<Family[]>(),
    /** Allowed operations, and `alerts`; null is all. */
    operations: text({ mode: 'json' }).$type<ScopeName[]>(),
    ratePerMinute: integer('rate_per_minute').notNull().default(6000),
    /** Pseudonym of the person who signed in; null for connections that others may use. Null once the person is deleted. */
    personId: text('person_id'),
  },
  (table) => [index('tokens_by_team').on(table.teamId)],
);

/** Facts about the deployment that no person sets, such as the fingerprint of its secret. */
export const settings = sqliteTable('settings', {
  name: text().primaryKey(),
  value: text().notNull(),
});

/** Daily usage of each token, rolled up from the ledgers. */
export const usageDays = sqliteTable(
  'usage_days',
  {
    /** `YYYY-MM-DD`, UTC. */
    day: text().notNull(),
    teamId: text('team_id').notNull(),
    tokenId: text('token_id').notNull(),
    /** Id; '' where the person or none is known. */
    spreadsheet: text().notNull().default(''),
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
    /** Of the credits and savings, those of a source; see `shared/sources.ts`. The rest has no recorded source. */
    formulaSpent: integer('formula_spent').notNull().default(0),
    formulaSaved: integer('formula_saved').notNull().default(0),
    tableSpent: integer('table_spent').notNull().default(0),
    tableSaved: integer('table_saved').notNull().default(0),
    scheduleSpent: integer('schedule_spent').notNull().default(0),
    scheduleSaved: integer('schedule_saved').notNull().default(0),
    assistantSpent: integer('assistant_spent').notNull().default(0),
    assistantSaved: integer('assistant_saved').notNull().default(0),
  },
  (table) => [
    primaryKey({
      columns: [table.day, table.teamId, table.tokenId, table.spreadsheet, table.family, table.operation],
    }),
  ],
);

/**
 * Hourly calls and their durations, rolled up from the ledgers. The columns `within…` and `slower` count calls by duration, in the
 * order of `latencyBoundsMs`; each call is in one of them.
 */
export const usageHours = sqliteTable(
  'usage_hours',
  {
    /** Start of the hour. */
    hour: integer().notNull(),
    teamId: text('team_id').notNull(),
    calls: integer().notNull(),
    failed: integer().notNull(),
    latencyMs: integer('latency_ms').notNull(),
    within1Ms: integer('within_1_ms').notNull(),
    within3Ms: integer('within_3_ms').notNull(),
    within10Ms: integer('within_10_ms').notNull(),
    within30Ms: integer('within_30_ms').notNull(),
    within100Ms: integer('within_100_ms').notNull(),
    within300Ms: integer('within_300_ms').notNull(),
    within1S: integer('within_1_s').notNull(),
    within3S: integer('within_3_s').notNull(),
    within10S: integer('within_10_s').notNull(),
    within30S: integer('within_30_s').notNull(),
    slower: integer().notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.hour, table.teamId] }),
    index('usage_hours_by_team').on(table.teamId, table.hour),
  ],
);

/** Audit log of admin actions. */
export const audit = sqliteTable('audit', {
  number: integer().primaryKey({ autoIncrement: true }),
  at: integer().notNull(),
  /** `current` or `previous`: the deployment's ADMIN_TOKEN; otherwise the id of an admin token. Null: Cloudflare Access. */
  adminToken: text('admin_token'),
  /** Id of the console's session; null for the admin API. */
  sessionId: text('session_id'),
  /** `team.create`, `token.revoke`. */
  action: text().notNull(),
  /** Id of the changed object; never a key of a record. */
  target: text().notNull(),
  detail: text({ mode: 'json' }).$type<Record<string, unknown>>().notNull(),
});
