// Stores what the add-on did in sheets: one row for each run.

import { and, desc, eq, gte, inArray, lt } from 'drizzle-orm';
import { type DrizzleD1Database, drizzle } from 'drizzle-orm/d1';
import type { Family } from '../../../shared/families/index.ts';
import { DAY_MS } from '../../../shared/lib/durations.ts';
import { runs } from '../../db/schema.ts';

export const activityKeptDays = 90;

const RETENTION_MS = activityKeptDays * DAY_MS;
/** Runs that are kept of a team. */
export const maxRuns = 1000;

export type ActivityRow = typeof runs.$inferSelect;

/** The last noted run first; of those noted together, the last started. */
const newestFirst = [desc(runs.receivedAt), desc(runs.startedAt), desc(runs.id)] as const;

/** Runs of a deployment. */
export class ActivityRepository {
  readonly #orm: DrizzleD1Database;

  constructor(db: D1Database) {
    this.#orm = drizzle(db);
  }

  /**
   * Lists the newest runs of a team.
   * @param filter - null for all families
   */
  list(
    team: string,
    { families, kinds }: { families: readonly Family[] | null; kinds: readonly ActivityRow['kind'][] },
    now: number,
    limit: number,
  ): Promise<ActivityRow[]> {
    return this.#orm
      .select()
      .from(runs)
      .where(
        and(
          eq(runs.teamId, team),
          gte(runs.receivedAt, now - RETENTION_MS),
          families === null ? undefined : inArray(runs.family, [...families]),
          inArray(runs.kind, [...kinds]),
        ),
      )
      .orderBy(...newestFirst)
      .limit(limit)
      .all();
  }

  /**
   * Inserts a run, unless the team has one with the same id, and deletes runs beyond the team's limit.
   * @returns the stored run
   */
  async insert(row: ActivityRow): Promise<ActivityRow | undefined> {
    const isOwn = eq(runs.teamId, row.teamId);
    const beyondLimit = this.#orm
      .select({ id: runs.id })
      .from(runs)
      .where(isOwn)
      .orderBy(...newestFirst)
      .limit(maxRuns)
      .offset(maxRuns);
    const [, [stored]] = await this.#orm.batch([
      this.#orm.insert(runs).values(row).onConflictDoNothing(),
      this.#orm
        .select()
        .from(runs)
        .where(and(isOwn, eq(runs.id, row.id))),
      this.#orm.delete(runs).where(and(isOwn, lt(runs.receivedAt, row.receivedAt - RETENTION_MS))),
      this.#orm.delete(runs).where(and(isOwn, inArray(runs.id, beyondLimit))),
    ]);
    return stored;
  }
}
