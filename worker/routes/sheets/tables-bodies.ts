// What the routes of registered tables and of changes take and answer, as schemas.
import * as z from 'zod';
import { parseFieldPath } from '../../../shared/field-paths.ts';
import { maxFieldPathLength, maxFields } from '../../../shared/sheets-api.ts';
import {
  type ChangeList,
  maxTableTitleLength,
  type PushView,
  type TableBody,
  type TableList,
  type TableView,
} from '../../../shared/tables-api.ts';
import { line } from '../line.ts';
import { pushAccount, reason } from './answers.ts';
import { family, savedSearchBody } from './bodies.ts';
import { rowsQuery } from './requests-bodies.ts';

/** Google's ids have 44 characters; nobody says that they always will. */
const MAX_SPREADSHEET_ID = 200;
const MAX_SHEET_ID = 2 ** 31 - 1;
/** A spreadsheet has 10,000,000 cells. */
const MAX_ROW = 10_000_000;
const MAX_CURSOR = 100;

const time = z.iso.datetime();
const id = z.uuid().toLowerCase();

/** A heading may go over several lines; blanks around it don't tell headings apart. */
const heading = z
  .string()
  .trim()
  .min(1)
  .max(maxTableTitleLength)
  .refine((text) => text.isWellFormed() && !/[^\P{Cc}\t\r\n]/u.test(text), 'must be plain text');

const column = z.strictObject({
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

const isOnce = (texts: readonly string[]): boolean => new Set(texts).size === texts.length;

export const tableBody = z.strictObject({
  title: line(maxTableTitleLength).min(1).describe('What people call it.'),
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
    .array(column)
    .min(1)
    .max(maxFields)
    .refine(
      (columns) => columns.filter(({ path }) => path === 'id').length === 1,
      'need exactly one column with the path id: it tells the rows apart',
    )
    .refine((columns) => isOnce(columns.map((own) => own.heading)), 'have a heading twice')
    .meta({ examples: [[{ path: 'id', heading: 'id' }]] }),
  source: z
    .discriminatedUnion('kind', [
      z.strictObject({ kind: z.literal('search'), query: savedSearchBody.shape.query }),
      z.strictObject({ kind: z.literal('request'), request: id }),
    ])
    .describe('Where its rows come from: the previews of a search, or a bulk request.')
    .meta({ examples: [{ kind: 'search', query: { text: 'industry:bakeries' } }] }),
  mode: z
    .enum(['append', 'update'])
    .describe('Rows that arrive come after what is there, or into the rows of the same id.'),
  push: z
    .boolean()
    .describe('The gateway writes into the spreadsheet, which has to be shared with `push_account`.'),
  as_of: time.describe(
    'Until then what is new is in the table; a time to come counts as this moment. While the source is the same it does not go back: what schedules brought is not bought again.',
  ),
}) satisfies z.ZodType<TableBody>;

export const tableParams = z.object({ id });

export const runParams = z.object({ id, run: z.string().min(1).max(100) });

export const runRowsQuery = rowsQuery.omit({ columns: true });

const pushed = z.object({
  state: z.enum(['waiting', 'done', 'failed']).describe('`waiting`: it has not ended.'),
  at: time,
  rows: z.int().min(0).describe('Rows that landed.'),
  problem: reason.exactOptional().describe('Why it failed, or is tried again.'),
}) satisfies z.ZodType<PushView>;

export const tableView = tableBody.extend({
  id,
  pushed: pushed
    .nullable()
    .describe('What came of the last push into the spreadsheet; null before the first.'),
  created_at: time,
  updated_at: time,
}) satisfies z.ZodType<TableView>;

export const tableList = z.object({
  tables: z.array(tableView),
  push_account: pushAccount,
}) satisfies z.ZodType<TableList>;

export const changesQuery = z.object({
  since: z.string().min(1).max(MAX_CURSOR).exactOptional().describe('The cursor of the answer before.'),
});

export const changeList = z.object({
  changes: z
    .array(
      z.discriminatedUnion('kind', [
        z.object({ kind: z.literal('request'), id: z.string(), at: time }),
        z.object({ kind: z.literal('table'), id: z.string(), run: z.string(), at: time }),
      ]),
    )
    .describe(
      'In the order in which they happened. `request`: a bulk request has ended. `table`: a schedule brought rows.',
    ),
  cursor: z.string().describe('Send it as `since` the next time.'),
  more: z.boolean().describe('There are more: ask again at once.'),
}) satisfies z.ZodType<ChangeList>;
