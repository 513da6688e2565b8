// The list of erased keys, which the gateway refuses, and the proof of each erasure: pseudonyms and counts in D1.
import { eq, gt, inArray, type SQL, sql } from 'drizzle-orm';
import { drizzle } from 'drizzle-orm/d1';
import type { Subject } from '../../../shared/families/index.ts';
import { isInList } from '../../db/json-list.ts';
import { erasedKeys, erasures, settings } from '../../db/schema.ts';
import { type RecordKey, toCacheName } from '../cache/cache-keys.ts';
import { Pseudonyms } from './pseudonyms.ts';

/** Pseudonyms that one query reads. */
const PAGE_SIZE = 5000;

/** Setting with the id of the latest erasure. */
const LAST_ERASURE = 'last_erasure';

/** Records the start of an erasure, before anything is removed. @param at - milliseconds since 1970 */
export async function beginErasure(db: D1Database, id: string, at: number, subject: Subject): Promise<void> {
  const orm = drizzle(db);
  await orm.batch([
    orm.insert(erasures).values({ id, at, subject, removed: {} }),
    orm
      .insert(settings)
      .values({ name: LAST_ERASURE, value: id })
      .onConflictDoUpdate({ target: settings.name, set: { value: id } }),
  ]);
}

/**
 * Selects the version of the erasures. It changes when an erasure begins, and again when its last copies have expired, because
 * answers in between may come from such a copy. The cost does not grow with the number of erasures.
 * @param now - milliseconds since 1970
 * @returns an SQL expression
 */
export function selectErasureVersion(now: number): SQL<string> {
  return sql<string>`(
    SELECT coalesce((SELECT substr(${settings.value}, 1, 8) FROM ${settings} WHERE ${settings.name} = ${LAST_ERASURE}), '')
      || '.' || coalesce((SELECT substr(${erasures.id}, 1, 8) FROM ${erasures} WHERE ${erasures.goneBy} <= ${now}
        ORDER BY ${erasures.goneBy} DESC LIMIT 1), ''))`;
}

/**
 * Adds keys to the list.
 * @param id - id of the erasure
 * @returns pseudonyms that earlier erasures added together with one of these, so that this erasure removes their rest
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
    // Inserts rows from a single JSON parameter. SQLite needs the WHERE to parse ON CONFLICT after a SELECT.
    orm
      .insert(erasedKeys)
      .select(sql`SELECT value, ${id} FROM json_each(${JSON.stringify(pseudonyms)}) WHERE true`)
      .onConflictDoNothing(),
  ]);
  return found.map(({ pseudonym }) => pseudonym);
}

/** Records what an erasure removed. @param goneBy - when the last copy expires: milliseconds since 1970 */
export async function completeErasure(
  db: D1Database,
  id: string,
  removed: Readonly<Record<string, number>>,
  goneBy: number,
): Promise<void> {
  await drizzle(db).update(erasures).set({ removed, goneBy }).where(eq(erasures.id, id));
}

/** Lists the pseudonyms of all erased keys. */
export async function listErasedPseudonyms(db: D1Database): Promise<string[]> {
  const orm = drizzle(db);
  const all: string[] = [];
  for (;;) {
    const page = await orm
      .select({ pseudonym: erasedKeys.pseudonym })
      .from(erasedKeys)
      .where(gt(erasedKeys.pseudonym, all.at(-1) ?? ''))
      .orderBy(erasedKeys.pseudonym)
      .limit(PAGE_SIZE);
    all.push(...page.map(({ pseudonym }) => pseudonym));
    if (page.length < PAGE_SIZE) return all;
  }
}

/** Checks whether a key was erased. */
export async function isErasedKey(db: D1Database, key: RecordKey): Promise<boolean> {
  const pseudonym = await (await Pseudonyms.load(db)).forKey(key);
  const found = await drizzle(db).select().from(erasedKeys).where(eq(erasedKeys.pseudonym, pseudonym));
  return found.length > 0;
}

/** Maximum for one statement: each pseudonym has 64 characters, and D1 accepts values of 2 MB. */
const PSEUDONYMS_PER_STATEMENT = 20_000;

/** SQL that counts the erased keys. If the count rises during a write, an erasure has begun meanwhile. */
export const COUNT_ERASED_KEYS = 'SELECT count(*) AS count FROM erased_keys';

/** Returns the pseudonyms that belong to erased keys. */
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
 * Finds the erased keys among some keys.
 * @returns their cache names
 */
export async function findErasedKeys(db: D1Database, keys: readonly RecordKey[]): Promise<Set<string>> {
  if (keys.length === 0) return new Set();
  const anyErased = await drizzle(db).select().from(erasedKeys).limit(1);
  if (anyErased.length === 0) return new Set();
  const pseudonyms = await Pseudonyms.load(db);
  const names = new Map(
    await Promise.all(keys.map(async (key) => [await pseudonyms.forKey(key), toCacheName(key)] as const)),
  );
  const erased = await filterErasedPseudonyms(db, [...names.keys()]);
  return new Set(erased.map((pseudonym) => names.get(pseudonym) ?? ''));
}
