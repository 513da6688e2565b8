// Storage of the authorization server in D1. The library expects KV, where a code could be used twice and a revoked grant
// could live on for a minute.
import { and, asc, desc, eq, gt, gte, inArray, lt, lte, type SQL } from 'drizzle-orm';
import { type DrizzleD1Database, drizzle } from 'drizzle-orm/d1';
import type { RetentionRule } from '../../db/retention.ts';
import { oauthEntries } from '../../db/schema.ts';
import { sha256Hex } from '../../lib/hash.ts';

/** Clients that may be registered, by anybody, in the deployment. */
export const maxOAuthClients = 1000;

/** Grants of a team token, and access tokens of these. The oldest give way. */
export const maxOAuthEntriesPerToken = 50;

/** Days that an expired entry stays: none. */
export const oauthRetention: RetentionRule = {
  table: oauthEntries,
  key: [oauthEntries.key],
  isExpired: (before) => lte(oauthEntries.expiresAt, before),
  days: 0,
};

const YEAR_MS = 365 * 86_400_000;
const CLIENT_MS = 90 * 86_400_000;
const UNUSED_CLIENT_MS = 3_600_000;
const LAST_CHARACTER = '\u{10ffff}';

/** How long a code of the sidebar works. */
const CONNECT_CODE_S = 600;

const toConnectKey = async (code: string): Promise<string> => `connect:${await sha256Hex(code)}`;

const hasPrefix = (prefix: string): SQL | undefined =>
  and(gte(oauthEntries.key, prefix), lt(oauthEntries.key, prefix + LAST_CHARACTER));

/** Deletes everything, after a restore of D1: it would accept grants that were revoked since. Clients connect again. */
export async function deleteOAuthEntries(orm: DrizzleD1Database): Promise<void> {
  await orm.delete(oauthEntries);
}

/** The methods of a KV namespace that the library calls, and two atomic ones. */
export class OAuthStore {
  readonly #orm: DrizzleD1Database;
  readonly #now: () => number;

  /** @param now - milliseconds since 1970 */
  constructor(db: D1Database, now: () => number) {
    this.#orm = drizzle(db);
    this.#now = now;
  }

  async get(key: string, options?: { type: 'json' }): Promise<unknown> {
    const found = await this.#orm
      .select({ value: oauthEntries.value })
      .from(oauthEntries)
      .where(and(eq(oauthEntries.key, key), gt(oauthEntries.expiresAt, this.#now())))
      .get();
    if (found === undefined) return null;
    return options === undefined ? found.value : JSON.parse(found.value);
  }

  /** @param options - `expirationTtl` in seconds, `expiration` in seconds since 1970. Default: a year */
  async put(
    key: string,
    value: string,
    { expirationTtl, expiration }: { expirationTtl?: number; expiration?: number } = {},
  ): Promise<void> {
    const now = this.#now();
    const lifeMs = expirationTtl === undefined ? YEAR_MS : expirationTtl * 1000;
    const entry = { value, expiresAt: expiration === undefined ? now + lifeMs : expiration * 1000 };
    // Anybody may register a client: without access, it expires early, so that others can’t use up the limit.
    const first = key.startsWith('client:') ? { ...entry, expiresAt: now + UNUSED_CLIENT_MS } : entry;
    const write = this.#orm
      .insert(oauthEntries)
      .values({ key, ...first })
      .onConflictDoUpdate({ target: oauthEntries.key, set: entry });
    await this.#orm.batch([write, this.#deleteSurplus(key)]);
  }

  /** Builds the statement that deletes the oldest entries of a token beyond the cap. */
  #deleteSurplus(key: string) {
    const [group = key] = /^(?:code|grant|token):[^:]*:/.exec(key) ?? [];
    const surplus = this.#orm
      .select({ key: oauthEntries.key })
      .from(oauthEntries)
      .where(hasPrefix(group))
      .orderBy(desc(oauthEntries.expiresAt))
      .limit(maxOAuthClients)
      .offset(maxOAuthEntriesPerToken);
    return this.#orm.delete(oauthEntries).where(inArray(oauthEntries.key, surplus));
  }

  async delete(key: string): Promise<void> {
    await this.#orm.delete(oauthEntries).where(eq(oauthEntries.key, key));
  }

  async list(options: { prefix?: string; limit?: number; cursor?: string }) {
    const { prefix = '', limit = maxOAuthClients, cursor = '' } = options;
    const keys = await this.#orm
      .select({ name: oauthEntries.key })
      .from(oauthEntries)
      .where(and(hasPrefix(prefix), gt(oauthEntries.key, cursor), gt(oauthEntries.expiresAt, this.#now())))
      .orderBy(asc(oauthEntries.key))
      .limit(limit)
      .all();
    const isComplete = keys.length < limit;
    return { keys, list_complete: isComplete, ...(isComplete ? {} : { cursor: keys.at(-1)?.name }) };
  }

  /** Keeps a client, which somebody has given access. */
  async keepClient(id: string): Promise<void> {
    const expiresAt = this.#now() + CLIENT_MS;
    await this.#orm
      .update(oauthEntries)
      .set({ expiresAt })
      .where(eq(oauthEntries.key, `client:${id}`));
  }

  /**
   * Claims a key for the first caller only.
   * @returns false if it was claimed before. From then on, {@link isClaimed} is false, too
   */
  async claim(key: string): Promise<boolean> {
    const [[entry]] = await this.#orm.batch([
      this.#orm
        .insert(oauthEntries)
        .values({ key, value: 'once', expiresAt: this.#now() + YEAR_MS })
        .onConflictDoUpdate({ target: oauthEntries.key, set: { value: 'repeated' } })
        .returning({ value: oauthEntries.value }),
      this.#deleteSurplus(key),
    ]);
    return entry?.value === 'once';
  }

  /** Tells whether a key was claimed exactly once. */
  async isClaimed(key: string): Promise<boolean> {
    return (await this.get(key)) === 'once';
  }

  /** Stores a code of the sidebar, which stands for a token. */
  async putConnectCode(code: string, tokenId: string): Promise<void> {
    await this.put(await toConnectKey(code), tokenId, { expirationTtl: CONNECT_CODE_S });
  }

  /** Takes the token of a code; undefined if the code is unknown, expired, or another caller took it. */
  async takeConnectCode(code: string): Promise<string | undefined> {
    const isCode = eq(oauthEntries.key, await toConnectKey(code));
    const [entry] = await this.#orm.delete(oauthEntries).where(isCode).returning();
    return entry !== undefined && entry.expiresAt > this.#now() ? entry.value : undefined;
  }
}
