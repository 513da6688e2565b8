// Tables, schedules, pushes and alerts after D1 was restored to an earlier time: nothing of the time between is repeated.
import { and, eq, inArray, isNotNull, type SQL, sql } from 'drizzle-orm';
import { drizzle } from 'drizzle-orm/d1';
import { isInList } from '../db/json-list.ts';
import {
  changes,
  enrichments,
  pushes,
  type StoredProblem,
  schedules,
  tableRuns,
  tables,
} from '../db/schema.ts';
import type { Env } from '../env.ts';
import { deleteJobs } from '../queue/jobs.ts';
import { AlertStore } from './alerts/store.ts';
import { enqueueBudgetAlerts } from './alerts/team-checks.ts';
import { planSchedules } from './schedules/store.ts';
import { intervalMs } from './schedules/timing.ts';

const interrupted: StoredProblem = {
  problem: 'maintenance',
  detail: 'The gateway’s database was restored while this was in progress.',
  fix: 'Check the rows of the table. The schedule goes on at its next time.',
};

const ordersInterrupted: StoredProblem = {
  problem: 'maintenance',
  detail: 'The gateway’s database was restored to an earlier time.',
  fix: 'Check the new rows of the table, then turn this on again.',
};

const interval = sql`CASE ${schedules.every} ${sql.join(
  Object.entries(intervalMs).map(([name, ms]) => sql`WHEN ${name} THEN ${ms} `),
)} END`;

/** SQL expression: the next planned time of a schedule that is not in the past. Missed runs are not made up for. */
const nextSlot = (now: number): SQL<number> =>
  sql<number>`CASE WHEN ${schedules.nextAt} > ${now} THEN ${schedules.nextAt}
    ELSE ${schedules.nextAt} + (CAST((${now} - ${schedules.nextAt}) / (${interval}) AS INTEGER) + 1) * (${interval}) END`;

/**
 * Plans all schedules for their next time, ends their runs, and drops deliveries in progress. The runs since the restored time
 * have bought and delivered their rows, so the tables count as complete up to the last planned time. It is idempotent.
 */
export async function endWorkInProgress(db: D1Database, now: number): Promise<void> {
  const orm = drizzle(db);
  const isActive = and(
    eq(schedules.teamId, tables.teamId),
    eq(schedules.tableId, tables.id),
    eq(schedules.state, 'on'),
    isNotNull(schedules.nextAt),
  );
  const lastSlot = orm
    .select({ at: sql<number>`${schedules.nextAt} - (${interval})` })
    .from(schedules)
    .where(isActive);
  await orm.batch([
    orm
      .update(schedules)
      .set({ nextAt: nextSlot(now), runId: null })
      .where(and(eq(schedules.state, 'on'), isNotNull(schedules.nextAt))),
    // A schedule that was stopped or paused has a time only for its run in progress.
    orm
      .update(schedules)
      .set({ nextAt: null, runId: null })
      .where(inArray(schedules.state, ['paused', 'stopped'])),
    orm.update(tables).set({ asOf: sql`max(${tables.asOf}, coalesce((${lastSlot}), ${tables.asOf}))` }),
    orm
      .update(tableRuns)
      .set({ state: 'failed', problem: interrupted, endedAt: now })
      .where(eq(tableRuns.state, 'running')),
    orm
      .update(pushes)
      .set({ state: 'failed', problem: interrupted, updatedAt: now })
      .where(eq(pushes.state, 'waiting')),
    // Which keys were bought since the restored time, and what they cost, is lost: a person decides.
    orm
      .update(enrichments)
      .set({ state: 'stopped', problem: ordersInterrupted, nextAt: null })
      .where(eq(enrichments.state, 'on')),
    deleteJobs(orm, 'push'),
    deleteJobs(orm, 'enrichment'),
    deleteJobs(orm, 'schedule'),
    planSchedules(orm),
  ]);
}

/**
 * Marks the budget alerts of teams that have reached a threshold as sent, and drops the undelivered messages of all teams.
 * @param teams - whose budgets are checked
 */
export async function silenceAlerts(env: Env, teams: readonly string[], now: number): Promise<void> {
  const subscribed = new Set(await new AlertStore(env.DB).listTeams('budget'));
  for (const team of teams) if (subscribed.has(team)) await enqueueBudgetAlerts(env, team, now);
  await deleteJobs(drizzle(env.DB), 'alert');
}

/**
 * Continues the numbers of changes above all that were given out: open sheets ask for changes above the last number that they
 * know.
 * @param team - any team
 * @param now - milliseconds since 1970; more than the number of changes in all that time
 */
export async function skipChangeNumbers(db: D1Database, team: string, now: number): Promise<void> {
  const orm = drizzle(db);
  const change = {
    number: now,
    teamId: team,
    kind: 'request',
    subject: 'restore',
    run: '',
    at: now,
  } as const;
  // AUTOINCREMENT goes on above the largest number that a row ever had.
  await orm.batch([
    orm.insert(changes).values(change).onConflictDoNothing(),
    orm.delete(changes).where(eq(changes.number, now)),
  ]);
}

export async function filterRunIds(db: D1Database, ids: readonly string[]): Promise<Set<string>> {
  if (ids.length === 0) return new Set();
  const rows = await drizzle(db)
    .select({ id: tableRuns.id })
    .from(tableRuns)
    .where(isInList(tableRuns.id, ids));
  return new Set(rows.map(({ id }) => id));
}
