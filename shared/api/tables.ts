// Bodies of registered tables and of the change feed.
import * as z from 'zod';
import { maxFieldPathLength, maxFields, maxTableTitleLength } from '../limits.ts';
import { parseFieldPath } from '../query/field-paths.ts';
import { count, family, problemSummary, pushAccount, singleLineText, time } from './common.ts';
import { rowsQuery } from './data-requests.ts';
import { query } from './query.ts';

/** Maximum number of registered tables of a team. */
export const maxTables = 200;

/** Maximum number of changes in a response. */
export const maxChanges = 200;

/** Google's ids have 44 characters, but the length is not documented. */
const MAX_SPREADSHEET_ID = 200;
const MAX_SHEET_ID = 2 ** 31 - 1;
const MAX_CURSOR = 100;

const id = z.uuid().toLowerCase();

/** Headings may have several lines. Surrounding white space is ignored. */
const heading = z
  .string()
  .trim()
  .min(1)
  .max(maxTableTitleLength)
  .refine((text) => !/\p{Cs}|[^\P{Cc}\t\r\n]/u.test(text), 'must be plain text');

/** A column of a table. Developer metadata of the column carry the id. */
export const columnIdentity = z.strictObject({
  id: z
    .string()
    .regex(/^[a-z\d]{1,12}$/, 'must be 1 to 12 letters a-z and digits')
    .describe('Identifies the column in the developer metadata of the sheet. Never changes.')
    .meta({ examples: ['c1'] }),
  heading: heading.describe('Last known text in the heading row.'),
});
export type ColumnIdentity = z.infer<typeof columnIdentity>;

const namedColumn = columnIdentity.extend({
  path: z
    .string()
    .max(maxFieldPathLength)
    .refine(
      (path) => path !== '*' && parseFieldPath(path) !== undefined,
      'is not a path such as name or updates[0].date',
    )
    .describe('Such as `name` or `funding_rounds[0].last_round_type`.'),
});
export type NamedColumn = z.infer<typeof namedColumn>;

const tableSource = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('search'), query }),
  z.strictObject({ kind: z.literal('request'), request: id }),
]);
export type TableSource = z.infer<typeof tableSource>;

export const arrivalMode = z.enum(['append', 'update']);
export type ArrivalMode = z.infer<typeof arrivalMode>;

const hasNoDuplicates = (texts: readonly string[]): boolean => new Set(texts).size === texts.length;

/** Columns with distinct ids. */
export const namedColumns = z
  .array(namedColumn)
  .min(1)
  .max(maxFields)
  .refine((columns) => hasNoDuplicates(columns.map(({ id }) => id)), 'have a duplicate id');

/** Body of `PUT /sheets/v1/tables/{id}`. The caller chooses the UUID. */
export const tableBody = z.strictObject({
  title: singleLineText(maxTableTitleLength).min(1).describe('Display name.'),
  family,
  spreadsheet: z.strictObject({
    id: z
      .string()
      .max(MAX_SPREADSHEET_ID)
      .regex(/^[\w-]+$/, 'is not the id of a spreadsheet')
      .describe('Id in the spreadsheet’s URL.')
      .meta({ examples: ['1mHIWnDvW9cALRMq9OdNfRwjAthCUFUOACPp0Lkyl7b4'] }),
    sheet_id: z.int().min(0).max(MAX_SHEET_ID).describe('`gid` in the spreadsheet’s URL.'),
  }),
  columns: namedColumns
    .refine(
      (columns) => columns.filter(({ path }) => path === 'id').length === 1,
      'need exactly one column with the path id, which identifies the rows',
    )
    .meta({ examples: [[{ id: 'c1', path: 'id', heading: 'id' }]] }),
  source: tableSource
    .describe('Source of the rows: previews of a search, or a bulk order.')
    .meta({ examples: [{ kind: 'search', query: { text: 'industry:bakeries' } }] }),
  mode: arrivalMode.describe(
    '`append`: new rows go below the existing ones. `update`: rows with the same id are updated.',
  ),
  push: z
    .boolean()
    .describe('True: the gateway writes to the spreadsheet, which must be shared with `push_account`.'),
  write_headings: z
    .boolean()
    .exactOptional()
    .describe(
      'True: the first push writes and marks the headings, if the sheet is empty. Default: the table is in the sheet, and developer metadata mark it.',
    ),
  as_of: time.describe(
    'The table contains all changes up to this time. A future time counts as now. It never moves back while the source stays the same, so that nothing is bought twice.',
  ),
});
export type TableBody = z.infer<typeof tableBody>;

export const tableParams = z.object({ id });

export const runParams = z.object({ id, run: z.string().min(1).max(100) });

export const runRowsQuery = rowsQuery.omit({ columns: true });

/** Result of the last push to a spreadsheet. */
const pushView = z.object({
  state: z.enum(['waiting', 'done', 'failed']).describe('`waiting`: not finished.'),
  at: time,
  rows: count.describe('Number of rows written.'),
  problem: problemSummary.exactOptional().describe('Why the push failed or is retried.'),
});
export type PushView = z.infer<typeof pushView>;

export const tableView = tableBody.extend({
  id,
  last_push: pushView
    .nullable()
    .describe('Result of the last push to the spreadsheet. Null before the first.'),
  push_problem: problemSummary
    .exactOptional()
    .describe('Why nothing is pushed until somebody takes the table over: its token is no longer valid.'),
  created_at: time,
  updated_at: time.describe('Last change of anything but the title, the headings and `as_of`.'),
});
export type TableView = z.infer<typeof tableView>;

export const tableList = z.object({
  tables: z.array(tableView),
  push_account: pushAccount,
});
export type TableList = z.infer<typeof tableList>;

export const changesQuery = z.object({
  since: z.string().min(1).max(MAX_CURSOR).exactOptional().describe('`cursor` from the previous response.'),
});

const change = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('request'), id: z.string(), at: time }),
  z.object({ kind: z.literal('table'), id: z.string(), run: z.string(), at: time }),
]);
export type Change = z.infer<typeof change>;

/** Response of `GET /sheets/v1/changes`. Without `since` it covers the last 30 days. */
export const changeList = z.object({
  changes: z
    .array(change)
    .describe('In chronological order. `request`: a bulk order has ended. `table`: a schedule brought rows.'),
  cursor: z.string().describe('Send it as `since` in the next request.'),
  more: z.boolean().describe('True: more changes are available now.'),
});
