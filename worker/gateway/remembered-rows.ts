// In which remembered previews a record stands, so that an erasure finds them. Kept in D1 by pseudonym.
import { lt } from 'drizzle-orm';
import { drizzle } from 'drizzle-orm/d1';
import { rememberedRows } from '../schema.ts';

/**
 * Notes the records of a page.
 * @param pseudonyms - of the records
 * @param place - of the page in KV
 * @param expiresAt - when KV forgets it: milliseconds since 1970
 */
export async function noteRows(
  db: D1Database,
  pseudonyms: readonly string[],
  place: string,
  expiresAt: number,
): Promise<void> {
  await db
    .prepare(
      'INSERT OR REPLACE INTO remembered_rows (pseudonym, name, expires_at) SELECT value, ?2, ?3 FROM json_each(?1)',
    )
    .bind(JSON.stringify(pseudonyms), place, expiresAt)
    .run();
}

/**
 * Finds the pages in which records stand, and forgets that they do.
 * @returns their places in KV
 */
export async function takePages(db: D1Database, pseudonyms: readonly string[]): Promise<string[]> {
  const list = JSON.stringify(pseudonyms);
  const within = 'FROM remembered_rows WHERE pseudonym IN (SELECT value FROM json_each(?))';
  const [found] = await db.batch<{ name: string }>([
    db.prepare(`SELECT DISTINCT name ${within}`).bind(list),
    db.prepare(`DELETE ${within}`).bind(list),
  ]);
  return (found?.results ?? []).map(({ name }) => name);
}

/** Forgets pages that KV has forgotten. @param now - milliseconds since 1970 */
export async function forgetExpiredRows(db: D1Database, now: number): Promise<void> {
  await drizzle(db).delete(rememberedRows).where(lt(rememberedRows.expiresAt, now));
}
