// Bodies of matching company names to records, and of its estimate.
import * as z from 'zod';
import { maxCompanyNameLength, maxMatchNames } from '../limits.ts';
import { defaultThreshold } from '../matching/decide.ts';
import { matchFamilies } from '../matching/families.ts';
import {
  anyFields,
  cancelId,
  count,
  credits,
  creditTotals,
  fieldPaths,
  jsonObject,
  maxAge,
  maxCredits,
  problemCode,
  singleLineText,
  stamp,
  time,
  waitMs,
} from './common.ts';
import { rowStatus } from './lookup.ts';

const namedCompany = z.strictObject({
  name: z.string().max(maxCompanyNameLength).describe('Company name, as typed by the user.'),
  country: singleLineText(maxCompanyNameLength)
    .exactOptional()
    .describe(
      'Name in any language, or ISO code. Companies elsewhere count less; text that is no country has no effect.',
    ),
  city: singleLineText(maxCompanyNameLength).exactOptional(),
});
export type NamedCompany = z.infer<typeof namedCompany>;

const confidence = z
  .number()
  .min(0)
  .max(1)
  .describe('Estimated probability that it is the company with the name.');

export const matchRequest = z.strictObject({
  family: z.enum(matchFamilies),
  companies: z
    .array(namedCompany)
    .min(1)
    .max(maxMatchNames)
    .meta({ examples: [[{ name: 'Acme Foods Inc.', country: 'Germany' }, { name: 'Globex' }]] }),
  threshold: confidence
    .exactOptional()
    .describe(`Minimum confidence of a match. Default: ${defaultThreshold}.`),
  previews: z
    .boolean()
    .exactOptional()
    .describe(
      'False: compare no candidates, which costs nothing. A name is a match then only if a cached record has it, or the record that is bought for `fields`, which needs a name that exactly one record has. Default: true.',
    ),
  fields: fieldPaths
    .exactOptional()
    .describe('Fields of the records of the matches, which are bought. Default: no record is bought.'),
  any_fields: anyFields,
  max_age_s: maxAge,
  max_credits: maxCredits.describe(
    'Maximum number of credits to spend. Names whose comparison or record would cost more have the problem `max_credits_reached`. 0: compare with cached pages and records only.',
  ),
  cancel_id: cancelId.exactOptional(),
  wait_ms: waitMs.describe('Deadline in milliseconds. Unfinished names have the problem `pending`.'),
});
export type MatchRequest = z.infer<typeof matchRequest>;

const candidate = z.object({
  id: z.string(),
  confidence,
  name: z.string().exactOptional().describe('Absent if the candidate was not compared.'),
  country: z.string().exactOptional(),
  city: z.string().exactOptional(),
  website: z.string().exactOptional(),
  size: z.string().exactOptional(),
});
export type MatchCandidate = z.infer<typeof candidate>;

const matchState = z
  .enum(['match', 'ambiguous', 'none', 'mismatch'])
  .describe(
    '`match`: the first candidate is the company. `ambiguous`: a person must choose, or the candidate was not compared. `none`: no candidate. `mismatch`: the record of the only candidate has another name.',
  );

export const matchResponse = z.object({
  matches: z
    .array(
      z.object({
        name: z.string().describe('The name as requested.'),
        state: matchState,
        confidence: confidence.describe('Confidence of the first candidate; 0 without one.'),
        candidates: z.array(candidate).describe('Plausible candidates, most probable first.'),
        record: jsonObject.exactOptional().describe('The requested fields of the match.'),
        status: rowStatus.exactOptional().describe('Result of the lookup of its record.'),
        fetched_at: time.exactOptional().describe('When the record was bought.'),
        credits: credits.exactOptional().describe('Credits that the record cost.'),
        problem: problemCode.exactOptional().describe('Why the answer is incomplete.'),
      }),
    )
    .describe('One entry for each company, in their order.'),
  credits: creditTotals,
  stamp,
});
export type MatchResponse = z.infer<typeof matchResponse>;

export const matchEstimateResponse = z.object({
  companies: count.describe('Number of distinct companies.'),
  found: count.describe('Number of companies with candidates.'),
  candidates: count.describe('Number of distinct candidates that would be compared.'),
  to_fetch: count.describe('Number of preview pages that would be bought to compare them.'),
  comparison: credits.describe('Price of these pages.'),
  records: credits.describe('Highest price of the records of all matches that are not cached.'),
  is_exact: z
    .boolean()
    .describe(
      'True: the names are compared with cached pages and records, so `records` is the price that they cost.',
    ),
  unfinished: count.describe('Number of companies whose candidates could not be searched in time.'),
});
export type MatchEstimateResponse = z.infer<typeof matchEstimateResponse>;
