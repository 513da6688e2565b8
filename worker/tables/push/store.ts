// Repository of pushes. `dueAt` is also the lease: a worker moves it forward, and updates apply only while it is unchanged.
import { and, asc, eq, exists, gt, lte, notExists, sql } from 'drizzle-orm';
import { type DrizzleD1Database, drizzle } from 'drizzle-orm/d1';
import { alias } from 'drizzle-orm/sqlite-core';
import { insertDeadLettersFrom } from '../../data-requests/dead-letters.ts';
import { type PushRow, pushes, tables } from '../../db/schema.ts';

/**
 * Head start of open sheets, which poll every half minute and write new rows themselves. Two concurrent writers would
 * both append the same rows.
 */
const PUSH_DELAY_MS = 120_000;
/** Queue delay of a new push. */
export const PUSH_DELAY_S = PUSH_DELAY_MS / 1000 + 1;
/** Longer than a call to Google and the longest delay before it. */
export const LEASE_MS = 240_000;
/** Pushes that one sweep enqueues. */
const MAX_DUE = 100;

const older = alias(pushes, 'older');

/** A lease of a push. */
export interface PushLease {
  id: string;
  dueAt: number;
}

export type PushChange = Partial<Omit<PushRow, 'id' | 'teamId' | 'tableId' | 'rowsId' | 'createdAt'>>;

const hasLease = ({ id, dueAt }: PushLease) =>
  and(eq(pushes.id, id), eq(pushes.state, 'waiting'), eq(pushes.dueAt, dueAt));

/** Reads and writes pushes in D1. */
export class PushStore {
  readonly #orm: DrizzleD1Database;

  constructor(db: D1Database) {
    this.#orm = drizzle(db);
  }

  get(id: string): Promise<PushRow | undefined> {
    return this.#orm.select().from(pushes).where(eq(pushes.id, id)).get();
  }

