// Options of tables that drizzle cannot express; `npm run db:generate` adds them to generated migrations.
import { getTableName } from 'drizzle-orm';
import {
  askedQueries,
  erasedKeys,
  erasures,
  keysOnOrder,
  requestFiles,
  requestHooks,
  requestRows,
  requestTickets,
  runs,
  schedules,
  searches,
  settings,
  tables,
  usageDays,
  webhookSecrets,
} from './schema.ts';

/** Tables stored in their primary key: a row is written, and billed, once instead of twice. */
const withoutRowid: ReadonlySet<string> = new Set(
  [
    askedQueries,
    erasedKeys,
    erasures,
    keysOnOrder,
    requestFiles,
    requestHooks,
    requestRows,
    requestTickets,
    runs,
    schedules,
    searches,
    settings,
    tables,
    usageDays,
    webhookSecrets,
  ].map(getTableName),
);

/** A generated statement that creates a table, or the new version of a table that is rebuilt. */
const CREATE_TABLE = /^(CREATE TABLE `(?:__new_)?(\w+)` \(\n[\s\S]*?\n\));$/gm;

/**
 * Adds the options to the tables that a migration creates. Every table is STRICT: SQLite refuses values of another type.
 * @param migration - as drizzle-kit generated it
 * @returns SQL
 */
export function addTableOptions(migration: string): string {
  return migration.replace(CREATE_TABLE, (_, statement: string, name: string) =>
    withoutRowid.has(name) ? `${statement} STRICT, WITHOUT ROWID;` : `${statement} STRICT;`,
  );
}
