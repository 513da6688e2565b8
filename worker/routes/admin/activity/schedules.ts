// /admin/v1/schedules: schedules of all teams, their stop and resumption.

import { adminEndpoints as endpoints } from '../../../../shared/api/admin-endpoints.ts';
import type * as api from '../../../../shared/api/admin-schedules.ts';
import type { Env } from '../../../env.ts';
import { findPayerNames } from '../../../gateway/auth/identity/payer-names.ts';
import { journalRevocation } from '../../../gateway/auth/revocation-journal.ts';
import { invalidRequest } from '../../../http/problem-error.ts';
import { toIsoTime } from '../../../lib/format.ts';
import {
  findListedSchedule,
  type ListedSchedule,
  listSchedules,
  type ScheduleKey,
} from '../../../tables/overview/schedule-list.ts';
import { stopSchedule as stop } from '../../../tables/schedules/run-schedule.ts';
import { ScheduleStore } from '../../../tables/schedules/store.ts';
import { getScheduleStatus, toRunView } from '../../../tables/schedules/view.ts';
import { cutPage } from '../../paging.ts';
import { type AuditAction, buildAuditInsert } from '../audit-log.ts';
import { type RouteContext, requireFound, route } from '../route.ts';

const SEPARATOR = '.';

function parseId(id: string): ScheduleKey {
  const [team = '', table = ''] = id.split(SEPARATOR);
  return { team, table };
}

const formatId = ({ schedule: { teamId, tableId } }: ListedSchedule): string =>
  `${teamId}${SEPARATOR}${tableId}`;

function toView(
  listed: ListedSchedule,
  names: ReadonlyMap<string, string>,
  now: number,
): api.AdminScheduleView {
  const { schedule, table, lastRun, teamName } = listed;
  return {
    id: formatId(listed),
    team: schedule.teamId,
    team_name: teamName,
    table: table.id,
    title: table.title,
    family: table.family,
    every: schedule.every,
    max_credits: schedule.maxCredits,
    token: schedule.tokenId,
    token_name: names.get(schedule.tokenId) ?? null,
    ...getScheduleStatus(listed, now),
    last: lastRun === null ? null : toRunView(lastRun),
    created_at: toIsoTime(schedule.createdAt),
    updated_at: toIsoTime(schedule.updatedAt),
  };
}

async function toViews(
  { env, now, orm }: RouteContext,
  rows: readonly ListedSchedule[],
): Promise<api.AdminScheduleView[]> {
  const tokens = rows.map(({ schedule }) => schedule.tokenId);
  const names = await findPayerNames(env, orm, tokens);
  return rows.map((row) => toView(row, names, now));
}

/** @throws ProblemError `not_found` */
async function getView(context: RouteContext, id: string): Promise<api.AdminScheduleView> {
  const [view] = await toViews(context, [await find(context.env, id, context.now)]);
  return requireFound(view);
}

/** @throws ProblemError `not_found` */
async function find(env: Env, id: string, now: number): Promise<ListedSchedule> {
  return requireFound(await findListedSchedule(env.DB, parseId(id), now));
}

async function logChange(
  { env, now, actor }: RouteContext,
  action: AuditAction,
  listed: ListedSchedule,
): Promise<void> {
  const { teamId: team, tokenId: token } = listed.schedule;
  await buildAuditInsert({ env, now, actor }, action, formatId(listed), { team, token });
}

const listSchedulesRoute = route(endpoints.listSchedules, {
  summary: 'List schedules of all teams or one team, by team',
  returns: 'A page of schedules',
  handle: async ({ query: { after, limit, team, state } }, context) => {
    const start = after === undefined ? undefined : parseId(after);
    const rows = await listSchedules(context.env.DB, { team, state }, start, limit + 1, context.now);
    const { shown, last } = cutPage(await toViews(context, rows), limit);
    return { schedules: shown, next: last?.id ?? null };
  },
});

const stopSchedule = route(endpoints.stopSchedule, {
  summary: 'Stop a schedule: it buys nothing more; a run in progress finishes first',
  description:
    'The team sees the reason, and its alert addresses for failures hear of it. It can start the schedule again. A schedule that is not active stays as it is.',
  returns: 'The schedule',
  handle: async ({ params: { id } }, context) => {
    const { env, now } = context;
    const listed = await find(env, id, now);
    const { schedule, table } = listed;
    if (schedule.state !== 'on') return getView(context, id);
    await logChange(context, 'schedule.stop', listed);
    await journalRevocation(env, now, { kind: 'schedule', id: table.id, team: schedule.teamId });
    await stop(env, table, 'admin', now);
    return getView(context, id);
  },
});

const resumeSchedule = route(endpoints.resumeSchedule, {
  summary: 'Start a stopped or paused schedule again, one interval from now; spends nothing now',
  description:
    'It spends on the same token as before. If that is no longer valid, somebody of the team must take the schedule over: `invalid_request`. An active schedule stays as it is.',
  returns: 'The schedule',
  handle: async ({ params: { id } }, context) => {
    const { env, now } = context;
    const listed = await find(env, id, now);
    if (!listed.hasPayer) {
      throw invalidRequest(
        'token',
        'The token that pays has expired or was revoked. A colleague must take the schedule over in the sidebar.',
      );
    }
    if (listed.schedule.state === 'on') return getView(context, id);
    await logChange(context, 'schedule.resume', listed);
    await new ScheduleStore(env.DB).resume(listed.schedule, now);
    return getView(context, id);
  },
});

export const scheduleRoutes = { listSchedules: listSchedulesRoute, stopSchedule, resumeSchedule };
