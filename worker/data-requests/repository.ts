// Reads and writes data requests in D1. A transition names the phases that it may start from, so a concurrent second one has
// no effect.
import {
  and,
  asc,
  count,
  desc,
  eq,
  gt,
  gte,
  inArray,
  isNull,
  lt,
  lte,
  max,
  not,
  notInArray,
  type SQL,
  type SQLWrapper,
  sql,
} from 'drizzle-orm';
import { type DrizzleD1Database, drizzle } from 'drizzle-orm/d1';
import { maxRequestTickets } from '../../shared/api/data-requests.ts';
import type { Family } from '../../shared/families/index.ts';
import { splitIntoBatches } from '../../shared/lib/split-into-batches.ts';
import type { BulkKind } from '../../shared/operations.ts';
import { isRunning } from '../db/columns.ts';
import {
  type FileRow,
  type Phase,
  type RequestRow,
  requestFiles,
  requests,
  requestTickets,
  requestWebhooks,
} from '../db/schema.ts';
import { selectTeamsDeletedBefore } from '../gateway/auth/team-repository.ts';
import { hasJob, putJobsFrom } from '../queue/jobs.ts';

/** D1 binds at most 100 values per statement. */
const FILES_PER_STATEMENT = 15;
/** Data requests that one call clears; each takes about nine calls. */
const CLEARED_PER_CALL = 15;

/** The columns that an update changes. */
export type Change = Partial<Omit<RequestRow, 'id' | 'teamId' | 'tokenId' | 'createdAt'>>;

/** What a new data request has of its later steps. */
export const unstartedWork = {
  cancelRequested: false,
  webhookHash: null,
  failure: null,
  rows: 0,
  charged: null,
  disputed: 0,
  attempts: 0,
  webhookAttempts: null,
  endedAt: null,
  clearedAt: null,
  cachedRows: null,
  cachedSlices: 0,
  cacheCursor: null,
} as const satisfies Partial<RequestRow>;

export class DataRequestRepository {
  readonly #orm: DrizzleD1Database;

  constructor(db: D1Database) {
    this.#orm = drizzle(db);
  }

