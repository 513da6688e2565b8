// Repository of standing orders and of the keys that they never buy.
import { and, desc, eq, isNotNull, isNull, lte, or, type SQL, sql } from 'drizzle-orm';
import { type DrizzleD1Database, drizzle } from 'drizzle-orm/d1';
import { maxEnrichedKeys, maxEnrichments } from '../../../shared/api/lists.ts';
import { isInList, toJsonLists } from '../../db/json-list.ts';
import {
  type CellHashes,
  type EnrichmentRow,
  enrichedKeys,
  enrichments,
  type StoredProblem,
} from '../../db/schema.ts';
import { startOfMonth } from '../schedules/timing.ts';

/** Longer than a lookup, and a call to Google with its delays. */
const LEASE_MS = 300_000;
/** Standing orders that one sweep enqueues. */
const MAX_DUE = 100;

type EnrichmentId = Pick<EnrichmentRow, 'teamId' | 'id'>;

/** A standing order under a lease that ends at `leasedUntil`. */
export type LeasedEnrichment = EnrichmentRow & { leasedUntil: number };

/** Result of a run: rows and credits, and what a failed one has met. */
export interface RunResult {
  rows: number;
  credits: number;
  /** Values that a refresh has changed. Default: none. */
  changes?: number;
  problem: StoredProblem | null;
  isStopping: boolean;
  /** Time of the next run; null if there is none. */
  nextAt: number | null;
}

/** What the sheet has of a record. */
export interface SheetValues {
  /** When the record was bought. */
  fetchedAt: number;
  /** Empty if the record was never bought, or is no longer stored. */
  cells: CellHashes;
}

const isEnrichment = ({ teamId, id }: EnrichmentId): SQL | undefined =>
  and(eq(enrichments.teamId, teamId), eq(enrichments.id, id));

const isKeyOf = ({ teamId, id }: EnrichmentId): SQL | undefined =>
  and(eq(enrichedKeys.teamId, teamId), eq(enrichedKeys.enrichmentId, id));

const hasLease = (row: LeasedEnrichment): SQL | undefined =>
  and(isEnrichment(row), eq(enrichments.leasedUntil, row.leasedUntil));

const isFree = (now: number): SQL | undefined =>
  or(isNull(enrichments.leasedUntil), lte(enrichments.leasedUntil, now));

/** Reads and writes standing orders in D1. */
export class EnrichmentStore {
  readonly #orm: DrizzleD1Database;

  constructor(db: D1Database) {
    this.#orm = drizzle(db);
  }

  get(key: EnrichmentId): Promise<EnrichmentRow | undefined> {
    return this.#orm.select().from(enrichments).where(isEnrichment(key)).get();
  }

  /** Lists the standing orders of a team, newest first. */
  list(team: string): Promise<EnrichmentRow[]> {
    return this.#orm
      .select()
      .from(enrichments)
      .where(eq(enrichments.teamId, team))
      .orderBy(desc(enrichments.createdAt), desc(enrichments.id))
      .all();
  }

  /**
   * Inserts or replaces a standing order. What this month has cost stays.
   * @returns false when the team is at its limit
   */
  async put(row: EnrichmentRow): Promise<boolean> {
    const {
      teamId,
      id,
      createdAt,
      month,
      monthSpent,
      lastAt,
      lastRows,
      lastCredits,
      lastChanges,
      changesSheetId,
      keyCount,
      leasedUntil,
      ...change
    } = row;
    const others = this.#orm
      .select({ count: sql<number>`count(*)` })
      .from(enrichments)
      .where(and(eq(enrichments.teamId, teamId), sql`${enrichments.id} <> ${id}`));
    if (((await others.get())?.count ?? 0) >= maxEnrichments) return false;
    await this.#orm
      .insert(enrichments)
      .values(row)
      .onConflictDoUpdate({ target: [enrichments.teamId, enrichments.id], set: change });
    return true;
  }

