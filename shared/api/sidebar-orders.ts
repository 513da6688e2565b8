// Orders from the sidebar: which records to fetch, and where to write them.
import * as z from 'zod';
import { maxRowsPerAccount } from '../accounts.ts';
import { previewMaxPage } from '../families/previews.ts';
import { maxRequestRecords } from '../limits.ts';
import { family } from './common.ts';
import { query } from './query.ts';

const number = z.int().min(1);

/** Field paths, in the order of the columns. */
const paths = z.array(z.string());

/** What to do with existing rows: replace them, append to them, or update rows with the same id. */
export const writeMode = z.enum(['replace', 'append', 'update']);
export type WriteMode = z.infer<typeof writeMode>;

/** Where to write the rows. */
export const target = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('newSheet') }).describe('A new sheet, named after the title.'),
  z.object({ kind: z.literal('cursor') }).describe('From the active cell, to the right and down.'),
  z.object({ kind: z.literal('table'), tableId: z.string() }).describe('An existing table.'),
]);
export type Target = z.infer<typeof target>;

/** How to show the source of a row: three extra columns, a note on the first cell, or not at all. */
const provenance = z.enum(['columns', 'notes', 'none']);
export type Provenance = z.infer<typeof provenance>;

/** The price that the user approved. It prevents a purchase at another price or for other rows. */
const approval = z.object({
  credits: z.int().min(0).describe('Maximum credits to spend.'),
  digest: z.string().describe('Digest of the rows, keys and columns of the plan.'),
});
export type Approval = z.infer<typeof approval>;

/** Members that start a run which may spend credits. */
export const start = z.object({
  approval: approval.describe('From the plan that the user saw.'),
  confirmed: z.boolean().exactOptional().describe('True: the user agreed to overwrite cells typed by hand.'),
  changes: z
    .string()
    .exactOptional()
    .describe('With `confirmed`: the digest of the cells that the user saw. Absent: any.'),
  keepChanges: z
    .boolean()
    .exactOptional()
    .describe(
      'True: what was changed by hand stays. A lookup leaves the rows out; other runs update rows by id, and leave the cells out.',
    ),
});
export type Start = z.infer<typeof start>;

/** Limits an order to companies with enough matches. Other rows are not bought. */
const atLeast = z.object({
  tableId: z.string().describe('The column of numbers: a table of the kind `count` in the same sheet.'),
  count: number,
});
export type AtLeast = z.infer<typeof atLeast>;

/** Companies in a column, and the number of rows for each. */
const accountsSource = z.object({
  sheet: z.string(),
  column: number.describe('Column of websites, company ids or company names, from 1.'),
  perCompany: number.max(maxRowsPerAccount).describe('Maximum number of rows for each company.'),
  atLeast: atLeast.exactOptional(),
});
export type AccountsSource = z.infer<typeof accountsSource>;

const formCondition = z.object({
  name: z.string(),
  values: z.array(z.string()),
  comparison: z.enum(['isNot', 'isEmpty', 'hasValue']).exactOptional(),
});
export type StoredCondition = z.infer<typeof formCondition>;

const conditions = z
  .array(formCondition)
  .exactOptional()
  .describe('The conditions of the query as entered. They are kept with the table, to edit them later.');

/** Writes the preview rows of a search. */
export const searchOrder = z.object({
  family,
  query,
  conditions,
  columns: paths.describe('Columns of previews, or of full records, which are looked up for each row.'),
  pages: number.max(previewMaxPage).describe('Pages of 20 rows.'),
  accounts: accountsSource
    .exactOptional()
    .describe('Only people or open jobs at these companies. `pages` does not apply then.'),
  where: target,
  mode: writeMode.describe('Applies to an existing table. `update` requires the column `id`.'),
  excludeExisting: z
    .boolean()
    .exactOptional()
    .describe('True: the search leaves out records whose ids are in the table. Filters can’t do that.'),
  provenance: provenance.exactOptional(),
  title: z.string().describe('Display name.'),
});
export type SearchOrder = z.infer<typeof searchOrder>;

