// Bodies of /admin/v1 for usage, ledger and audit log. Days are UTC.
import * as z from 'zod';
import { id, operationName, pageLimit, teamId, wholeNumber } from './admin.ts';
import { family, time } from './common.ts';

/** Maximum number of days in a usage report. */
export const maxUsageDays = 366;

/** Maximum number of rows in a usage report. */
export const maxUsageRows = 1000;

const usageGroup = z.enum(['day', 'team', 'token', 'family']);
export type UsageGroup = z.infer<typeof usageGroup>;

const day = z.iso.date('is not a day such as 2026-09-01');
export const usageQuery = z.strictObject({
  by: usageGroup.default('day').describe('Dimension of the rows.'),
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
    .describe('Share of successful calls that needed no provider call.'),
  credits: z.int(),
  saved: z.int(),
  mean_latency_ms: z.number().nullable(),
});
export type UsageCounts = z.infer<typeof usageCounts>;

/** Response of `GET usage`. Days are in order; other rows are sorted by credits, highest first. */
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
    after: wholeNumber.optional().describe('Number of the last known line. Requires a team.'),
    limit: wholeNumber.pipe(z.number().min(1)).optional().describe('Maximum number of lines.'),
    format: z.enum(['json', 'csv']).optional().describe('Overrides the Accept header.'),
  })
  .refine(({ team, after }) => team !== undefined || after === undefined, {
    path: ['after'],
    message: 'requires a team, because lines are numbered by team',
  });

/** A line of a team's ledger. Lines never change. `number` increases by team. Null `token`: the admin. */
const ledgerLine = z.object({
  team: id,
  number: z.int(),
  at: time,
  day: z.iso.date(),
  kind: z.enum(['charge', 'unclear', 'correction', 'saved', 'top_up', 'budget']),
  token: z.string().nullable(),
  operation: operationName.nullable(),
  family: family.nullable(),
  subject: z.string().nullable().describe('Pseudonym of the requested key.'),
  reference: z.string().nullable(),
  credits: z.int(),
  saved: z.int(),
  calls: z.int(),
  note: z.string().nullable(),
});
export type LedgerLine = z.infer<typeof ledgerLine>;

/** Response of `GET ledger`. Send `next` as `after` for the next page. Null on the last page and for all teams. */
export const ledgerAnswer = z.object({
  entries: z.array(ledgerLine),
  next: z.int().nullable(),
});
export type LedgerAnswer = z.infer<typeof ledgerAnswer>;

export const auditQuery = z.strictObject({
  before: wholeNumber.optional().describe('`next` from the previous page.'),
  limit: pageLimit,
});

/** An action of the admin, such as `team.create`, and the id of its target. */
const auditLine = z.object({
  number: z.int(),
  at: time,
  action: z.string(),
  target: z.string(),
  detail: z.record(z.string(), z.unknown()),
});
export type AuditLine = z.infer<typeof auditLine>;

/** Response of `GET audit`, newest first. */
export const auditList = z.object({
  audit: z.array(auditLine),
  next: z.int().nullable(),
});
export type AuditList = z.infer<typeof auditList>;
