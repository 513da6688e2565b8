// The one place where the state of data requests is read and changed. Each change says from which phase it may happen, so
// that whoever comes second changes nothing.
import {
  and,
  asc,
  desc,
  eq,
  inArray,
  isNotNull,
  isNull,
  lt,
  lte,
  max,
  type SQL,
  type SQLWrapper,
  sql,
} from 'drizzle-orm';
import { type DrizzleD1Database, drizzle } from 'drizzle-orm/d1';
import {
  type FileRow,
  type Phase,
  type RequestRow,
  requestFiles,
  requestHooks,
  requests,
  requestTickets,
  webhookSecrets,
} from '../db/schema.ts';

/** Files of one statement: D1 binds at most 100 values. */
const FILES_PER_STATEMENT = 15;
/** Requests that one sweep wakes or clears. */
const BATCH_SIZE = 100;

/** What is to be different; what is absent stays. */
export type Change = Partial<Omit<RequestRow, 'id' | 'teamId' | 'tokenId' | 'createdAt'>>;

/** The requests of a deployment. */
export class DataRequestRepository {
  readonly #orm: DrizzleD1Database;

  constructor(db: D1Database) {
    this.#orm = drizzle(db);
  }

  /** Puts a request in, unless its team has one with the same idempotency key. @returns the one that is there */
  async insert(row: RequestRow): Promise<RequestRow> {
    await this.#orm.insert(requests).values(row).onConflictDoNothing();
    const { idempotencyKey: key } = row;
    const found =
      key === null
        ? undefined
        : await this.#orm
            .select()
            .from(requests)
            .where(and(eq(requests.teamId, row.teamId), eq(requests.idempotencyKey, key)))
            .get();
    return found ?? row;
  }

  /** Finds the request that a team made with a key. */
  findByIdempotencyKey(team: string, key: string): Promise<RequestRow | undefined> {
    return this.#orm
      .select()
      .from(requests)
      .where(and(eq(requests.teamId, team), eq(requests.idempotencyKey, key)))
      .get();
  }

  get(id: string): Promise<RequestRow | undefined> {
    return this.#orm.select().from(requests).where(eq(requests.id, id)).get();
  }

  /** A team's own request; another's is as good as none. */
  findForTeam(team: string, id: string): Promise<RequestRow | undefined> {
    return this.#orm
      .select()
      .from(requests)
      .where(and(eq(requests.id, id), eq(requests.teamId, team)))
      .get();
  }

  /** A team's own request, by the name that the provider gave it. */
  findByProviderId(team: string, providerId: string): Promise<RequestRow | undefined> {
    return this.#orm
      .select()
      .from(requests)
      .where(and(eq(requests.providerId, providerId), eq(requests.teamId, team)))
      .get();
  }

  /**
   * A page, the newest first, without those that are not reserved yet.
   * @param team - undefined for all
   * @param after - the last one that is known
   */
  list(team: string | undefined, after: RequestRow | undefined, limit: number): Promise<RequestRow[]> {
    return this.#orm
      .select()
      .from(requests)
      .where(
        and(
          team === undefined ? undefined : eq(requests.teamId, team),
          sql`${requests.phase} <> 'reserving'`,
          after && sql`(${requests.createdAt}, ${requests.id}) < (${after.createdAt}, ${after.id})`,
        ),
      )
      .orderBy(desc(requests.createdAt), desc(requests.id))
      .limit(limit)
      .all();
  }

  /**
   * Changes a request that is in one of some phases.
   * @returns whether it was
   */
  async transition(id: string, from: readonly Phase[], change: Change): Promise<boolean> {
    const { meta } = await this.#orm
      .update(requests)
      .set(change)
      .where(and(eq(requests.id, id), inArray(requests.phase, [...from])));
    return meta.changes > 0;
  }

  /** Removes a request whose credits are not reserved, and frees its keys. @returns whether it was there */
  async deleteUnreserved(id: string): Promise<boolean> {
    const { meta } = await this.#orm
      .delete(requests)
      .where(and(eq(requests.id, id), eq(requests.phase, 'reserving')));
    return meta.changes > 0;
  }

  /** The files of some requests, in order. */
  async listFiles(ids: readonly string[]): Promise<FileRow[]> {
    if (ids.length === 0) return [];
    return this.#orm
      .select()
      .from(requestFiles)
      .where(inArray(requestFiles.requestId, [...ids]))
      .orderBy(asc(requestFiles.requestId), asc(requestFiles.fileIndex))
      .all();
  }

