// Sent marks of data requests in the journal: after a restore of D1 to an earlier time, nothing that was sent is sent again.
import { eq, sql } from 'drizzle-orm';
import { drizzle } from 'drizzle-orm/d1';
import * as z from 'zod';
import { family } from '../../shared/api/common.ts';
import { claimedKeys, type RequestRow, requests } from '../db/schema.ts';
import type { Env } from '../env.ts';
import { writeJournal } from '../gateway/journal.ts';
import { listKinds } from './order/parse-keys.ts';
import { unstartedWork } from './repository.ts';

/** Without addresses of receivers: after a restore nobody is notified of the data request. */
const markSchema = z.object({
  id: z.string(),
  team: z.string(),
  token: z.string(),
  family,
  kind: z.enum(['filter', 'es_dsl', ...listKinds]),
  idempotencyKey: z.string().nullable(),
  orderHash: z.string(),
  columns: z.array(z.string()).nullable(),
  origin: z.string(),
  requested: z.int(),
  reserved: z.int(),
  createdAt: z.int(),
  cached: z.int(),
  identity: z.string().nullable(),
  providerId: z.string().nullable(),
  /** Pseudonyms of the claimed keys. */
  claims: z.array(z.string()),
});

/** What a restore must know of a data request that may have been sent. */
export type SentMark = z.infer<typeof markSchema>;

/** Parses an entry of the journal. @throws if it is damaged */
export const parseSentMark = (body: unknown): SentMark => markSchema.parse(body);

/** Reads the claimed keys in one row: ten thousand are 0.7 MB. */
async function listClaims(db: D1Database, requestId: string): Promise<string[]> {
  const row = await drizzle(db)
    .select({ claims: sql<string>`json_group_array(${claimedKeys.pseudonym})` })
    .from(claimedKeys)
    .where(eq(claimedKeys.requestId, requestId))
    .get();
  return z.array(z.string()).parse(JSON.parse(row?.claims ?? '[]'));
}

/**
 * Writes that a data request may have been sent. Call it before the provider is called.
 * @throws if it can't be stored: then nothing may be sent
 */
export async function journalSentMark(env: Env, row: RequestRow, now: number): Promise<void> {
  const { id, teamId: team, tokenId: token } = row;
  const mark = { ...row, team, token, claims: await listClaims(env.DB, id) };
  await writeJournal(env, 'sent', { id, at: now, body: markSchema.parse(mark) });
}

/** Claims keys for a data request that has not ended, unless others have claimed them. */
const CLAIM = `INSERT INTO claimed_keys (identity, family, pseudonym, request_id)
  SELECT ?1, ?2, value, ?4 FROM json_each(?3)
  WHERE EXISTS (SELECT 1 FROM requests WHERE id = ?4 AND ended_at IS NULL)
  ON CONFLICT DO NOTHING`;

/**
 * Inserts a data request that D1 has lost, with its claimed keys, in the phase `sending`. Its team must exist.
 * @returns whether it was lost
 */
export async function restoreSentRequest(env: Env, mark: SentMark): Promise<boolean> {
  const { team, token, claims, ...facts } = mark;
  const orm = drizzle(env.DB);
  const row: RequestRow = {
    ...facts,
    teamId: team,
    tokenId: token,
    ...unstartedWork,
    webhookUrl: null,
    phase: 'sending',
    updatedAt: mark.createdAt,
  };
  const [inserted, withoutKey] = await orm.batch([
    orm.insert(requests).values(row).onConflictDoNothing(),
    // Another data request of the earlier time has the same idempotency key.
    orm
      .insert(requests)
      .values({ ...row, idempotencyKey: null })
      .onConflictDoNothing(),
    orm
      .update(requests)
      .set({ providerId: sql`coalesce(${requests.providerId}, ${mark.providerId})` })
      .where(eq(requests.id, mark.id)),
  ]);
  if (mark.identity !== null && claims.length > 0) {
    const values = [mark.identity, mark.family, JSON.stringify(claims), mark.id];
    await env.DB.prepare(CLAIM)
      .bind(...values)
      .run();
  }
  return inserted.meta.changes + withoutKey.meta.changes > 0;
}
