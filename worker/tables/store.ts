// The one place where registered tables are read and changed.
import { and, asc, desc, eq, gt, gte, isNotNull, lt, max, notExists, or, type SQL, sql } from 'drizzle-orm';
import { type DrizzleD1Database, drizzle } from 'drizzle-orm/d1';
import { maxTables } from '../../shared/api/tables.ts';
import type { Family } from '../../shared/families/index.ts';
import {
  type ChangeRow,
  changes,
  type PushRow,
  pushes,
  requests,
  schedules,
  type TableRow,
  type TableRunRow,
  tableRuns,
  tables,
} from '../db/schema.ts';

/** What became ready is told for so long; a table into which nothing came since is remembered for its time alone. */
export const CHANGE_RETENTION_MS = 30 * 86_400_000;

/** What is told of a push; the newest one of a table is the one that counts. */
export type LatestPush = Pick<PushRow, 'tableId' | 'state' | 'landed' | 'problem' | 'updatedAt'>;

/** Something that became ready, and the family of its rows. */
export type ChangeEntry = Pick<ChangeRow, 'number' | 'kind' | 'subject' | 'run' | 'at'> & { family: Family };

/** The registered tables of a deployment. */
export class TableStore {
  readonly #orm: DrizzleD1Database;

  constructor(db: D1Database) {
    this.#orm = drizzle(db);
  }

  /** A team's own table; another's is as good as none. */
  get(team: string, id: string): Promise<TableRow | undefined> {
    return this.#orm.select().from(tables).where(isTable(team, id)).get();
  }

  /** All of a team, the newest first. */
  list(team: string): Promise<TableRow[]> {
    return this.#orm
      .select()
      .from(tables)
      .where(eq(tables.teamId, team))
      .orderBy(desc(tables.createdAt), desc(tables.id))
      .all();
  }

  /**
   * Puts a table in, or in the place of the one with the same id; that one keeps who registered it, and when. As long as its
   * rows come from the same source, what runs have brought stays in it: to say an earlier time does not buy it again. Where the
   * team has as many as it may, the one that has rested longest gives way.
   * @returns undefined where none of them rests
   */
  async put(row: TableRow): Promise<TableRow | undefined> {
    const put = await this.#put(row);
    if (put !== undefined) return put;
    const { teamId, updatedAt } = row;
    const rested = await this.#rested(teamId, updatedAt - CHANGE_RETENTION_MS);
    if (rested === undefined) return undefined;
    await this.remove(teamId, rested);
    return this.#put(row);
  }

