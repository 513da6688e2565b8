// Bodies of lists of people or open jobs at companies, and of their estimates.
import * as z from 'zod';
import {
  accountLists,
  defaultRowsPerAccount,
  maxAccountRows,
  maxAccounts,
  maxCountedAccounts,
  maxRowsPerAccount,
} from '../accounts.ts';
import {
  cancelId,
  column,
  count,
  credits,
  creditTotals,
  fields,
  maxAge,
  maxCredits,
  problemCode,
  stamp,
  waitMs,
} from './common.ts';
import { withQuery } from './query.ts';

const MAX_COMPANY = 2048;

/** Parameter of `/sheets/v1/accounts/{list}`. */
export const accountList = z.enum(accountLists);

const companies = z
  .array(z.string().max(MAX_COMPANY))
  .min(1)
  .describe('Websites, company ids or company names. A name must be spelled as in the records.')
  .meta({ examples: [['acme.example', '4711', 'Globex']] });

const wait = waitMs.describe('Deadline in milliseconds. Unfinished companies have the problem `pending`.');

export const accountsRequest = withQuery({
  companies: companies.max(maxAccounts),
  per_company: z
    .int()
    .min(1)
    .max(maxRowsPerAccount)
    .exactOptional()
    .describe(`Maximum number of rows for each company. Default: ${defaultRowsPerAccount}.`),
  fields,
  max_age_s: maxAge,
  max_credits: maxCredits.describe(
    'The price that was shown. A higher price is rejected with `price_changed`.',
  ),
  only_complete: z
    .boolean()
    .exactOptional()
    .describe(
      'True: buy nothing unless every company was counted in time. Otherwise pages without the missing companies are bought, and a later call may buy other pages.',
    ),
  cancel_id: cancelId.exactOptional(),
  wait_ms: wait,
}).refine(
  ({ companies, per_company: rows = defaultRowsPerAccount }) => companies.length * rows <= maxAccountRows,
  {
    path: ['per_company'],
    message: `companies times per_company may be at most ${maxAccountRows}: send fewer companies in a call`,
  },
);
export type AccountsRequest = z.infer<typeof accountsRequest>;

const account = z.object({
  company: z.string().describe('The company as requested.'),
  total: count.describe('Number of matching records.'),
  problem: problemCode.describe('Why rows are missing. Absent if there are none missing.').exactOptional(),
});

export const accountCountsRequest = withQuery({
  companies: companies.max(maxCountedAccounts),
  cancel_id: cancelId.exactOptional(),
  wait_ms: wait,
});
export type AccountCountsRequest = z.infer<typeof accountCountsRequest>;

export const accountCountsResponse = z.object({
  accounts: z
    .array(account.extend({ problem: problemCode.describe('Why there is no count.').exactOptional() }))
    .describe('One entry for each company, in their order.'),
  stamp,
});
export type AccountCountsResponse = z.infer<typeof accountCountsResponse>;

export const accountsResponse = z.object({
  columns: z.array(column),
  accounts: z
    .array(account.extend({ rows: z.array(z.array(z.unknown())).describe('One value for each column.') }))
    .describe('One entry for each company, in their order.'),
  credits: creditTotals,
  stamp,
});
export type AccountsResponse = z.infer<typeof accountsResponse>;

export const accountsEstimateResponse = z.object({
  accounts: z
    .array(account.extend({ rows: count.describe('Number of rows that would be returned.') }))
    .describe('One entry for each company, in their order.'),
  rows: count.describe('Number of distinct records.'),
  pages: count.describe('Number of preview pages with these records.'),
  cached: count.describe('Number of cached pages, which are free.'),
  to_fetch: count.describe('Number of pages that would be bought.'),
  credits: credits.describe(
    'Highest price. Includes the maximum for companies that could not be counted in time.',
  ),
});
export type AccountsEstimateResponse = z.infer<typeof accountsEstimateResponse>;
