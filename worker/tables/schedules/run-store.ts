// Repository of schedule runs and their progress.
import { and, desc, eq, exists, gt, gte, isNull, lt, ne, not, type SQL, sql } from 'drizzle-orm';
import { type DrizzleD1Database, drizzle } from 'drizzle-orm/d1';
import { DAY_MS } from '../../../shared/lib/durations.ts';
import {
  type ScheduleRow,
  type StoredProblem,
  type TableRunRow,
  tableRuns,
  tables,
} from '../../db/schema.ts';
import { isAddition } from '../store.ts';
import { startOfDay } from './timing.ts';

/** Earlier runs whose rows a run may overlap: families that date changes by day return a day twice. */
const MAX_OVERLAPPING_RUNS = 60;
const OVERLAP_MS = 2 * DAY_MS;

/** More hourly runs than may stay undelivered before a schedule stops. */
const MAX_RUNS_CHECKED = 100;

const isRunning = (id: string) => and(eq(tableRuns.id, id), eq(tableRuns.state, 'running'));

const isOfTable = ({ teamId, tableId }: Pick<TableRunRow, 'teamId' | 'tableId'>) =>
  and(eq(tableRuns.teamId, teamId), eq(tableRuns.tableId, tableId));

/** Reads and writes runs in D1. Progress is written only while a run is `running`. */
export class RunStore {
  readonly #orm: DrizzleD1Database;

  constructor(db: D1Database) {
    this.#orm = drizzle(db);
  }

  get(id: string): Promise<TableRunRow | undefined> {
    return this.#orm.select().from(tableRuns).where(eq(tableRuns.id, id)).get();
  }

  /** Updates a running run. */
  async update(
    id: string,
    change: Partial<Pick<TableRunRow, 'pages' | 'snapshot' | 'requestId' | 'problem' | 'rows' | 'credits'>>,
  ): Promise<void> {
    await this.#orm.update(tableRuns).set(change).where(isRunning(id));
  }

  /** Records that the next page was stored. Idempotent. */
  async recordPage(
    { id, page: pageIndex }: TableRunRow,
    page: { snapshot: string | null; rows: number; credits: number },
  ): Promise<void> {
    await this.#orm
      .update(tableRuns)
      .set({
        page: pageIndex + 1,
        snapshot: page.snapshot,
        rows: sql`${tableRuns.rows} + ${page.rows}`,
        credits: sql`${tableRuns.credits} + ${page.credits}`,
      })
      .where(and(isRunning(id), eq(tableRuns.page, pageIndex)));
  }

  async addCredits(id: string, credits: number): Promise<void> {
    if (credits === 0) return;
    await this.#orm
      .update(tableRuns)
      .set({ credits: sql`${tableRuns.credits} + ${credits}` })
      .where(isRunning(id));
  }

  /** Records how many rows a cancelled run has stored. */
  async recordCancelledRows(id: string, rows: number): Promise<void> {
    await this.#orm
      .update(tableRuns)
      .set({ rows })
      .where(and(eq(tableRuns.id, id), eq(tableRuns.state, 'failed')));
  }

