// Retention of activity, changes, pushes, runs of schedules and messages of alerts, and of what deleted tables leave.
import {
  and,
  desc,
  eq,
  exists,
  gt,
  inArray,
  isNotNull,
  isNull,
  lt,
  ne,
  not,
  notExists,
  or,
  type SQL,
  type SQLWrapper,
  sql,
} from 'drizzle-orm';
import type { DrizzleD1Database } from 'drizzle-orm/d1';
import { drizzle } from 'drizzle-orm/d1';
import { alias, QueryBuilder } from 'drizzle-orm/sqlite-core';
import { DAY_MS } from '../../shared/lib/durations.ts';
import { deleteRows } from '../data-requests/ingest/index.ts';
import { getRowStore, ROW_RETENTION_MS } from '../data-requests/state-machine.ts';
import type { RetentionRule } from '../db/retention.ts';
import {
  alertMessages,
  alerts,
  changes,
  enrichedKeys,
  enrichments,
  pushes,
  runs,
  schedules,
  searches,
  spreadsheets,
  tableReports,
  tableRuns,
  tables,
} from '../db/schema.ts';
import type { Env } from '../env.ts';
import { hasJob } from '../queue/jobs.ts';
import { activityKeptDays } from './saved/activity.ts';
import { CHANGE_DAYS } from './store.ts';

/** How long a run is kept after its rows were deleted. */
const RUN_HISTORY_MS = 60 * DAY_MS;
/** A run that started longer ago has ended, whatever its state says. */
const MAX_RUN_MS = DAY_MS;
/** Changes that one call checks for expiry, oldest first. */
const MAX_CHANGES = 5000;
/** Longer than a month: messages deduplicate monthly budget alerts. */
export const MESSAGE_DAYS = 40;
/** Runs whose rows one call deletes; each takes several calls. */
const MAX_RUNS = 25;

/**
 * Deletes expired runs, and leftovers of deleted tables.
 * @returns whether there may be more
 */
export async function deleteExpiredTableData(env: Env, now: number): Promise<boolean> {
  const hasMoreRuns = await deleteExpiredRunRows(env, now);
  const hasMoreOrphans = await deleteOrphans(env, now);
  return hasMoreRuns || hasMoreOrphans;
}

/** Deletes rows of runs that started more than 30 days ago. Runs without stored rows are only marked as cleared. */
async function deleteExpiredRunRows(env: Env, now: number): Promise<boolean> {
  const orm = drizzle(env.DB);
  const isOld = and(isNull(tableRuns.clearedAt), lt(tableRuns.startedAt, now - ROW_RETENTION_MS));
  await orm
    .update(tableRuns)
    .set({ clearedAt: now })
    .where(and(isOld, or(eq(tableRuns.pages, 0), isNotNull(tableRuns.requestId))));
  const old = await orm.select({ id: tableRuns.id }).from(tableRuns).where(isOld).limit(MAX_RUNS);
  for (const { id } of old) {
    await deleteRows(getRowStore(env), id);
    await orm.update(tableRuns).set({ clearedAt: now }).where(eq(tableRuns.id, id));
  }
  return old.length === MAX_RUNS;
}

/** Deletes runs 60 days after their rows, and leftovers of deleted tables. */
async function deleteOrphans(env: Env, now: number): Promise<boolean> {
  const orm = drizzle(env.DB);
  const hasNoTable = (row: typeof pushes | typeof schedules | typeof tableReports | typeof tableRuns): SQL =>
    notExists(
      orm
        .select()
        .from(tables)
        .where(and(eq(tables.teamId, row.teamId), eq(tables.id, row.tableId))),
    );
  await orm.batch([
    orm.delete(tableRuns).where(lt(tableRuns.clearedAt, now - RUN_HISTORY_MS)),
    orm.delete(pushes).where(hasNoTable(pushes)),
    orm.delete(schedules).where(hasNoTable(schedules)),
    orm.delete(tableReports).where(hasNoTable(tableReports)),
    orm.delete(enrichedKeys).where(
      notExists(
        orm
          .select()
          .from(enrichments)
          .where(
            and(eq(enrichments.teamId, enrichedKeys.teamId), eq(enrichments.id, enrichedKeys.enrichmentId)),
          ),
      ),
    ),
  ]);
  const orphans = await orm
    .select({ id: tableRuns.id })
    .from(tableRuns)
    .where(
      and(
        hasNoTable(tableRuns),
        or(ne(tableRuns.state, 'running'), lt(tableRuns.startedAt, now - MAX_RUN_MS)),
      ),
    )
    .limit(MAX_RUNS);
  await deleteRuns(env, orphans);
  return orphans.length === MAX_RUNS;
}

