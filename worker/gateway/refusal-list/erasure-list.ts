// The list of erased keys, which the gateway refuses: pseudonyms in D1.
import { and, eq, gt, inArray, type SQL, sql } from 'drizzle-orm';
import { drizzle } from 'drizzle-orm/d1';
import { isInList, toJsonLists } from '../../db/json-list.ts';
import { erasedKeys, erasures, settings } from '../../db/schema.ts';
import type { Env } from '../../env.ts';
import { type RecordKey, toCacheName } from '../cache/cache-keys.ts';
import { listKeyReadings } from './key-readings.ts';
import { Pseudonyms } from './pseudonyms.ts';

/** Pseudonyms that one query reads. */
const PAGE_SIZE = 5000;

/** Setting with the id of the latest erasure. */
export const LAST_ERASURE = 'last_erasure';

/**
 * Selects the version of the erasures. It changes when an erasure begins, and again when its last copies have expired, because
 * answers in between may come from such a copy. The cost does not grow with the number of erasures.
 * @returns an SQL expression
 */
export function selectErasureVersion(now: number): SQL<string> {
  return sql<string>`(
    SELECT coalesce((SELECT substr(${settings.value}, 1, 8) FROM ${settings} WHERE ${settings.name} = ${LAST_ERASURE}), '')
      || '.' || coalesce((SELECT substr(${erasures.id}, 1, 8) FROM ${erasures} WHERE ${erasures.completeAt} <= ${now}
        ORDER BY ${erasures.completeAt} DESC LIMIT 1), ''))`;
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
  const together = new Set<string>();
  for (const list of toJsonLists(pseudonyms)) {
    const listed = sql`SELECT value FROM json_each(${list})`;
    const earlier = orm
      .select({ id: erasedKeys.erasureId })
      .from(erasedKeys)
      .where(sql`${erasedKeys.pseudonym} IN (${listed})`);
    const [found] = await orm.batch([
      orm
        .select({ pseudonym: erasedKeys.pseudonym })
        .from(erasedKeys)
        .where(inArray(erasedKeys.erasureId, earlier)),
      // SQLite needs the WHERE to parse ON CONFLICT after a SELECT.
      orm
        .insert(erasedKeys)
        .select(sql`SELECT value, ${id} FROM json_each(${list}) WHERE true`)
        .onConflictDoNothing(),
    ]);
    for (const { pseudonym } of found) together.add(pseudonym);
  }
  return [...together];
}

/**
 * Adds keys that an answer links to an erased person or company.
 * @param because - pseudonyms of erased keys; the new ones join their erasure
 * @returns the pseudonyms that were not in the list
 */
export async function addLinkedPseudonyms(
  db: D1Database,
  pseudonyms: readonly string[],
  because: readonly string[],
): Promise<string[]> {
  const orm = drizzle(db);
  const [known] = await orm
    .select({ erasureId: erasedKeys.erasureId })
    .from(erasedKeys)
    .where(isInList(erasedKeys.pseudonym, because))
    .limit(1);
  // An erasure that has just begun adds them itself.
  if (known === undefined || pseudonyms.length === 0) return [];
  const added = await orm
    .insert(erasedKeys)
    .select(sql`SELECT value, ${known.erasureId} FROM json_each(${JSON.stringify(pseudonyms)}) WHERE true`)
    .onConflictDoNothing()
    .returning({ pseudonym: erasedKeys.pseudonym });
  return added.map(({ pseudonym }) => pseudonym);
}

/** Lists keys that an erasure has added: as many as one call of an object takes. */
export async function listKeysOfErasure(db: D1Database, id: string): Promise<string[]> {
  const rows = await drizzle(db)
    .select({ pseudonym: erasedKeys.pseudonym })
    .from(erasedKeys)
    .where(eq(erasedKeys.erasureId, id))
    .limit(PAGE_SIZE);
  return rows.map(({ pseudonym }) => pseudonym);
}

/** Removes keys of an erasure from the list. @param pseudonyms - absent for all */
export async function deleteErasedKeys(
  db: D1Database,
  id: string,
  pseudonyms?: readonly string[],
): Promise<void> {
  await drizzle(db)
    .delete(erasedKeys)
    .where(and(eq(erasedKeys.erasureId, id), pseudonyms && isInList(erasedKeys.pseudonym, pseudonyms)));
}

/** Lists the pseudonyms of all erased keys, in pages. */
export async function* listErasedPseudonyms(db: D1Database): AsyncGenerator<string[], void> {
  const orm = drizzle(db);
  for (let last: string | undefined = ''; last !== undefined; ) {
    const page: string[] = (
      await orm
        .select({ pseudonym: erasedKeys.pseudonym })
        .from(erasedKeys)
        .where(gt(erasedKeys.pseudonym, last))
        .orderBy(erasedKeys.pseudonym)
        .limit(PAGE_SIZE)
    ).map(({ pseudonym }) => pseudonym);
    yield page;
    last = page.length < PAGE_SIZE ? undefined : page.at(-1);
  }
}

export async function isErasedKey(env: Env, key: RecordKey): Promise<boolean> {
  const pseudonym = await (await Pseudonyms.load(env)).forKey(key);
  const found = await drizzle(env.DB).select().from(erasedKeys).where(eq(erasedKeys.pseudonym, pseudonym));
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
 * Finds the keys among some that are erased, or that the provider may read as an erased key.
 * @returns their cache names
 */
export async function findErasedKeys(env: Env, keys: readonly RecordKey[]): Promise<Set<string>> {
  if (keys.length === 0) return new Set();
  const anyErased = await drizzle(env.DB).select().from(erasedKeys).limit(1);
  if (anyErased.length === 0) return new Set();
  const pseudonyms = await Pseudonyms.load(env);
  const readings = keys.flatMap((key) =>
    [key, ...listKeyReadings(key.family, key.value, ['id', 'shorthand_name'])].map((reading) => ({
      reading,
      name: toCacheName(key),
    })),
  );
  const names = await Promise.all(
    readings.map(async ({ reading, name }) => ({ name, pseudonym: await pseudonyms.forKey(reading) })),
  );
  const listed = [...new Set(names.map(({ pseudonym }) => pseudonym))];
  const erased = new Set(await filterErasedPseudonyms(env.DB, listed));
  return new Set(names.flatMap(({ name, pseudonym }) => (erased.has(pseudonym) ? [name] : [])));
}
