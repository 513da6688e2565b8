// Repository of registered tables and the changes that open sheets poll for.
import { and, asc, desc, eq, gt, gte, isNotNull, lt, max, not, notExists, type SQL, sql } from 'drizzle-orm';
import { type DrizzleD1Database, drizzle } from 'drizzle-orm/d1';
import type { Query } from '../../shared/api/query.ts';
import type { NamedColumn } from '../../shared/api/tables.ts';
import { maxTables } from '../../shared/api/tables.ts';
import type { Family } from '../../shared/families/index.ts';
import { hasPreviewField } from '../../shared/families/previews.ts';
import { selectRequestFamily } from '../data-requests/repository.ts';
import {
  type ChangeRow,
  changes,
  type PushRow,
  pushes,
  schedules,
  type TableRow,
  type TableRunRow,
  tableReports,
  tableRuns,
  tables,
} from '../db/schema.ts';
import { isValidToken } from '../gateway/auth/team-repository.ts';
import { resumeJobs } from '../queue/jobs.ts';
import type { PushTarget } from './push/find-table.ts';

/** How long changes are kept. A table without changes for this long may be evicted when its team is at the limit. */
export const CHANGE_DAYS = 30;
export const CHANGE_RETENTION_MS = CHANGE_DAYS * 86_400_000;

export type LatestPush = Pick<PushRow, 'tableId' | 'state' | 'rowsWritten' | 'problem' | 'updatedAt'>;

export type ChangeEntry = Pick<ChangeRow, 'number' | 'kind' | 'subject' | 'run' | 'at'> & {
  family: Family;
  operation: FillOperation;
};

