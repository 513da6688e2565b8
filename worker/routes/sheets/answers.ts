// What /sheets/v1 answers, as schemas: the surface is described by them.
import * as z from 'zod';
import { familyNames } from '../../../shared/families.ts';
import { isProblemCode, problems, type Reason } from '../../../shared/problems.ts';
import {
  type CancelResponse,
  type EstimateResponse,
  type FieldsResponse,
  type LookupResponse,
  type MeResponse,
  type PreviewEstimateResponse,
  type PreviewResponse,
  type RunsResponse,
  rowStatuses,
  type SavedSearch,
  type SavedSearchesResponse,
  type SearchResponse,
} from '../../../shared/sheets-api.ts';
import { runBody, savedSearchBody } from './bodies.ts';

const count = z.int().min(0);
const credits = count.describe('Credits.');
const remaining = count.nullable().describe('Credits that may still be spent; null where no cap is set.');

const code = z.enum(Object.keys(problems).filter(isProblemCode));
const problemCode = code.describe('Why there is no record.');

/** Why something did not go on, inside a larger answer. */
export const reason = z.object({
  code,
  detail: z.string(),
  fix: z.string(),
}) satisfies z.ZodType<Reason>;

const stamp = z
  .string()
  .describe(
    'Opaque. It changes when a record was erased and when the provider does: keep copies under it, so that they are not found once it has changed.',
  );

const row = z.object({
  key: z.string().describe('The key as it was asked.'),
  status: z.enum(rowStatuses).describe('How the row came about.'),
  record: z
    .record(z.string(), z.unknown())
    .exactOptional()
    .describe('The fields that were asked; absent where there is no record.'),
  fetched_at: z.iso.datetime().exactOptional().describe('When the record was bought.'),
  credits: credits.describe('Credits that this row cost in this call.'),
  problem: problemCode.exactOptional(),
});

const sampleRows = [
  {
    key: 'acme.example',
    status: 'hit',
    record: { name: '…', industry: '…' },
    fetched_at: '2026-09-01T12:00:00.000Z',
    credits: 0,
  },
  { key: 'globex.example', status: 'not_found', credits: 0, problem: 'not_found' },
];

export const lookupAnswer = z.object({
  rows: z
    .array(row)
    .describe('One for each key, in the order of the keys.')
    .meta({ examples: [sampleRows] }),
  credits: z.object({
    spent: credits.describe('Credits that this call cost.'),
    saved: credits.describe('What the remembered rows would have cost.'),
    remaining,
  }),
  stamp,
}) satisfies z.ZodType<LookupResponse>;

export const estimateAnswer = z.object({
  keys: count.describe('Keys that were asked.'),
  distinct: count.describe('Keys that are different and can be read.'),
  cached: count.describe('Remembered, stale ones included.'),
  stale: count.describe('Remembered, but past their freshness.'),
  to_fetch: count.describe('Keys that would be bought.'),
  credits: credits.describe('Credits that would be spent.'),
}) satisfies z.ZodType<EstimateResponse>;

const cursor = z.string().nullable();

const without = z
  .array(z.object({ condition: z.string().describe('The filter or field.'), total: count }))
  .exactOptional()
  .describe('How many match without one of the conditions, where that was asked and nothing matches.');

export const searchAnswer = z.object({
  ids: z.array(z.string()).describe('Texts: some are beyond what a number holds.'),
  total: count.describe('Records that match.'),
  pages: count,
  after: cursor.describe('Cursor to the next page; null on the last.'),
  without,
}) satisfies z.ZodType<SearchResponse>;

const column = z.object({
  name: z.string(),
  type: z.enum(['integer', 'number', 'text', 'boolean', 'date', 'list']),
});

export const previewAnswer = z.object({
  columns: z.array(column),
  rows: z.array(z.array(z.unknown())).describe('A value for each column.'),
  page: count.describe('The last page that was brought.'),
  total_pages: count,
  total: count.describe('Records that match.'),
  snapshot: cursor.describe('Send it with the pages behind, to keep the ranking.'),
  credits: z.object({ spent: credits, saved: credits, remaining }),
  stamp,
}) satisfies z.ZodType<PreviewResponse>;

export const previewEstimateAnswer = z.object({
  total: count.describe('Records that match.'),
  pages: count.describe('Pages that would be brought: those asked for, as far as there are so many.'),
  cached: count.describe('Pages in the cache, which cost nothing.'),
  to_fetch: count.describe('Pages that would be bought.'),
  credits: credits.describe('Credits that would be spent.'),
  without,
}) satisfies z.ZodType<PreviewEstimateResponse>;

export const pushAccount = z
  .string()
  .nullable()
  .describe(
    'Share a spreadsheet with this address, as an editor, and rows arrive in it while it is closed; null where the gateway has none.',
  );

const caps = z.object({ day: count.nullable(), month: count.nullable() });
const perPeriod = z.object({ day: count, month: count });

export const meAnswer = z.object({
  team: z.string().describe('Its name.'),
  budget: caps.describe('Caps of the team; null is none.'),
  spent: perPeriod.describe('Credits.'),
  saved: perPeriod.describe('What remembered answers would have cost.'),
  records: z
    .object({
      remembered: perPeriod.describe('Answered from memory.'),
      fetched: perPeriod.describe('Bought.'),
    })
    .describe('Records that were answered today and this month.'),
  remaining,
  spending: z.boolean().describe('False: only what is remembered is answered.'),
  confirm_above_credits: count
    .nullable()
    .describe('The sidebar asks once more before it spends more credits than this; null is never.'),
  mode: z.enum(['embedded', 'remote']).describe('The records of `embedded` are fictional.'),
  scopes: z
    .object({
      families: z.array(z.enum(familyNames)).nullable(),
      operations: z.array(z.string()).nullable(),
    })
    .describe('What the token may use; null is all.'),
  push_account: pushAccount,
  stamp,
}) satisfies z.ZodType<MeResponse>;

export const fieldsAnswer = z.object({
  family: z.enum(familyNames),
  columns: z.array(column).describe('Columns of a record.'),
  preview: z.array(column).describe('Columns of a preview.'),
  defaults: z.array(z.string()).readonly().describe('Shown where nobody named fields.'),
}) satisfies z.ZodType<FieldsResponse>;

export const savedSearch = savedSearchBody.extend({
  id: z.uuid(),
  created_at: z.iso.datetime(),
  updated_at: z.iso.datetime(),
}) satisfies z.ZodType<SavedSearch>;

export const savedSearchesAnswer = z.object({
  searches: z.array(savedSearch).describe('The team’s and those of the token, by name.'),
}) satisfies z.ZodType<SavedSearchesResponse>;

export const runsAnswer = z.object({
  runs: z.array(runBody).describe('The team’s, newest first.'),
}) satisfies z.ZodType<RunsResponse>;

export const cancelAnswer = z.object({
  withdrawn: count.describe('Provider calls that were withdrawn before they were sent.'),
}) satisfies z.ZodType<CancelResponse>;
