// Response of /sheets/v1/usage: credits of the team in the last 30 days. Days are UTC.
import * as z from 'zod';
import { reportedSources } from '../sources.ts';
import { count, family } from './common.ts';

/** Number of days in the report. */
export const usageDays = 30;

/** Maximum number of people in the report. */
export const maxUsagePeople = 20;

const amounts = z.object({
  spent: count.describe('Credits spent.'),
  saved: count.describe('What answers from records already bought would have cost, at each use.'),
});

/** Credits by source. */
export const usageSources = z.array(amounts.extend({ source: z.enum(reportedSources) }));

export const usageResponse = z.object({
  from: z.iso.date().describe('The first day.'),
  to: z.iso.date().describe('The last day: today.'),
  total: amounts,
  days: z
    .array(amounts.extend({ day: z.iso.date() }))
    .max(usageDays)
    .describe('Days with calls, in order.'),
  families: z
    .array(amounts.extend({ family }))
    .describe('By kind of record, highest first. Families outside the token’s scopes are left out.'),
  sources: usageSources.describe(
    'By where the credits were spent, highest first; they add up to `total`. `table`: searches, enrichments, full records and refreshes. `bulk`: bulk orders, also scheduled ones. `schedule`: scheduled searches and columns that are kept filled. `assistant`: assistants at `/mcp`. `other`: programs.',
  ),
  today: usageSources.describe('Those of today; they add up to its entry in `days`.'),
  people: z
    .array(amounts.extend({ name: z.string().describe('Name of the connection.') }))
    .max(maxUsagePeople)
    .describe('By connection, which is a person’s or a spreadsheet’s, highest first.'),
});
export type UsageResponse = z.infer<typeof usageResponse>;