  /**
   * Inserts a data request with its job, unless its team has one with the same idempotency key.
   * @param dueAt - of its job
   * @returns the stored one
   */
  async insert(row: RequestRow, dueAt: number): Promise<RequestRow> {
    const { id, createdAt } = row;
    await this.#orm.batch([
      this.#orm.insert(requests).values(row).onConflictDoNothing(),
      putJobsFrom(this.#orm, 'data_request', {
        id: requests.id,
        createdAt: requests.createdAt,
        dueAt: sql`${dueAt}`,
        from: sql`${requests} WHERE ${and(eq(requests.id, id), eq(requests.createdAt, createdAt))}`,
      }),
    ]);
    const { idempotencyKey: key, teamId } = row;
    const found = key === null ? undefined : await this.findByIdempotencyKey(teamId, key);
    return found ?? row;
  }

  #find(...conditions: SQL[]): Promise<RequestRow | undefined> {
    return this.#orm
      .select()
      .from(requests)
      .where(and(...conditions))
      .get();
  }

  findByIdempotencyKey(team: string, key: string): Promise<RequestRow | undefined> {
    return this.#find(eq(requests.teamId, team), eq(requests.idempotencyKey, key));
  }

  get(id: string): Promise<RequestRow | undefined> {
    return this.#find(eq(requests.id, id));
  }

  /** Finds a data request of a team; undefined if it belongs to another team. */
  findForTeam(team: string, id: string): Promise<RequestRow | undefined> {
    return this.#find(eq(requests.id, id), eq(requests.teamId, team));
  }

  findByProviderId(team: string, providerId: string): Promise<RequestRow | undefined> {
    return this.#find(eq(requests.providerId, providerId), eq(requests.teamId, team));
  }

  /**
   * Lists a page, newest first, without data requests whose credits are not reserved yet.
   * @param filter - undefined for all teams, null for all families
   * @param after - the last one of the previous page
   */
  list(
    { team, families }: { team: string | undefined; families: readonly Family[] | null },
    after: RequestRow | undefined,
    limit: number,
  ): Promise<RequestRow[]> {
    return this.#orm
      .select()
      .from(requests)
      .where(
        and(
          team === undefined ? undefined : eq(requests.teamId, team),
          families === null ? undefined : inArray(requests.family, [...families]),
          sql`${requests.phase} <> 'reserving'`,
          after && sql`(${requests.createdAt}, ${requests.id}) < (${after.createdAt}, ${after.id})`,
        ),
      )
      .orderBy(desc(requests.createdAt), desc(requests.id))
      .limit(limit)
      .all();
  }

  /** Lists the latest data requests of all teams that the provider may be working on. */
  listRunning(family: Family, kind: BulkKind, limit: number): Promise<Pick<RequestRow, 'id'>[]> {
    const { id, createdAt } = requests;
    return this.#orm
      .select({ id })
      .from(requests)
      .where(and(isRunning, eq(requests.family, family), eq(requests.kind, kind)))
      .orderBy(desc(createdAt))
      .limit(limit)
      .all();
  }

  /**
   * Updates a data request if it is in one of some phases.
   * @returns whether it was in one of them
   */
  async transition(id: string, from: readonly Phase[], change: Change): Promise<boolean> {
    const { meta } = await this.#orm
      .update(requests)
      .set(change)
      .where(and(eq(requests.id, id), inArray(requests.phase, [...from])));
    return meta.changes > 0;
  }

  /** Deletes a data request whose credits are not reserved; its claimed keys cascade. @returns whether it existed */
  async deleteUnreserved(id: string): Promise<boolean> {
    const { meta } = await this.#orm
      .delete(requests)
      .where(and(eq(requests.id, id), eq(requests.phase, 'reserving')));
    return meta.changes > 0;
  }

  /** Lists the files of some data requests, in order. */
  async listFiles(ids: readonly string[]): Promise<FileRow[]> {
    if (ids.length === 0) return [];
    return this.#orm
      .select()
      .from(requestFiles)
      .where(inArray(requestFiles.requestId, [...ids]))
      .orderBy(asc(requestFiles.requestId), asc(requestFiles.fileIndex))
      .all();
  }

  /** Inserts the files that the provider lists; existing ones stay unchanged. */
  async insertFiles(id: string, names: readonly string[]): Promise<void> {
    const rows = names.map((name, fileIndex) => ({ requestId: id, fileIndex, name }));
    for (const some of splitIntoBatches(rows, FILES_PER_STATEMENT)) {
      await this.#orm.insert(requestFiles).values(some).onConflictDoNothing();
    }
  }

  /** Records how much of a file is ingested, or the result. */
  async updateFile(
    { requestId, fileIndex }: Pick<FileRow, 'requestId' | 'fileIndex'>,
    { withheld = 0, ...change }: Partial<Omit<FileRow, 'requestId' | 'fileIndex' | 'name'>>,
  ): Promise<void> {
    await this.#orm
      .update(requestFiles)
      // An erasure may have counted rows while the file was read.
      .set({ ...change, withheld: sql`max(${requestFiles.withheld}, ${withheld})` })
      .where(and(eq(requestFiles.requestId, requestId), eq(requestFiles.fileIndex, fileIndex)));
  }

  /** Lists ended data requests that were created before a time and still have rows. */
  listExpired(before: number): Promise<RequestRow[]> {
    return this.#orm
      .select()
      .from(requests)
      .where(
        and(
          lt(requests.createdAt, before),
          isNull(requests.clearedAt),
          not(hasJob('data_request', requests.id)),
        ),
      )
      .limit(CLEARED_PER_CALL)
      .all();
  }

  /**
   * Inserts a webhook body unless the same one is stored already.
   * @returns whether it is new
   */
  async insertWebhook(id: string, digest: string, body: string, at: number): Promise<boolean> {
    const { meta } = await this.#orm
      .insert(requestWebhooks)
      .values({ requestId: id, digest, body, at })
      .onConflictDoNothing();
    return meta.changes > 0;
  }

  /** Counts the distinct webhook bodies of a data request. */
  async countWebhooks(id: string): Promise<number> {
    return this.#orm.$count(requestWebhooks, eq(requestWebhooks.requestId, id));
  }

  /** Lists when distinct webhook bodies of a data request arrived, the oldest first. There are at most ten. */
  async listWebhookTimes(id: string): Promise<number[]> {
    const rows = await this.#orm
      .select({ at: requestWebhooks.at })
      .from(requestWebhooks)
      .where(eq(requestWebhooks.requestId, id))
      .orderBy(asc(requestWebhooks.at));
    return rows.map(({ at }) => at);
  }

  async getLatestWebhook(id: string): Promise<string | undefined> {
    const row = await this.#orm
      .select({ body: requestWebhooks.body, at: max(requestWebhooks.at) })
      .from(requestWebhooks)
      .where(eq(requestWebhooks.requestId, id))
      .get();
    return row?.at === null ? undefined : row?.body;
  }

  /** Inserts a ticket. The oldest ones of the data request are deleted above the limit. */
  async insertTicket(hash: string, requestId: string, expiresAt: number): Promise<void> {
    const newest = this.#orm
      .select({ hash: requestTickets.hash })
      .from(requestTickets)
      .where(eq(requestTickets.requestId, requestId))
      .orderBy(desc(requestTickets.expiresAt))
      .limit(maxRequestTickets - 1);
    const isOld = notInArray(requestTickets.hash, newest);
    await this.#orm.batch([
      this.#orm.delete(requestTickets).where(and(eq(requestTickets.requestId, requestId), isOld)),
      this.#orm.insert(requestTickets).values({ hash, requestId, expiresAt }),
    ]);
  }

  async countSince(team: string, since: number): Promise<{ requests: number; records: number }> {
    const row = await this.#orm
      .select({ requests: count(), records: sql<number>`coalesce(sum(${requests.requested}), 0)` })
      .from(requests)
      .where(and(eq(requests.teamId, team), gte(requests.createdAt, since)))
      .get();
    return row ?? { requests: 0, records: 0 };
  }

  /** Deletes a ticket, because it is valid once. @returns whether it was valid */
  async redeemTicket(hash: string, requestId: string, now: number): Promise<boolean> {
    const deleted = await this.#orm
      .delete(requestTickets)
      .where(and(eq(requestTickets.hash, hash), eq(requestTickets.requestId, requestId)))
      .returning({ expiresAt: requestTickets.expiresAt });
    return deleted.some(({ expiresAt }) => expiresAt > now);
  }

  /** Deletes expired tickets, and the webhook bodies of cleared data requests, and records when these were cleared. */
  async markCleared(now: number, cleared: readonly string[]): Promise<void> {
    await this.#orm.delete(requestTickets).where(lte(requestTickets.expiresAt, now));
    for (const id of cleared) {
      await this.#orm.delete(requestWebhooks).where(eq(requestWebhooks.requestId, id));
      await this.#orm
        .update(requests)
        .set({ clearedAt: now })
        .where(and(eq(requests.id, id), isNull(requests.clearedAt)));
    }
  }
}

