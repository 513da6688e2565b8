// Repository of schedules. Their jobs have the time of the next run, or of the next attempt of a run in progress.
import { and, desc, eq, isNotNull, isNull, ne, type SQL, sql } from 'drizzle-orm';
import { type DrizzleD1Database, drizzle } from 'drizzle-orm/d1';
import {
  type ScheduleRow,
  type StoredProblem,
  schedules,
  type TableRow,
  type TableRunRow,
  tableRuns,
  tables,
} from '../../db/schema.ts';
import { isValidToken } from '../../gateway/auth/team-repository.ts';
import { type LeasedJob, putJobsFrom, TEAM_SEPARATOR } from '../../queue/jobs.ts';
import { getNextRunTime, intervalMs } from './timing.ts';

/** A run that has made no progress for this long has failed. */
export const STALL_TIMEOUT_MS = 3_600_000;
export type EndedRun = Pick<TableRunRow, 'teamId' | 'tableId' | 'id' | 'problem'>;

export interface ScheduleWithTable {
  schedule: ScheduleRow;
  table: TableRow;
  /** Whether the token that pays is valid. */
  hasPayer: boolean;
}

const isSchedule = (team: string, table: string): SQL | undefined =>
  and(eq(schedules.teamId, team), eq(schedules.tableId, table));

/** Builds the statement that plans the jobs of active schedules; a run in progress has its own times. */
export function planSchedules(orm: DrizzleD1Database, isSelected?: SQL) {
  return putJobsFrom(orm, 'schedule', {
    id: sql`${schedules.tableId} || ${TEAM_SEPARATOR} || ${schedules.teamId}`,
    createdAt: schedules.createdAt,
    dueAt: schedules.nextAt,
    from: sql`${schedules} WHERE ${and(isSelected, isNull(schedules.runId), isNotNull(schedules.nextAt))}`,
    isReplanned: true,
  });
}

/** Reads and writes schedules in D1. */
export class ScheduleStore {
  readonly #orm: DrizzleD1Database;

  constructor(db: D1Database) {
    this.#orm = drizzle(db);
  }

  /** Lists a team's schedules with their tables, newest table first; optionally of one table only. */
  list(team: string, now: number, table?: string): Promise<ScheduleWithTable[]> {
    const hasPayer = isValidToken(schedules.tokenId, schedules.teamId, now).mapWith(Boolean);
    return this.#orm
      .select({ schedule: schedules, table: tables, hasPayer })
      .from(schedules)
      .innerJoin(tables, and(eq(tables.teamId, schedules.teamId), eq(tables.id, schedules.tableId)))
      .where(and(eq(schedules.teamId, team), table === undefined ? undefined : eq(tables.id, table)))
      .orderBy(desc(tables.createdAt), desc(tables.id))
      .all();
  }

  get(team: string, table: string): Promise<ScheduleRow | undefined> {
    return this.#orm.select().from(schedules).where(isSchedule(team, table)).get();
  }

