// The one place where schedules are read and changed. Whoever works on one holds its lease.
import { and, desc, eq, isNotNull, isNull, lte, or, type SQL, sql } from 'drizzle-orm';
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
import { getNextRunTime } from './timing.ts';

/** Whoever holds a schedule and has not been heard of for so long has died. */
export const LEASE_MS = 300_000;
/** A run that does not get on for so long has failed. */
export const STALL_TIMEOUT_MS = 3_600_000;
/** Schedules that one sweep finds. */
const MAX_DUE = 100;

/** A schedule that is held: until `leasedUntil` nobody else works on it. */
export type LeasedSchedule = ScheduleRow & { leasedUntil: number };

/** A run that has ended, and why it failed. */
export type EndedRun = Pick<TableRunRow, 'teamId' | 'tableId' | 'id' | 'problem'>;

/** A schedule with its table. */
export interface ScheduleWithTable {
  schedule: ScheduleRow;
  table: TableRow;
}

const isSchedule = (team: string, table: string): SQL | undefined =>
  and(eq(schedules.teamId, team), eq(schedules.tableId, table));

const hasLease = ({ teamId, tableId, leasedUntil }: LeasedSchedule): SQL | undefined =>
  and(isSchedule(teamId, tableId), eq(schedules.leasedUntil, leasedUntil));

/** The schedules of a deployment. */
export class ScheduleStore {
  readonly #orm: DrizzleD1Database;

  constructor(db: D1Database) {
    this.#orm = drizzle(db);
  }

  /** A team's schedules whose tables are there, or the one of a table; the newest table first. */
  list(team: string, table?: string): Promise<ScheduleWithTable[]> {
    return this.#orm
      .select({ schedule: schedules, table: tables })
      .from(schedules)
      .innerJoin(tables, and(eq(tables.teamId, schedules.teamId), eq(tables.id, schedules.tableId)))
      .where(and(eq(schedules.teamId, team), table === undefined ? undefined : eq(tables.id, table)))
      .orderBy(desc(tables.createdAt), desc(tables.id))
      .all();
  }

  /** Puts a schedule in the place of the one that its table had; a run that is under way goes on. */
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
   * Removes a schedule, and gives up the run that is under way.
   * @returns the id of that run, if any
   */
  async remove(team: string, table: string, now: number): Promise<string[]> {
    const running = and(
      eq(tableRuns.teamId, team),
      eq(tableRuns.tableId, table),
      eq(tableRuns.state, 'running'),
    );
    const [givenUp] = await this.#orm.batch([
      this.#orm
        .update(tableRuns)
        .set({ state: 'failed', problem: null, endedAt: now })
        .where(running)
        .returning({ id: tableRuns.id }),
      this.#orm.delete(schedules).where(isSchedule(team, table)),
    ]);
    return givenUp.map(({ id }) => id);
  }

  /**
   * Stops a schedule that is on. A run that is under way ends first.
   * @returns whether it was on
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

  /** Nobody holds any schedule. */
  async releaseAllLeases(): Promise<void> {
    await this.#orm.update(schedules).set({ leasedUntil: null }).where(isNotNull(schedules.leasedUntil));
  }

  /** Schedules that somebody should work on. */
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

  /** Takes a schedule that is due and that nobody holds. */
  async acquireLease(team: string, table: string, now: number): Promise<LeasedSchedule | undefined> {
    const leasedUntil = now + LEASE_MS;
    const [row] = await this.#orm
      .update(schedules)
      .set({ leasedUntil })
      .where(
        and(
          isSchedule(team, table),
          lte(schedules.nextAt, now),
          or(isNull(schedules.leasedUntil), lte(schedules.leasedUntil, now)),
        ),
      )
      .returning();
    return row && { ...row, leasedUntil };
  }

  /**
   * Holds a schedule on, until some time.
   * @returns undefined where somebody else has it, or it is gone
   */
  async extendLease(held: LeasedSchedule, until: number): Promise<LeasedSchedule | undefined> {
    const [row] = await this.#orm
      .update(schedules)
      .set({ leasedUntil: until })
      .where(hasLease(held))
      .returning({ table: schedules.tableId });
    return row && { ...held, leasedUntil: until };
  }

  /**
   * Begins a run of a schedule that is held and has none.
   * @returns undefined where it is not held any more
   */
  async startRun(
    held: LeasedSchedule,
    id: string,
    since: number,
    now: number,
  ): Promise<TableRunRow | undefined> {
    const { teamId, tableId } = held;
    const taken = this.#orm
      .select({ run: schedules.runId })
      .from(schedules)
      .where(and(isSchedule(teamId, tableId), eq(schedules.runId, id)));
    await this.#orm.batch([
      this.#orm
        .update(schedules)
        .set({ runId: id })
        .where(and(hasLease(held), isNull(schedules.runId))),
      this.#orm.insert(tableRuns).select(
        sql`SELECT ${id}, ${teamId}, ${tableId}, 'running', ${since}, NULL, NULL, 0, NULL, 0, 0, NULL, ${now}, NULL, NULL, NULL
          WHERE EXISTS ${taken}`,
      ),
    ]);
    return this.#orm.select().from(tableRuns).where(eq(tableRuns.id, id)).get();
  }

  /**
   * Has a schedule wait for its next time, or stops it for the reason that its run ended with.
   */
  async finishRun({ teamId, tableId, id, problem }: EndedRun, stops: boolean, now: number): Promise<void> {
    const schedule = await this.#orm.select().from(schedules).where(isSchedule(teamId, tableId)).get();
    if (schedule === undefined) return;
    const { every, state, nextAt } = schedule;
    const goesOn = state === 'on' && !stops;
    await this.#orm
      .update(schedules)
      .set({
        runId: null,
        leasedUntil: null,
        nextAt: goesOn ? getNextRunTime(every, nextAt ?? now, now) : null,
        ...(stops ? { state: 'stopped', problem } : {}),
      })
      .where(and(isSchedule(teamId, tableId), eq(schedules.runId, id)));
  }
}
