// Bodies of enrichments that keep looked-up columns filled, and of the reports of scheduled tables.
import * as z from 'zod';
import { keyFormats } from '../families/index.ts';
import { maxLookupKeys, maxSnapshots } from '../limits.ts';
import { count, credits, problemSummary, time } from './common.ts';
import { lookupResponse } from './lookup.ts';
import { query } from './query.ts';
import { automationState, scheduleBody } from './schedules.ts';
import { columnIdentity, namedColumns, tableBody } from './tables.ts';

/** Maximum number of enrichments of a team. */
export const maxEnrichments = 100;

/** Keys of all columns that a team keeps filled. */
export const maxEnrichedKeys = 500_000;

const maxCredits = scheduleBody.shape.max_credits;

/** Maximum age of values in days. */
const MAX_REFRESH_DAYS = 365;
const MAX_COUNT = 1_000_000;
const refreshDays = z.int().min(1).max(MAX_REFRESH_DAYS).nullable();

/** Body of `PUT /sheets/v1/enrichments/{id}`. The caller chooses the UUID. */
export const enrichmentBody = z.strictObject({
  title: tableBody.shape.title,
  family: tableBody.shape.family,
  by: z.enum(keyFormats).describe('Format of the keys.'),
  spreadsheet: tableBody.shape.spreadsheet,
  key: columnIdentity.describe('The column of keys.').meta({ examples: [{ id: 'c1', heading: 'Website' }] }),
  columns: namedColumns
    .describe('Columns to fill.')
    .meta({ examples: [[{ id: 'c2', path: 'name', heading: 'Name' }]] }),
  push: z
    .boolean()
    .describe(
      'True: the gateway also fills the closed spreadsheet, which must be shared with `push_account`. The token of this call pays.',
    ),
  every: scheduleBody.shape.every.describe('How often the closed spreadsheet is read.'),
  max_credits: maxCredits.describe('Maximum credits of a run.'),
  month_credits: maxCredits.describe(
    'Maximum credits of a month (UTC). The enrichment stops when they are used up.',
  ),
  paused: z.boolean(),
  at: scheduleBody.shape.at,
  refresh_days: refreshDays.describe(
    'In the closed spreadsheet, values of records that were bought more than this number of days ago are looked up again, within both budgets. Null: never. Unless it is null, each run counts the companies of a column of counts again.',
  ),
  count: query
    .describe(
      'The query of a column of counts, whose path is `count`: people or open jobs at the company of each row, for free. Company names are counted if `by` is `auto`.',
    )
    .exactOptional(),
  alert_at: z
    .int()
    .min(1)
    .max(MAX_COUNT)
    .nullable()
    .describe(
      'For a column of counts: tell the sheet *Changes* and alert addresses for changes which companies had fewer matches at the count before, and have at least so many now. Null or absent: nobody.',
    )
    .exactOptional(),
});
export type EnrichmentBody = z.infer<typeof enrichmentBody>;

/** The part of an enrichment that a person sets. */
export const enrichmentSettings = enrichmentBody.pick({
  push: true,
  every: true,
  max_credits: true,
  month_credits: true,
  paused: true,
  at: true,
  refresh_days: true,
  alert_at: true,
});
export type EnrichmentSettings = z.infer<typeof enrichmentSettings>;

/** An enrichment, as its team sees it. */
export const enrichmentView = enrichmentBody.omit({ at: true }).extend({
  id: z.uuid(),
  state: automationState,
  problem: problemSummary.exactOptional(),
  next_at: time.nullable().describe('Next run in the closed spreadsheet. Null if there is none.'),
  last: z
    .object({
      at: time,
      rows: count,
      changes: count.describe('Number of values that the run has changed.'),
      credits,
    })
    .nullable()
    .describe('Last run that looked keys up.'),
  month_spent: count.describe('Credits spent this month (UTC).'),
});
export type Enrichment = z.infer<typeof enrichmentView>;

export const enrichmentList = z.object({ enrichments: z.array(enrichmentView) });

export const enrichmentParams = z.object({ id: z.uuid().toLowerCase() });

export const enrichmentKeys = z.strictObject({
  keys: z
    .array(z.string())
    .min(1)
    .max(maxLookupKeys)
    .describe('Keys as typed by the user.')
    .meta({ examples: [['acme.example']] }),
});

export const enrichmentFill = enrichmentKeys.extend({
  duplicates: z
    .array(z.string())
    .max(maxLookupKeys)
    .describe(
      'Those of the keys that other rows of the table have: known ones are answered, too, from the cache. Default: none.',
    )
    .exactOptional(),
});

export const fillResponse = lookupResponse.pick({ rows: true }).extend({
  enrichment: enrichmentView.describe('The enrichment afterwards.'),
});

/** A dated copy of a table: its sheet and the title that it got. */
export interface TableCopy {
  sheetId: number;
  title: string;
  push: string;
}

export const tableReport = z.strictObject({
  changes: z
    .boolean()
    .describe('True: each change of a refresh gets a row in the sheet *Changes*, and alerts count them.'),
  snapshots: z
    .int()
    .min(0)
    .max(maxSnapshots)
    .describe('Number of dated copies of the table to keep. A refresh with changes makes one. 0: none.'),
  assistants: z
    .boolean()
    .exactOptional()
    .describe('True: assistants may append rows, within the columns of the table. Default: as before.'),
});
export type TableReport = z.infer<typeof tableReport>;
