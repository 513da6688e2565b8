// Schedules of registered tables, and the alerts of a team.
import * as z from 'zod';
import { alertKinds, intervals, maxTableTitleLength } from '../limits.ts';
import { count, credits, family, problemSummary, time } from './common.ts';

/** The most alert addresses of a team. */
export const maxAlerts = 20;

/** More credits than anyone buys in a run. */
const MAX_CREDITS = 1_000_000_000;
const MAX_URL = 2048;

const interval = z.enum(intervals);
export type Interval = z.infer<typeof interval>;

/** Body of `PUT /sheets/v1/schedules/{table}`: a registered table has one schedule at most. */
export const scheduleBody = z.strictObject({
  every: interval.describe('How often the table is refreshed.'),
  max_credits: z
    .int()
    .min(0)
    .max(MAX_CREDITS)
    .describe('Credits that one run may cost; one that would cost more buys nothing and stops the schedule.'),
  paused: z.boolean(),
});
export type ScheduleBody = z.infer<typeof scheduleBody>;

const scheduleRun = z.object({
  id: z.string(),
  at: time,
  state: z.enum(['running', 'done', 'failed']),
  rows: count.describe('Rows that were new or changed.'),
  credits,
  problem: problemSummary
    .describe('Why it failed; of one that is running, what it waits for.')
    .exactOptional(),
});
export type ScheduleRun = z.infer<typeof scheduleRun>;

/** A schedule, as its team sees it. */
export const scheduleView = scheduleBody.extend({
  table: z.uuid().describe('Id of its table.'),
  title: z.string().max(maxTableTitleLength),
  family,
  state: z
    .enum(['on', 'paused', 'stopped'])
    .describe('`stopped`: by itself, for the reason in `problem`; to put it again starts it.'),
  problem: problemSummary.exactOptional(),
  next_at: time.nullable().describe('Null while it is not on.'),
  last: scheduleRun.nullable().describe('The last run; null before the first.'),
  month: z.object({
    most: count.describe('Credits that a month can cost at most.'),
    spent: count.describe('Credits that this month (UTC) has cost.'),
  }),
});
export type Schedule = z.infer<typeof scheduleView>;

/** Answer of `GET /sheets/v1/schedules`. */
export const scheduleList = z.object({
  schedules: z.array(scheduleView),
});
export type ScheduleList = z.infer<typeof scheduleList>;

export const scheduleParams = z.object({ table: z.uuid().toLowerCase().describe('Id of the table.') });

const alertKind = z.enum(alertKinds);
export type AlertKind = z.infer<typeof alertKind>;

/** Body of `POST /sheets/v1/alerts` and `PUT /sheets/v1/alerts/{id}`. */
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
    .describe('What to tell of.'),
});
export type AlertBody = z.infer<typeof alertBody>;

/** An alert address. Its address is a secret: only its host is told again. */
export const alertView = z.object({
  id: z.uuid(),
  host: z.string().describe('The address itself is told to nobody again.'),
  on: z.array(alertKind),
  last: z
    .object({ at: time, delivered: z.boolean() })
    .nullable()
    .describe('What came of the last message; null before the first.'),
  created_at: time,
});
export type Alert = z.infer<typeof alertView>;

/** Answer of `GET /sheets/v1/alerts`. */
export const alertList = z.object({
  alerts: z.array(alertView).max(maxAlerts).describe('The team’s, the oldest first.'),
});
export type AlertList = z.infer<typeof alertList>;

export const alertParams = z.object({ id: z.uuid().toLowerCase() });
