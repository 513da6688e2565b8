// Table options that drizzle cannot express; `npm run db:generate` adds them to generated migrations.
import { getTableName } from 'drizzle-orm';
import * as schema from './schema.ts';

/** Tables WITHOUT ROWID: a row is written, and billed, once instead of twice. */
const withoutRowid: ReadonlySet<string> = new Set(
  [
    schema.requestQueries,
    schema.domains,
    schema.erasedKeys,
    schema.erasures,
    schema.jobs,
    schema.claimedKeys,
    schema.oauthEntries,
    schema.people,
    schema.requestFiles,
    schema.requestWebhooks,
    schema.requestRows,
    schema.requestTickets,
    schema.runs,
    schema.schedules,
    schema.searches,
    schema.settings,
    schema.spreadsheets,
    schema.tables,
    schema.teamRules,
    schema.usageDays,
    schema.usageHours,
    schema.webhookSecrets,
  ].map(getTableName),
);

/** Matches a generated statement that creates or rebuilds a table. */
const CREATE_TABLE = /^(CREATE TABLE `(?:__new_)?(\w+)` \(\n[\s\S]*?\n\));$/gm;

/**
 * Adds the options to the tables that a migration creates. Every table is STRICT.
 * @param migration - SQL that drizzle-kit generated
 */
export function addTableOptions(migration: string): string {
  return migration.replace(CREATE_TABLE, (_, statement: string, name: string) =>
    withoutRowid.has(name) ? `${statement} STRICT, WITHOUT ROWID;` : `${statement} STRICT;`,
  );
}
