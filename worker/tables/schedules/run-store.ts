// The one place where the runs of schedules are read, and noted as far as they are.
import { and, desc, eq, exists, gte, inArray, isNull, lt, ne, sql } from 'drizzle-orm';
import { type DrizzleD1Database, drizzle } from 'drizzle-orm/d1';
import {
  type ScheduleRow,
  type StoredProblem,
  type TableRunRow,
  tableRuns,
  tables,
} from '../../db/schema.ts';
import { DAY_MS, startOfDay, startOfMonth } from './timing.ts';

/** Runs whose rows may come again: a family that knows days alone tells of a day twice. */
const MAX_OVERLAPPING_RUNS = 60;
const OVERLAP_MS = 2 * 86_400_000;

/** By the hour, more runs than a schedule may have undelivered before it stops. */
const MAX_RUNS_CHECKED = 100;

/** What a team's schedules have done, by table. */
export interface RunHistory {
  latest: ReadonlyMap<string, TableRunRow>;
  /** Credits of this month. */
  monthCredits: ReadonlyMap<string, number>;
}

/** The runs of a deployment. */
export class RunStore {
  readonly #orm: DrizzleD1Database;

  constructor(db: D1Database) {
    this.#orm = drizzle(db);
  }

  get(id: string): Promise<TableRunRow | undefined> {
    return this.#orm.select().from(tableRuns).where(eq(tableRuns.id, id)).get();
  }

  /** Notes something about a run that has not ended. */
  async update(
    id: string,
    change: Partial<Pick<TableRunRow, 'pages' | 'snapshot' | 'requestId' | 'problem'>>,
  ): Promise<void> {
    await this.#orm
      .update(tableRuns)
      .set(change)
      .where(and(eq(tableRuns.id, id), eq(tableRuns.state, 'running')));
  }

  /** Notes that the next page of a run is in; to note it again changes nothing. */
  async recordPage(
    { id, page }: TableRunRow,
    brought: { snapshot: string | null; rows: number; credits: number },
  ): Promise<void> {
    await this.#orm
      .update(tableRuns)
      .set({
        page: page + 1,
        snapshot: brought.snapshot,
        rows: sql`${tableRuns.rows} + ${brought.rows}`,
        credits: sql`${tableRuns.credits} + ${brought.credits}`,
      })
      .where(and(eq(tableRuns.id, id), eq(tableRuns.page, page), eq(tableRuns.state, 'running')));
  }

  /** Notes credits that brought nothing. */
  async addCredits(id: string, credits: number): Promise<void> {
    if (credits === 0) return;
    await this.#orm
      .update(tableRuns)
      .set({ credits: sql`${tableRuns.credits} + ${credits}` })
      .where(and(eq(tableRuns.id, id), eq(tableRuns.state, 'running')));
  }

  /** Notes what a data request brought for a run, and cost. */
  async recordRequestResult(id: string, brought: Pick<TableRunRow, 'rows' | 'credits'>): Promise<void> {
    await this.#orm
      .update(tableRuns)
      .set(brought)
      .where(and(eq(tableRuns.id, id), eq(tableRuns.state, 'running')));
  }

  /** Notes how many rows a run had brought when its schedule was ended. */
  async recordCancelledRows(id: string, rows: number): Promise<void> {
    await this.#orm
      .update(tableRuns)
      .set({ rows })
      .where(and(eq(tableRuns.id, id), eq(tableRuns.state, 'failed')));
  }

