// Enrichments that keep looked-up columns filled, and what tables report. Times are milliseconds since 1970.
import { check, integer, primaryKey, sqliteTable, text } from 'drizzle-orm/sqlite-core';
import type { Enrichment, EnrichmentBody, TableCopy } from '../../shared/api/enrichments.ts';
import type { Query } from '../../shared/api/query.ts';
import { automationState, type Interval } from '../../shared/api/schedules.ts';
import type { ColumnIdentity, NamedColumn } from '../../shared/api/tables.ts';
import type { Family, KeyFormat } from '../../shared/families/index.ts';
import { intervals } from '../../shared/limits.ts';
import { isOneOf } from './columns.ts';
import type { StoredProblem } from './registered-tables.ts';

/** Enrichments: new keys of a column are looked up. */
export const enrichments = sqliteTable(
  'enrichments',
  {
    id: text().notNull(),
    teamId: text('team_id').notNull(),
    /** Token that pays while the spreadsheet is closed. */
    tokenId: text('token_id').notNull(),
    title: text().notNull(),
    family: text().$type<Family>().notNull(),
    by: text().$type<KeyFormat>().notNull(),
    spreadsheet: text({ mode: 'json' }).$type<EnrichmentBody['spreadsheet']>().notNull(),
    key: text('key_column', { mode: 'json' }).$type<ColumnIdentity>().notNull(),
    columns: text({ mode: 'json' }).$type<NamedColumn[]>().notNull(),
    /** Whether the Worker fills the closed spreadsheet. */
    push: integer({ mode: 'boolean' }).notNull(),
    every: text().$type<Interval>().notNull(),
    maxCredits: integer('max_credits').notNull(),
    /** Cap of its account in the ledger. */
    monthCredits: integer('month_credits').notNull(),
    state: text().$type<Enrichment['state']>().notNull(),
    /** Why it was stopped, or why its last run has filled nothing. */
    problem: text({ mode: 'json' }).$type<StoredProblem>(),
    lastAt: integer('last_at'),
    lastRows: integer('last_rows').notNull().default(0),
    lastCredits: integer('last_credits').notNull().default(0),
    /** Age in days above which values in the closed spreadsheet are looked up again; null: never. */
    refreshDays: integer('refresh_days'),
    /** The query of a column of counts; null for looked-up columns. */
    query: text({ mode: 'json' }).$type<Query>(),
    /** Number of matches that a company reaches for an alert; null: none. */
    alertAt: integer('alert_at'),
    /** Values that the last run has changed. */
    lastChanges: integer('last_changes').notNull().default(0),
    /** The Changes sheet of the spreadsheet; null before the first change. */
    changesSheetId: integer('changes_sheet_id'),
    /** Number of its keys in `enriched_keys`; erased ones still count. */
    keyCount: integer('key_count').notNull().default(0),
    /** Time of the next run in a closed spreadsheet. */
    nextAt: integer('next_at'),
    createdAt: integer('created_at').notNull(),
    updatedAt: integer('updated_at').notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.teamId, table.id] }),
    check('enrichments_state', isOneOf(table.state, automationState.options)),
    check('enrichments_every', isOneOf(table.every, intervals)),
  ],
);
export type EnrichmentRow = typeof enrichments.$inferSelect;

/** Hashes of cells, by the path of their column. */
export type CellHashes = Record<string, string>;

/** Keys that an enrichment never buys: they were there before it, or have been looked up. */
export const enrichedKeys = sqliteTable(
  'enriched_keys',
  {
    teamId: text('team_id').notNull(),
    enrichmentId: text('enrichment_id').notNull(),
    /** Pseudonym of the key. */
    key: text().notNull(),
    /** False until the record is known to be in the sheet. */
    isWritten: integer('is_written', { mode: 'boolean' }).notNull(),
    /** When the record in the sheet was bought; null until a refresh has looked at it. */
    fetchedAt: integer('fetched_at'),
    /** Hashes of the record's cells, by path. A cell with another hash was edited by a person. Counts have no hash. */
    cells: text({ mode: 'json' }).$type<CellHashes>(),
  },
  (table) => [primaryKey({ columns: [table.teamId, table.enrichmentId, table.key] })],
);

/** What a scheduled table reports in its spreadsheet. */
export const tableReports = sqliteTable(
  'table_reports',
  {
    teamId: text('team_id').notNull(),
    tableId: text('table_id').notNull(),
    /** Whether changes go to the Changes sheet. */
    changes: integer({ mode: 'boolean' }).notNull(),
    /** Number of dated copies to keep; 0 makes none. */
    snapshots: integer().notNull(),
    /** Whether assistants may append rows. */
    assistants: integer({ mode: 'boolean' }).notNull().default(false),
    /** The Changes sheet; null before the first change. */
    changesSheetId: integer('changes_sheet_id'),
    /** The copies that we made, oldest first. */
    copies: text({ mode: 'json' }).$type<TableCopy[]>().notNull(),
  },
  (table) => [primaryKey({ columns: [table.teamId, table.tableId] })],
);
export type TableReportRow = typeof tableReports.$inferSelect;
