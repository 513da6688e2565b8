// Who is refused because of an erasure, and the proof that they were erased: pseudonyms and counts, in D1.
import { eq, gt, inArray, type SQL, sql } from 'drizzle-orm';
import { drizzle } from 'drizzle-orm/d1';
import type { Subject } from '../../../shared/families/index.ts';
import { isInList } from '../../db/json-list.ts';
import { erasedKeys, erasures, settings } from '../../db/schema.ts';
import { type RecordKey, toCacheName } from '../cache/cache-keys.ts';
import { Pseudonyms } from './pseudonyms.ts';

/** So many are read at once. */
const PAGE = 5000;

/** The setting that names the erasure which began last. */
const LAST = 'last_erasure';

/** Notes an erasure before it has removed anything. @param at - milliseconds since 1970 */
export async function beginErasure(db: D1Database, id: string, at: number, subject: Subject): Promise<void> {
  const orm = drizzle(db);
  await orm.batch([
    orm.insert(erasures).values({ id, at, subject, removed: {} }),
    orm
      .insert(settings)
      .values({ name: LAST, value: id })
      .onConflictDoUpdate({ target: settings.name, set: { value: id } }),
  ]);
}

/**
 * Tells one state of the erasures from the next: another text when an erasure begins, and once more when nothing of it is
 * left, since what was answered in between may have come from a copy that was still on its way out.
 * @param now - milliseconds since 1970
 * @returns an expression over the gateway's tables, whose cost does not grow with the erasures
 */
export function selectErasureVersion(now: number): SQL<string> {
  return sql<string>`(
    SELECT coalesce((SELECT substr(${settings.value}, 1, 8) FROM ${settings} WHERE ${settings.name} = ${LAST}), '')
      || '.' || coalesce((SELECT substr(${erasures.id}, 1, 8) FROM ${erasures} WHERE ${erasures.goneBy} <= ${now}
        ORDER BY ${erasures.goneBy} DESC LIMIT 1), ''))`;
}

/**
 * Refuses keys from now on.
 * @param id - of the erasure
 * @returns the keys that an earlier erasure refused together with one of these: what it left, this one finds
 */
export async function addErasedKeys(
  db: D1Database,
  id: string,
  pseudonyms: readonly string[],
): Promise<string[]> {
  const orm = drizzle(db);
  const earlier = orm
    .select({ id: erasedKeys.erasureId })
    .from(erasedKeys)
    .where(isInList(erasedKeys.pseudonym, pseudonyms));
  const [found] = await orm.batch([
    orm
      .select({ pseudonym: erasedKeys.pseudonym })
      .from(erasedKeys)
      .where(inArray(erasedKeys.erasureId, earlier)),
    // A list of rows in one parameter, which drizzle's `values` would make two of each; SQLite needs the WHERE to parse it.
    orm
      .insert(erasedKeys)
      .select(sql`SELECT value, ${id} FROM json_each(${JSON.stringify(pseudonyms)}) WHERE true`)
      .onConflictDoNothing(),
  ]);
  return found.map(({ pseudonym }) => pseudonym);
}

/** Notes what an erasure removed. @param goneBy - when nothing of it is left anywhere: milliseconds since 1970 */
export async function completeErasure(
  db: D1Database,
  id: string,
  removed: Readonly<Record<string, number>>,
  goneBy: number,
): Promise<void> {
  await drizzle(db).update(erasures).set({ removed, goneBy }).where(eq(erasures.id, id));
}

/** @returns the pseudonyms of all keys that are refused */
export async function listErasedPseudonyms(db: D1Database): Promise<string[]> {
  const orm = drizzle(db);
  const all: string[] = [];
  for (;;) {
    const page = await orm
      .select({ pseudonym: erasedKeys.pseudonym })
      .from(erasedKeys)
      .where(gt(erasedKeys.pseudonym, all.at(-1) ?? ''))
      .orderBy(erasedKeys.pseudonym)
      .limit(PAGE);
    all.push(...page.map(({ pseudonym }) => pseudonym));
    if (page.length < PAGE) return all;
  }
}

/** Is a key refused because of an erasure? */
export async function isErasedKey(db: D1Database, key: RecordKey): Promise<boolean> {
  const pseudonym = await (await Pseudonyms.load(db)).forKey(key);
  const found = await drizzle(db).select().from(erasedKeys).where(eq(erasedKeys.pseudonym, pseudonym));
  return found.length > 0;
}

/** Pseudonyms of one statement: each has 64 characters, and D1 takes values of 2 MB. */
const PSEUDONYMS_PER_STATEMENT = 20_000;

/** SQL that counts the erased keys. A count that rises during a write means that an erasure began meanwhile. */
export const COUNT_ERASED_KEYS = 'SELECT count(*) AS count FROM erased_keys';

/** @returns those of some pseudonyms that belong to erased keys */
export async function filterErasedPseudonyms(
  db: D1Database,
  pseudonyms: readonly string[],
): Promise<string[]> {
  const orm = drizzle(db);
  const erased: string[] = [];
  for (let from = 0; from < pseudonyms.length; from += PSEUDONYMS_PER_STATEMENT) {
    const found = await orm
      .select({ pseudonym: erasedKeys.pseudonym })
      .from(erasedKeys)
      .where(isInList(erasedKeys.pseudonym, pseudonyms.slice(from, from + PSEUDONYMS_PER_STATEMENT)));
    erased.push(...found.map(({ pseudonym }) => pseudonym));
  }
  return erased;
}

/**
 * Finds keys that are refused because of an erasure.
 * @returns their names
 */
export async function findErasedKeys(db: D1Database, keys: readonly RecordKey[]): Promise<Set<string>> {
  if (keys.length === 0) return new Set();
  const any = await drizzle(db).select().from(erasedKeys).limit(1);
  if (any.length === 0) return new Set();
  const pseudonyms = await Pseudonyms.load(db);
  const names = new Map(
    await Promise.all(keys.map(async (key) => [await pseudonyms.forKey(key), toCacheName(key)] as const)),
  );
  const erased = await filterErasedPseudonyms(db, [...names.keys()]);
  return new Set(erased.map((pseudonym) => names.get(pseudonym) ?? ''));
}