/** Deletes ended runs of a deleted table with their rows; {@link deleteOrphans} deletes the others later. */
export async function deleteTableRuns(env: Env, team: string, table: string): Promise<void> {
  const runs = await drizzle(env.DB)
    .select({ id: tableRuns.id })
    .from(tableRuns)
    .where(and(eq(tableRuns.teamId, team), eq(tableRuns.tableId, table), ne(tableRuns.state, 'running')))
    .orderBy(desc(tableRuns.startedAt))
    .limit(MAX_RUNS);
  await deleteRuns(env, runs);
}

/** Deletes rows before the run: an interrupted deletion is found again. */
async function deleteRuns(env: Env, runs: readonly { id: string }[]): Promise<void> {
  for (const { id } of runs) {
    await deleteRows(getRowStore(env), id);
    await drizzle(env.DB).delete(tableRuns).where(eq(tableRuns.id, id));
  }
}

const query = new QueryBuilder();
const newer = alias(pushes, 'newer');

/** The newest push of a table is shown as long as the table exists. */
const hasNewerPush = exists(
  query
    .select({ id: newer.id })
    .from(newer)
    .where(
      and(
        eq(newer.teamId, pushes.teamId),
        eq(newer.tableId, pushes.tableId),
        gt(newer.createdAt, pushes.createdAt),
      ),
    ),
);

/** No index has the time of changes. */
const oldestChanges = query
  .select({ number: changes.number })
  .from(changes)
  .orderBy(changes.number)
  .limit(MAX_CHANGES);

export const retentionRules: readonly RetentionRule[] = [
  {
    table: runs,
    key: [runs.teamId, runs.id],
    isExpired: (before) => lt(runs.receivedAt, before),
    days: activityKeptDays,
  },
  {
    table: changes,
    key: [changes.number],
    isExpired: (before) => and(lt(changes.at, before), inArray(changes.number, oldestChanges)),
    days: CHANGE_DAYS,
  },
  {
    table: pushes,
    key: [pushes.id],
    isExpired: (before) => and(not(hasJob('push', pushes.id)), lt(pushes.updatedAt, before), hasNewerPush),
    days: CHANGE_DAYS,
  },
  {
    table: alertMessages,
    key: [alertMessages.id],
    isExpired: (before) => and(lt(alertMessages.createdAt, before), not(hasJob('alert', alertMessages.id))),
    days: MESSAGE_DAYS,
  },
];

/** Matches data requests that a registered table has its rows from. */
export const isTableSource = (requestId: SQLWrapper): SQL =>
  sql`EXISTS (SELECT 1 FROM ${tables} WHERE ${eq(tables.requestId, requestId)})`;

export const hasPush = (id: SQLWrapper): SQL =>
  sql`EXISTS (SELECT 1 FROM ${pushes} WHERE ${eq(pushes.id, id)})`;

export const hasAlert = (id: SQLWrapper): SQL =>
  sql`EXISTS (SELECT 1 FROM ${alertMessages} WHERE ${eq(alertMessages.id, id)})`;

/** Builds the statements that delete the saved searches, runs, tables, schedules and alerts of a team. */
export function deleteTeamTables(orm: DrizzleD1Database, team: string) {
  const teamAlerts = orm.select({ id: alerts.id }).from(alerts).where(eq(alerts.teamId, team));
  return [
    orm.delete(searches).where(eq(searches.teamId, team)),
    orm.delete(runs).where(eq(runs.teamId, team)),
    orm.delete(spreadsheets).where(eq(spreadsheets.teamId, team)),
    orm.delete(tables).where(eq(tables.teamId, team)),
    orm.delete(schedules).where(eq(schedules.teamId, team)),
    orm.delete(tableReports).where(eq(tableReports.teamId, team)),
    orm.delete(enrichments).where(eq(enrichments.teamId, team)),
    orm.delete(enrichedKeys).where(eq(enrichedKeys.teamId, team)),
    orm.delete(alertMessages).where(inArray(alertMessages.alertId, teamAlerts)),
    orm.delete(alerts).where(eq(alerts.teamId, team)),
  ] as const;
}