  /** Ends a run; where it ended well, what was new until it began is in its table. */
  async finish(run: TableRunRow, problem: StoredProblem | null, now: number): Promise<void> {
    const { id, teamId, tableId, startedAt } = run;
    const isDone = and(eq(tableRuns.id, id), eq(tableRuns.state, 'done'));
    const end = this.#orm
      .update(tableRuns)
      .set({ state: problem === null ? 'done' : 'failed', problem, endedAt: now })
      .where(and(eq(tableRuns.id, id), eq(tableRuns.state, 'running')));
    const move = this.#orm
      .update(tables)
      .set({ asOf: startedAt })
      .where(
        and(
          eq(tables.teamId, teamId),
          eq(tables.id, tableId),
          lt(tables.asOf, startedAt),
          // One that was given up meanwhile has not brought everything.
          exists(this.#orm.select({ id: tableRuns.id }).from(tableRuns).where(isDone)),
        ),
      );
    await (problem === null ? this.#orm.batch([end, move]) : end);
  }

  /** Notes that the rows of a run have arrived in a spreadsheet. */
  async markDelivered(id: string, now: number): Promise<void> {
    await this.#orm
      .update(tableRuns)
      .set({ deliveredAt: now })
      .where(and(eq(tableRuns.id, id), isNull(tableRuns.deliveredAt)));
  }

  /**
   * Runs with rows that no spreadsheet has picked up, as far as none behind them was; since the schedule was put.
   * @returns how many, and when the first of them ended: milliseconds since 1970
   */
  async findUndelivered({
    teamId,
    tableId,
    updatedAt,
  }: ScheduleRow): Promise<{ runs: number; since: number } | undefined> {
    const ended = await this.#orm
      .select({ endedAt: tableRuns.endedAt, deliveredAt: tableRuns.deliveredAt })
      .from(tableRuns)
      .where(
        and(
          eq(tableRuns.teamId, teamId),
          eq(tableRuns.tableId, tableId),
          gte(tableRuns.startedAt, updatedAt),
          ne(tableRuns.state, 'running'),
          sql`${tableRuns.rows} > 0`,
        ),
      )
      .orderBy(desc(tableRuns.startedAt))
      .limit(MAX_RUNS_CHECKED);
    const picked = ended.findIndex(({ deliveredAt }) => deliveredAt !== null);
    const waiting = picked < 0 ? ended : ended.slice(0, picked);
    const since = waiting.at(-1)?.endedAt ?? null;
    return since === null ? undefined : { runs: waiting.length, since };
  }

  /** How many of the last runs have failed one after the other since the schedule was put. */
  async countConsecutiveFailures({ teamId, tableId, updatedAt }: ScheduleRow, most: number): Promise<number> {
    const rows = await this.#orm
      .select({ state: tableRuns.state })
      .from(tableRuns)
      .where(
        and(
          eq(tableRuns.teamId, teamId),
          eq(tableRuns.tableId, tableId),
          gte(tableRuns.startedAt, updatedAt),
          inArray(tableRuns.state, ['done', 'failed']),
        ),
      )
      .orderBy(desc(tableRuns.startedAt))
      .limit(most);
    const ended = rows.findIndex(({ state }) => state === 'done');
    return ended < 0 ? rows.length : ended;
  }

  /** Runs with rows of their own that may stand among what a run brings; the newest first. */
  async listOverlappingRuns({ id, teamId, tableId, since }: TableRunRow): Promise<string[]> {
    const rows = await this.#orm
      .select({ id: tableRuns.id })
      .from(tableRuns)
      .where(
        and(
          eq(tableRuns.teamId, teamId),
          eq(tableRuns.tableId, tableId),
          gte(tableRuns.startedAt, since - OVERLAP_MS),
          ne(tableRuns.state, 'running'),
          isNull(tableRuns.requestId),
          isNull(tableRuns.clearedAt),
          sql`${tableRuns.rows} > 0`,
        ),
      )
      .orderBy(desc(tableRuns.startedAt))
      .limit(MAX_OVERLAPPING_RUNS);
    return rows.map((row) => row.id).filter((other) => other !== id);
  }

  /**
   * What runs before one have brought of the days that it asks for.
   * @param registeredAt - what came before then is of a table that may have been another
   * @returns under which ids the rows are kept, and whether a run of its day has asked for everything
   */
  async getDayCoverage(
    { id, teamId, tableId, since, startedAt }: TableRunRow,
    registeredAt: number,
  ): Promise<{ isWhole: boolean; rowsIds: string[] }> {
    const rows = await this.#orm
      .select()
      .from(tableRuns)
      .where(
        and(
          eq(tableRuns.teamId, teamId),
          eq(tableRuns.tableId, tableId),
          gte(tableRuns.startedAt, Math.max(registeredAt, startOfDay(since) - DAY_MS)),
          ne(tableRuns.id, id),
          ne(tableRuns.state, 'running'),
          isNull(tableRuns.clearedAt),
        ),
      );
    const today = startOfDay(startedAt);
    return {
      isWhole: rows.some((row) => row.state === 'done' && row.startedAt >= today),
      rowsIds: rows.flatMap((row) => (row.rows > 0 ? [row.requestId ?? row.id] : [])),
    };
  }

  /** The last runs and what this month has cost, of a team's tables or of one. */
  async getHistory(team: string, now: number, table?: string): Promise<RunHistory> {
    const mine = and(
      eq(tableRuns.teamId, team),
      table === undefined ? undefined : eq(tableRuns.tableId, table),
    );
    const newest = this.#orm
      .select({ table: tableRuns.tableId, at: sql`max(${tableRuns.startedAt})` })
      .from(tableRuns)
      .where(mine)
      .groupBy(tableRuns.tableId);
    const [last, spent] = await this.#orm.batch([
      this.#orm
        .select()
        .from(tableRuns)
        .where(and(mine, sql`(${tableRuns.tableId}, ${tableRuns.startedAt}) IN ${newest}`)),
      this.#orm
        .select({ table: tableRuns.tableId, credits: sql<number>`sum(${tableRuns.credits})` })
        .from(tableRuns)
        .where(and(mine, gte(tableRuns.startedAt, startOfMonth(now))))
        .groupBy(tableRuns.tableId),
    ]);
    return {
      latest: new Map(last.map((row) => [row.tableId, row])),
      monthCredits: new Map(spent.map((row) => [row.table, row.credits])),
    };
  }

  /** Forgets runs whose rows have been gone since then. */
  async deleteClearedBefore(before: number): Promise<void> {
    await this.#orm.delete(tableRuns).where(lt(tableRuns.clearedAt, before));
  }

  /** The run that a data request was made for. */
  getByRequest(request: string): Promise<TableRunRow | undefined> {
    return this.#orm.select().from(tableRuns).where(eq(tableRuns.requestId, request)).get();
  }
}
