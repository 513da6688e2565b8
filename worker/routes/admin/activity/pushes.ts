// /admin/v1/pushes: deliveries of rows to closed spreadsheets, and their repetition.

import { adminEndpoints as endpoints } from '../../../../shared/api/admin-endpoints.ts';
import type * as api from '../../../../shared/api/admin-schedules.ts';
import { createProblemSummary } from '../../../../shared/problems.ts';
import type { Env } from '../../../env.ts';
import { toIsoTime } from '../../../lib/format.ts';
import { DeadLetterRepository } from '../../../queue/dead-letters.ts';
import { findListedPush, type ListedPush, listPushes } from '../../../tables/overview/push-list.ts';
import { cutPage, findStart } from '../../paging.ts';
import { buildAuditInsert } from '../audit-log.ts';
import { requireFound, route } from '../route.ts';
import { restartPush } from './dead-letters.ts';

function toView({ push, status: state, dueAt, title, teamName }: ListedPush): api.AdminPushView {
  const { problem } = push;
  return {
    id: push.id,
    team: push.teamId,
    team_name: teamName,
    table: push.tableId,
    title,
    rows_id: push.rowsId,
    state,
    rows: push.rowsWritten,
    attempts: push.attempts,
    ...(problem === null
      ? {}
      : { problem: createProblemSummary(problem.problem, problem.detail, problem.fix) }),
    created_at: toIsoTime(push.createdAt),
    updated_at: toIsoTime(push.updatedAt),
    next_at: dueAt === null ? null : toIsoTime(dueAt),
  };
}

/** @throws ProblemError `not_found` */
const find = async (env: Env, id: string): Promise<ListedPush> =>
  requireFound(await findListedPush(env.DB, id));

const listPushesRoute = route(endpoints.listPushes, {
  summary: 'List pushes of all teams or one team, newest first',
  description: 'Ended ones are kept for 30 days, and the last one of a table as long as the table.',
  returns: 'A page of pushes',
  handle: async ({ query: { after, limit, team, state: status } }, { env }) => {
    await findStart(after, (start) => findListedPush(env.DB, start), 'a push');
    const rows = await listPushes(env.DB, { team, status }, after, limit + 1);
    const { shown, last } = cutPage(rows.map(toView), limit);
    return { pushes: shown, next: last?.id ?? null };
  },
});

const retryPush = route(endpoints.retryPush, {
  summary: 'Restart a failed push, and the pushes to its table that completed after it',
  description:
    'The newest values win. Its dead letters count as replayed. A push that has not failed stays as it is.',
  returns: 'The push',
  handle: async ({ params: { id } }, { env, now, actor }) => {
    const listed = await find(env, id);
    const { state, teamId: team, tableId: table } = listed.push;
    if (state !== 'failed') return toView(listed);
    await buildAuditInsert({ env, now, actor }, 'push.retry', id, { team, table });
    await restartPush(env, id, now);
    await new DeadLetterRepository(env.DB).markSubjectReplayed(id, now);
    return toView(await find(env, id));
  },
});

export const pushRoutes = { listPushes: listPushesRoute, retryPush };