  /** Matches due pushes without an older waiting push to the same table: rows arrive in the order in which they became ready. */
  #isNext(now: number) {
    const olderPushes = this.#orm
      .select({ id: older.id })
      .from(older)
      .where(
        and(
          eq(older.teamId, pushes.teamId),
          eq(older.tableId, pushes.tableId),
          eq(older.state, 'waiting'),
          sql`(${older.createdAt}, ${older.id}) < (${pushes.createdAt}, ${pushes.id})`,
        ),
      );
    return and(eq(pushes.state, 'waiting'), lte(pushes.dueAt, now), notExists(olderPushes));
  }

  /** Lists ids of due pushes, longest overdue first. */
  async listDue(now: number): Promise<string[]> {
    const found = await this.#orm
      .select({ id: pushes.id })
      .from(pushes)
      .where(this.#isNext(now))
      .orderBy(asc(pushes.dueAt))
      .limit(MAX_DUE)
      .all();
    return found.map(({ id }) => id);
  }

  /** Lists ids of due pushes to a table: at most one. */
  async listDueForTable(
    { teamId, tableId }: Pick<PushRow, 'teamId' | 'tableId'>,
    now: number,
  ): Promise<string[]> {
    const found = await this.#orm
      .select({ id: pushes.id })
      .from(pushes)
      .where(and(eq(pushes.teamId, teamId), eq(pushes.tableId, tableId), this.#isNext(now)))
      .all();
    return found.map(({ id }) => id);
  }

  /**
   * Leases a due push.
   * @param dueAt - end of the lease
   * @returns undefined when the push is leased, has ended, or waits for an older one
   */
  async acquireLease(id: string, now: number, dueAt: number): Promise<PushRow | undefined> {
    const [leased] = await this.#orm
      .update(pushes)
      .set({ dueAt })
      .where(and(eq(pushes.id, id), this.#isNext(now)))
      .returning();
    return leased;
  }

  /** Releases all leases, after a restart. */
  async releaseAllLeases(now: number): Promise<void> {
    await this.#orm
      .update(pushes)
      .set({ dueAt: now })
      .where(and(eq(pushes.state, 'waiting'), gt(pushes.dueAt, now), lte(pushes.dueAt, now + LEASE_MS)));
  }

  /** Updates a leased push. @returns false when the lease is lost */
  async update(lease: PushLease, change: PushChange): Promise<boolean> {
    const { meta } = await this.#orm.update(pushes).set(change).where(hasLease(lease));
    return meta.changes > 0;
  }

  /** Ends a leased push and inserts a dead letter, in one transaction. */
  async fail(
    lease: PushLease,
    change: PushChange,
    error: string,
    letterId: string,
    at: number,
  ): Promise<void> {
    const letter = this.#orm
      .select({
        id: sql<string>`${letterId}`.as('id'),
        at: sql<number>`${at}`.as('at'),
        kind: sql<'push'>`'push'`.as('kind'),
        requestId: pushes.id,
        body: sql<string>`''`.as('body'),
        error: sql<string>`${error}`.as('error'),
        replayedAt: sql<null>`NULL`.as('replayed_at'),
      })
      .from(pushes)
      .where(hasLease(lease));
    await this.#orm.batch([
      insertDeadLettersFrom(this.#orm, letter),
      this.#orm.update(pushes).set(change).where(hasLease(lease)),
    ]);
  }

  /**
   * Postpones pushes while an open sheet reads their rows. A push in progress loses its lease and resumes later.
   * @param table - default: all tables that receive the rows
   */
  async postponeForReader(team: string, rowsId: string, now: number, table?: string): Promise<void> {
    await this.#orm
      .update(pushes)
      .set({ dueAt: sql`max(${pushes.dueAt} + 1, ${now + PUSH_DELAY_MS})` })
      .where(
        and(
          eq(pushes.teamId, team),
          table === undefined ? undefined : eq(pushes.tableId, table),
          eq(pushes.rowsId, rowsId),
          eq(pushes.state, 'waiting'),
        ),
      );
  }

  /**
   * Stops a leased push, and so the later ones of its table, until another token takes the table over.
   * @param token - the token that is no longer valid
   * @returns false when the lease is lost or the table has another token
   */
  async stop(lease: PushLease, { teamId, tableId }: PushRow, token: string, now: number): Promise<boolean> {
    const hasToken = this.#orm
      .select({ id: tables.id })
      .from(tables)
      .where(and(eq(tables.teamId, teamId), eq(tables.id, tableId), eq(tables.tokenId, token)));
    const { meta } = await this.#orm
      .update(pushes)
      .set({ dueAt: null, problem: null, updatedAt: now })
      .where(and(hasLease(lease), exists(hasToken)));
    return meta.changes > 0;
  }

  /** Deletes a leased push. */
  async remove(lease: PushLease): Promise<void> {
    await this.#orm.delete(pushes).where(hasLease(lease));
  }

  /**
   * Restarts a failed push and the pushes to its table that completed after it, so that newer values win.
   * @returns ids of the due pushes
   */
  async replay(id: string, now: number): Promise<string[]> {
    const push = await this.get(id);
    if (push === undefined || push.state === 'waiting') return [];
    const restarted = {
      state: 'waiting',
      after: null,
      landed: 0,
      tries: 0,
      problem: null,
      updatedAt: now,
      dueAt: now,
    } as const;
    await this.#orm
      .update(pushes)
      .set(restarted)
      .where(
        and(
          eq(pushes.teamId, push.teamId),
          eq(pushes.tableId, push.tableId),
          sql`(${pushes.id} = ${id} OR (${pushes.state} = 'done'
            AND (${pushes.createdAt}, ${pushes.id}) > (${push.createdAt}, ${push.id})))`,
        ),
      );
    return this.listDueForTable(push, now);
  }

  /**
   * Builds the statement that creates a push for each table with pushes that receives the rows. Existing pushes stay
   * unchanged.
   * @param from - the data request that delivered the rows, or the table of the run
   * @param rowsId - id under which the rows are stored
   * @returns a statement that returns the ids of new pushes
   */
  insertStatement(
    teamId: string,
    from: { requestId: string } | { tableId: string },
    rowsId: string,
    now: number,
  ) {
    const source = this.#orm
      .select({
        id: sql<string>`lower(hex(randomblob(16)))`.as('id'),
        teamId: tables.teamId,
        tableId: tables.id,
        rowsId: sql<string>`${rowsId}`.as('rows_id'),
        state: sql<'waiting'>`'waiting'`.as('state'),
        after: sql<null>`NULL`.as('after'),
        landed: sql<number>`0`.as('landed'),
        tries: sql<number>`0`.as('tries'),
        problem: sql<null>`NULL`.as('problem'),
        createdAt: sql<number>`${now}`.as('created_at'),
        updatedAt: sql<number>`${now}`.as('updated_at'),
        dueAt: sql<number>`${now + PUSH_DELAY_MS}`.as('due_at'),
      })
      .from(tables)
      .where(
        and(
          eq(tables.teamId, teamId),
          eq(tables.push, true),
          'requestId' in from ? eq(tables.requestId, from.requestId) : eq(tables.id, from.tableId),
        ),
      );
    return this.#orm.insert(pushes).select(source).onConflictDoNothing().returning({ id: pushes.id });
  }
}
