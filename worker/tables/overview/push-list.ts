// Lists pushes of all teams for the admin.
import { and, asc, desc, eq, inArray, sql } from 'drizzle-orm';
import { drizzle } from 'drizzle-orm/d1';
import { type PushRow, pushes, tables } from '../../db/schema.ts';
import { selectTeamName } from '../../gateway/auth/team-repository.ts';
import { selectDueAt } from '../../queue/jobs.ts';

export interface ListedPush {
  push: PushRow;
  status: PushStatus;
  /** Time of the next attempt; null if there is none. */
  dueAt: number | null;
  /** Null if the table was deleted. */
  title: string | null;
  /** Null if there is no such team. */
  teamName: string | null;
}

/** States of a push. `stopped`: it waits until another token takes its table over. */
export type PushStatus = PushRow['state'] | 'stopped';

const dueAt = selectDueAt('push', pushes.id);
const status = sql<PushStatus>`CASE WHEN ${pushes.state} = 'waiting' AND ${dueAt} IS NULL THEN 'stopped' ELSE ${pushes.state} END`;

const selectListed = (db: D1Database) =>
  drizzle(db)
    .select({ push: pushes, status, dueAt, title: tables.title, teamName: selectTeamName(pushes.teamId) })
    .from(pushes)
    .leftJoin(tables, and(eq(tables.teamId, pushes.teamId), eq(tables.id, pushes.tableId)));

/** Lists pushes of rows, the oldest first. */
export function listPushesOfRows(
  db: D1Database,
  team: string,
  rowsIds: readonly string[],
  limit: number,
): Promise<ListedPush[]> {
  return selectListed(db)
    .where(and(eq(pushes.teamId, team), inArray(pushes.rowsId, [...rowsIds])))
    .orderBy(asc(pushes.createdAt), asc(pushes.id))
    .limit(limit)
    .all();
}

const rowid = sql`${pushes}.rowid`;

export function findListedPush(db: D1Database, id: string): Promise<ListedPush | undefined> {
  return selectListed(db).where(eq(pushes.id, id)).get();
}

/**
 * Lists a page of pushes, the newest first: in the order of their insertion, which needs no index.
 * @param after - id of the last push of the previous page
 */
export function listPushes(
  db: D1Database,
  { team, status: wanted }: { team: string | undefined; status: PushStatus | undefined },
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
        wanted === undefined ? undefined : eq(status, wanted),
        isOlder,
      ),
    )
    .orderBy(desc(rowid))
    .limit(limit)
    .all();
}
