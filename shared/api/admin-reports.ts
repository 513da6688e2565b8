// Bodies and endpoints of /admin/v1 for usage, ledger and audit log. Days are UTC.
import * as z from 'zod';
import { recordedSources } from '../sources.ts';
import {
  budgetView,
  id,
  ofTeam,
  operationName,
  page,
  pageLimit,
  teamId,
  teams,
  wholeNumber,
} from './admin.ts';
import { endpointGroup, readers } from './admin-roles.ts';
import { family, time } from './common.ts';
import { usageSources } from './usage.ts';

/** Maximum number of days in a usage report. */
export const maxUsageDays = 366;

/** Maximum number of days in a latency report, and how long hourly calls are kept. */
export const maxLatencyDays = 90;

/** Maximum number of rows in a usage report. */
export const maxUsageRows = 1000;

const usageGroup = z.enum(['day', 'team', 'token', 'family']);
export type UsageGroup = z.infer<typeof usageGroup>;

const day = z.iso.date('is not a day such as 2026-09-01');
const usageQuery = z.strictObject({
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
  sources: usageSources.describe('The credits by source, which add up to `total`.'),
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

/** Maximum number of rows in a report of costs. */
export const maxCostRows = 10_000;

const costsQuery = z.strictObject({
  from: day.optional().describe('The first day. Default: the first one of the month of the last day.'),
  to: day.optional().describe('The last day. Default: today.'),
  team: teamId.optional().describe('Default: all teams.'),
  limit: wholeNumber
    .pipe(z.number().min(1).max(maxCostRows))
    .optional()
    .describe(`Maximum number of rows. Default: ${maxCostRows}.`),
  format: z.enum(['json', 'csv']).default('json').describe('CSV has all rows or ends with a problem.'),
});

/**
 * `person`: signed in with a Google account. `connection`: shared by everybody with its link. `spreadsheet`: formulas and tables
 * in it, as the caller states it.
 */
const payerKinds = ['person', 'connection', 'spreadsheet', 'admin'] as const;

/** Response of `GET costs`, the highest credits first. */
export const costsReport = z.object({
  from: z.iso.date(),
  to: z.iso.date(),
  total: z.object({ credits: z.int(), saved: z.int(), calls: z.int() }),
  rows: z.array(
    z.object({
      kind: z.enum(payerKinds),
      name: z
        .string()
        .describe(
          'E-mail address, name of the connection or name of the spreadsheet. Whoever has a connection can state another spreadsheet.',
        ),
      connection: z
        .string()
        .nullable()
        .describe('Name of the connection that the spreadsheet uses. Null for other kinds.'),
      team: id,
      team_name: z.string(),
      credits: z.int(),
      formula_credits: z.int().describe('Of the credits, those of formulas.'),
      saved: z.int(),
      calls: z.int(),
    }),
  ),
  more: z.boolean().describe('True: there are more rows.'),
});
export type CostsReport = z.infer<typeof costsReport>;

const latencyGroup = z.enum(['hour', 'day']);
export type LatencyGroup = z.infer<typeof latencyGroup>;

const latencyQuery = z.strictObject({
  by: latencyGroup
    .optional()
    .describe('Length of a period. Default: `hour` for reports of up to 7 days, otherwise `day`.'),
  from: day.optional().describe('The first day. Default: 7 days that end with the last one.'),
  to: day.optional().describe('The last day. Default: today.'),
  team: teamId.optional(),
});

const percentile = z.number().min(0).nullable();
const latencyCounts = z.object({
  calls: z.int(),
  errors: z.int(),
  p50_ms: percentile.describe('Median of the durations, in milliseconds. Null: no duration is known.'),
  p95_ms: percentile.describe('Duration that 95% of the calls do not exceed. 30,000 stands for longer ones.'),
});
export type LatencyCounts = z.infer<typeof latencyCounts>;

/**
 * Response of `GET latency`: the periods with calls, in their order. Percentiles are estimates from ranges of durations. Each key
 * of a lookup is a call that took as long as the whole lookup.
 */
export const latencyReport = z.object({
  by: latencyGroup,
  from: z.iso.date(),
  to: z.iso.date(),
  total: latencyCounts,
  rows: z.array(latencyCounts.extend({ start: time.describe('Start of the hour or day, UTC.') })),
});
export type LatencyReport = z.infer<typeof latencyReport>;

export const entryKind = z.enum(['charge', 'unclear', 'correction', 'disputed', 'saved', 'top_up', 'budget']);

/** Parameters that select ledger lines. */
const ledgerFilter = {
  token: id.optional().describe('Id of the token. `admin`: purchases by the admin.'),
  family: family.optional(),
  operation: operationName.optional(),
  kind: entryKind.optional(),
  day: day.optional().describe('Day that the credits are booked to.'),
};
const filterNames = ['token', 'family', 'operation', 'kind', 'day'] as const;

const ledgerQuery = z
  .strictObject({
    team: teamId
      .optional()
      .describe('Required with `after`, `token`, `family`, `operation`, `kind` and `day`.'),
    ...ledgerFilter,
    after: wholeNumber.optional().describe('Number of the last known line. Requires a team.'),
    limit: wholeNumber.pipe(z.number().min(1)).optional().describe('Maximum number of lines.'),
    format: z.enum(['json', 'csv']).optional().describe('Overrides the Accept header.'),
  })
  .refine(({ team, after }) => team !== undefined || after === undefined, {
    path: ['after'],
    message: 'requires a team, because lines are numbered by team',
  })
  .refine((query) => query.team !== undefined || filterNames.every((name) => query[name] === undefined), {
    path: ['team'],
    message: `is required with ${filterNames.join(', ')}`,
  });

const teamLedgerQuery = z.strictObject({
  ...ledgerFilter,
  before: wholeNumber.optional().describe('`next` from the previous page.'),
  limit: pageLimit,
});

/**
 * A line of a team's ledger. Lines never change. `number` increases by team. Null `token`: the admin. Exports have the columns in
 * this order.
 */
export const ledgerLine = z.object({
  team: id,
  number: z.int(),
  at: time,
  day: z.iso.date(),
  kind: entryKind,
  token: z.string().nullable(),
  operation: operationName.nullable(),
  family: family.nullable(),
  subject: z.string().nullable().describe('Pseudonym of the requested key.'),
  reference: z.string().nullable(),
  credits: z.int(),
  saved: z.int(),
  calls: z.int(),
  note: z.string().nullable(),
  source: z
    .enum(recordedSources)
    .nullable()
    .describe('Where the call came from. Null for programs, bulk orders and savings.'),
  team_name: z.string(),
  token_name: z
    .string()
    .nullable()
    .describe('E-mail address of the person, or name of the connection. Null if neither is known.'),
});
export type LedgerLine = z.infer<typeof ledgerLine>;

/** Response of `GET ledger`. Send `next` as `after` for the next page. Null on the last page and for all teams. */
export const ledgerAnswer = z.object({
  entries: z.array(ledgerLine),
  next: z.int().nullable(),
});

/** Response of `GET teams/{id}/ledger`, newest first. Lines older than 13 months are not included. */
export const teamLedger = z.object({
  entries: z.array(
    ledgerLine.extend({
      balance: z
        .int()
        .describe(
          'Sum of `credits` of all lines that match, from the first one to this one. It includes lines older than 13 months, except with `day`. Top-ups are no spending: they count only with `kind`.',
        ),
    }),
  ),
  next: z.int().nullable(),
  archived: z
    .boolean()
    .describe(
      'True: lines that match are older than 13 months; with `day`: lines of its month. `GET ledger` includes them.',
    ),
});
export type TeamLedger = z.infer<typeof teamLedger>;

/** Ledger lines older than 13 months, summed up. Null: lines without one. */
const ledgerSums = z.object({
  sums: z.array(
    z.object({
      month: z.string().describe('`YYYY-MM`, UTC.'),
      kind: ledgerLine.shape.kind,
      token: z.string().nullable(),
      operation: operationName.nullable(),
      family: family.nullable(),
      credits: z.int(),
      saved: z.int(),
      calls: z.int(),
      lines: z.int(),
    }),
  ),
});

const auditQuery = z.strictObject({
  before: wholeNumber.optional().describe('`next` from the previous page.'),
  limit: pageLimit,
});

/** An action of the admin, such as `team.create`, and the id of its target. */
const auditLine = z.object({
  number: z.int(),
  at: time,
  admin_token: z
    .string()
    .nullable()
    .describe(
      '`current`: ADMIN_TOKEN. `previous`: the one from before the last rotation. Otherwise the id of an admin token. Null: Cloudflare Access signed the admin in.',
    ),
  session: z.string().nullable().describe('Id of the console’s session. Null: the admin API.'),
  email: z.string().nullable().describe('Address from Cloudflare Access. Null without it.'),
  action: z.string(),
  target: z.string(),
  detail: z.record(z.string(), z.unknown()),
});
export type AuditLine = z.infer<typeof auditLine>;

export const auditNameKinds = ['team', 'token', 'person', 'admin'] as const;
const auditName = z.object({
  id: z.string(),
  kind: z.enum(auditNameKinds),
  name: z.string(),
});
export type AuditName = z.infer<typeof auditName>;

export const auditList = z.object({
  audit: z.array(auditLine),
  names: z.array(auditName).describe('Names of the ids in these lines, where they are known.'),
  next: z.int().nullable(),
});
export type AuditList = z.infer<typeof auditList>;

export const budgetList = z.object({
  budgets: z.array(
    z.object({
      id,
      name: z.string(),
      budget: budgetView,
      forecast_month: z
        .int()
        .nullable()
        .describe(
          'Credits that are spent by the end of the month (UTC) if spending continues at this month’s average. Null in the first 12 hours of a month.',
        ),
      over_cap_on: z.iso
        .date()
        .nullable()
        .describe(
          'Day of this month on which that average reaches the cap of the month, today if it is already reached. Null: not in this month. Top-ups are not considered.',
        ),
    }),
  ),
  next: id.nullable(),
});
export type BudgetList = z.infer<typeof budgetList>;

export const spending = z.object({
  date: z.iso.date().describe('Today, UTC.'),
  day: usageCounts.describe('Today.'),
  month: usageCounts.describe('This month, today included.'),
});
export type Spending = z.infer<typeof spending>;

const budgets = endpointGroup('Budgets', 'Budgets of all teams, with forecasts for the month.');
const spendings = endpointGroup('Spending', 'Today’s and this month’s totals of all teams.');
const usage = endpointGroup('Usage', 'Reports of calls, credits and savings.');
const costs = endpointGroup('Costs', 'What people, connections and spreadsheets spent.');
const latency = endpointGroup('Latency', 'Reports of the duration of calls.');
const ledger = endpointGroup('Ledger', 'Every charge and saving, line by line.');
const audit = endpointGroup('Audit', 'The audit log.');

export const reportEndpoints = {
  listBudgets: budgets(...readers).get('/budgets', { query: page }, budgetList),
  getSpending: spendings(...readers).get('/spending', {}, spending),
  getUsage: usage(...readers).get('/usage', { query: usageQuery }, usageReport, ['not_found']),
  getCosts: costs(...readers).get('/costs', { query: costsQuery }, costsReport, [], {
    types: ['application/json', 'text/csv'],
  }),
  getLatency: latency(...readers, 'monitor').get('/latency', { query: latencyQuery }, latencyReport),
  exportLedger: ledger(...readers).get('/ledger', { query: ledgerQuery }, ledgerAnswer, ['not_found'], {
    types: ['application/json', 'text/csv'],
  }),
  listLedger: teams(...readers).get('/teams/{id}/ledger', { ...ofTeam, query: teamLedgerQuery }, teamLedger),
  listLedgerSums: teams(...readers).get('/teams/{id}/ledger/sums', ofTeam, ledgerSums),
  listAuditEntries: audit('viewer').get('/audit', { query: auditQuery }, auditList),
};
