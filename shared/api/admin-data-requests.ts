// Bodies of /admin/v1 for data requests, dead letters and webhook secrets.
import * as z from 'zod';
import { page, teamId } from './admin.ts';
import { dataRequestView } from './data-requests.ts';

export const adminDataRequestQuery = page.extend({ team: teamId.optional() });

/** A data request, as the admin sees it. */
export const adminDataRequestView = dataRequestView.extend({
  team: z.string().describe('Id of the team.'),
  team_name: z.string().nullable().describe('Null if the team is unknown.'),
  token: z.string().describe('Id of the token.'),
});
export type AdminDataRequestView = z.infer<typeof adminDataRequestView>;

/** Answer of `GET /admin/v1/requests`. */
export const adminDataRequestList = z.object({
  requests: z.array(adminDataRequestView),
  after: z.string().nullable(),
});
export type AdminDataRequestList = z.infer<typeof adminDataRequestList>;

/**
 * Kinds of dead letter. `relay`: a webhook that the caller did not accept. `alert`: a message that an alert address did not
 * accept. `push`: rows that could not be written to a spreadsheet.
 */
export const deadLetterKinds = ['relay', 'alert', 'push'] as const;
export type DeadLetterKind = (typeof deadLetterKinds)[number];

/** A job that failed after its last retry. */
export const deadLetterView = z.object({
  id: z.string(),
  at: z.string(),
  kind: z
    .enum(deadLetterKinds)
    .describe(
      '`relay` and `alert`: a message that the receiver did not accept. `push`: rows that could not be written to a spreadsheet.',
    ),
  request: z.string().describe('Id of the data request, push or alert message.'),
  error: z.string().describe('Error of the last attempt.'),
  replayed_at: z.string().nullable(),
});
export type DeadLetterView = z.infer<typeof deadLetterView>;

/** Response of `GET /admin/v1/dead-letters`, newest first. */
export const deadLetterList = z.object({
  dead_letters: z.array(deadLetterView),
  after: z.string().nullable(),
});
export type DeadLetterList = z.infer<typeof deadLetterList>;

/** Response of `POST /admin/v1/teams/{id}/webhook-secret`. The secret has the format of Standard Webhooks: `whsec_…`. */
export const webhookSecret = z.object({
  secret: z.string().describe('Secret for a Standard Webhooks library. Only this response contains it.'),
});
