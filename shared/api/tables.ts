// Registered tables, which rows arrive in by themselves, and what became ready for them.
import * as z from 'zod';
import { maxFieldPathLength, maxFields, maxTableTitleLength } from '../limits.ts';
import { parseFieldPath } from '../query/field-paths.ts';
import { count, family, problemSummary, pushAccount, singleLineText, time } from './common.ts';
import { rowsQuery } from './data-requests.ts';
import { query } from './query.ts';

/** The most registered tables of a team. */
export const maxTables = 200;

/** The most changes of one answer. */
export const maxChanges = 200;

/** Google's ids have 44 characters; nobody says that they always will. */
const MAX_SPREADSHEET_ID = 200;
const MAX_SHEET_ID = 2 ** 31 - 1;
/** A spreadsheet has 10,000,000 cells. */
const MAX_ROW = 10_000_000;
const MAX_CURSOR = 100;

const id = z.uuid().toLowerCase();

/** A heading may go over several lines; blanks around it don't tell headings apart. */
const heading = z
  .string()
  .trim()
  .min(1)
  .max(maxTableTitleLength)
  .refine((text) => !/\p{Cs}|[^\P{Cc}\t\r\n]/u.test(text), 'must be plain text');

const namedColumn = z.strictObject({
  path: z
    .string()
    .max(maxFieldPathLength)
    .refine(
      (path) => path !== '*' && parseFieldPath(path) !== undefined,
      'is not a path such as name or updates[0].date',
    )
    .describe('Such as `name` or `funding_rounds[0].last_round_type`.'),
  heading: heading.describe('What stands in the heading row; the column is known again by it.'),
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

/** Body of `PUT /sheets/v1/tables/{id}`; the id is a UUID of the caller's making. */
export const tableBody = z.strictObject({
  title: singleLineText(maxTableTitleLength).min(1).describe('What people call it.'),
  family,
  spreadsheet: z.strictObject({
    id: z
      .string()
      .max(MAX_SPREADSHEET_ID)
      .regex(/^[\w-]+$/, 'is not the id of a spreadsheet')
      .describe('As in the spreadsheet’s address.')
      .meta({ examples: ['1mHIWnDvW9cALRMq9OdNfRwjAthCUFUOACPp0Lkyl7b4'] }),
    sheet_id: z.int().min(0).max(MAX_SHEET_ID).describe('As the address has it behind `gid=`.'),
    row: z.int().min(1).max(MAX_ROW).describe('Where the heading row was seen last, from 1.'),
  }),
  columns: z
    .array(namedColumn)
    .min(1)
    .max(maxFields)
    .refine(
      (columns) => columns.filter(({ path }) => path === 'id').length === 1,
      'need exactly one column with the path id: it tells the rows apart',
    )
    .refine((columns) => hasNoDuplicates(columns.map((own) => own.heading)), 'have a heading twice')
    .meta({ examples: [[{ path: 'id', heading: 'id' }]] }),
  source: tableSource
    .describe('Where its rows come from: the previews of a search, or a bulk request.')
    .meta({ examples: [{ kind: 'search', query: { text: 'industry:bakeries' } }] }),
  mode: arrivalMode.describe('Rows that arrive come after what is there, or into the rows of the same id.'),
  push: z
    .boolean()
    .describe('The gateway writes into the spreadsheet, which has to be shared with `push_account`.'),
  as_of: time.describe(
    'Until then what is new is in the table; a time to come counts as this moment. While the source is the same it does not go back: what schedules brought is not bought again.',
  ),
});
export type TableBody = z.infer<typeof tableBody>;

export const tableParams = z.object({ id });

export const runParams = z.object({ id, run: z.string().min(1).max(100) });

export const runRowsQuery = rowsQuery.omit({ columns: true });

/** What came of the last push into a spreadsheet. */
const pushView = z.object({
  state: z.enum(['waiting', 'done', 'failed']).describe('`waiting`: it has not ended.'),
  at: time,
  rows: count.describe('Rows that landed.'),
  problem: problemSummary.exactOptional().describe('Why it failed, or is tried again.'),
});
export type PushView = z.infer<typeof pushView>;

/** A registered table. */
export const tableView = tableBody.extend({
  id,
  pushed: pushView
    .nullable()
    .describe('What came of the last push into the spreadsheet; null before the first.'),
  created_at: time,
  updated_at: time,
});
export type TableView = z.infer<typeof tableView>;

/** Answer of `GET /sheets/v1/tables`, the newest first. */
export const tableList = z.object({
  tables: z.array(tableView),
  push_account: pushAccount,
});
export type TableList = z.infer<typeof tableList>;

export const changesQuery = z.object({
  since: z.string().min(1).max(MAX_CURSOR).exactOptional().describe('The cursor of the answer before.'),
});

const change = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('request'), id: z.string(), at: time }),
  z.object({ kind: z.literal('table'), id: z.string(), run: z.string(), at: time }),
]);
export type Change = z.infer<typeof change>;

/** Answer of `GET /sheets/v1/changes`; without `since`, of the last 30 days. */
export const changeList = z.object({
  changes: z
    .array(change)
    .describe(
      'In the order in which they happened. `request`: a bulk request has ended. `table`: a schedule brought rows.',
    ),
  cursor: z.string().describe('Send it as `since` the next time.'),
  more: z.boolean().describe('There are more: ask again at once.'),
});
export type ChangeList = z.infer<typeof changeList>;
