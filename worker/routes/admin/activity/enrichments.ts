// /admin/v1/enrichments: columns that are kept filled, of all teams, and their stop.
import { drizzle } from 'drizzle-orm/d1';
import * as z from 'zod';
import * as api from '../../../../shared/api/admin-enrichments.ts';
import type { StoredProblem } from '../../../db/schema.ts';
import type { Env } from '../../../env.ts';
import { toIsoTime } from '../../../lib/format.ts';
import { readMonthSpending, toOrderBudget } from '../../../tables/budgets.ts';
import { alertStopped } from '../../../tables/enrichments/run-enrichment.ts';
import { EnrichmentStore } from '../../../tables/enrichments/store.ts';
import { getEnrichmentStatus } from '../../../tables/enrichments/view.ts';
import {
  findListedEnrichment,
  type ListedEnrichment,
  listEnrichments,
} from '../../../tables/overview/enrichment-list.ts';
import { buildAuditInsert } from '../audit-log.ts';
import { notFound, type Route, type RouteContext, route } from '../route.ts';

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
  { row, hasPayer, teamName, tokenName }: ListedEnrichment,
): Promise<api.AdminEnrichmentView> {
  const [spent = 0] = await readMonthSpending(env, row.teamId, [toOrderBudget(row)]);
  return {
    id: `${row.teamId}${SEPARATOR}${row.id}`,
    team: row.teamId,
    team_name: teamName,
    title: row.title,
    family: row.family,
    token: row.tokenId,
    token_name: tokenName,
    ...getEnrichmentStatus(row, hasPayer, spent),
    created_at: toIsoTime(row.createdAt),
    updated_at: toIsoTime(row.updatedAt),
  };
}

/** @throws ProblemError `not_found` */
async function find({ env, now }: RouteContext, id: string): Promise<ListedEnrichment> {
  const listed = await findListedEnrichment(env.DB, parseId(id), now);
  if (listed === undefined) throw notFound();
  return listed;
}

const list = route({
  method: 'GET',
  path: '/enrichments',
  summary: 'List the columns that are kept filled, of all teams or one team, by team',
  problems: ['invalid_request'],
  request: z.object({ query: api.adminEnrichmentQuery }),
  success: { status: 200, description: 'A page of standing orders', schema: api.adminEnrichmentList },
  handle: async ({ query: { after, limit, team } }, { env, now }) => {
    const start = after === undefined ? undefined : parseId(after);
    const rows = await listEnrichments(env.DB, team, start, limit + 1, now);
    const shown = await Promise.all(rows.slice(0, limit).map((row) => toView(env, row)));
    return { enrichments: shown, next: rows.length > limit ? (shown.at(-1)?.id ?? null) : null };
  },
});

const stop = route({
  method: 'POST',
  path: '/enrichments/{id}/stop',
  summary: 'Stop filling a column: nothing more is bought for it, in open and closed spreadsheets',
  description:
    'A call in progress finishes first. The team sees the reason, and its alert addresses for failures hear of it. It can start it again. One that is not active stays as it is.',
  problems: ['not_found'],
  request: z.object({ params: api.adminEnrichmentParams }),
  success: { status: 200, description: 'The standing order', schema: api.adminEnrichmentView },
  handle: async ({ params: { id } }, context) => {
    const { env, now, actor } = context;
    const { row } = await find(context, id);
    if (row.state === 'on') {
      const detail = { team: row.teamId, token: row.tokenId };
      await buildAuditInsert(drizzle(env.DB), {
        at: now,
        actor,
        action: 'enrichment.stop',
        target: id,
        detail,
      });
      if (await new EnrichmentStore(env.DB).stop(row, stoppedByAdmin))
        await alertStopped(env, row, stoppedByAdmin, now);
    }
    return toView(env, await find(context, id));
  },
});

export const enrichmentRoutes: readonly Route[] = [list, stop];
