// /admin/v1/pushes: deliveries of rows to closed spreadsheets, and their repetition.

import { drizzle } from 'drizzle-orm/d1';
import * as z from 'zod';
import * as api from '../../../../shared/api/admin-schedules.ts';
import { createProblemSummary } from '../../../../shared/problems.ts';
import type { Env } from '../../../env.ts';
import { invalidRequest } from '../../../http/problem-error.ts';
import { toIsoTime } from '../../../lib/format.ts';
import { DeadLetterRepository } from '../../../queue/dead-letters.ts';
import { findListedPush, type ListedPush, listPushes } from '../../../tables/overview/push-list.ts';
import { buildAuditInsert } from '../audit-log.ts';
import { restartPush } from '../data-requests.ts';
import { notFound, type Route, route } from '../route.ts';

function toView({ push, status: state, dueAt, title, teamName }: ListedPush): api.AdminPushView {
  const { problem } = push;
  return {
    id: push.id,
    team: push.teamId,
    team_name: teamName,
    table: push.tableId,
    title,
    rows_of: push.rowsId,
    state,
    rows: push.landed,
    attempts: push.tries,
    ...(problem === null
      ? {}
      : { problem: createProblemSummary(problem.problem, problem.detail, problem.fix) }),
    created_at: toIsoTime(push.createdAt),
    updated_at: toIsoTime(push.updatedAt),
    next_at: dueAt === null ? null : toIsoTime(dueAt),
  };
}

/** @throws ProblemError `not_found` */
async function find(env: Env, id: string): Promise<ListedPush> {
  const listed = await findListedPush(env.DB, id);
  if (listed === undefined) throw notFound();
  return listed;
}

const list = route({
  method: 'GET',
  path: '/pushes',
  summary: 'List pushes of all teams or one team, newest first',
  description: 'Ended ones are kept for 30 days, and the last one of a table as long as the table.',
  problems: ['invalid_request'],
  request: z.object({ query: api.pushQuery }),
  success: { status: 200, description: 'A page of pushes', schema: api.adminPushList },
  handle: async ({ query: { after, limit, team, state: status } }, { env }) => {
    if (after !== undefined && (await findListedPush(env.DB, after)) === undefined)
      throw invalidRequest('after', 'is not the id of a push');
    const rows = await listPushes(env.DB, { team, status }, after, limit + 1);
    const shown = rows.slice(0, limit).map(toView);
    return { pushes: shown, next: rows.length > limit ? (shown.at(-1)?.id ?? null) : null };
  },
});

const retry = route({
  method: 'POST',
  path: '/pushes/{id}/retry',
  summary: 'Restart a failed push, and the pushes to its table that completed after it',
  description:
    'The newest values win. Its dead letters count as replayed. A push that has not failed stays as it is.',
  problems: ['not_found'],
  request: z.object({ params: api.pushParams }),
  success: { status: 200, description: 'The push', schema: api.adminPushView },
  handle: async ({ params: { id } }, { env, now, actor }) => {
    const listed = await find(env, id);
    const { state, teamId: team, tableId: table } = listed.push;
    if (state !== 'failed') return toView(listed);
    const entry = { at: now, actor, action: 'push.retry', target: id, detail: { team, table } } as const;
    await buildAuditInsert(drizzle(env.DB), entry);
    await restartPush(env, id, now);
    await new DeadLetterRepository(env.DB).markSubjectReplayed(id, now);
    return toView(await find(env, id));
  },
});

export const pushRoutes: readonly Route[] = [list, retry];
