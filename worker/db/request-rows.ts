// Where the rows of data requests and of runs of schedules stand in R2.
import { index, integer, primaryKey, sqliteTable, text } from 'drizzle-orm/sqlite-core';
import type { Family } from '../../shared/families/index.ts';

/** Each record is a row of a request once. */
export const requestRows = sqliteTable(
  'request_rows',
  {
    /** Id of the data request or of the run. */
    requestId: text('request_id').notNull(),
    recordId: text('record_id').notNull(),
    family: text().$type<Family>().notNull(),
    file: integer().notNull(),
    page: integer().notNull(),
    /** Its first byte in the page. */
    start: integer().notNull(),
    /** Bytes. */
    length: integer().notNull(),
    /** The record's other keys; an erasure searches them. */
    keys: text().notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.requestId, table.recordId] }),
    index('request_rows_in_order').on(table.requestId, table.file, table.page, table.start),
    index('request_rows_by_record').on(table.family, table.recordId),
  ],
);
