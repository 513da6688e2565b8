// Lookups by key: what they take and answer, what they would cost, and how they are cancelled.
import * as z from 'zod';
import { keyFormats } from '../families/index.ts';
import { maxLookupKeys, maxWaitMs } from '../limits.ts';
import {
  anyFields,
  cancelId,
  count,
  credits,
  family,
  fields,
  jsonObject,
  maxAge,
  maxCredits,
  problemCode,
  remaining,
  stamp,
} from './common.ts';

/** Whole records are large: a call for all fields takes fewer keys. */
const MAX_WHOLE_RECORDS = 50;

/** Body of `POST /sheets/v1/lookup`. */
export const lookupRequest = z
  .strictObject({
    family,
    by: z.enum(keyFormats).describe('How the keys are spelt; `url` is a profile URL, `auto` takes any.'),
    keys: z
      .array(z.string())
      .max(maxLookupKeys)
      .describe('As a person typed them.')
      .meta({ examples: [['acme.example', 'https://www.globex.example/']] }),
    fields,
    any_fields: anyFields,
    max_age_s: maxAge,
    max_credits: maxCredits,
    cancel_id: cancelId.exactOptional(),
    wait_ms: z
      .int()
      .min(0)
      .max(maxWaitMs)
      .exactOptional()
      .describe('Answer after so many milliseconds, with `pending` for what is still on its way.'),
  })
  .refine(({ fields: named, keys }) => !named?.includes('*') || keys.length <= MAX_WHOLE_RECORDS, {
    path: ['keys'],
    message: `whole records come at most ${MAX_WHOLE_RECORDS} a call: name the fields you need`,
  });
export type LookupRequest = z.infer<typeof lookupRequest>;

const rowStatus = z.enum([
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
  key: z.string().describe('The key as it was asked.'),
  status: rowStatus.describe('How the row came about.'),
  record: jsonObject.exactOptional().describe('The fields that were asked; absent where there is no record.'),
  fetched_at: z.iso.datetime().exactOptional().describe('When the record was bought.'),
  credits: credits.describe('Credits that this row cost in this call.'),
  problem: problemCode.describe('Why there is no record.').exactOptional(),
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
  { key: 'globex.example', status: 'not_found', credits: 0, problem: 'not_found' },
];

/** Answer of `POST /sheets/v1/lookup`. */
export const lookupResponse = z.object({
  rows: z
    .array(lookupRow)
    .describe('One for each key, in the order of the keys.')
    .meta({ examples: [sampleRows] }),
  credits: z.object({
    spent: credits.describe('Credits that this call cost.'),
    saved: credits.describe('What the remembered rows would have cost.'),
    remaining,
  }),
  stamp,
});
export type LookupResponse = z.infer<typeof lookupResponse>;

/** Answer of `POST /sheets/v1/estimate`: what a lookup would spend now. */
export const estimateResponse = z.object({
  keys: count.describe('Keys that were asked.'),
  distinct: count.describe('Keys that are different and can be read.'),
  cached: count.describe('Remembered, stale ones included.'),
  stale: count.describe('Remembered, but past their freshness.'),
  to_fetch: count.describe('Keys that would be bought.'),
  credits: credits.describe('Credits that would be spent.'),
});
export type EstimateResponse = z.infer<typeof estimateResponse>;

/** Answer of `POST /sheets/v1/lookups/{cancel_id}/cancel`. */
export const cancelResponse = z.object({
  withdrawn: count.describe('Provider calls that were withdrawn before they were sent.'),
});
export type CancelResponse = z.infer<typeof cancelResponse>;
