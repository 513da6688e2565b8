// /sheets/v1/schedules: tables that refresh by themselves, at most one schedule each.
import * as z from 'zod';
import type { Query } from '../../../shared/api/query.ts';
import {
  type Schedule,
  type ScheduleBody,
  scheduleBody,
  scheduleList,
  scheduleParams,
  scheduleView,
} from '../../../shared/api/schedules.ts';
import { hasPreviewField } from '../../../shared/families/previews.ts';
import { maxRunsPerMonth } from '../../../shared/limits.ts';
import { canSchedule } from '../../../shared/query/since.ts';
import { DataRequestRepository } from '../../data-requests/repository.ts';
import type { ScheduleRow, TableRow } from '../../db/schema.ts';
import { canUseFamily, requireScope } from '../../gateway/auth/tokens.ts';
import { ProblemError } from '../../http/problem-error.ts';
import { deleteSchedule } from '../../tables/schedules/run-schedule.ts';
import { RunStore } from '../../tables/schedules/run-store.ts';
import { readSourceQuery } from '../../tables/schedules/source-query.ts';
import { ScheduleStore, type ScheduleWithTable } from '../../tables/schedules/store.ts';
import { intervalMs } from '../../tables/schedules/timing.ts';
import { toScheduleView as viewOf } from '../../tables/schedules/view.ts';
import { TableStore } from '../../tables/store.ts';
import { type Route, type RouteContext, smallRoute } from './route.ts';

const scheduleNotFound = (): ProblemError =>
  new ProblemError('not_found', 'This table has no schedule.', 'Look it up in the list of schedules.');

const invalidSchedule = (detail: string, fix: string): ProblemError =>
  new ProblemError('invalid_request', detail, fix);

async function toView({ env, now }: RouteContext, scheduled: ScheduleWithTable): Promise<Schedule> {
  const { teamId, tableId } = scheduled.schedule;
  return viewOf(scheduled, await new RunStore(env.DB).getHistory(teamId, now, tableId), now);
}

/** @throws ProblemError `not_found`, for another team's as well; `forbidden_scope` */
async function find({ env, caller }: RouteContext, table: string): Promise<ScheduleWithTable> {
  const [scheduled] = await new ScheduleStore(env.DB).list(caller.teamId, table);
  if (scheduled === undefined) throw scheduleNotFound();
  requireScope(caller, scheduled.table.family);
  return scheduled;
}

/**
 * What the data request behind a table asked for.
 * @throws ProblemError `invalid_request` where that can't be asked again for what is new
 */
async function getDataRequestQuery(
  { env, caller }: RouteContext,
  { family }: TableRow,
  request: string,
): Promise<Query> {
  const row = await new DataRequestRepository(env.DB).findForTeam(caller.teamId, request);
  const byQuery = row?.kind === 'filter' || row?.kind === 'es_dsl';
  if (row === undefined || !byQuery || !canSchedule(family, row.kind === 'filter' ? 'filter' : 'es_dsl')) {
    throw invalidSchedule(
      'The bulk request behind this table named its records one by one, so nothing new can come up.',
      'Make the bulk request from a search, or refresh the table by hand.',
    );
  }
  const query = await readSourceQuery(env, row);
  if (query !== undefined) return query;
  throw invalidSchedule(
    'The bulk request behind this table is so old that its search is not kept any more.',
    'Make the bulk request again, then set the schedule.',
  );
}

/**
 * Reads what a schedule is to ask for.
 * @returns the query of a data request; null where the table itself has it
 * @throws ProblemError where the table can't be refreshed so, or the token may not
 */
async function getScheduleQuery(context: RouteContext, table: TableRow): Promise<Query | null> {
  const { family, source, columns } = table;
  requireScope(context.caller, family, source.kind === 'search' ? 'preview' : 'bulk');
  if (source.kind === 'request') return getDataRequestQuery(context, table, source.request);
  if (!canSchedule(family, 'search')) {
    throw invalidSchedule(
      `${family} can't be searched, so nothing new can come up.`,
      'Refresh the table by hand.',
    );
  }
  if (!columns.some(({ path }) => path !== 'id' && hasPreviewField(family, path))) {
    throw invalidSchedule(
      'A schedule brings previews, and they have none of this table’s columns but id.',
      'Add a column that previews have, such as the name, or refresh the table by hand.',
    );
  }
  return null;
}

