// Bodies of schedules of registered tables, and of alerts.
import * as z from 'zod';
import { alertKinds, intervals, maxTableTitleLength } from '../limits.ts';
import { count, credits, family, problemSummary, time, timeWithOffset } from './common.ts';

/** Maximum number of alert addresses of a team. */
export const maxAlerts = 20;
const MAX_BUDGET_PERCENTS = 5;

/** Upper bound of the credits of a run. */
const MAX_CREDITS = 1_000_000_000;
const MAX_URL = 2048;

const interval = z.enum(intervals);
export type Interval = z.infer<typeof interval>;

/** Body of `PUT /sheets/v1/schedules/{table}`. A registered table has at most one schedule. */
export const scheduleBody = z.strictObject({
  every: interval.describe('Refresh interval.'),
  max_credits: z
    .int()
    .min(0)
    .max(MAX_CREDITS)
    .describe('Maximum credits of a run. A run that would cost more buys nothing and stops the schedule.'),
  paused: z.boolean(),
  at: timeWithOffset
    .describe(
      'Any time, past or future, with the time of day of the runs and, if weekly, their weekday (UTC). Default: one interval from now.',
    )
    .exactOptional(),
});
export type ScheduleBody = z.infer<typeof scheduleBody>;

const scheduleRun = z.object({
  id: z.string(),
  at: time,
  state: z.enum(['running', 'done', 'failed']),
  rows: count.describe('Number of new or changed rows.'),
  credits,
  problem: problemSummary.describe('Why the run failed, or what a running one waits for.').exactOptional(),
});
export type ScheduleRun = z.infer<typeof scheduleRun>;

/** State of what spends on its own: a schedule or an enrichment. */
export const automationState = z
  .enum(['on', 'paused', 'stopped'])
  .describe('`stopped`: stopped by the gateway for the reason in `problem`. PUT starts it again.');

/** A schedule, as its team sees it. */
export const scheduleView = scheduleBody.omit({ at: true }).extend({
  table: z.uuid().describe('Id of its table.'),
  title: z.string().max(maxTableTitleLength),
  family,
  state: automationState,
  problem: problemSummary.exactOptional(),
  next_at: time.nullable().describe('Next run. Null unless the state is `on`.'),
  last: scheduleRun.nullable().describe('Last run. Null before the first.'),
  month: z.object({
    max_credits: count.describe('Maximum credits of a month.'),
    spent: count.describe('Credits spent this month (UTC).'),
  }),
});
export type Schedule = z.infer<typeof scheduleView>;

export const scheduleList = z.object({
  schedules: z.array(scheduleView),
});

export const scheduleParams = z.object({ table: z.uuid().toLowerCase().describe('Id of the table.') });

const alertKind = z.enum(alertKinds);
export type AlertKind = z.infer<typeof alertKind>;

const budgetPercents = z
  .array(z.int().min(1).max(100))
  .min(1)
  .max(MAX_BUDGET_PERCENTS)
  .transform((list) => [...new Set(list)].sort((one, other) => one - other));

export const alertBody = z.strictObject({
  url: z
    .string()
    .min(1)
    .max(MAX_URL)
    .describe('A public https address that takes `{"text": …}`, as an incoming webhook of Slack does.'),
  on: z
    .array(alertKind)
    .min(1)
    .max(alertKinds.length)
    .refine((kinds) => new Set(kinds).size === kinds.length, 'names a kind twice')
    .describe('Events to send.'),
  budget_percents: budgetPercents
    .optional()
    .describe(
      'Shares of the daily and monthly budget, in percent, at which `budget` alerts are sent. Default: 80 and 100, or as before.',
    ),
});
export type AlertBody = z.infer<typeof alertBody>;

/** An alert address. The URL is a secret, so responses show only its host. */
export const alertView = z.object({
  id: z.uuid(),
  host: z.string().describe('Host of the address. The full URL is never returned.'),
  on: z.array(alertKind),
  budget_percents: z.array(z.int()),
  last: z
    .object({
      at: time,
      delivered: z.boolean(),
      error: z
        .string()
        .nullable()
        .describe('Why it was not delivered, with the HTTP status if there was one.'),
    })
    .nullable()
    .describe('Delivery of the last message. Null before the first.'),
  created_at: time,
});
export type Alert = z.infer<typeof alertView>;

export const alertList = z.object({
  alerts: z.array(alertView).max(maxAlerts).describe('Alert addresses of the team, oldest first.'),
});

export const alertParams = z.object({ id: z.uuid().toLowerCase() });
