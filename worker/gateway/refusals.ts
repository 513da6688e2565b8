// Who is refused because of an erasure, and the proof that they were erased: pseudonyms and counts, in D1.
import { type SQL, sql } from 'drizzle-orm';
import type { Subject } from '../../shared/families.ts';
import { nameOf, type RecordKey } from './names.ts';
import { Pseudonyms } from './pseudonym.ts';

/** So many are read at once. */
const PAGE = 5000;

/** The setting that names the erasure which began last. */
const LAST = 'last_erasure';

/** Notes an erasure before it has removed anything. @param at - milliseconds since 1970 */
export async function beginErasure(db: D1Database, id: string, at: number, subject: Subject): Promise<void> {
  await db.batch([
    db
      .prepare('INSERT INTO erasures (id, at, subject, removed) VALUES (?, ?, ?, ?)')
      .bind(id, at, subject, '{}'),
    db
      .prepare(
        'INSERT INTO settings (name, value) VALUES (?, ?) ON CONFLICT DO UPDATE SET value = excluded.value',
      )
      .bind(LAST, id),
  ]);
}

/**
 * Tells one state of the erasures from the next: another text when an erasure begins, and once more when nothing of it is
 * left, since what was answered in between may have come from a copy that was still on its way out.
 * @param now - milliseconds since 1970
 * @returns an expression over the gateway's tables, whose cost does not grow with the erasures
 */
export function erasuresAsOf(now: number): SQL<string> {
  return sql<string>`(
    SELECT coalesce((SELECT substr(value, 1, 8) FROM settings WHERE name = ${LAST}), '') || '.' ||
      coalesce((SELECT substr(id, 1, 8) FROM erasures WHERE gone_by <= ${now} ORDER BY gone_by DESC LIMIT 1), ''))`;
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

/** Notes what an erasure removed. @param goneBy - when nothing of it is left anywhere: milliseconds since 1970 */
export async function proveErasure(
  db: D1Database,
  id: string,
  removed: Readonly<Record<string, number>>,
  goneBy: number,
): Promise<void> {
  await db
    .prepare('UPDATE erasures SET removed = ?, gone_by = ? WHERE id = ?')
    .bind(JSON.stringify(removed), goneBy, id)
    .run();
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

/** Pseudonyms of one statement: each has 64 characters, and D1 takes values of 2 MB. */
const ASKED_AT_ONCE = 20_000;

/**
 * Finds keys that are refused because of an erasure.
 * @returns their names
 */
export async function erasedAmong(db: D1Database, keys: readonly RecordKey[]): Promise<Set<string>> {
  const any = await db.prepare('SELECT 1 FROM erased_keys LIMIT 1').first();
  if (any === null || keys.length === 0) return new Set();
  const pseudonyms = await Pseudonyms.read(db);
  const named = await Promise.all(
    keys.map(async (key) => [await pseudonyms.ofKey(key), nameOf(key)] as const),
  );
  const names = new Map(named);
  const erased = new Set<string>();
  for (let from = 0; from < named.length; from += ASKED_AT_ONCE) {
    const asked = named.slice(from, from + ASKED_AT_ONCE).map(([pseudonym]) => pseudonym);
    const { results } = await db
      .prepare('SELECT pseudonym FROM erased_keys WHERE pseudonym IN (SELECT value FROM json_each(?))')
      .bind(JSON.stringify(asked))
      .run<{ pseudonym: string }>();
    for (const { pseudonym } of results) erased.add(names.get(pseudonym) ?? '');
  }
  return erased;
}
