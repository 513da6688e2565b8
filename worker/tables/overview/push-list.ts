// Lists pushes of all teams for the admin.
import { and, asc, desc, eq, inArray, isNotNull, isNull, type SQL, sql } from 'drizzle-orm';
import { drizzle } from 'drizzle-orm/d1';
import { type PushRow, pushes, tables } from '../../db/schema.ts';
import { selectTeamName } from '../../gateway/auth/team-repository.ts';

/** A push with the title of its table. */
export interface PushWithTitle {
  push: PushRow;
  /** Null if the table was deleted. */
  title: string | null;
}

/** A push with the names of its team and table. */
export interface ListedPush extends PushWithTitle {
  /** Null if there is no such team. */
  teamName: string | null;
}

/** States of a push. `stopped`: it waits until another token takes its table over. */
export type PushStatus = PushRow['state'] | 'stopped';

/** Returns the state of a push as people see it. */
export const getPushStatus = ({ state, dueAt }: PushRow): PushStatus =>
  state === 'waiting' && dueAt === null ? 'stopped' : state;

function hasStatus(status: PushStatus): SQL | undefined {
  switch (status) {
    case 'stopped':
      return and(eq(pushes.state, 'waiting'), isNull(pushes.dueAt));
    case 'waiting':
      return and(eq(pushes.state, 'waiting'), isNotNull(pushes.dueAt));
    default:
      return eq(pushes.state, status);
  }
}

const isTable = and(eq(tables.teamId, pushes.teamId), eq(tables.id, pushes.tableId));

/** Lists pushes of rows, the oldest first. */
export function listPushesOfRows(
  db: D1Database,
  team: string,
  rowsIds: readonly string[],
  limit: number,
): Promise<PushWithTitle[]> {
  return drizzle(db)
    .select({ push: pushes, title: tables.title })
    .from(pushes)
    .leftJoin(tables, isTable)
    .where(and(eq(pushes.teamId, team), inArray(pushes.rowsId, [...rowsIds])))
    .orderBy(asc(pushes.createdAt), asc(pushes.id))
    .limit(limit)
    .all();
}

const rowid = sql`${pushes}.rowid`;

const selectListed = (db: D1Database) =>
  drizzle(db)
    .select({ push: pushes, title: tables.title, teamName: selectTeamName(pushes.teamId) })
    .from(pushes)
    .leftJoin(tables, isTable);

/** Finds a push. */
export function findListedPush(db: D1Database, id: string): Promise<ListedPush | undefined> {
  return selectListed(db).where(eq(pushes.id, id)).get();
}

/**
 * Lists a page of pushes, the newest first: in the order of their insertion, which needs no index.
 * @param after - id of the last push of the previous page
 */
export function listPushes(
  db: D1Database,
  { team, status }: { team: string | undefined; status: PushStatus | undefined },
  after: string | undefined,
  limit: number,
): Promise<ListedPush[]> {
  const isOlder =
    after === undefined
      ? undefined
      : sql`${rowid} < (SELECT rowid FROM ${pushes} AS last WHERE last.id = ${after})`;
  return selectListed(db)
    .where(
      and(
        team === undefined ? undefined : eq(pushes.teamId, team),
        status === undefined ? undefined : hasStatus(status),
        isOlder,
      ),
    )
    .orderBy(desc(rowid))
    .limit(limit)
    .all();
}