  /** The table of a team that nothing has come into by itself for longest, and nothing will; all before some time. */
  async #rested(team: string, before: number): Promise<string | undefined> {
    const row = await this.#orm
      .select({ id: tables.id })
      .from(tables)
      .where(
        and(
          eq(tables.teamId, team),
          eq(tables.push, false),
          lt(tables.asOf, before),
          lt(tables.updatedAt, before),
          notExists(
            this.#orm
              .select({ id: schedules.tableId })
              .from(schedules)
              .where(and(eq(schedules.teamId, team), eq(schedules.tableId, tables.id))),
          ),
        ),
      )
      .orderBy(asc(tables.asOf))
      .limit(1)
      .get();
    return row?.id;
  }

  async #put(row: TableRow): Promise<TableRow | undefined> {
    const { teamId, tokenId: _, createdAt: __, id, ...change } = row;
    const count = sql`(SELECT count(*) FROM ${tables} WHERE ${eq(tables.teamId, teamId)})`;
    const isThere = sql`EXISTS (SELECT 1 FROM ${tables} WHERE ${isTable(teamId, id)})`;
    const source = JSON.stringify(row.source);
    const isSame = sql`${tables.source} = ${source} AND ${tables.family} = ${row.family}`;
    const asOf = sql`CASE WHEN ${isSame} THEN max(${tables.asOf}, ${row.asOf}) ELSE ${row.asOf} END`;
    // One statement, so that tables which are registered at once do not pass the bound together.
    const [put] = await this.#orm
      .insert(tables)
      .select(
        sql`SELECT ${id}, ${teamId}, ${row.tokenId}, ${row.title}, ${row.family}, ${row.spreadsheetId}, ${row.sheetId},
          ${row.headingRow}, ${JSON.stringify(row.columns)}, ${source}, ${row.requestId}, ${row.mode},
          ${Number(row.push)}, ${row.asOf}, ${row.createdAt}, ${row.updatedAt}
          WHERE ${count} < ${maxTables} OR ${isThere}`,
      )
      .onConflictDoUpdate({ target: [tables.teamId, tables.id], set: { ...change, asOf } })
      .returning();
    return put;
  }

  /** Notes where the heading row was seen. */
  async setHeadingRow(team: string, id: string, headingRow: number): Promise<void> {
    await this.#orm.update(tables).set({ headingRow }).where(isTable(team, id));
  }

  /** Removes a table, its schedule, and what waits for it. Its runs are left to the sweep. */
  async remove(team: string, id: string): Promise<void> {
    await this.#orm.batch([
      this.#orm.delete(tables).where(isTable(team, id)),
      this.#orm.delete(schedules).where(and(eq(schedules.teamId, team), eq(schedules.tableId, id))),
      this.#orm.delete(pushes).where(and(eq(pushes.teamId, team), eq(pushes.tableId, id))),
      this.#orm
        .delete(changes)
        .where(and(eq(changes.teamId, team), eq(changes.kind, 'table'), eq(changes.subject, id))),
    ]);
  }

  /** The newest push of each table of a team, or of one. */
  listLatestPushes(team: string, table?: string): Promise<LatestPush[]> {
    return this.#orm
      .select({
        tableId: pushes.tableId,
        state: pushes.state,
        landed: pushes.landed,
        problem: pushes.problem,
        updatedAt: pushes.updatedAt,
        // The other columns are of the row that has it (sqlite.org/lang_select.html, "Bare columns").
        newest: max(pushes.createdAt),
      })
      .from(pushes)
      .where(and(eq(pushes.teamId, team), table === undefined ? undefined : eq(pushes.tableId, table)))
      .groupBy(pushes.tableId)
      .all();
  }

  /**
   * What became ready for a team, in the order in which it did, without what is about a table that is gone.
   * @param after - the number of the last one that is known
   * @param since - milliseconds since 1970
   */
  listChanges(team: string, after: number, since: number, limit: number): Promise<ChangeEntry[]> {
    const { number, kind, subject, run: getRun, at } = changes;
    return this.#orm
      .select({
        number,
        kind,
        subject,
        run: getRun,
        at,
        family: sql<Family>`coalesce(${requests.family}, ${tables.family})`,
      })
      .from(changes)
      .leftJoin(requests, and(eq(kind, 'request'), eq(requests.id, subject)))
      .leftJoin(tables, and(eq(kind, 'table'), isTable(team, sql`${subject}`)))
      .where(
        and(
          eq(changes.teamId, team),
          gt(number, after),
          gte(at, since),
          or(isNotNull(requests.family), isNotNull(tables.family)),
        ),
      )
      .orderBy(asc(number))
      .limit(limit)
      .all();
  }

  /** A run of a table of a team. */
  run(team: string, table: string, id: string): Promise<TableRunRow | undefined> {
    return this.#orm
      .select()
      .from(tableRuns)
      .where(and(eq(tableRuns.id, id), eq(tableRuns.teamId, team), eq(tableRuns.tableId, table)))
      .get();
  }

  /**
   * Under which id rows are kept: a run that was a data request has none of its own.
   * @param id - of a data request or of a run
   */
  async getRowsId(id: string): Promise<string> {
    const run = await this.#orm
      .select({ requestId: tableRuns.requestId })
      .from(tableRuns)
      .where(eq(tableRuns.id, id))
      .get();
    return run?.requestId ?? id;
  }
}

const isTable = (team: string, id: string | SQL) => and(eq(tables.teamId, team), eq(tables.id, id));
