// /admin/v1/enrichments: columns that are kept filled, of all teams, and their stop.

import { adminEndpoints as endpoints } from '../../../../shared/api/admin-endpoints.ts';
import type * as api from '../../../../shared/api/admin-schedules.ts';
import type { StoredProblem } from '../../../db/schema.ts';
import type { Env } from '../../../env.ts';
import { findPayerNames } from '../../../gateway/auth/identity/payer-names.ts';
import { toIsoTime } from '../../../lib/format.ts';
import { readMonthSpending, toEnrichmentBudget } from '../../../tables/budgets.ts';
import { alertStopped } from '../../../tables/enrichments/run-enrichment.ts';
import { EnrichmentStore } from '../../../tables/enrichments/store.ts';
import { getEnrichmentStatus } from '../../../tables/enrichments/view.ts';
import {
  findListedEnrichment,
  type ListedEnrichment,
  listEnrichments,
} from '../../../tables/overview/enrichment-list.ts';
import { cutPage } from '../../paging.ts';
import { buildAuditInsert } from '../audit-log.ts';
import { type RouteContext, requireFound, route } from '../route.ts';

const SEPARATOR = '.';

const stoppedByAdmin: StoredProblem = {
  problem: 'stopped_by_admin',
  detail: 'Your admin has stopped filling this column.',
};

function parseId(text: string): { teamId: string; id: string } {
  const [teamId = '', id = ''] = text.split(SEPARATOR);
  return { teamId, id };
}

async function toView(
  env: Env,
  { row, hasPayer, teamName }: ListedEnrichment,
  names: ReadonlyMap<string, string>,
): Promise<api.AdminEnrichmentView> {
  const [spent = 0] = await readMonthSpending(env, row.teamId, [toEnrichmentBudget(row)]);
  return {
    id: `${row.teamId}${SEPARATOR}${row.id}`,
    team: row.teamId,
    team_name: teamName,
    title: row.title,
    family: row.family,
    token: row.tokenId,
    token_name: names.get(row.tokenId) ?? null,
    ...getEnrichmentStatus(row, hasPayer, spent),
    created_at: toIsoTime(row.createdAt),
    updated_at: toIsoTime(row.updatedAt),
  };
}

async function toViews(
  { env, orm }: RouteContext,
  rows: readonly ListedEnrichment[],
): Promise<api.AdminEnrichmentView[]> {
  const tokens = rows.map(({ row }) => row.tokenId);
  const names = await findPayerNames(env, orm, tokens);
  return Promise.all(rows.map((row) => toView(env, row, names)));
}

/** @throws ProblemError `not_found` */
async function find({ env, now }: RouteContext, id: string): Promise<ListedEnrichment> {
  return requireFound(await findListedEnrichment(env.DB, parseId(id), now));
}

const listEnrichmentsRoute = route(endpoints.listEnrichments, {
  summary: 'List the columns that are kept filled, of all teams or one team, by team',
  returns: 'A page of enrichments',
  handle: async ({ query: { after, limit, team } }, context) => {
    const start = after === undefined ? undefined : parseId(after);
    const rows = await listEnrichments(context.env.DB, team, start, limit + 1, context.now);
    const { shown, last } = cutPage(await toViews(context, rows), limit);
    return { enrichments: shown, next: last?.id ?? null };
  },
});

const stopEnrichment = route(endpoints.stopEnrichment, {
  summary: 'Stop filling a column: nothing more is bought for it, in open and closed spreadsheets',
  description:
    'A call in progress finishes first. The team sees the reason, and its alert addresses for failures hear of it. It can start it again. One that is not active stays as it is.',
  returns: 'The enrichment',
  handle: async ({ params: { id } }, context) => {
    const { env, now, actor } = context;
    const { row } = await find(context, id);
    if (row.state === 'on') {
      const detail = { team: row.teamId, token: row.tokenId };
      await buildAuditInsert({ env, now, actor }, 'enrichment.stop', id, detail);
      if (await new EnrichmentStore(env.DB).stop(row, stoppedByAdmin))
        await alertStopped(env, row, stoppedByAdmin, now);
    }
    const [view] = await toViews(context, [await find(context, id)]);
    return requireFound(view);
  },
});

export const enrichmentRoutes = { listEnrichments: listEnrichmentsRoute, stopEnrichment };