/** Where rows are stored, and the operation that bought them. */
export interface RowsSource {
  /** For a run that ordered a data request, the id of that request. */
  requestId: string;
  operation: FillOperation;
  /** Rows of an assistant, as in {@link isAddition}: existing ones stay as they are. */
  isAddition: boolean;
}

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
   * Inserts or replaces a table, and lets its token pay for the schedule and vouch for pushes from then on. Pushes that
   * had stopped continue. A replaced table keeps its creation time. While the source stays the same, `asOf` never moves
   * back, so that runs do not buy the same rows again. At the team's limit, evicts the table that has been idle longest.
   * @param query - new query of the schedule; absent if it stays the same
   * @returns undefined when the team is at its limit and no table is idle
   */
  async put(row: TableRow, query?: Query | null): Promise<TableRow | undefined> {
    const stored = await this.#upsert(row, query);
    if (stored !== undefined) return stored;
    const { teamId, updatedAt } = row;
    const idle = await this.#findIdleTable(teamId, updatedAt - CHANGE_RETENTION_MS);
    if (idle === undefined) return undefined;
    await this.remove(teamId, idle);
    return this.#upsert(row, query);
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

  async #upsert(row: TableRow, query: Query | null | undefined): Promise<TableRow | undefined> {
    const { teamId, createdAt: _, id, ...change } = row;
    const count = sql`(SELECT count(*) FROM ${tables} WHERE ${eq(tables.teamId, teamId)})`;
    const exists = sql`EXISTS (SELECT 1 FROM ${tables} WHERE ${isTable(teamId, id)})`;
    const source = JSON.stringify(row.source);
    const isSameSource = sql`${tables.source} = ${source} AND ${tables.family} = ${row.family}`;
    // Headings are written once in a sheet.
    const isSameSheet = sql`${tables.spreadsheetId} = ${row.spreadsheetId} AND ${tables.sheetId} = ${row.sheetId}`;
    const awaitsHeadings = sql`CASE WHEN ${isSameSheet} THEN ${tables.awaitsHeadings} ELSE ${Number(row.awaitsHeadings)} END`;
    const asOf = sql`CASE WHEN ${isSameSource} THEN max(${tables.asOf}, ${row.asOf}) ELSE ${row.asOf} END`;
    // One statement: concurrent registrations cannot exceed the limit together.
    const upsert = this.#orm
      .insert(tables)
      .select(
        sql`SELECT ${id}, ${teamId}, ${row.tokenId}, ${row.title}, ${row.family}, ${row.spreadsheetId}, ${row.sheetId},
          ${JSON.stringify(row.columns)}, ${source}, ${row.requestId}, ${row.mode}, ${Number(row.push)},
          ${Number(row.awaitsHeadings)}, ${row.asOf}, ${row.createdAt}, ${row.updatedAt}
          WHERE ${count} < ${maxTables} OR ${exists}`,
      )
      .onConflictDoUpdate({ target: [tables.teamId, tables.id], set: { ...change, awaitsHeadings, asOf } })
      .returning();
    // One transaction: no run may use the new query with the token of the old one.
    const [[stored]] = await this.#orm.batch([
      upsert,
      this.#orm
        .update(schedules)
        .set({ tokenId: row.tokenId, ...(query === undefined ? {} : { query }) })
        .where(and(eq(schedules.teamId, teamId), eq(schedules.tableId, id))),
      this.#resumePushes(row),
    ]);
    return stored;
  }

  /** Builds the statement that makes the stopped pushes of a table due. */
  #resumePushes({ teamId, id, updatedAt }: TableRow) {
    const isOfTable = and(eq(pushes.teamId, teamId), eq(pushes.tableId, id));
    const waiting = this.#orm
      .select({ id: pushes.id })
      .from(pushes)
      .where(and(isOfTable, eq(pushes.state, 'waiting')));
    return resumeJobs(this.#orm, 'push', waiting, updatedAt);
  }

  /**
   * Updates what changes neither the price nor the destination of rows. `asOf` never moves back.
   * @param takesPushesOver - whether its token vouches for pushes from then on
   */
  async update(row: TableRow, takesPushesOver: boolean): Promise<TableRow | undefined> {
    const { teamId, id, tokenId, title, columns, asOf } = row;
    const change = { title, columns, asOf: sql`max(${tables.asOf}, ${asOf})` };
    const update = this.#orm
      .update(tables)
      .set({ ...change, ...(takesPushesOver ? { tokenId } : {}) })
      .where(isTable(teamId, id))
      .returning();
    const [[stored]] = await this.#orm.batch(takesPushesOver ? [update, this.#resumePushes(row)] : [update]);
    return stored;
  }

  /**
   * Lists the ids of tables whose pushes have stopped, because the token that vouches for them is no longer valid.
   * @param table - default: all tables of the team
   */
  async listStoppedPushes(team: string, now: number, table?: string): Promise<string[]> {
    const rows = await this.#orm
      .select({ id: tables.id })
      .from(tables)
      .where(
        and(
          eq(tables.teamId, team),
          table === undefined ? undefined : eq(tables.id, table),
          eq(tables.push, true),
          not(isValidToken(tables.tokenId, tables.teamId, now)),
        ),
      );
    return rows.map(({ id }) => id);
  }

  /** Records that the headings are in the sheet. */
  async setPlaced(team: string, id: string): Promise<void> {
    await this.#orm.update(tables).set({ awaitsHeadings: false }).where(isTable(team, id));
  }

  /** Ends the pushes of a table after a restore of D1: its rows may go to a spreadsheet that it has left since. */
  async stopPushes(team: string, id: string): Promise<void> {
    await this.#orm.update(tables).set({ push: false }).where(isTable(team, id));
  }

  /** Deletes a table with its schedule, pushes and changes. The sweep deletes its runs. */
  async remove(team: string, id: string): Promise<void> {
    await this.#orm.batch([
      this.#orm.delete(tables).where(isTable(team, id)),
      this.#orm.delete(schedules).where(and(eq(schedules.teamId, team), eq(schedules.tableId, id))),
      this.#orm.delete(pushes).where(and(eq(pushes.teamId, team), eq(pushes.tableId, id))),
      this.#orm.delete(tableReports).where(and(eq(tableReports.teamId, team), eq(tableReports.tableId, id))),
      this.#orm
        .delete(changes)
        .where(and(eq(changes.teamId, team), eq(changes.kind, 'table'), eq(changes.subject, id))),
    ]);
  }

  listLatestPushes(team: string, table?: string): Promise<LatestPush[]> {
    return this.#orm
      .select({
        tableId: pushes.tableId,
        state: pushes.state,
        rowsWritten: pushes.rowsWritten,
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
    const operation = sql<FillOperation>`
      CASE WHEN ${kind} = 'request' OR ${tables.requestId} IS NOT NULL THEN 'bulk' ELSE 'preview' END`;
    return (
      this.#orm
        .select({ number, kind, subject, run, at, family, operation })
        .from(changes)
        .leftJoin(tables, and(eq(kind, 'table'), isTable(team, sql`${subject}`)))
        .leftJoin(tableReports, and(eq(tableReports.teamId, team), eq(tableReports.tableId, tables.id)))
        // The gateway alone writes the rows of a table that reports its changes, so that each is reported once.
        .where(
          and(
            eq(changes.teamId, team),
            gt(number, after),
            gte(at, since),
            isNotNull(family),
            sql`NOT (coalesce(${tables.push}, 0) AND (coalesce(${tableReports.changes}, 0) OR coalesce(${tableReports.snapshots}, 0) > 0 OR coalesce(${tableReports.assistants}, 0)))`,
          ),
        )
        .orderBy(asc(number))
        .limit(limit)
        .all()
    );
  }
}

/** Matches runs with rows of an assistant. */
export const isAddition = (): SQL<boolean> =>
  sql`${tableRuns.since} >= ${tableRuns.startedAt}`.mapWith(Boolean);

/** Returns where the rows of a run are stored, and the operation that bought them. */
export const toRowsSource = ({ id, requestId, since, startedAt }: TableRunRow): RowsSource => ({
  ...(requestId === null ? { requestId: id, operation: 'preview' } : { requestId, operation: 'bulk' }),
  isAddition: since >= startedAt,
});

const isTable = (team: string, id: string | SQL) => and(eq(tables.teamId, team), eq(tables.id, id));

type FillOperation = 'preview' | 'bulk';

/** Returns the operation that fills a table: previews of a search, or data requests. */
export function getFillOperation({ source }: Pick<TableRow, 'source'>): FillOperation {
  return source.kind === 'search' ? 'preview' : 'bulk';
}

/**
 * Selects the columns to read from incoming rows. A search schedule delivers previews, which lack most fields: those
 * columns keep their values in the sheet.
 */
export function incomingColumns({ source, family, columns }: TableRow): NamedColumn[] {
  return source.kind === 'search' ? columns.filter(({ path }) => hasPreviewField(family, path)) : columns;
}

/** Returns the table to write to. @param columns - those of the rows */
export const toPushTarget = (
  { id: tableId, spreadsheetId, sheetId, awaitsHeadings }: TableRow,
  columns: readonly NamedColumn[],
): PushTarget => ({
  spreadsheetId,
  sheetId,
  tableId,
  columns,
  keyId: columns.find(({ path }) => path === 'id')?.id ?? '',
  create: awaitsHeadings,
});
