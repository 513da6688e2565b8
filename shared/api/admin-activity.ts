// Bodies of /admin/v1 for what runs in the background: the course of a data request, and its stop.
import * as z from 'zod';
import { adminDataRequestView } from './admin-data-requests.ts';
import { time } from './common.ts';

/** What can happen to a data request, in the usual order. */
export const timelineCodes = [
  'created',
  'cached_records_delivered',
  'sent',
  'stopped',
  'webhook_received',
  'file_listed',
  'file_ingested',
  'ended',
  'end_announced',
  'push_created',
  'push_done',
  'push_failed',
  'caller_notified',
  'caller_not_notified',
  'dead_letter',
  'dead_letter_replayed',
  'rows_deleted',
] as const;
export type TimelineCode = (typeof timelineCodes)[number];

const timelineEvent = z.object({
  at: time.nullable().describe('Null if the time is not stored; the event then follows the one before it.'),
  code: z.enum(timelineCodes),
  text: z.string().describe('The event in plain words.'),
  subject: z.string().nullable().describe('Id of the push or dead letter. Null for other events.'),
});
export type TimelineEvent = z.infer<typeof timelineEvent>;

export const timeline = z.object({
  events: z
    .array(timelineEvent)
    .describe(
      'Webhooks, pushes and dead letters are kept for 30 days, so an older request has fewer events.',
    ),
});
export type Timeline = z.infer<typeof timeline>;

export const stoppedDataRequest = z.object({
  request: adminDataRequestView,
  charge: z
    .enum(['none', 'expected', 'charged', 'unclear'])
    .describe(
      '`none`: it costs nothing. `expected`: the provider has it, and charges what it delivers. `charged`: it had already ended and cost credits. `unclear`: nobody knows whether it was charged; it counts as charged.',
    ),
  message: z.string().describe('The charge in plain words.'),
});
export type StoppedDataRequest = z.infer<typeof stoppedDataRequest>;