  /** Inserts or updates the schedule of a table. A run in progress continues. */
  async put(row: Omit<ScheduleRow, 'runId'>): Promise<void> {
    const { tokenId, every, maxCredits, query, state, problem, updatedAt } = row;
    const nextAt = sql`CASE WHEN ${schedules.runId} IS NULL THEN ${row.nextAt} ELSE ${schedules.nextAt} END`;
    await this.#orm.batch([
      this.#orm
        .insert(schedules)
        .values(row)
        .onConflictDoUpdate({
          target: [schedules.teamId, schedules.tableId],
          set: { tokenId, every, maxCredits, query, state, problem, updatedAt, nextAt },
        }),
      planSchedules(this.#orm, isSchedule(row.teamId, row.tableId)),
    ]);
  }

  /**
   * Deletes a schedule and cancels its run in progress.
   * @returns ids of the cancelled runs: none or one
   */
  async remove(team: string, table: string, now: number): Promise<string[]> {
    const running = and(
      eq(tableRuns.teamId, team),
      eq(tableRuns.tableId, table),
      eq(tableRuns.state, 'running'),
    );
    const [cancelled] = await this.#orm.batch([
      this.#orm
        .update(tableRuns)
        .set({ state: 'failed', problem: null, endedAt: now })
        .where(running)
        .returning({ id: tableRuns.id }),
      this.#orm.delete(schedules).where(isSchedule(team, table)),
    ]);
    return cancelled.map(({ id }) => id);
  }

  /**
   * Stops an active schedule. A run in progress finishes first.
   * @returns whether it was active
   */
  async stop(team: string, table: string, problem: StoredProblem, now: number): Promise<boolean> {
    const { meta } = await this.#orm
      .update(schedules)
      .set({
        state: 'stopped',
        problem,
        updatedAt: now,
        nextAt: sql`CASE WHEN ${schedules.runId} IS NULL THEN NULL ELSE ${schedules.nextAt} END`,
      })
      .where(and(isSchedule(team, table), eq(schedules.state, 'on')));
    return meta.changes > 0;
  }

  /**
   * Starts a schedule that is not active, one interval from now. A run in progress continues.
   * @param every - its interval
   */
  async resume({ teamId, tableId, every }: ScheduleRow, now: number): Promise<void> {
    const nextAt = now + intervalMs[every];
    await this.#orm.batch([
      this.#orm
        .update(schedules)
        .set({
          state: 'on',
          problem: null,
          // Failures before this time no longer count.
          updatedAt: now,
          nextAt: sql`CASE WHEN ${schedules.runId} IS NULL THEN ${nextAt} ELSE ${schedules.nextAt} END`,
        })
        .where(and(isSchedule(teamId, tableId), ne(schedules.state, 'on'))),
      planSchedules(this.#orm, isSchedule(teamId, tableId)),
    ]);
  }

  /** Pauses a schedule after a restore of D1. The restore ends its run. */
  async pause(team: string, table: string, now: number): Promise<void> {
    await this.#orm
      .update(schedules)
      .set({ state: 'paused', nextAt: null, updatedAt: now })
      .where(and(isSchedule(team, table), eq(schedules.state, 'on')));
  }

  /**
   * Reads a schedule and its table. One transaction: the token of the schedule is that of whoever changed the table last.
   */
  async getWithTable(
    team: string,
    tableId: string,
  ): Promise<{ schedule: ScheduleRow | undefined; table: TableRow | undefined }> {
    const [[schedule], [table]] = await this.#orm.batch([
      this.#orm.select().from(schedules).where(isSchedule(team, tableId)),
      this.#orm
        .select()
        .from(tables)
        .where(and(eq(tables.teamId, team), eq(tables.id, tableId))),
    ]);
    return { schedule, table };
  }

  /**
   * Starts a run of a leased schedule that has none.
   * @returns undefined when the lease is lost
   */
  async startRun(
    job: LeasedJob,
    { teamId, tableId }: ScheduleRow,
    id: string,
    since: number,
    now: number,
  ): Promise<TableRunRow | undefined> {
    const startedRun = this.#orm
      .select({ run: schedules.runId })
      .from(schedules)
      .where(and(isSchedule(teamId, tableId), eq(schedules.runId, id)));
    await this.#orm.batch([
      this.#orm
        .update(schedules)
        .set({ runId: id })
        .where(and(isSchedule(teamId, tableId), job.isHeld, isNull(schedules.runId))),
      this.#orm.insert(tableRuns).select(
        sql`SELECT ${id}, ${teamId}, ${tableId}, 'running', ${since}, NULL, NULL, 0, NULL, 0, 0, NULL, ${now}, NULL, NULL, NULL
          WHERE EXISTS ${startedRun}`,
      ),
    ]);
    return this.#orm.select().from(tableRuns).where(eq(tableRuns.id, id)).get();
  }

  /**
   * Releases a schedule after its run: plans the next run, or stops the schedule with the run's problem.
   * @returns time of the next run; null if there is none
   */
  async finishRun(
    { teamId, tableId, id, problem }: EndedRun,
    isStopping: boolean,
    now: number,
  ): Promise<number | null> {
    const schedule = await this.get(teamId, tableId);
    if (schedule === undefined) return null;
    const { every, state, nextAt: planned } = schedule;
    const nextAt = state === 'on' && !isStopping ? getNextRunTime(every, planned ?? now, now) : null;
    await this.#orm
      .update(schedules)
      .set({
        runId: null,
        nextAt,
        ...(isStopping ? { state: 'stopped', problem } : {}),
      })
      .where(and(isSchedule(teamId, tableId), eq(schedules.runId, id)));
    return nextAt;
  }
}
