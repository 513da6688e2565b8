// Repository of registered tables and the changes that open sheets poll for.
import { and, asc, desc, eq, gt, gte, isNotNull, lt, max, notExists, type SQL, sql } from 'drizzle-orm';
import { type DrizzleD1Database, drizzle } from 'drizzle-orm/d1';
import { maxTables } from '../../shared/api/tables.ts';
import type { Family } from '../../shared/families/index.ts';
import { selectRequestFamily } from '../data-requests/repository.ts';
import {
  type ChangeRow,
  changes,
  type PushRow,
  pushes,
  schedules,
  type TableRow,
  type TableRunRow,
  tableRuns,
  tables,
} from '../db/schema.ts';

/** How long changes are kept. A table without changes for this long may be evicted when its team is at the limit. */
export const CHANGE_RETENTION_MS = 30 * 86_400_000;

/** The state of the newest push of a table. */
export type LatestPush = Pick<PushRow, 'tableId' | 'state' | 'landed' | 'problem' | 'updatedAt'>;

/** A recorded change with the family of its rows. */
export type ChangeEntry = Pick<ChangeRow, 'number' | 'kind' | 'subject' | 'run' | 'at'> & { family: Family };

/** Reads and writes registered tables in D1. */
export class TableStore {
  readonly #orm: DrizzleD1Database;

  constructor(db: D1Database) {
    this.#orm = drizzle(db);
  }

  /** Returns a table of a team; undefined also where it belongs to another team. */
  get(team: string, id: string): Promise<TableRow | undefined> {
    return this.#orm.select().from(tables).where(isTable(team, id)).get();
  }

  /** Lists the tables of a team, newest first. */
  list(team: string): Promise<TableRow[]> {
    return this.#orm
      .select()
      .from(tables)
      .where(eq(tables.teamId, team))
      .orderBy(desc(tables.createdAt), desc(tables.id))
      .all();
  }

  /**
   * Inserts or updates a table. An update keeps the registering token and the creation time. While the source stays the
   * same, `asOf` never moves back, so that runs do not buy the same rows again. At the team's limit, evicts the table
   * that has been idle longest.
   * @returns undefined when the team is at its limit and no table is idle
   */
  async put(row: TableRow): Promise<TableRow | undefined> {
    const stored = await this.#upsert(row);
    if (stored !== undefined) return stored;
    const { teamId, updatedAt } = row;
    const idle = await this.#findIdleTable(teamId, updatedAt - CHANGE_RETENTION_MS);
    if (idle === undefined) return undefined;
    await this.remove(teamId, idle);
    return this.#upsert(row);
  }

  /** Finds the table that has been idle longest: no push, no schedule, no change since `before`. */
  async #findIdleTable(team: string, before: number): Promise<string | undefined> {
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

  async #upsert(row: TableRow): Promise<TableRow | undefined> {
    const { teamId, tokenId: _, createdAt: __, id, ...change } = row;
    const count = sql`(SELECT count(*) FROM ${tables} WHERE ${eq(tables.teamId, teamId)})`;
    const exists = sql`EXISTS (SELECT 1 FROM ${tables} WHERE ${isTable(teamId, id)})`;
    const source = JSON.stringify(row.source);
    const isSameSource = sql`${tables.source} = ${source} AND ${tables.family} = ${row.family}`;
    const asOf = sql`CASE WHEN ${isSameSource} THEN max(${tables.asOf}, ${row.asOf}) ELSE ${row.asOf} END`;
    // One statement: concurrent registrations cannot exceed the limit together.
    const [stored] = await this.#orm
      .insert(tables)
      .select(
        sql`SELECT ${id}, ${teamId}, ${row.tokenId}, ${row.title}, ${row.family}, ${row.spreadsheetId}, ${row.sheetId},
          ${row.headingRow}, ${JSON.stringify(row.columns)}, ${source}, ${row.requestId}, ${row.mode},
          ${Number(row.push)}, ${row.asOf}, ${row.createdAt}, ${row.updatedAt}
          WHERE ${count} < ${maxTables} OR ${exists}`,
      )
      .onConflictDoUpdate({ target: [tables.teamId, tables.id], set: { ...change, asOf } })
      .returning();
    return stored;
  }

  /** Stores where the heading row was last found. */
  async setHeadingRow(team: string, id: string, headingRow: number): Promise<void> {
    await this.#orm.update(tables).set({ headingRow }).where(isTable(team, id));
  }

  /** Deletes a table with its schedule, pushes and changes. The sweep deletes its runs. */
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

  /** Lists the newest push of each table of a team, or of one table. */
  listLatestPushes(team: string, table?: string): Promise<LatestPush[]> {
    return this.#orm
      .select({
        tableId: pushes.tableId,
        state: pushes.state,
        landed: pushes.landed,
        problem: pushes.problem,
        updatedAt: pushes.updatedAt,
        // SQLite takes the other columns from the row with the maximum (sqlite.org/lang_select.html, "Bare columns").
        newest: max(pushes.createdAt),
      })
      .from(pushes)
      .where(and(eq(pushes.teamId, team), table === undefined ? undefined : eq(pushes.tableId, table)))
      .groupBy(pushes.tableId)
      .all();
  }

  /**
   * Lists the changes of a team in order. Omits changes of deleted tables.
   * @param after - number of the last change that the caller knows
   * @param since - milliseconds since 1970
   */
  listChanges(team: string, after: number, since: number, limit: number): Promise<ChangeEntry[]> {
    const { number, kind, subject, run, at } = changes;
    const family = sql<Family>`coalesce(
      CASE WHEN ${kind} = 'request' THEN ${selectRequestFamily(subject)} END, ${tables.family})`;
    return this.#orm
      .select({ number, kind, subject, run, at, family })
      .from(changes)
      .leftJoin(tables, and(eq(kind, 'table'), isTable(team, sql`${subject}`)))
      .where(and(eq(changes.teamId, team), gt(number, after), gte(at, since), isNotNull(family)))
      .orderBy(asc(number))
      .limit(limit)
      .all();
  }

  /** Returns a run of a team's table. */
  run(team: string, table: string, id: string): Promise<TableRunRow | undefined> {
    return this.#orm
      .select()
      .from(tableRuns)
      .where(and(eq(tableRuns.id, id), eq(tableRuns.teamId, team), eq(tableRuns.tableId, table)))
      .get();
  }

  /**
   * Returns the id under which rows are stored: for a run that ordered a data request, the id of that request.
   * @param id - id of a data request or a run
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