/** Kinds of key in a column that identify records. */
const recordKeyKind = z.enum(['website', 'url', 'id']);
/** Kinds of key in a column. Names are matched to records. */
const columnKeyKind = z.enum([...recordKeyKind.options, 'name']);
export type ColumnKeyKind = z.infer<typeof columnKeyKind>;

/** What the cells of an additional key column hold: keys to try, or the place of names. */
const keyContent = z.enum([...columnKeyKind.options, 'country', 'city']);
export type KeyContent = z.infer<typeof keyContent>;

/** Rows to enrich: all, empty rows, selected rows, or from the selected cell down. */
const scope = z.enum(['all', 'blank', 'selection', 'fromHere']);
export type Scope = z.infer<typeof scope>;

/** Enriches the rows of a column. */
export const enrichOrder = z.object({
  sheet: z.string(),
  column: number.describe('Column of the keys, from 1.'),
  by: columnKeyKind.describe('Kind of the keys.'),
  moreKeys: z
    .array(z.object({ column: number, holds: keyContent }))
    .exactOptional()
    .describe(
      'Columns of the same sheet to try, in order, for rows without a record, and the country and city of names.',
    ),
  family,
  scope: z.enum([...scope.options, 'gaps']).describe('`gaps`: rows with any empty cell.'),
  atLeast: atLeast.exactOptional(),
  fields: paths.describe('Fields to add, one column each.'),
  count: z
    .object({ query, conditions, heading: z.string() })
    .exactOptional()
    .describe('Counts the people or open jobs at each company instead, for free. The only field is `count`.'),
  into: z
    .array(z.object({ path: z.string(), column: number }))
    .exactOptional()
    .describe(
      'Columns with a heading that receive fields instead of new ones. Only their empty cells are filled.',
    ),
  statusColumn: z.boolean().exactOptional().describe('True: add a status column.'),
  provenance: provenance.exactOptional(),
  maxAgeDays: z.int().min(0).exactOptional().describe('Maximum age in days. Older records are bought again.'),
});
export type EnrichOrder = z.infer<typeof enrichOrder>;

export const uncertainName = z.object({
  tableId: z.string(),
  key: z.string().describe('Key of the name, from `uncertainNames`.'),
});

/** Decides which companies have uncertain names of a table. */
export const nameChoices = z.object({
  tableId: z.string(),
  choices: z
    .array(
      uncertainName
        .pick({ key: true })
        .extend({ companyId: z.string().describe('Id of the candidate; empty: none of them.') }),
    )
    .min(1),
});
export type NameChoicesOrder = z.infer<typeof nameChoices>;

/** Adds record fields to all rows or the selected rows of a table. */
export const recordsOrder = z.object({
  tableId: z.string(),
  fields: paths.describe('Fields of the record, one column each, after the table’s columns.'),
  rows: z.enum(['all', 'selection']),
});
export type RecordsOrder = z.infer<typeof recordsOrder>;

/** Source of a bulk order: a search, or the keys in a column. */
const bulkSource = z.discriminatedUnion('by', [
  z.object({ by: z.literal('search'), query, limit: number.max(maxRequestRecords) }),
  z.object({ by: z.literal('column'), sheet: z.string(), column: number, sort: recordKeyKind, scope }),
]);
export type BulkSource = z.infer<typeof bulkSource>;

/** A bulk order, and where its rows go. */
export const bulkOrder = z.object({
  family,
  source: bulkSource,
  columns: paths.describe('Fields of the record. `id` is added in front if it is missing.'),
  where: target,
  mode: writeMode,
  title: z.string().describe('Display name.'),
  push: z
    .boolean()
    .describe('True: the gateway also writes to the spreadsheet, which must be shared with it.'),
});
export type BulkOrder = z.infer<typeof bulkOrder>;

/** Writes rows that are ready for a table of this spreadsheet. */
export const deliveryOrder = z.object({
  tableId: z.string(),
  rowsId: z.string().describe('Id of the bulk order or of the schedule’s run.'),
  kind: z.enum(['request', 'table']),
});
export type DeliveryOrder = z.infer<typeof deliveryOrder>;
