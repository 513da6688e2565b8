// /sheets/v1/schedules: schedules of registered tables, at most one for each table.

import type { Query } from '../../../shared/api/query.ts';
import type { Schedule, ScheduleBody } from '../../../shared/api/schedules.ts';
import { sheetsEndpoints as endpoints } from '../../../shared/api/sheets-endpoints.ts';
import { hasPreviewField } from '../../../shared/families/previews.ts';
import { maxRunsPerMonth } from '../../../shared/limits.ts';
import { canSchedule } from '../../../shared/query/since.ts';
import { DataRequestRepository } from '../../data-requests/repository.ts';
import type { ScheduleRow, TableRow } from '../../db/schema.ts';
import { journalClientRevocation } from '../../gateway/auth/revocation-journal.ts';
import { canUse, requireScope } from '../../gateway/auth/tokens.ts';
import { ProblemError } from '../../http/problem-error.ts';
import { readMonthSpending, toScheduleBudget } from '../../tables/budgets.ts';
import { readSourceQuery } from '../../tables/schedules/run-query.ts';
import { deleteSchedule } from '../../tables/schedules/run-schedule.ts';
import { RunStore } from '../../tables/schedules/run-store.ts';
import { ScheduleStore, type ScheduleWithTable } from '../../tables/schedules/store.ts';
import { alignNextRun, intervalMs } from '../../tables/schedules/timing.ts';
import { toScheduleView } from '../../tables/schedules/view.ts';
import { getFillOperation, TableStore } from '../../tables/store.ts';
import { type Route, type RouteContext, smallRoute } from './route.ts';

const scheduleNotFound = (): ProblemError =>
  new ProblemError('not_found', 'This table has no schedule.', 'Check the list of schedules.');

const invalidSchedule = (detail: string, fix: string): ProblemError =>
  new ProblemError('invalid_request', detail, fix);

async function toViews(
  { env, caller: { teamId }, now }: RouteContext,
  scheduled: readonly ScheduleWithTable[],
  table?: string,
): Promise<Schedule[]> {
  const budgets = scheduled.map(({ schedule }) => toScheduleBudget(schedule));
  const [latest, spending] = await Promise.all([
    new RunStore(env.DB).findLatest(teamId, table),
    readMonthSpending(env, teamId, budgets),
  ]);
  return scheduled.map((row, at) => toScheduleView(row, latest.get(row.table.id), spending[at] ?? 0, now));
}

async function toView(context: RouteContext, scheduled: ScheduleWithTable): Promise<Schedule> {
  const [view] = await toViews(context, [scheduled], scheduled.table.id);
  if (view === undefined) throw scheduleNotFound();
  return view;
}

/**
 * Finds the schedule of a table.
 * @throws ProblemError `not_found`, also for tables of other teams; `forbidden_scope`
 */
async function find({ env, caller, now }: RouteContext, table: string): Promise<ScheduleWithTable> {
  const [scheduled] = await new ScheduleStore(env.DB).list(caller.teamId, now, table);
  if (scheduled === undefined) throw scheduleNotFound();
  requireScope(caller, scheduled.table.family);
  return scheduled;
}

/**
 * Returns the query of the data request behind a table.
 * @throws ProblemError `invalid_request` if the query can't be limited to changed records
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
      'The bulk order behind this table lists its records one by one, so a schedule can’t find new ones.',
      'Create the bulk order from a search, or refresh the table by hand.',
    );
  }
  const query = await readSourceQuery(env, row);
  if (query !== undefined) return query;
  throw invalidSchedule(
    'The search of the bulk order behind this table is no longer stored.',
    'Create the bulk order again, then set the schedule.',
  );
}

/**
 * Determines the query of a schedule.
 * @returns the query of the table's data request, or null if the table itself stores the query
 * @throws ProblemError if the table can't be scheduled, or the token may not do it
 */
