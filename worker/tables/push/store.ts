// Repository of pushes. The pushes to one table have one concurrency key: rows arrive in the order in which they became ready.
import { and, eq, type SQL, sql } from 'drizzle-orm';
import { type DrizzleD1Database, drizzle } from 'drizzle-orm/d1';
import { type PushRow, pushes, tables } from '../../db/schema.ts';
import { type LeasedJob, postponeJobs, putJobsFrom } from '../../queue/jobs.ts';

/**
 * Head start of open sheets, which poll every half minute and write new rows themselves. Two concurrent writers would
 * both append the same rows.
 */
export const PUSH_DELAY_MS = 120_000;

/** Reads and writes pushes in D1. */
export class PushStore {
  readonly #orm: DrizzleD1Database;

  constructor(db: D1Database) {
    this.#orm = drizzle(db);
  }

  get(id: string): Promise<PushRow | undefined> {
    return this.#orm.select().from(pushes).where(eq(pushes.id, id)).get();
  }

  /** Updates the push of a leased job. @returns false when the lease is lost */
  async update(
    job: LeasedJob,
    change: Partial<Pick<PushRow, 'state' | 'after' | 'rowsWritten' | 'attempts' | 'problem' | 'updatedAt'>>,
  ): Promise<boolean> {
    const { meta } = await this.#orm
      .update(pushes)
      .set(change)
      .where(and(eq(pushes.id, job.id), eq(pushes.state, 'waiting'), job.isHeld));
    return meta.changes > 0;
  }

  async remove(job: LeasedJob): Promise<void> {
    await this.#orm.delete(pushes).where(and(eq(pushes.id, job.id), job.isHeld));
  }

  /**
   * Postpones pushes while an open sheet reads their rows. A push in progress loses its lease and resumes later.
   * @param table - default: all tables that receive the rows
   */
  async postponeForReader(team: string, rowsId: string, now: number, table?: string): Promise<void> {
    const postponed = this.#orm
      .select({ id: pushes.id })
      .from(pushes)
      .where(
        and(
          eq(pushes.teamId, team),
          table === undefined ? undefined : eq(pushes.tableId, table),
          eq(pushes.rowsId, rowsId),
          eq(pushes.state, 'waiting'),
        ),
      );
    await postponeJobs(this.#orm, 'push', postponed, now + PUSH_DELAY_MS);
  }

  /** Builds the statement that plans the jobs of waiting pushes that have none. @param delayMs - from their last change */
  #putJobs(condition: SQL | undefined, delayMs: number) {
    return putJobsFrom(this.#orm, 'push', {
      id: pushes.id,
      concurrencyKey: sql`${pushes.teamId} || '/' || ${pushes.tableId}`,
      createdAt: pushes.createdAt,
      dueAt: sql`${pushes.updatedAt} + ${delayMs}`,
      from: sql`${pushes} WHERE ${and(eq(pushes.state, 'waiting'), condition)}`,
    });
  }

  /** Restarts a failed push and the pushes to its table that completed after it, so that newer values win. */
  async replay(id: string, now: number): Promise<void> {
    const push = await this.get(id);
    if (push === undefined || push.state === 'waiting') return;
    const restarted = {
      state: 'waiting',
      after: null,
      rowsWritten: 0,
      attempts: 0,
      problem: null,
      updatedAt: now,
    } as const;
    const isOfTable = and(eq(pushes.teamId, push.teamId), eq(pushes.tableId, push.tableId));
    await this.#orm.batch([
      this.#orm
        .update(pushes)
        .set(restarted)
        .where(
          and(
            isOfTable,
            sql`(${pushes.id} = ${id} OR (${pushes.state} = 'done'
            AND (${pushes.createdAt}, ${pushes.id}) > (${push.createdAt}, ${push.id})))`,
          ),
        ),
      this.#putJobs(isOfTable, 0),
    ]);
  }

  /**
   * Builds the statements that create a push, with its job, for each table with pushes that receives the rows. Existing pushes
   * stay unchanged.
   * @param from - the data request that delivered the rows, or the table of the run
   * @param rowsId - id under which the rows are stored
   * @returns statements; the first returns the ids of new pushes
   */
  insertStatements(
    teamId: string,
    from: { requestId: string } | { tableId: string },
    rowsId: string,
    now: number,
  ) {
    const isReceiver = and(
      eq(tables.teamId, teamId),
      eq(tables.push, true),
      'requestId' in from ? eq(tables.requestId, from.requestId) : eq(tables.id, from.tableId),
    );
    // The columns of `pushes`, in their order.
    const source = sql`SELECT lower(hex(randomblob(16))), ${tables.teamId}, ${tables.id}, ${rowsId}, 'waiting', NULL,
      0, 0, NULL, ${now}, ${now} FROM ${tables} WHERE ${isReceiver}`;
    return [
      this.#orm.insert(pushes).select(source).onConflictDoNothing().returning({ id: pushes.id }),
      this.#putJobs(and(eq(pushes.teamId, teamId), eq(pushes.rowsId, rowsId)), PUSH_DELAY_MS),
    ] as const;
  }
}