  async remove(key: EnrichmentId): Promise<void> {
    await this.#orm.batch([
      this.#orm.delete(enrichments).where(isEnrichment(key)),
      this.#orm.delete(enrichedKeys).where(isKeyOf(key)),
    ]);
  }

  /** Lists due standing orders that are not leased. */
  listDue(now: number): Promise<EnrichmentId[]> {
    return this.#orm
      .select({ teamId: enrichments.teamId, id: enrichments.id })
      .from(enrichments)
      .where(and(eq(enrichments.state, 'on'), lte(enrichments.nextAt, now), isFree(now)))
      .orderBy(enrichments.nextAt)
      .limit(MAX_DUE)
      .all();
  }

  /** Releases all leases, after a restart. */
  async releaseAllLeases(): Promise<void> {
    await this.#orm.update(enrichments).set({ leasedUntil: null }).where(isNotNull(enrichments.leasedUntil));
  }

  /**
   * Leases an active standing order, and starts the count of a new month.
   * @param isDue - whether only a due one is leased
   * @returns undefined when it is leased, not active or not due
   */
  async acquireLease(key: EnrichmentId, now: number, isDue: boolean): Promise<LeasedEnrichment | undefined> {
    const leasedUntil = now + LEASE_MS;
    const month = startOfMonth(now);
    const [row] = await this.#orm
      .update(enrichments)
      .set({
        leasedUntil,
        month,
        monthSpent: sql`CASE WHEN ${enrichments.month} = ${month} THEN ${enrichments.monthSpent} ELSE 0 END`,
      })
      .where(
        and(
          isEnrichment(key),
          eq(enrichments.state, 'on'),
          isFree(now),
          isDue ? lte(enrichments.nextAt, now) : undefined,
        ),
      )
      .returning();
    return row && { ...row, leasedUntil };
  }

  /** Extends a lease. @returns undefined when it is lost, or the standing order was paused or deleted */
  async extendLease(row: LeasedEnrichment, now: number): Promise<LeasedEnrichment | undefined> {
    const leasedUntil = now + LEASE_MS;
    const [extended] = await this.#orm
      .update(enrichments)
      .set({ leasedUntil })
      .where(and(hasLease(row), eq(enrichments.state, 'on')))
      .returning();
    return extended && { ...extended, leasedUntil };
  }

  /**
   * Counts credits of this month before they are spent, so that a crash can't exceed the budget. Negative: returns unspent
   * ones.
   * @returns false when they exceed the budget, or the lease is lost
   */
  async countCredits(row: LeasedEnrichment, credits: number): Promise<boolean> {
    const { meta } = await this.#orm
      .update(enrichments)
      .set({ monthSpent: sql`${enrichments.monthSpent} + ${credits}` })
      .where(
        and(
          hasLease(row),
          credits <= 0
            ? undefined
            : and(
                eq(enrichments.state, 'on'),
                sql`${enrichments.monthSpent} + ${credits} <= ${enrichments.monthCredits}`,
              ),
        ),
      );
    return meta.changes > 0;
  }

  /** Records a run and releases the lease. @returns whether it has stopped the standing order */
  async finishRun(row: LeasedEnrichment, result: RunResult, now: number): Promise<boolean> {
    const { rows, credits, changes = 0, problem, isStopping, nextAt } = result;
    const hasRun = rows > 0 || credits > 0 || changes > 0;
    const { meta } = await this.#orm
      .update(enrichments)
      .set({
        leasedUntil: null,
        problem,
        nextAt: isStopping ? null : nextAt,
        ...(isStopping ? { state: 'stopped' as const } : {}),
        ...(hasRun ? { lastAt: now, lastRows: rows, lastCredits: credits, lastChanges: changes } : {}),
      })
      // Somebody may have paused or changed it meanwhile.
      .where(and(hasLease(row), eq(enrichments.state, 'on'), eq(enrichments.updatedAt, row.updatedAt)));
    if (meta.changes === 0)
      await this.#orm.update(enrichments).set({ leasedUntil: null }).where(hasLease(row));
    return meta.changes > 0 && isStopping;
  }

  /** Stops a standing order. @returns whether it was active */
  async stop(key: EnrichmentId, problem: StoredProblem): Promise<boolean> {
    const { meta } = await this.#orm
      .update(enrichments)
      .set({ state: 'stopped', problem, nextAt: null })
      .where(and(isEnrichment(key), eq(enrichments.state, 'on')));
    return meta.changes > 0;
  }

  /** Returns which keys are known: whether their records are in the sheet, by pseudonym. */
  async findKeys(key: EnrichmentId, pseudonyms: readonly string[]): Promise<Map<string, boolean>> {
    const found = await this.#orm
      .select({ key: enrichedKeys.key, isWritten: enrichedKeys.isWritten })
      .from(enrichedKeys)
      .where(and(isKeyOf(key), isInList(enrichedKeys.key, pseudonyms)))
      .all();
    return new Map(found.map((row) => [row.key, row.isWritten]));
  }

  /** Returns whether the team may store as many further keys. */
  async hasSpace(team: string, keys: number): Promise<boolean> {
    const row = await this.#orm
      .select({ stored: sql<number>`coalesce(sum(${enrichments.keyCount}), 0)` })
      .from(enrichments)
      .where(eq(enrichments.teamId, team))
      .get();
    return (row?.stored ?? 0) + keys <= maxEnrichedKeys;
  }

  /** Records keys as known. A key that was written stays so. The caller checks {@link hasSpace}. */
  async addKeys(key: EnrichmentId, pseudonyms: readonly string[], isWritten: boolean): Promise<void> {
    const { teamId, id } = key;
    const written = Number(isWritten);
    for (const list of toJsonLists(pseudonyms)) {
      const add = [
        this.#orm
          .insert(enrichedKeys)
          // `WHERE true`: without it SQLite reads ON CONFLICT as a join.
          .select(
            sql`SELECT ${teamId}, ${id}, value, ${written}, NULL, NULL FROM json_each(${list}) WHERE true`,
          )
          .onConflictDoNothing(),
        this.#orm
          .update(enrichments)
          .set({ keyCount: sql`${enrichments.keyCount} + changes()` })
          .where(isEnrichment(key)),
      ] as const;
      const isListed = sql`${enrichedKeys.key} IN (SELECT value FROM json_each(${list}))`;
      const mark = this.#orm
        .update(enrichedKeys)
        .set({ isWritten: true })
        .where(and(isKeyOf(key), eq(enrichedKeys.isWritten, false), isListed));
      await this.#orm.batch(isWritten ? [...add, mark] : add);
    }
  }

  /** Returns what the sheet has of records that a refresh has looked at, by pseudonym. */
  async findValues(key: EnrichmentId, pseudonyms: Iterable<string>): Promise<Map<string, SheetValues>> {
    const values = new Map<string, SheetValues>();
    for (const list of toJsonLists(pseudonyms)) {
      const isListed = sql`${enrichedKeys.key} IN (SELECT value FROM json_each(${list}))`;
      const found = await this.#orm
        .select()
        .from(enrichedKeys)
        .where(and(isKeyOf(key), isNotNull(enrichedKeys.fetchedAt), isListed))
        .all();
      for (const { key: pseudonym, fetchedAt, cells } of found)
        values.set(pseudonym, { fetchedAt: fetchedAt ?? 0, cells: cells ?? {} });
    }
    return values;
  }

  /** Stores what the sheet has of records, by pseudonym. Their keys are known from then on. */
  async putValues(key: EnrichmentId, values: ReadonlyMap<string, SheetValues>): Promise<void> {
    const { teamId, id } = key;
    await this.addKeys(key, [...values.keys()], true);
    for (const list of toJsonLists([...values].map(([key, value]) => JSON.stringify({ key, ...value })))) {
      // `WHERE true`: without it SQLite reads ON CONFLICT as a join.
      await this.#orm.run(sql`INSERT INTO ${enrichedKeys}
        (team_id, enrichment_id, key, is_written, fetched_at, cells)
        SELECT ${teamId}, ${id}, json_extract(value, '$.key'), 1, json_extract(value, '$.fetchedAt'),
          json_extract(value, '$.cells') FROM json_each(${list}) WHERE true
        ON CONFLICT DO UPDATE SET is_written = 1, fetched_at = excluded.fetched_at, cells = excluded.cells`);
    }
  }

  /** Stores which Changes sheet the spreadsheet has, before it is made. */
  async setChangesSheet(key: EnrichmentId, changesSheetId: number): Promise<void> {
    await this.#orm.update(enrichments).set({ changesSheetId }).where(isEnrichment(key));
  }
}
