// Bodies of /admin/v1/enrichments.
import * as z from 'zod';
import { adminScheduleParams, adminScheduleQuery, adminScheduleView } from './admin-schedules.ts';
import { enrichmentView } from './lists.ts';

const enrichmentId = adminScheduleParams.shape.id.describe(
  'Id of the team and id of the standing order, with a dot between them.',
);

export const adminEnrichmentParams = z.object({ id: enrichmentId });

export const adminEnrichmentQuery = adminScheduleQuery.omit({ state: true });

/** A standing order that keeps columns filled, as the admin sees it. */
export const adminEnrichmentView = enrichmentView
  .omit({ paused: true, by: true, spreadsheet: true, key: true, columns: true })
  .extend({
    ...adminScheduleView.pick({
      team: true,
      team_name: true,
      token_name: true,
      created_at: true,
      updated_at: true,
    }).shape,
    id: enrichmentId,
    token: z
      .string()
      .describe('Id of the token that saved the setting last. It pays in a closed spreadsheet.'),
  });
export type AdminEnrichmentView = z.infer<typeof adminEnrichmentView>;

export const adminEnrichmentList = z.object({
  enrichments: z.array(adminEnrichmentView),
  next: z.string().nullable(),
});
