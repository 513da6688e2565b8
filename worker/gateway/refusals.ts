// Who is refused because of an erasure, and the proof that they were erased: pseudonyms and counts, in D1.
import type { Subject } from '../../shared/families.ts';
import type { RecordKey } from './names.ts';
import { Pseudonyms } from './pseudonym.ts';

/** So many are read at once. */
const PAGE = 5000;

/** Notes an erasure before it has removed anything. @param at - milliseconds since 1970 */
export async function beginErasure(db: D1Database, id: string, at: number, subject: Subject): Promise<void> {
  await db
    .prepare('INSERT INTO erasures (id, at, subject, removed) VALUES (?, ?, ?, ?)')
    .bind(id, at, subject, '{}')
    .run();
}

/**
 * Refuses keys from now on.
 * @param id - of the erasure
 * @returns the keys that an earlier erasure refused together with one of these: what it left, this one finds
 */
export async function refuse(db: D1Database, id: string, pseudonyms: readonly string[]): Promise<string[]> {
  const list = JSON.stringify(pseudonyms);
  const [found] = await db.batch<{ pseudonym: string }>([
    db
      .prepare(
        `SELECT pseudonym FROM erased_keys WHERE erasure_id IN
           (SELECT erasure_id FROM erased_keys WHERE pseudonym IN (SELECT value FROM json_each(?)))`,
      )
      .bind(list),
    db
      .prepare(
        'INSERT OR IGNORE INTO erased_keys (pseudonym, erasure_id) SELECT value, ?2 FROM json_each(?1)',
      )
      .bind(list, id),
  ]);
  return (found?.results ?? []).map(({ pseudonym }) => pseudonym);
}

/** Notes what an erasure removed. */
export async function proveErasure(
  db: D1Database,
  id: string,
  removed: Readonly<Record<string, number>>,
): Promise<void> {
  await db.prepare('UPDATE erasures SET removed = ? WHERE id = ?').bind(JSON.stringify(removed), id).run();
}

/** @returns the pseudonyms of all keys that are refused */
export async function allRefused(db: D1Database): Promise<string[]> {
  const all: string[] = [];
  for (;;) {
    const { results } = await db
      .prepare('SELECT pseudonym FROM erased_keys WHERE pseudonym > ? ORDER BY pseudonym LIMIT ?')
      .bind(all.at(-1) ?? '', PAGE)
      .run<{ pseudonym: string }>();
    all.push(...results.map(({ pseudonym }) => pseudonym));
    if (results.length < PAGE) return all;
  }
}

/** Is a key refused because of an erasure? */
export async function isErased(db: D1Database, key: RecordKey): Promise<boolean> {
  const pseudonym = await (await Pseudonyms.read(db)).ofKey(key);
  const row = await db.prepare('SELECT 1 FROM erased_keys WHERE pseudonym = ?').bind(pseudonym).first();
  return row !== null;
}
