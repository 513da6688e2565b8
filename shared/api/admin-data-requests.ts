// Data requests of all teams, dead letters and the secret of a team's webhooks, as /admin/v1 has them.
import * as z from 'zod';
import { page, teamId } from './admin.ts';
import { dataRequestView } from './data-requests.ts';

export const adminDataRequestQuery = page.extend({ team: teamId.optional() });

/** A request, as the admin sees it. */
export const adminDataRequestView = dataRequestView.extend({
  team: z.string().describe('Id of the team.'),
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
 * What was given up. `hook`: word from the provider that could not be worked on. `relay`: word to a caller that did not take
 * it. `alert`: word to an alert address that did not take it. `push`: rows that could not be written into a spreadsheet.
 */
export const deadLetterKinds = ['hook', 'relay', 'alert', 'push'] as const;
export type DeadLetterKind = (typeof deadLetterKinds)[number];

/** Something that was tried often and given up. */
export const deadLetterView = z.object({
  id: z.string(),
  at: z.string(),
  kind: z
    .enum(deadLetterKinds)
    .describe(
      'Word from the provider that could not be worked on; word to a caller or to an alert address that did not take it; rows that could not be written into a spreadsheet.',
    ),
  request: z.string().describe('Id of the request, or of the push or the alert’s message.'),
  error: z.string().describe('What the last try ended with.'),
  replayed_at: z.string().nullable(),
});
export type DeadLetterView = z.infer<typeof deadLetterView>;

/** Answer of `GET /admin/v1/dead-letters`, the newest first. */
export const deadLetterList = z.object({
  dead_letters: z.array(deadLetterView),
  after: z.string().nullable(),
});
export type DeadLetterList = z.infer<typeof deadLetterList>;

/** Answer of `POST /admin/v1/teams/{id}/webhook-secret`; `secret` is as Standard Webhooks spells it: `whsec_…`. */
export const webhookSecret = z.object({
  secret: z.string().describe('For the library of Standard Webhooks; this answer alone shows it.'),
});
export type WebhookSecret = z.infer<typeof webhookSecret>;