  /** Finishes a run. Success moves the table's `asOf` to the start of the run. */
  async finish(run: TableRunRow, problem: StoredProblem | null, now: number): Promise<void> {
    const { id, teamId, tableId, startedAt } = run;
    const isDone = and(eq(tableRuns.id, id), eq(tableRuns.state, 'done'));
    const endRun = this.#orm
      .update(tableRuns)
      .set({ state: problem === null ? 'done' : 'failed', problem, endedAt: now })
      .where(isRunning(id));
    const moveAsOf = this.#orm
      .update(tables)
      .set({ asOf: startedAt })
      .where(
        and(
          eq(tables.teamId, teamId),
          eq(tables.id, tableId),
          lt(tables.asOf, startedAt),
          // A run that was cancelled meanwhile is incomplete.
          exists(this.#orm.select({ id: tableRuns.id }).from(tableRuns).where(isDone)),
        ),
      );
    await (problem === null ? this.#orm.batch([endRun, moveAsOf]) : endRun);
  }

  /** Sums up the runs of a team that started in a period: rows, tables that got rows, and failed runs. */
  async summarise(
    team: string,
    from: number,
    until: number,
  ): Promise<{ rows: number; tables: number; failed: number }> {
    const { rows, startedAt, state, tableId, teamId } = tableRuns;
    const [sums] = await this.#orm
      .select({
        rows: sql<number>`coalesce(sum(${rows}), 0)`,
        tables: sql<number>`count(DISTINCT CASE WHEN ${rows} > 0 THEN ${tableId} END)`,
        failed: sql<number>`count(CASE WHEN ${state} = 'failed' THEN 1 END)`,
      })
      .from(tableRuns)
      .where(and(eq(teamId, team), gte(startedAt, from), lt(startedAt, until)));
    return sums ?? { rows: 0, tables: 0, failed: 0 };
  }

  /** Records that a spreadsheet has the rows of a run. */
  async markDelivered(id: string, now: number): Promise<void> {
    await this.#orm
      .update(tableRuns)
      .set({ deliveredAt: now })
      .where(and(eq(tableRuns.id, id), isNull(tableRuns.deliveredAt)));
  }

  /** Lists the latest ended runs since a schedule was last saved, newest first. */
  #listEnded(schedule: ScheduleRow, limit: number, condition?: SQL): Promise<TableRunRow[]> {
    return this.#orm
      .select()
      .from(tableRuns)
      .where(
        and(
          isOfTable(schedule),
          gte(tableRuns.startedAt, schedule.updatedAt),
          ne(tableRuns.state, 'running'),
          condition,
        ),
      )
      .orderBy(desc(tableRuns.startedAt))
      .limit(limit)
      .all();
  }

  /**
   * Finds the latest consecutive runs whose rows no spreadsheet has picked up, since the schedule was last saved.
   * @returns their count and when the oldest of them ended, milliseconds since 1970
   */
  async findUndelivered(schedule: ScheduleRow): Promise<{ runs: number; since: number } | undefined> {
    const ended = await this.#listEnded(schedule, MAX_RUNS_CHECKED, gt(tableRuns.rows, 0));
    const delivered = ended.findIndex(({ deliveredAt }) => deliveredAt !== null);
    const waiting = delivered < 0 ? ended : ended.slice(0, delivered);
    const since = waiting.at(-1)?.endedAt ?? null;
    return since === null ? undefined : { runs: waiting.length, since };
  }

  /** Counts the latest consecutive failures since the schedule was last saved. */
  async countConsecutiveFailures(schedule: ScheduleRow, limit: number): Promise<number> {
    const runs = await this.#listEnded(schedule, limit);
    const lastDone = runs.findIndex(({ state }) => state === 'done');
    return lastDone < 0 ? runs.length : lastDone;
  }

  /** Lists earlier runs whose rows may overlap those of a run, newest first. */
  async listOverlappingRuns(run: TableRunRow): Promise<string[]> {
    const rows = await this.#orm
      .select({ id: tableRuns.id })
      .from(tableRuns)
      .where(
        and(
          isOfTable(run),
          gte(tableRuns.startedAt, run.since - OVERLAP_MS),
          ne(tableRuns.state, 'running'),
          isNull(tableRuns.requestId),
          isNull(tableRuns.clearedAt),
          gt(tableRuns.rows, 0),
        ),
      )
      .orderBy(desc(tableRuns.startedAt))
      .limit(MAX_OVERLAPPING_RUNS);
    return rows.map(({ id }) => id).filter((id) => id !== run.id);
  }

  /**
   * Returns what earlier runs delivered of the days that a run covers.
   * @param registeredAt - ignores runs before this time: the table may have had another source
   * @returns the ids under which the rows are stored, and whether a run of that day has asked for everything
   */
  async getDayCoverage(
    run: TableRunRow,
    registeredAt: number,
  ): Promise<{ isWhole: boolean; rowsIds: string[] }> {
    const rows = await this.#orm
      .select()
      .from(tableRuns)
      .where(
        and(
          isOfTable(run),
          gte(tableRuns.startedAt, Math.max(registeredAt, startOfDay(run.since) - DAY_MS)),
          ne(tableRuns.id, run.id),
          ne(tableRuns.state, 'running'),
          not(isAddition()),
          isNull(tableRuns.clearedAt),
        ),
      );
    const today = startOfDay(run.startedAt);
    return {
      isWhole: rows.some((row) => row.state === 'done' && row.startedAt >= today),
      rowsIds: rows.flatMap((row) => (row.rows > 0 ? [row.requestId ?? row.id] : [])),
    };
  }

  async findLatest(team: string, table?: string): Promise<ReadonlyMap<string, TableRunRow>> {
    const isSelected = and(
      eq(tableRuns.teamId, team),
      table === undefined ? undefined : eq(tableRuns.tableId, table),
    );
    const newest = this.#orm
      .select({ table: tableRuns.tableId, at: sql`max(${tableRuns.startedAt})` })
      .from(tableRuns)
      .where(isSelected)
      .groupBy(tableRuns.tableId);
    const latest = await this.#orm
      .select()
      .from(tableRuns)
      .where(and(isSelected, sql`(${tableRuns.tableId}, ${tableRuns.startedAt}) IN ${newest}`));
    return new Map(latest.map((row) => [row.tableId, row]));
  }

  /** Returns the run that ordered a data request. */
  getByRequest(request: string): Promise<TableRunRow | undefined> {
    return this.#orm.select().from(tableRuns).where(eq(tableRuns.requestId, request)).get();
  }
}
