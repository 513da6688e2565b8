// What the routes of schedules and alerts take and answer, as schemas.
import * as z from 'zod';
import {
  type Alert,
  type AlertBody,
  type AlertList,
  alertKinds,
  intervals,
  maxAlerts,
  type Schedule,
  type ScheduleBody,
  type ScheduleList,
} from '../../../shared/schedules-api.ts';
import { maxTableTitleLength } from '../../../shared/tables-api.ts';
import { reason } from './answers.ts';
import { family } from './bodies.ts';

/** More credits than anyone buys in a run. */
const MAX_CREDITS = 1_000_000_000;
const MAX_URL = 2048;

const count = z.int().min(0);
const credits = count.describe('Credits.');
const time = z.iso.datetime();

export const scheduleBody = z.strictObject({
  every: z.enum(intervals).describe('How often the table is refreshed.'),
  max_credits: z
    .int()
    .min(0)
    .max(MAX_CREDITS)
    .describe('Credits that one run may cost; one that would cost more buys nothing and stops the schedule.'),
  paused: z.boolean(),
}) satisfies z.ZodType<ScheduleBody>;

export const scheduleView = scheduleBody.extend({
  table: z.uuid().describe('Id of its table.'),
  title: z.string().max(maxTableTitleLength),
  family,
  state: z
    .enum(['on', 'paused', 'stopped'])
    .describe('`stopped`: by itself, for the reason in `problem`; to put it again starts it.'),
  problem: reason.exactOptional(),
  next_at: time.nullable().describe('Null while it is not on.'),
  last: z
    .object({
      id: z.string(),
      at: time,
      state: z.enum(['running', 'done', 'failed']),
      rows: count.describe('Rows that were new or changed.'),
      credits,
      problem: reason.describe('Why it failed; of one that is running, what it waits for.').exactOptional(),
    })
    .nullable()
    .describe('The last run; null before the first.'),
  month: z.object({
    most: count.describe('Credits that a month can cost at most.'),
    spent: count.describe('Credits that this month (UTC) has cost.'),
  }),
}) satisfies z.ZodType<Schedule>;

export const scheduleList = z.object({
  schedules: z.array(scheduleView),
}) satisfies z.ZodType<ScheduleList>;

export const scheduleParams = z.object({ table: z.uuid().toLowerCase().describe('Id of the table.') });

export const alertBody = z.strictObject({
  url: z
    .string()
    .min(1)
    .max(MAX_URL)
    .describe('A public https address that takes `{"text": …}`, as an incoming webhook of Slack does.'),
  on: z
    .array(z.enum(alertKinds))
    .min(1)
    .max(alertKinds.length)
    .refine((kinds) => new Set(kinds).size === kinds.length, 'names a kind twice')
    .describe('What to tell of.'),
}) satisfies z.ZodType<AlertBody>;

export const alertView = z.object({
  id: z.uuid(),
  host: z.string().describe('The address itself is told to nobody again.'),
  on: z.array(z.enum(alertKinds)),
  last: z
    .object({ at: time, delivered: z.boolean() })
    .nullable()
    .describe('What came of the last message; null before the first.'),
  created_at: time,
}) satisfies z.ZodType<Alert>;

export const alertList = z.object({
  alerts: z.array(alertView).max(maxAlerts).describe('The team’s, the oldest first.'),
}) satisfies z.ZodType<AlertList>;

export const alertParams = z.object({ id: z.uuid().toLowerCase() });
