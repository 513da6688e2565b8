// Repository of enrichments and of the keys that they never buy.
import { and, desc, eq, isNotNull, type SQL, sql } from 'drizzle-orm';
import { type DrizzleD1Database, drizzle } from 'drizzle-orm/d1';
import { maxEnrichedKeys, maxEnrichments } from '../../../shared/api/enrichments.ts';
import { isInList, toJsonLists } from '../../db/json-list.ts';
import {
  type CellHashes,
  type EnrichmentRow,
  enrichedKeys,
  enrichments,
  type StoredProblem,
} from '../../db/schema.ts';
import type { Env } from '../../env.ts';
import type { GatewayContext } from '../../gateway/context.ts';
import { type LeasedJob, putJobsFrom, toTeamJobId } from '../../queue/jobs.ts';
import type { Pusher } from '../push/pusher.ts';

type EnrichmentId = Pick<EnrichmentRow, 'teamId' | 'id'>;

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

export interface SheetValues {
  fetchedAt: number;
  /** Empty if the record was never bought, or is no longer stored. */
  cells: CellHashes;
}

const isEnrichment = ({ teamId, id }: EnrichmentId): SQL | undefined =>
  and(eq(enrichments.teamId, teamId), eq(enrichments.id, id));

const isKeyOf = ({ teamId, id }: EnrichmentId): SQL | undefined =>
  and(eq(enrichedKeys.teamId, teamId), eq(enrichedKeys.enrichmentId, id));

/** Reads and writes enrichments in D1. */
export class EnrichmentStore {
  readonly #orm: DrizzleD1Database;

  constructor(db: D1Database) {
    this.#orm = drizzle(db);
  }

  get(key: EnrichmentId): Promise<EnrichmentRow | undefined> {
    return this.#orm.select().from(enrichments).where(isEnrichment(key)).get();
  }

  /** Lists the enrichments of a team, newest first. */
  list(team: string): Promise<EnrichmentRow[]> {
    return this.#orm
      .select()
      .from(enrichments)
      .where(eq(enrichments.teamId, team))
      .orderBy(desc(enrichments.createdAt), desc(enrichments.id))
      .all();
  }

  /**
   * Inserts or replaces an enrichment, and plans its next run.
   * @returns false when the team is at its limit
   */
  async put(row: EnrichmentRow): Promise<boolean> {
    const {
      teamId,
      id,
      createdAt,
      lastAt,
      lastRows,
      lastCredits,
      lastChanges,
      changesSheetId,
      keyCount,
      ...change
    } = row;
    const others = this.#orm
      .select({ count: sql<number>`count(*)` })
      .from(enrichments)
      .where(and(eq(enrichments.teamId, teamId), sql`${enrichments.id} <> ${id}`));
    if (((await others.get())?.count ?? 0) >= maxEnrichments) return false;
    await this.#orm.batch([
      this.#orm
        .insert(enrichments)
        .values(row)
        .onConflictDoUpdate({ target: [enrichments.teamId, enrichments.id], set: change }),
      putJobsFrom(this.#orm, 'enrichment', {
        id: sql`${toTeamJobId(row.teamId, row.id)}`,
        createdAt: enrichments.createdAt,
        dueAt: enrichments.nextAt,
        from: sql`${enrichments} WHERE ${and(isEnrichment(row), isNotNull(enrichments.nextAt))}`,
        isReplanned: true,
      }),
    ]);
    return true;
  }

  async remove(key: EnrichmentId): Promise<void> {
    await this.#orm.batch([
      this.#orm.delete(enrichments).where(isEnrichment(key)),
      this.#orm.delete(enrichedKeys).where(isKeyOf(key)),
    ]);
  }

  /** Records a run. @returns whether it has stopped the enrichment */
  async finishRun(row: EnrichmentRow, result: RunResult, now: number): Promise<boolean> {
    const { rows, credits, changes = 0, problem, isStopping, nextAt } = result;
    const hasRun = rows > 0 || credits > 0 || changes > 0;
    const { meta } = await this.#orm
      .update(enrichments)
      .set({
        problem,
        nextAt: isStopping ? null : nextAt,
        ...(isStopping ? { state: 'stopped' as const } : {}),
        ...(hasRun ? { lastAt: now, lastRows: rows, lastCredits: credits, lastChanges: changes } : {}),
      })
      // Somebody may have paused or changed it meanwhile.
      .where(and(isEnrichment(row), eq(enrichments.state, 'on'), eq(enrichments.updatedAt, row.updatedAt)));
    return meta.changes > 0 && isStopping;
  }

  /** Stops an enrichment. @returns whether it was active */
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

  /** Deletes the stored state of all values in the sheet: the next run compares all records again. */
  async clearValues(key: EnrichmentId): Promise<void> {
    await this.#orm.update(enrichedKeys).set({ fetchedAt: null, cells: null }).where(isKeyOf(key));
  }

  /** Stores which Changes sheet the spreadsheet has, before it is made. */
  async setChangesSheet(key: EnrichmentId, changesSheetId: number): Promise<void> {
    await this.#orm.update(enrichments).set({ changesSheetId }).where(isEnrichment(key));
  }
}

/** An enrichment whose keys are looked up. */
export interface Filling {
  env: Env;
  store: EnrichmentStore;
  row: EnrichmentRow;
  context: GatewayContext;
}

/** A run in the closed spreadsheet, under the lease of its job. */
export interface ClosedRun extends Filling {
  job: LeasedJob;
  pusher: Pusher;
}
