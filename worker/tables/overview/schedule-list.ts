// Lists schedules of all teams for the admin, with their last runs.
import { and, asc, eq, max, not, or, type SQL, sql } from 'drizzle-orm';
import { drizzle } from 'drizzle-orm/d1';
import { alias } from 'drizzle-orm/sqlite-core';
import type { Schedule } from '../../../shared/api/schedules.ts';
import { schedules, type TableRunRow, tableRuns, tables } from '../../db/schema.ts';
import { isValidToken, selectTeamName } from '../../gateway/auth/team-repository.ts';
import type { ScheduleWithTable } from '../schedules/store.ts';

/** Identifies a schedule: a table has at most one. */
export interface ScheduleKey {
  team: string;
  table: string;
}

/** A schedule with its last run and the name of its team. */
export interface ListedSchedule extends ScheduleWithTable {
  /** Null before the first run. */
  lastRun: TableRunRow | null;
  teamName: string | null;
}

const newer = alias(tableRuns, 'newer');

const hasPayer = (now: number): SQL<boolean> => isValidToken(schedules.tokenId, schedules.teamId, now);

/** Matches schedules by their state as people see it: an active schedule without a valid token is stopped. */
function hasState(state: Schedule['state'], now: number): SQL | undefined {
  const isOn = eq(schedules.state, 'on');
  switch (state) {
    case 'on':
      return and(isOn, hasPayer(now));
    case 'stopped':
      return or(eq(schedules.state, 'stopped'), and(isOn, not(hasPayer(now))));
    case 'paused':
      return eq(schedules.state, 'paused');
  }
}

function selectListed(db: D1Database, now: number) {
  const orm = drizzle(db);
  const lastStart = orm
    .select({ at: max(newer.startedAt) })
    .from(newer)
    .where(and(eq(newer.teamId, schedules.teamId), eq(newer.tableId, schedules.tableId)));
  return orm
    .select({
      schedule: schedules,
      table: tables,
      hasPayer: hasPayer(now).mapWith(Boolean),
      lastRun: tableRuns,
      teamName: selectTeamName(schedules.teamId),
    })
    .from(schedules)
    .innerJoin(tables, and(eq(tables.teamId, schedules.teamId), eq(tables.id, schedules.tableId)))
    .leftJoin(
      tableRuns,
      and(
        eq(tableRuns.teamId, schedules.teamId),
        eq(tableRuns.tableId, schedules.tableId),
        sql`${tableRuns.startedAt} = ${lastStart}`,
      ),
    );
}

export function findListedSchedule(
  db: D1Database,
  { team, table }: ScheduleKey,
  now: number,
): Promise<ListedSchedule | undefined> {
  return selectListed(db, now)
    .where(and(eq(schedules.teamId, team), eq(schedules.tableId, table)))
    .get();
}

/**
 * Lists a page of schedules by team and table.
 * @param after - the last schedule of the previous page
 */
export function listSchedules(
  db: D1Database,
  { team, state }: { team: string | undefined; state: Schedule['state'] | undefined },
  after: ScheduleKey | undefined,
  limit: number,
  now: number,
): Promise<ListedSchedule[]> {
  return selectListed(db, now)
    .where(
      and(
        team === undefined ? undefined : eq(schedules.teamId, team),
        state === undefined ? undefined : hasState(state, now),
        after && sql`(${schedules.teamId}, ${schedules.tableId}) > (${after.team}, ${after.table})`,
      ),
    )
    .orderBy(asc(schedules.teamId), asc(schedules.tableId))
    .limit(limit)
    .all();
}
