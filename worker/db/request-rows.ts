// Index of the rows of data requests and table runs in R2.
import { index, integer, primaryKey, sqliteTable, text } from 'drizzle-orm/sqlite-core';
import type { Family } from '../../shared/families/index.ts';

/** A record is one row per data request. */
export const requestRows = sqliteTable(
  'request_rows',
  {
    /** Id of the data request or table run. */
    requestId: text('request_id').notNull(),
    recordId: text('record_id').notNull(),
    family: text().$type<Family>().notNull(),
    file: integer().notNull(),
    page: integer().notNull(),
    /** Byte offset in the page. */
    start: integer().notNull(),
    /** Length in bytes. */
    length: integer().notNull(),
    /** Other keys of the record; erasures search them. */
    keys: text().notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.requestId, table.recordId] }),
    index('request_rows_in_order').on(table.requestId, table.file, table.page, table.start),
    index('request_rows_by_record').on(table.family, table.recordId),
  ],
);