async function getScheduleQuery(context: RouteContext, table: TableRow): Promise<Query | null> {
  const { family, source, columns } = table;
  requireScope(context.caller, family, getFillOperation(table));
  if (source.kind === 'request') return getDataRequestQuery(context, table, source.request);
  if (!canSchedule(family, 'search')) {
    throw invalidSchedule(
      `${family} can’t be searched, so a schedule can’t find new records.`,
      'Refresh the table by hand.',
    );
  }
  if (!columns.some(({ path }) => path !== 'id' && hasPreviewField(family, path))) {
    throw invalidSchedule(
      'A schedule writes preview fields, and previews have none of this table’s columns except id.',
      'Add a preview field such as the name, or refresh the table by hand.',
    );
  }
  return null;
}

/**
 * Returns the next run: at the wanted time of day; otherwise unchanged for an active schedule with the same interval, or
 * one interval from now.
 */
async function getNextRunAt(
  { env, caller, now }: RouteContext,
  before: ScheduleRow | undefined,
  table: string,
  { every, paused, at }: ScheduleBody,
): Promise<number | null> {
  if (paused) return null;
  if (at !== undefined) {
    const latest = await new RunStore(env.DB).findLatest(caller.teamId, table);
    return alignNextRun(every, Date.parse(at), latest.get(table)?.startedAt, now);
  }
  const isUnchanged = before?.state === 'on' && before.every === every;
  return (isUnchanged ? before.nextAt : null) ?? now + intervalMs[every];
}

const list = smallRoute(endpoints.listSchedules, {
  summary: 'List the schedules of the team’s tables',
  description: 'Families outside the token’s scopes are left out.',
  returns: 'The schedules',
  handle: async (_, context) => {
    const { env, caller, now } = context;
    const rows = await new ScheduleStore(env.DB).list(caller.teamId, now);
    const visible = rows.filter(({ table }) => canUse(caller, table.family));
    return { schedules: await toViews(context, visible) };
  },
});

const get = smallRoute(endpoints.getSchedule, {
  summary: 'Get the schedule of a table, with its last run and cost',
  returns: 'The schedule',
  handle: async ({ params: { table } }, context) => toView(context, await find(context, table)),
});

const put = smallRoute(endpoints.putSchedule, {
  summary: 'Create, change or take over the schedule of a table; spends nothing now',
  description: `A run fetches only new and changed records, and costs at most \`max_credits\`. The first run is one interval from now, or at the next time that \`at\` selects. A month has at most ${maxRunsPerMonth.hour} hourly, ${maxRunsPerMonth.day} daily or ${maxRunsPerMonth.week} weekly runs. Runs spend on the token that last changed the schedule or what its table buys. They stop with that token, until another token sends the schedule again.`,
  returns: 'The schedule',
  handle: async ({ params: { table: id }, body }, context) => {
    const { env, caller, now } = context;
    const { teamId, tokenId } = caller;
    const table = await new TableStore(env.DB).get(teamId, id);
    if (table === undefined) {
      throw new ProblemError('not_found', 'This table does not exist.', 'Register the table first.');
    }
    const query = await getScheduleQuery(context, table);
    const store = new ScheduleStore(env.DB);
    const [before] = await store.list(teamId, now, id);
    if (before !== undefined) await journalClientRevocation(env, now, { kind: 'schedule', id, team: teamId });
    await store.put({
      teamId,
      tableId: id,
      tokenId,
      every: body.every,
      maxCredits: body.max_credits,
      query,
      state: body.paused ? 'paused' : 'on',
      problem: null,
      nextAt: await getNextRunAt(context, before?.schedule, id, body),
      createdAt: now,
      updatedAt: now,
    });
    return toView(context, await find(context, id));
  },
});

const remove = smallRoute(endpoints.deleteSchedule, {
  summary: 'Delete the schedule of a table',
  description:
    'Rows that a run has already bought still arrive. A new schedule continues where this one ended.',
  returns: 'Deleted',
  handle: async ({ params: { table } }, context) => {
    const found = await find(context, table);
    requireScope(context.caller, found.table.family, getFillOperation(found.table));
    const { env, caller, now } = context;
    await journalClientRevocation(env, now, { kind: 'schedule', id: table, team: caller.teamId });
    await deleteSchedule(env, caller.teamId, table, now);
    return undefined;
  },
});

export const scheduleRoutes: readonly Route[] = [list, get, put, remove];
