// Bodies of lookups by key, of their estimates and of cancellation.
import * as z from 'zod';
import { keyFormats } from '../families/index.ts';
import { maxLookupKeys } from '../limits.ts';
import {
  anyFields,
  cancelId,
  count,
  credits,
  creditTotals,
  family,
  fields,
  jsonObject,
  maxAge,
  maxCredits,
  problemCode,
  stamp,
  waitMs,
} from './common.ts';

/** Maximum number of keys when all fields are requested, because whole records are large. */
const MAX_WHOLE_RECORDS = 50;

export const lookupRequest = z
  .strictObject({
    family,
    by: z.enum(keyFormats).describe('Format of the keys. `url` is a profile URL; `auto` detects the format.'),
    keys: z
      .array(z.string())
      .max(maxLookupKeys)
      .describe('Keys as typed by the user.')
      .meta({ examples: [['acme.example', 'https://www.globex.example/']] }),
    fields,
    any_fields: anyFields,
    max_age_s: maxAge,
    max_credits: maxCredits,
    cancel_id: cancelId.exactOptional(),
    wait_ms: waitMs.describe('Deadline in milliseconds. Unfinished rows are answered as `pending`.'),
  })
  .refine(({ fields: named, keys }) => !named?.includes('*') || keys.length <= MAX_WHOLE_RECORDS, {
    path: ['keys'],
    message: `at most ${MAX_WHOLE_RECORDS} keys are allowed with all fields (*): name the fields you need`,
  });
export type LookupRequest = z.infer<typeof lookupRequest>;

/** Result of the lookup of a key. */
export const rowStatus = z.enum([
  'hit',
  'fetched',
  'stale',
  'coalesced',
  'not_found',
  'pending',
  'over_budget',
  'invalid',
  'failed',
]);
export type RowStatus = z.infer<typeof rowStatus>;

const lookupRow = z.object({
  key: z.string().describe('The key as requested.'),
  status: rowStatus.describe('Result of the lookup for this key.'),
  record: jsonObject.exactOptional().describe('The requested fields. Absent without a record.'),
  fetched_at: z.iso.datetime().exactOptional().describe('When the record was bought.'),
  credits: credits.describe('Credits that this row cost.'),
  problem: problemCode.describe('Why there is no record.').exactOptional(),
  suggestion: z
    .string()
    .exactOptional()
    .describe('The registered domain of a subdomain without a record. It was not looked up.'),
});
export type LookupRow = z.infer<typeof lookupRow>;

const sampleRows = [
  {
    key: 'acme.example',
    status: 'hit',
    record: { name: '…', industry: '…' },
    fetched_at: '2026-09-01T12:00:00.000Z',
    credits: 0,
  },
  {
    key: 'blog.globex.example',
    status: 'not_found',
    credits: 0,
    problem: 'not_found',
    suggestion: 'globex.example',
  },
];

export const lookupResponse = z.object({
  rows: z
    .array(lookupRow)
    .describe('One row for each key, in the order of the keys.')
    .meta({ examples: [sampleRows] }),
  credits: creditTotals,
  stamp,
});
export type LookupResponse = z.infer<typeof lookupResponse>;

export const estimateResponse = z.object({
  keys: count.describe('Number of keys.'),
  distinct: count.describe('Number of distinct valid keys.'),
  cached: count.describe('Number of cached records, including stale ones.'),
  stale: count.describe('Number of cached records that are no longer fresh.'),
  found: count.describe('Number of keys with a cached record. The other cached keys have none.'),
  to_fetch: count.describe('Number of records that would be bought.'),
  credits: credits.describe('Credits that would be spent.'),
});
export type EstimateResponse = z.infer<typeof estimateResponse>;

export const cancelResponse = z.object({
  withdrawn: count.describe('Number of provider calls withdrawn before they were sent.'),
});
