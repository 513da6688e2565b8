// Bodies of /admin/v1 for data requests with their timeline and stop, dead letters and webhook secrets.
import * as z from 'zod';
import { id, maxListPage, page, teamId } from './admin.ts';
import { time } from './common.ts';
import { dataRequestView } from './data-requests.ts';

export const adminDataRequestQuery = page.extend({ team: teamId.optional() });

export const adminDataRequestView = dataRequestView.extend({
  team: z.string().describe('Id of the team.'),
  team_name: z.string().nullable().describe('Null if the team is unknown.'),
  token: z.string().describe('Id of the token.'),
  token_name: z.string().nullable().describe('E-mail address of the person, or name of the connection.'),
});
export type AdminDataRequestView = z.infer<typeof adminDataRequestView>;

export const adminDataRequestList = z.object({
  requests: z.array(adminDataRequestView),
  after: z.string().nullable(),
});

/**
 * Kinds of dead letter. `webhook`: a webhook that the caller did not accept. `alert`: a message that an alert address did not
 * accept. `push`: rows that could not be written to a spreadsheet.
 */
export const deadLetterKinds = ['webhook', 'alert', 'push'] as const;
export type DeadLetterKind = (typeof deadLetterKinds)[number];

export const deadLetterStates = ['open', 'replayed', 'dismissed'] as const;
export type DeadLetterState = (typeof deadLetterStates)[number];

export const deadLetterQuery = page.extend({
  team: teamId.optional(),
  kind: z.enum(deadLetterKinds).optional(),
  code: z
    .string()
    .regex(/^\w{1,60}$/, 'is not an error code')
    .optional()
    .describe('Error code, such as `http_404`.'),
  state: z.enum(deadLetterStates).optional().describe('Default: all.'),
  before: time.optional().describe('Only those that failed before this time.'),
});

/** Dead letters of a bulk change. */
export const deadLetterIds = z.strictObject({ ids: z.array(id).min(1).max(maxListPage) });

export const deadLettersChanged = z.object({
  changed: z.int().describe('How many of them were open. Others stay unchanged.'),
});

/** A job that failed after its last retry. */
export const deadLetterView = z.object({
  id: z.string(),
  at: z.string(),
  kind: z
    .enum(deadLetterKinds)
    .describe(
      '`webhook` and `alert`: a message that the receiver did not accept. `push`: rows that could not be written to a spreadsheet.',
    ),
  team: z.string().describe('Id of the team.'),
  team_name: z.string().nullable().describe('Null if the team is unknown.'),
  request: z.string().describe('Id of the data request, push or alert message.'),
  code: z.string().describe('`http_` and the status of the receiver, `no_answer`, or the code of a problem.'),
  error: z.string().describe('Error of the last attempt.'),
  replayed_at: z.string().nullable(),
  dismissed_at: z.string().nullable(),
});
export type DeadLetterView = z.infer<typeof deadLetterView>;

export const deadLetterList = z.object({
  dead_letters: z.array(deadLetterView),
  after: z.string().nullable(),
});

/** Response of `POST /admin/v1/teams/{id}/webhook-secret`. The secret has the format of Standard Webhooks: `whsec_…`. */
export const webhookSecret = z.object({
  secret: z.string().describe('Secret for a Standard Webhooks library. Only this response contains it.'),
});

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
  'dead_letter_dismissed',
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
