// Bodies of /admin/v1/schedules, /enrichments and /pushes.
import * as z from 'zod';
import { id as objectId, page, teamId } from './admin.ts';
import { count, problemSummary, time } from './common.ts';
import { enrichmentView } from './enrichments.ts';
import { scheduleView } from './schedules.ts';

const teamName = z.string().nullable().describe('Null if the team is unknown.');

const scheduleId = z
  .string()
  .regex(/^[\w-]{1,64}\.[0-9a-f-]{36}$/, 'is not the id of a schedule')
  .describe('Id of the team and id of the table, with a dot between them.')
  .meta({ examples: ['3f9a0c71d2b84e56.4b7b5c5e-8d56-4c7b-9a53-0f9f1f6a2d11'] });

export const adminScheduleParams = z.object({ id: scheduleId });

export const adminScheduleQuery = page.extend({
  after: scheduleId.optional().describe('`next` from the previous page.'),
  team: teamId.optional(),
  state: scheduleView.shape.state.optional(),
});

export const adminScheduleView = scheduleView.omit({ paused: true, month: true }).extend({
  id: scheduleId,
  team: z.string().describe('Id of the team.'),
  team_name: teamName,
  token: z.string().describe('Id of the token that pays.'),
  token_name: z
    .string()
    .nullable()
    .describe('Address of the person, or name of the token; null if it has none.'),
  created_at: time,
  updated_at: time,
});
export type AdminScheduleView = z.infer<typeof adminScheduleView>;

export const adminScheduleList = z.object({
  schedules: z.array(adminScheduleView),
  next: z.string().nullable(),
});

const pushState = z
  .enum(['waiting', 'stopped', 'done', 'failed'])
  .describe(
    '`waiting`: not finished. `stopped`: it waits until another token takes its table over, because the token of the table is no longer valid.',
  );

export const pushParams = z.object({ id: objectId.describe('Id of the push.') });

export const pushQuery = page.extend({ team: teamId.optional(), state: pushState.optional() });

/** A delivery of rows to a spreadsheet. */
export const adminPushView = z.object({
  id: objectId,
  team: z.string().describe('Id of the team.'),
  team_name: teamName,
  table: z.string().describe('Id of the table.'),
  title: z.string().nullable().describe('Title of the table. Null if it was deleted.'),
  rows_id: z.string().describe('Id of the data request or of the schedule’s run that delivered the rows.'),
  state: pushState,
  rows: count.describe('Number of written rows.'),
  attempts: count.describe('Failed attempts since the last progress.'),
  problem: problemSummary.exactOptional().describe('Why it failed, or why the last attempt did.'),
  created_at: time,
  updated_at: time.describe('Last progress or end.'),
  next_at: time.nullable().describe('Earliest time of the next attempt. Null unless it waits.'),
});
export type AdminPushView = z.infer<typeof adminPushView>;

export const adminPushList = z.object({ pushes: z.array(adminPushView), next: z.string().nullable() });

const enrichmentId = adminScheduleParams.shape.id.describe(
  'Id of the team and id of the enrichment, with a dot between them.',
);

export const adminEnrichmentParams = z.object({ id: enrichmentId });

export const adminEnrichmentQuery = adminScheduleQuery.omit({ state: true });

/** An enrichment that keeps columns filled, as the admin sees it. */
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
