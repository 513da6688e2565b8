// Domains whose people sign in with their Google accounts, rules for their teams, and these people. Times are milliseconds since 1970.
import { index, integer, sqliteTable, text } from 'drizzle-orm/sqlite-core';
import type { Family } from '../../shared/families/index.ts';
import type { ScopeName } from '../../shared/operations.ts';
import { teams } from './teams.ts';

/** A domain of Google Workspace, the team of people without a rule, and what the tokens of its people permit. */
export const domains = sqliteTable(
  'domains',
  {
    /** In lower case. */
    domain: text().primaryKey(),
    /** OAuth client id of the add-on's release. Google issues identity tokens for it. */
    audience: text().notNull(),
    /** Null: only people with a rule may sign in. */
    teamId: text('team_id').references(() => teams.id),
    /** Allowed families; null is all. */
    families: text({ mode: 'json' }).$type<Family[]>(),
    /** Allowed operations, and `alerts`; null is all. */
    operations: text({ mode: 'json' }).$type<ScopeName[]>(),
    ratePerMinute: integer('rate_per_minute').notNull(),
    /** Credits of each person; null is no cap. */
    dayCap: integer('day_cap'),
    monthCap: integer('month_cap'),
    /** How long a token is valid after a sign-in. */
    tokenDays: integer('token_days').notNull(),
    createdAt: integer('created_at').notNull(),
    /** Changes with every change: a sign-in that has read an earlier version starts again. */
    version: text().notNull(),
  },
  (table) => [index('domains_by_team').on(table.teamId)],
);

/** Rules that map people of assigned domains to teams: addresses, or patterns for many. */
export const teamRules = sqliteTable(
  'team_rules',
  {
    /** Pseudonym of the address or pattern. */
    id: text().primaryKey(),
    /** The address or pattern, encrypted. */
    match: text().notNull(),
    teamId: text('team_id')
      .notNull()
      .references(() => teams.id),
  },
  (table) => [index('team_rules_by_team').on(table.teamId)],
);

/** Signed-in people. */
export const people = sqliteTable(
  'people',
  {
    /** Pseudonym of the Google account. */
    id: text().primaryKey(),
    domain: text().notNull(),
    /** Encrypted; null after it was deleted, while the account stays revoked. */
    email: text(),
    /** The person's only token. */
    tokenId: text('token_id').notNull(),
    createdAt: integer('created_at').notNull(),
    lastSeenAt: integer('last_seen_at').notNull(),
    revokedAt: integer('revoked_at'),
    /** The team came from a rule, so that it stays when the team of the domain changes. */
    byRule: integer('by_rule', { mode: 'boolean' }).notNull(),
  },
  (table) => [
    index('people_by_domain').on(table.domain),
    index('people_by_created').on(table.createdAt),
    index('people_by_last_seen').on(table.lastSeenAt),
  ],
);