  /** Notes the files that the provider lists; those that are noted stay as they are. */
  async insertFiles(id: string, names: readonly string[]): Promise<void> {
    const rows = names.map((name, fileIndex) => ({ requestId: id, fileIndex, name }));
    for (let at = 0; at < rows.length; at += FILES_PER_STATEMENT) {
      await this.#orm
        .insert(requestFiles)
        .values(rows.slice(at, at + FILES_PER_STATEMENT))
        .onConflictDoNothing();
    }
  }

  /** Notes what came of a file. */
  async updateFile(
    { requestId, fileIndex }: Pick<FileRow, 'requestId' | 'fileIndex'>,
    read: Omit<FileRow, 'requestId' | 'fileIndex' | 'name'>,
  ): Promise<void> {
    await this.#orm
      .update(requestFiles)
      .set(read)
      .where(and(eq(requestFiles.requestId, requestId), eq(requestFiles.fileIndex, fileIndex)));
  }

  /** Requests that should have moved by a time; with none, all that are unfinished. */
  listDue(by: number | undefined): Promise<RequestRow[]> {
    return this.#orm
      .select()
      .from(requests)
      .where(by === undefined ? isNotNull(requests.dueAt) : lte(requests.dueAt, by))
      .orderBy(asc(requests.dueAt))
      .limit(BATCH_SIZE)
      .all();
  }

  /** Requests that were made before a time, have ended, and whose rows are still there. */
  listExpired(before: number): Promise<RequestRow[]> {
    return this.#orm
      .select()
      .from(requests)
      .where(and(lt(requests.createdAt, before), isNull(requests.clearedAt), isNull(requests.dueAt)))
      .limit(BATCH_SIZE)
      .all();
  }

  /**
   * Notes what the provider sent, once.
   * @returns whether it is new
   */
  async insertWebhook(id: string, digest: string, body: string, at: number): Promise<boolean> {
    const { meta } = await this.#orm
      .insert(requestHooks)
      .values({ requestId: id, digest, body, at })
      .onConflictDoNothing();
    return meta.changes > 0;
  }

  /** How many different texts the provider sent. */
  async countWebhooks(id: string): Promise<number> {
    return this.#orm.$count(requestHooks, eq(requestHooks.requestId, id));
  }

  /** The last text that the provider sent. */
  async getLatestWebhook(id: string): Promise<string | undefined> {
    const row = await this.#orm
      .select({ body: requestHooks.body, at: max(requestHooks.at) })
      .from(requestHooks)
      .where(eq(requestHooks.requestId, id))
      .get();
    return row?.at === null ? undefined : row?.body;
  }

  async insertTicket(hash: string, requestId: string, expiresAt: number): Promise<void> {
    await this.#orm.insert(requestTickets).values({ hash, requestId, expiresAt });
  }

  /** Takes a ticket, which is none from then on. @returns whether it was a good one */
  async redeemTicket(hash: string, requestId: string, now: number): Promise<boolean> {
    const taken = await this.#orm
      .delete(requestTickets)
      .where(and(eq(requestTickets.hash, hash), eq(requestTickets.requestId, requestId)))
      .returning({ expiresAt: requestTickets.expiresAt });
    return taken.some(({ expiresAt }) => expiresAt > now);
  }

  /** Reads the secret of a team's webhooks, and keeps the given one where there is none. */
  async getOrCreateWebhookSecret(team: string, fresh: () => string, now: number): Promise<string> {
    await this.#orm
      .insert(webhookSecrets)
      .values({ teamId: team, secret: fresh(), createdAt: now })
      .onConflictDoNothing();
    const row = await this.#orm.select().from(webhookSecrets).where(eq(webhookSecrets.teamId, team)).get();
    return row?.secret ?? '';
  }

  /** The statement that replaces the secret of a team's webhooks. */
  replaceWebhookSecret(team: string, secret: string, now: number) {
    return this.#orm
      .insert(webhookSecrets)
      .values({ teamId: team, secret, createdAt: now })
      .onConflictDoUpdate({ target: webhookSecrets.teamId, set: { secret, createdAt: now } });
  }

  /** Forgets tickets that opened nothing in time, and what was sent for a request. */
  async markCleared(now: number, cleared: readonly string[]): Promise<void> {
    await this.#orm.delete(requestTickets).where(lte(requestTickets.expiresAt, now));
    for (const id of cleared) {
      await this.#orm.delete(requestHooks).where(eq(requestHooks.requestId, id));
      await this.#orm
        .update(requests)
        .set({ clearedAt: now })
        .where(and(eq(requests.id, id), isNull(requests.clearedAt)));
    }
  }
}

/** SQL expression for queries of other folders: the family of a data request, NULL where there is none. */
export const selectRequestFamily = (id: SQLWrapper): SQL =>
  sql`(SELECT ${requests.family} FROM ${requests} WHERE ${eq(requests.id, id)})`;