/** When a schedule runs first: what is going on keeps its time, everything else waits for one interval. */
function getNextRunAt(
  before: ScheduleRow | undefined,
  { every, paused }: ScheduleBody,
  now: number,
): number | null {
  if (paused) return null;
  const keeps = before?.state === 'on' && before.every === every;
  return (keeps ? before.nextAt : null) ?? now + intervalMs[every];
}

const list = smallRoute({
  method: 'GET',
  path: '/schedules',
  summary: 'Schedules of the team’s tables',
  description: 'Those of families that the token may not use are left out.',
  problems: [],
  request: z.object({}),
  success: { status: 200, description: 'The schedules', schema: scheduleList },
  handle: async (_, { env, caller, now }) => {
    const [rows, history] = await Promise.all([
      new ScheduleStore(env.DB).list(caller.teamId),
      new RunStore(env.DB).getHistory(caller.teamId, now),
    ]);
    const own = rows.filter(({ table }) => canUseFamily(caller, table.family));
    return { schedules: own.map((row) => viewOf(row, history, now)) };
  },
});

const get = smallRoute({
  method: 'GET',
  path: '/schedules/{table}',
  summary: 'The schedule of a table, with its last run and what it costs',
  problems: ['not_found', 'forbidden_scope'],
  request: z.object({ params: scheduleParams }),
  success: { status: 200, description: 'The schedule', schema: scheduleView },
  handle: async ({ params: { table } }, context) => toView(context, await find(context, table)),
});

const put = smallRoute({
  method: 'PUT',
  path: '/schedules/{table}',
  summary: 'Have a table refresh by itself; spends nothing now',
  description: `A run asks only for what is new or changed, and costs what that costs, up to \`max_credits\`. The first is one interval from now. A month has at most ${maxRunsPerMonth.hour} runs by the hour, ${maxRunsPerMonth.day} by the day, ${maxRunsPerMonth.week} by the week.`,
  problems: ['not_found', 'invalid_request', 'too_large', 'forbidden_scope'],
  request: z.object({ params: scheduleParams, body: scheduleBody }),
  success: { status: 200, description: 'The schedule', schema: scheduleView },
  handle: async ({ params: { table: id }, body }, context) => {
    const { env, caller, now } = context;
    const { teamId, tokenId } = caller;
    const table = await new TableStore(env.DB).get(teamId, id);
    if (table === undefined) {
      throw new ProblemError('not_found', 'There is no such table.', 'Register the table first.');
    }
    const query = await getScheduleQuery(context, table);
    const store = new ScheduleStore(env.DB);
    const [before] = await store.list(teamId, id);
    await store.put({
      teamId,
      tableId: id,
      tokenId,
      every: body.every,
      maxCredits: body.max_credits,
      query,
      state: body.paused ? 'paused' : 'on',
      problem: null,
      nextAt: getNextRunAt(before?.schedule, body, now),
      createdAt: now,
      updatedAt: now,
    });
    return toView(context, await find(context, id));
  },
});

const remove = smallRoute({
  method: 'DELETE',
  path: '/schedules/{table}',
  summary: 'Have a table refresh by itself no more',
  description: 'What a run has bought by then still arrives. Set anew, it goes on where it ended.',
  problems: ['not_found', 'forbidden_scope'],
  request: z.object({ params: scheduleParams }),
  success: { status: 204, description: 'Deleted' },
  handle: async ({ params: { table } }, context) => {
    await find(context, table);
    await deleteSchedule(context.env, context.caller.teamId, table, context.now);
    return undefined;
  },
});

export const scheduleRoutes: readonly Route[] = [list, get, put, remove];
