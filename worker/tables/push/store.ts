// Pushes on their way. Whoever works on one holds a lease: the time by which it is due again, which nobody else has read. Each
// change names the lease, so that whoever has lost it changes nothing.
import { and, asc, eq, gt, lte, notExists, sql } from 'drizzle-orm';
import { type DrizzleD1Database, drizzle } from 'drizzle-orm/d1';
import { alias } from 'drizzle-orm/sqlite-core';
import { insertDeadLettersFrom } from '../../data-requests/dead-letters.ts';
import { type PushRow, pushes, tables } from '../../db/schema.ts';

/**
 * An open sheet writes rows that arrive itself, and looks for them each half minute. It goes first: two who write the same
 * rows at the same moment would both add them.
 */
const PUSH_DELAY_MS = 120_000;
/** When to look at a push that was made just now. */
export const PUSH_DELAY_S = PUSH_DELAY_MS / 1000 + 1;
/** Longer than a call of Google's and the longest pause before one. */
export const LEASE_MS = 240_000;
/** Pushes that one sweep finds. */
const MAX_DUE = 100;

const older = alias(pushes, 'older');

/** Somebody's push, and the lease on it. */
export interface PushLease {
  id: string;
  /** Milliseconds since 1970. */
  dueAt: number;
}

/** What is to be different; what is absent stays. */
export type PushChange = Partial<Omit<PushRow, 'id' | 'teamId' | 'tableId' | 'rowsId' | 'createdAt'>>;

const hasLease = ({ id, dueAt }: PushLease) =>
  and(eq(pushes.id, id), eq(pushes.state, 'waiting'), eq(pushes.dueAt, dueAt));

/** The pushes of a deployment. */
export class PushStore {
  readonly #orm: DrizzleD1Database;

  constructor(db: D1Database) {
    this.#orm = drizzle(db);
  }

  get(id: string): Promise<PushRow | undefined> {
    return this.#orm.select().from(pushes).where(eq(pushes.id, id)).get();
  }

  /** Is due, and no older one goes to the same table: rows get there in the order in which they became ready. */
  #isNext(now: number) {
    const before = this.#orm
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
    return and(eq(pushes.state, 'waiting'), lte(pushes.dueAt, now), notExists(before));
  }

  /** Ids of pushes that somebody is to work on, those first that are due for the longest time. */
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

  /** Ids of the pushes to a table that somebody is to work on: one at most. */
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
   * Takes the lease of a push that is due.
   * @param dueAt - until when
   * @returns undefined where somebody else has it, where it is not its turn, or where it has ended
   */
  async acquireLease(id: string, now: number, dueAt: number): Promise<PushRow | undefined> {
    const [taken] = await this.#orm
      .update(pushes)
      .set({ dueAt })
      .where(and(eq(pushes.id, id), this.#isNext(now)))
      .returning();
    return taken;
  }

  /** Nobody holds any push: those that may be held are due. */
  async releaseAllLeases(now: number): Promise<void> {
    await this.#orm
      .update(pushes)
      .set({ dueAt: now })
      .where(and(eq(pushes.state, 'waiting'), gt(pushes.dueAt, now), lte(pushes.dueAt, now + LEASE_MS)));
  }

  /** Changes a push. @returns whether the lease still held */
  async update(held: PushLease, change: PushChange): Promise<boolean> {
    const { meta } = await this.#orm.update(pushes).set(change).where(hasLease(held));
    return meta.changes > 0;
  }

  /** Ends a push that has failed too often, and keeps a dead letter of it; both or neither. */
  async fail(
    held: PushLease,
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
      .where(hasLease(held));
    await this.#orm.batch([
      insertDeadLettersFrom(this.#orm, letter),
      this.#orm.update(pushes).set(change).where(hasLease(held)),
    ]);
  }

  /**
   * Has pushes wait for whoever is reading their rows to write them. One that is under way loses its lease, and goes on later.
   * @param table - absent for all tables that the rows are for
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

  /** Forgets a push that nobody wants any more. */
  async remove(held: PushLease): Promise<void> {
    await this.#orm.delete(pushes).where(hasLease(held));
  }

  /**
   * Has a push that has failed tried again, and those behind it that have landed since: what they brought is newer.
   * @returns the ids of those that are due
   */
  async replay(id: string, now: number): Promise<string[]> {
    const push = await this.get(id);
    if (push === undefined || push.state === 'waiting') return [];
    const again = {
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
      .set(again)
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
   * Makes a push into each table that has them on and that rows are for; one that was made before stays as it is.
   * @param from - the data request whose rows they are, or the table that a run brought them for
   * @param rowsId - under which they are kept
   * @returns the statement; it gives the ids of those that are new
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
