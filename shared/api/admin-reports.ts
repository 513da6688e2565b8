// Usage, ledger and audit log, as /admin/v1 answers them. Days are those of UTC.
import * as z from 'zod';
import { id, operationName, pageLimit, teamId, wholeNumber } from './admin.ts';
import { family, time } from './common.ts';

/** The most days that a usage report spans. */
export const maxUsageDays = 366;

/** The most rows of a usage report. */
export const maxUsageRows = 1000;

const usageGroup = z.enum(['day', 'team', 'token', 'family']);
export type UsageGroup = z.infer<typeof usageGroup>;

const day = z.iso.date('is no day such as 2026-09-01');
export const usageQuery = z.strictObject({
  by: usageGroup.default('day').describe('What the rows are about.'),
  from: day.optional().describe('The first day.'),
  to: day.optional().describe('The last day.'),
  team: teamId.optional(),
});

const usageCounts = z.object({
  calls: z.int(),
  hit: z.int(),
  stale: z.int(),
  coalesced: z.int(),
  fetched: z.int(),
  not_found: z.int(),
  errors: z.int(),
  hit_rate: z
    .number()
    .min(0)
    .max(1)
    .nullable()
    .describe('The share of the calls that did not fail which cost no call to the provider.'),
  credits: z.int(),
  saved: z.int(),
  mean_latency_ms: z.number().nullable(),
});
export type UsageCounts = z.infer<typeof usageCounts>;

/** Answer of `GET usage`. Days in their order, anything else by credits, the most first. */
export const usageReport = z.object({
  by: usageGroup,
  from: z.iso.date(),
  to: z.iso.date(),
  total: usageCounts,
  rows: z.array(
    usageCounts.extend({
      day: z.iso.date().exactOptional(),
      team: z.string().exactOptional(),
      team_name: z.string().exactOptional(),
      token: z.string().exactOptional(),
      token_name: z.string().exactOptional(),
      token_prefix: z.string().exactOptional(),
      family: family.exactOptional(),
    }),
  ),
});
export type UsageReport = z.infer<typeof usageReport>;

export const ledgerQuery = z
  .strictObject({
    team: teamId.optional(),
    after: wholeNumber.optional().describe('The number of the last line that is known; needs a team.'),
    limit: wholeNumber.pipe(z.number().min(1)).optional().describe('At most so many lines.'),
    format: z.enum(['json', 'csv']).optional().describe('Where the Accept header does not say it.'),
  })
  .refine(({ team, after }) => team !== undefined || after === undefined, {
    path: ['after'],
    message: 'needs a team: each team counts its own lines',
  });

/** One line of a team's ledger; none is ever changed. `number` counts up for each team; null `token` is the admin. */
const ledgerLine = z.object({
  team: id,
  number: z.int(),
  at: time,
  day: z.iso.date(),
  kind: z.enum(['charge', 'unclear', 'correction', 'saved', 'top_up', 'budget']),
  token: z.string().nullable(),
  operation: operationName.nullable(),
  family: family.nullable(),
  subject: z.string().nullable().describe('What was asked, as a pseudonym.'),
  reference: z.string().nullable(),
  credits: z.int(),
  saved: z.int(),
  calls: z.int(),
  note: z.string().nullable(),
});
export type LedgerLine = z.infer<typeof ledgerLine>;

/** Answer of `GET ledger`. `next` is sent as `after`; null where nothing follows, and where all teams were asked. */
export const ledgerAnswer = z.object({
  entries: z.array(ledgerLine),
  next: z.int().nullable(),
});
export type LedgerAnswer = z.infer<typeof ledgerAnswer>;

export const auditQuery = z.strictObject({
  before: wholeNumber.optional().describe('The `next` of the page before.'),
  limit: pageLimit,
});

/** What an admin did, such as `team.create`, and the id of what was touched. */
const auditLine = z.object({
  number: z.int(),
  at: time,
  action: z.string(),
  target: z.string(),
  detail: z.record(z.string(), z.unknown()),
});
export type AuditLine = z.infer<typeof auditLine>;

/** Answer of `GET audit`, the newest first. */
export const auditList = z.object({
  audit: z.array(auditLine),
  next: z.int().nullable(),
});
export type AuditList = z.infer<typeof auditList>;
