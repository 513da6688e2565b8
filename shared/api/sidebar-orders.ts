// What a person orders in the sidebar, as its page sends it to the add-on's script: which records, into which cells.
import * as z from 'zod';
import { previewMaxPage } from '../families/previews.ts';
import { maxRequestRecords } from '../limits.ts';
import { family } from './common.ts';
import { query } from './query.ts';

const number = z.int().min(1);

/** Paths of values, in the order in which they are written. */
const paths = z.array(z.string());

/** How rows meet what is there: in place of it, after it, or into the rows of the same id. */
export const writeMode = z.enum(['replace', 'append', 'update']);
export type WriteMode = z.infer<typeof writeMode>;

/** Where rows go. */
export const target = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('newSheet') }).describe('A sheet of its own, named after the title.'),
  z.object({ kind: z.literal('cursor') }).describe('From the active cell on, to the right and downwards.'),
  z.object({ kind: z.literal('table'), tableId: z.string() }).describe('A table that was written before.'),
]);
export type Target = z.infer<typeof target>;

/** What says where a row comes from, beside its values: three columns more, a note on its first cell, or nothing. */
const provenance = z.enum(['columns', 'notes', 'none']);
export type Provenance = z.infer<typeof provenance>;

/** The price that a plan showed. A click sends it back, so that nothing is bought at another price or for other rows. */
const approval = z.object({
  credits: z.int().min(0).describe('The most that may be spent.'),
  digest: z.string().describe('A digest of the rows, keys and columns that the price is for.'),
});
export type Approval = z.infer<typeof approval>;

/** What starts a run that may spend. */
export const start = z.object({
  approval: approval.describe('From the plan that the person saw.'),
  confirmed: z.boolean().exactOptional().describe('The person agreed to replace cells typed by hand.'),
});
export type Start = z.infer<typeof start>;

/** A search whose preview rows are to be written. */
export const searchOrder = z.object({
  family,
  query,
  columns: paths.describe('Of a preview’s columns.'),
  pages: number.max(previewMaxPage).describe('Pages of 20 rows.'),
  where: target,
  mode: writeMode.describe('Counts for a table that is there already; `update` needs the column `id` in it.'),
  provenance: provenance.exactOptional(),
  title: z.string().describe('What people call it.'),
});
export type SearchOrder = z.infer<typeof searchOrder>;

/** How the values of a column can be looked up. */
const columnKeyKind = z.enum(['website', 'url', 'id']);
export type ColumnKeyKind = z.infer<typeof columnKeyKind>;

/** Which rows are enriched: all, those without values yet, those selected, or from the active cell on. */
const scope = z.enum(['all', 'blank', 'selection', 'fromHere']);
export type Scope = z.infer<typeof scope>;

/** A column to enrich. */
export const enrichOrder = z.object({
  sheet: z.string(),
  column: number.describe('The column that holds the keys, from 1.'),
  by: columnKeyKind.describe('How its values are spelt.'),
  family,
  scope,
  fields: paths.describe('The values to add, a column each.'),
  statusColumn: z
    .boolean()
    .exactOptional()
    .describe('Say in a column of its own how each row came about, and why it failed.'),
  provenance: provenance.exactOptional(),
  maxAgeDays: z.int().min(0).exactOptional().describe('Buy again what is older than so many days.'),
});
export type EnrichOrder = z.infer<typeof enrichOrder>;

/** Whole records for a table's rows: all, or those with their selection in the sheet. */
export const recordsOrder = z.object({
  tableId: z.string(),
  fields: paths.describe('Of a record, a column each, put behind the table’s own.'),
  rows: z.enum(['all', 'selection']),
});
export type RecordsOrder = z.infer<typeof recordsOrder>;

/** What names the records of a bulk order: a search, or the keys in a column. */
const bulkSource = z.discriminatedUnion('by', [
  z.object({ by: z.literal('search'), query, limit: number.max(maxRequestRecords).exactOptional() }),
  z.object({ by: z.literal('column'), sheet: z.string(), column: number, sort: columnKeyKind, scope }),
]);
export type BulkSource = z.infer<typeof bulkSource>;

/** A bulk order, and where its rows go. */
export const bulkOrder = z.object({
  family,
  source: bulkSource,
  columns: paths.describe('Of a record; `id` is put before them where it is missing.'),
  where: target,
  mode: writeMode,
  title: z.string().describe('What people call it.'),
  push: z
    .boolean()
    .describe('The Worker also writes into the spreadsheet itself, which has to be shared with it.'),
});
export type BulkOrder = z.infer<typeof bulkOrder>;

/** Rows that are ready for a table of this spreadsheet and are not in it. */
export const arrivalOrder = z.object({
  tableId: z.string(),
  rowsId: z.string().describe('Id of the bulk order or of the schedule’s run that brought them.'),
  kind: z.enum(['request', 'table']),
});
export type ArrivalOrder = z.infer<typeof arrivalOrder>;
