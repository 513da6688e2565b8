// Repository of schedules. A worker must hold the lease of a schedule to run it.
import { and, desc, eq, isNotNull, isNull, lte, ne, or, type SQL, sql } from 'drizzle-orm';
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
import { getNextRunTime, intervalMs } from './timing.ts';

/** Duration of a lease. */
export const LEASE_MS = 300_000;
/** A run that has made no progress for this long has failed. */
export const STALL_TIMEOUT_MS = 3_600_000;
/** Schedules that one sweep enqueues. */
const MAX_DUE = 100;

/** A schedule under a lease that ends at `leasedUntil`. */
export type LeasedSchedule = ScheduleRow & { leasedUntil: number };

/** An ended run and, if it failed, why. */
export type EndedRun = Pick<TableRunRow, 'teamId' | 'tableId' | 'id' | 'problem'>;

/** A schedule with its table. */
export interface ScheduleWithTable {
  schedule: ScheduleRow;
  table: TableRow;
  /** Whether the token that pays is valid. */
  hasPayer: boolean;
}

const isSchedule = (team: string, table: string): SQL | undefined =>
  and(eq(schedules.teamId, team), eq(schedules.tableId, table));

const hasLease = ({ teamId, tableId, leasedUntil }: LeasedSchedule): SQL | undefined =>
  and(isSchedule(teamId, tableId), eq(schedules.leasedUntil, leasedUntil));

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

  /** Inserts or updates the schedule of a table. A run in progress continues. */
  async put(row: Omit<ScheduleRow, 'runId' | 'leasedUntil'>): Promise<void> {
    const { tokenId, every, maxCredits, query, state, problem, updatedAt } = row;
    await this.#orm
      .insert(schedules)
      .values(row)
      .onConflictDoUpdate({
        target: [schedules.teamId, schedules.tableId],
        set: {
          tokenId,
          every,
          maxCredits,
          query,
          state,
          problem,
          updatedAt,
          nextAt: sql`CASE WHEN ${schedules.runId} IS NULL THEN ${row.nextAt} ELSE ${schedules.nextAt} END`,
        },
      });
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
    await this.#orm
      .update(schedules)
      .set({
        state: 'on',
        problem: null,
        // Failures before this time no longer count.
        updatedAt: now,
        nextAt: sql`CASE WHEN ${schedules.runId} IS NULL THEN ${nextAt} ELSE ${schedules.nextAt} END`,
      })
      .where(and(isSchedule(teamId, tableId), ne(schedules.state, 'on')));
  }

  /** Pauses a schedule after a restore of D1. The restore ends its run. */
  async pause(team: string, table: string, now: number): Promise<void> {
    await this.#orm
      .update(schedules)
      .set({ state: 'paused', nextAt: null, updatedAt: now })
      .where(and(isSchedule(team, table), eq(schedules.state, 'on')));
  }

  /** Releases all leases, after a restart. */
  async releaseAllLeases(): Promise<void> {
    await this.#orm.update(schedules).set({ leasedUntil: null }).where(isNotNull(schedules.leasedUntil));
  }

  /** Lists schedules that are due and not leased. */
  async listDue(now: number): Promise<Pick<ScheduleRow, 'teamId' | 'tableId'>[]> {
    return this.#orm
      .select({ teamId: schedules.teamId, tableId: schedules.tableId })
      .from(schedules)
      .where(
        and(lte(schedules.nextAt, now), or(isNull(schedules.leasedUntil), lte(schedules.leasedUntil, now))),
      )
      .orderBy(schedules.nextAt)
      .limit(MAX_DUE);
  }

  /**
   * Leases a due schedule and reads its table; undefined when it is not due or already leased. One transaction: the token
   * of the schedule is that of whoever changed the table last.
   */
  async acquireLease(
    team: string,
    tableId: string,
    now: number,
  ): Promise<{ lease: LeasedSchedule; table: TableRow | undefined } | undefined> {
    const leasedUntil = now + LEASE_MS;
    const [[row], [table]] = await this.#orm.batch([
      this.#orm
        .update(schedules)
        .set({ leasedUntil })
        .where(
          and(
            isSchedule(team, tableId),
            lte(schedules.nextAt, now),
            or(isNull(schedules.leasedUntil), lte(schedules.leasedUntil, now)),
          ),
        )
        .returning(),
      this.#orm
        .select()
        .from(tables)
        .where(and(eq(tables.teamId, team), eq(tables.id, tableId))),
    ]);
    return row && { lease: { ...row, leasedUntil }, table };
  }

  /**
   * Extends a lease.
   * @returns undefined when the lease is lost or the schedule was deleted
   */
  async extendLease(lease: LeasedSchedule, until: number): Promise<LeasedSchedule | undefined> {
    const [row] = await this.#orm
      .update(schedules)
      .set({ leasedUntil: until })
      .where(hasLease(lease))
      .returning({ table: schedules.tableId });
    return row && { ...lease, leasedUntil: until };
  }

  /**
   * Starts a run of a leased schedule that has none.
   * @returns undefined when the lease is lost
   */
  async startRun(
    lease: LeasedSchedule,
    id: string,
    since: number,
    now: number,
  ): Promise<TableRunRow | undefined> {
    const { teamId, tableId } = lease;
    const startedRun = this.#orm
      .select({ run: schedules.runId })
      .from(schedules)
      .where(and(isSchedule(teamId, tableId), eq(schedules.runId, id)));
    await this.#orm.batch([
      this.#orm
        .update(schedules)
        .set({ runId: id })
        .where(and(hasLease(lease), isNull(schedules.runId))),
      this.#orm.insert(tableRuns).select(
        sql`SELECT ${id}, ${teamId}, ${tableId}, 'running', ${since}, NULL, NULL, 0, NULL, 0, 0, NULL, ${now}, NULL, NULL, NULL
          WHERE EXISTS ${startedRun}`,
      ),
    ]);
    return this.#orm.select().from(tableRuns).where(eq(tableRuns.id, id)).get();
  }

  /** Releases a schedule after its run: plans the next run, or stops the schedule with the run's problem. */
  async finishRun(
    { teamId, tableId, id, problem }: EndedRun,
    isStopping: boolean,
    now: number,
  ): Promise<void> {
    const schedule = await this.#orm.select().from(schedules).where(isSchedule(teamId, tableId)).get();
    if (schedule === undefined) return;
    const { every, state, nextAt } = schedule;
    const continues = state === 'on' && !isStopping;
    await this.#orm
      .update(schedules)
      .set({
        runId: null,
        leasedUntil: null,
        nextAt: continues ? getNextRunTime(every, nextAt ?? now, now) : null,
        ...(isStopping ? { state: 'stopped', problem } : {}),
      })
      .where(and(isSchedule(teamId, tableId), eq(schedules.runId, id)));
  }
}
