// In which remembered previews a record stands, so that an erasure finds them. Kept in D1 by pseudonym.
import { lt } from 'drizzle-orm';
import { drizzle } from 'drizzle-orm/d1';
import { rememberedRows } from '../schema.ts';

/** Forgets pages that KV has forgotten. @param now - milliseconds since 1970 */
export async function forgetExpiredRows(db: D1Database, now: number): Promise<void> {
  await drizzle(db).delete(rememberedRows).where(lt(rememberedRows.expiresAt, now));
}
