// Sessions of the admin console: created at sign-in, found by their cookie, ended at sign-out. Each sign-in is a new session.
import { and, eq, isNotNull, isNull } from 'drizzle-orm';
import { drizzle } from 'drizzle-orm/d1';
import { isInList } from '../db/json-list.ts';
import { consoleSessions } from '../db/schema.ts';
import type { Env } from '../env.ts';
import { decryptStored, encryptStored } from '../http/secrets.ts';
import { sha256Hex, toHex } from '../lib/hash.ts';

/** A session ends this long after its last request. */
const SESSION_IDLE_MS = 3_600_000;
/** A session ends this long after the sign-in. */
const SESSION_MAX_MS = 12 * 3_600_000;
/** The last use is stored at most this often. */
const TOUCH_MS = 60_000;

const ID_BYTES = 8;
const SECRET_BYTES = 32;

/**
 * A session. `id`: the audit log and screens show it; `credential`: fingerprint of what signed the admin in, which ends the session
 * when it is no longer accepted; `email`: from Cloudflare Access, null for the admin token.
 */
export type ConsoleSession = Pick<typeof consoleSessions.$inferSelect, 'id' | 'credential' | 'email'>;

type Db = Pick<Env, 'DB' | 'ENCRYPTION_SECRET'>;

const getEmailPlace = (id: string): string => `console_sessions.email ${id}`;

/** Returns the stored fingerprint of an admin token. */
export const fingerprintCredential = (token: string): Promise<string> => sha256Hex(`console ${token}`);

/**
 * Opens a session.
 * @param randomBytes - a cryptographic random source
 * @returns the session, and the secret for its cookie, which is not stored
 */
export async function createSession(
  env: Db,
  { credential, email }: Omit<ConsoleSession, 'id'>,
  now: number,
  randomBytes: (length: number) => Uint8Array,
): Promise<{ session: ConsoleSession; secret: string }> {
  const id = toHex(randomBytes(ID_BYTES));
  const secret = toHex(randomBytes(SECRET_BYTES));
  await drizzle(env.DB)
    .insert(consoleSessions)
    .values({
      id,
      hash: await sha256Hex(secret),
      email: email === null ? null : await encryptStored(env, email, getEmailPlace(id)),
      credential,
      createdAt: now,
      lastUsedAt: now,
    });
  return { session: { id, credential, email }, secret };
}

/**
 * Finds the open session of a cookie, and stores that it is in use.
 * @returns undefined if there is none, or it has ended or expired
 */
export async function findSession(env: Db, secret: string, now: number): Promise<ConsoleSession | undefined> {
  const orm = drizzle(env.DB);
  const row = await orm
    .select()
    .from(consoleSessions)
    .where(and(eq(consoleSessions.hash, await sha256Hex(secret)), isNull(consoleSessions.endedAt)))
    .get();
  if (row === undefined || now >= row.lastUsedAt + SESSION_IDLE_MS || now >= row.createdAt + SESSION_MAX_MS)
    return undefined;
  if (now >= row.lastUsedAt + TOUCH_MS)
    await orm.update(consoleSessions).set({ lastUsedAt: now }).where(eq(consoleSessions.id, row.id));
  const { id, credential } = row;
  const email = row.email === null ? null : await decryptStored(env, row.email, getEmailPlace(id));
  return { id, credential, email };
}

export async function endSession(env: Db, id: string, now: number): Promise<void> {
  await drizzle(env.DB)
    .update(consoleSessions)
    .set({ endedAt: now })
    .where(and(eq(consoleSessions.id, id), isNull(consoleSessions.endedAt)));
}

export async function endAllSessions(env: Pick<Env, 'DB'>, now: number): Promise<void> {
  await drizzle(env.DB).update(consoleSessions).set({ endedAt: now }).where(isNull(consoleSessions.endedAt));
}

/** Lists the e-mail addresses of sessions by their ids. Sessions of the admin token have none. */
export async function listSessionEmails(
  env: Db,
  ids: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  const rows = await drizzle(env.DB)
    .select({ id: consoleSessions.id, email: consoleSessions.email })
    .from(consoleSessions)
    .where(and(isInList(consoleSessions.id, ids), isNotNull(consoleSessions.email)))
    .all();
  const emails = rows.map(({ id, email }) => decryptStored(env, email ?? '', getEmailPlace(id)));
  const decrypted = await Promise.all(emails);
  return new Map(rows.map(({ id }, at) => [id, decrypted[at] ?? '']));
}