/** Builds an SQL expression for queries of other folders: the family of a data request, NULL if it does not exist. */
export const selectRequestFamily = (id: SQLWrapper): SQL =>
  sql`(SELECT ${requests.family} FROM ${requests} WHERE ${eq(requests.id, id)})`;

/** Counts data requests that have become unclear after a time. @param after - milliseconds since 1970 */
export async function countUnclearRequests(db: D1Database, after: number): Promise<number> {
  const row = await drizzle(db)
    .select({ count: count() })
    .from(requests)
    // Spelt as in the index.
    .where(and(sql`phase = 'unclear'`, gt(requests.endedAt, after)))
    .get();
  return row?.count ?? 0;
}

/** Sums the disputed credits of the data requests of all teams. @param now - milliseconds since 1970 */
export async function sumDisputedCredits(db: D1Database, now: number): Promise<number> {
  const row = await drizzle(db)
    .select({ credits: sql<number>`coalesce(sum(${requests.disputed}), 0)` })
    .from(requests)
    .where(and(sql`disputed > 0`, notInArray(requests.teamId, selectTeamsDeletedBefore(now))))
    .get();
  return row?.credits ?? 0;
}

/** Records the decision about the disputed credits of a data request. Does nothing for other references. Idempotent. */
export async function resolveDisputedRequest(
  db: D1Database,
  { team, reference, accepted }: { team: string; reference: string; accepted: boolean },
): Promise<void> {
  await drizzle(db)
    .update(requests)
    .set({ disputed: 0, ...(accepted ? { charged: sql`${requests.charged} + ${requests.disputed}` } : {}) })
    .where(and(eq(requests.id, reference), eq(requests.teamId, team)));
}
