// Erasures in D1: the state of unfinished ones, and the proofs of completed ones.
import { and, count, desc, eq, gt, inArray, isNotNull, isNull, lte, sql } from 'drizzle-orm';
import { type DrizzleD1Database, drizzle } from 'drizzle-orm/d1';
import * as z from 'zod';
import { removedCounts } from '../../../shared/api/admin-erasures.ts';
import { keyKinds, type Subject, subjectNames } from '../../../shared/families/index.ts';
import { isInList } from '../../db/json-list.ts';
import { erasedKeys, erasures, settings } from '../../db/schema.ts';
import { logError } from '../../http/log.ts';
import { putJob } from '../../queue/jobs.ts';
import { addErasedKeys, LAST_ERASURE } from './erasure-list.ts';

export type ErasureCounts = z.infer<typeof removedCounts>;

export const noCounts: ErasureCounts = { keys: 0, kv: 0, single_flight: 0, pages: 0, mentions: 0, rows: 0 };

export const erasureKeysSchema = z.array(
  z.object({
    subject: z.enum(subjectNames),
    kind: z.enum(keyKinds),
    value: z.string(),
  }),
);

/** The state of an unfinished erasure. It contains keys, so it is deleted at the end. */
const workSchema = z.object({
  keys: erasureKeysSchema,
  pseudonyms: z.array(z.string()),
  /** Single-flight objects that have copies left; null until all keys are refused. */
  shards: z.array(z.int()).nullable(),
  /** Cursor of the next rows of others to read; null when they are done. */
  rowsAfter: z.string().nullable(),
  removed: removedCounts,
});
export type ErasureWork = z.infer<typeof workSchema>;

export interface NewErasure {
  id: string;
  at: number;
  subject: Subject;
  /** Encrypted reference and requester; null without both. */
  request: string | null;
  work: ErasureWork;
}

/** Builds the statement that changes the version of erasures. */
function setLastErasure(orm: DrizzleD1Database, id: string) {
  return orm
    .insert(settings)
    .values({ name: LAST_ERASURE, value: id })
    .onConflictDoUpdate({ target: settings.name, set: { value: id } });
}

/** Records the start of an erasure with its job, before anything is removed. */
export async function beginErasure(db: D1Database, { work, ...erasure }: NewErasure): Promise<void> {
  const { id, at } = erasure;
  const orm = drizzle(db);
  await orm.batch([
    orm.insert(erasures).values({ ...erasure, removed: {}, work: JSON.stringify(work) }),
    setLastErasure(orm, id),
    putJob(orm, { kind: 'erasure', id, dueAt: at, createdAt: at }),
  ]);
}

/** Parses the state of an erasure. @returns undefined if there is none, or it is unreadable */
function parseWork(work: string | null): ErasureWork | undefined {
  return workSchema.safeParse(JSON.parse(work ?? 'null')).data;
}

/** Combines counts of the same erasure: both know a part of what it has removed. */
function mergeCounts(counts: ErasureCounts, others: ErasureCounts): ErasureCounts {
  const names = removedCounts.keyof().options;
  const merged = names.map((name) => [name, Math.max(counts[name], others[name])]);
  return removedCounts.parse(Object.fromEntries(merged));
}

/** Combines keys. Each invocation of an erasure journals all of them again. */
function mergeKeys(keys: ErasureWork['keys'], others: ErasureWork['keys']): ErasureWork['keys'] {
  return [...new Map([...keys, ...others].map((key) => [JSON.stringify(key), key])).values()];
}

/**
 * Opens an erasure again, or inserts it if it is lost, and refuses its keys. Repeated calls add their keys.
 * @param erasure - its work has not begun
 */
export async function reopenErasure(db: D1Database, { work: added, ...erasure }: NewErasure): Promise<void> {
  const { id, at } = erasure;
  const orm = drizzle(db);
  const stored = await orm.select().from(erasures).where(eq(erasures.id, id)).get();
  const earlier = parseWork(stored?.work ?? null);
  const work: ErasureWork = {
    ...added,
    keys: mergeKeys(earlier?.keys ?? [], added.keys),
    pseudonyms: [...new Set([...(earlier?.pseudonyms ?? []), ...added.pseudonyms])],
    removed: mergeCounts(added.removed, { ...noCounts, ...stored?.removed, ...earlier?.removed }),
  };
  const state = { work: JSON.stringify(work), removed: work.removed, completeAt: null };
  await orm.batch([
    orm
      .insert(erasures)
      .values({ ...erasure, ...state })
      .onConflictDoUpdate({ target: erasures.id, set: state }),
    setLastErasure(orm, id),
    putJob(orm, { kind: 'erasure', id, dueAt: at, createdAt: at }),
  ]);
  await addErasedKeys(db, id, added.pseudonyms);
}

export async function saveErasure(db: D1Database, id: string, work: ErasureWork): Promise<void> {
  const set = { work: JSON.stringify(work), removed: work.removed };
  await drizzle(db).update(erasures).set(set).where(eq(erasures.id, id));
}

/** Finds an unfinished erasure: that of an id, or the oldest. Logs one whose state is unreadable. */
export async function findUnfinishedErasure(
  db: D1Database,
  id?: string,
): Promise<NewErasure | 'unreadable' | undefined> {
  const row = await drizzle(db)
    .select({
      id: erasures.id,
      at: erasures.at,
      subject: erasures.subject,
      request: erasures.request,
      work: erasures.work,
    })
    .from(erasures)
    .where(and(isNotNull(erasures.work), id === undefined ? undefined : eq(erasures.id, id)))
    .orderBy(erasures.at)
    .limit(1)
    .get();
  if (row === undefined) return undefined;
  const work = parseWork(row.work);
  const subject = subjectNames.find((known) => known === row.subject);
  if (work !== undefined && subject !== undefined) return { ...row, subject, work };
  logError('erasure_interrupted', undefined, { erasure: row.id });
  return 'unreadable';
}

export interface StoredErasure {
  id: string;
  at: number;
  subject: string;
  /** Encrypted reference and requester; null without both. */
  request: string | null;
  /** null while it is unfinished. */
  completeAt: number | null;
  /** When the company was allowed again; null while it is refused. */
  allowedAt: number | null;
  removed: ErasureCounts;
  /** Single-flight objects that have copies left; null before all keys are refused, and at the end. */
  shardsLeft: number | null;
}

const selectErasures = (db: D1Database) =>
  drizzle(db)
    .select({
      id: erasures.id,
      at: erasures.at,
      subject: erasures.subject,
      request: erasures.request,
      completeAt: erasures.completeAt,
      allowedAt: erasures.allowedAt,
      removed: erasures.removed,
      shardsLeft: sql<number | null>`json_array_length(${erasures.work}, '$.shards')`,
    })
    .from(erasures);

type ErasureRow = Omit<StoredErasure, 'removed'> & { removed: Record<string, number> };

const toStoredErasure = (row: ErasureRow): StoredErasure => ({
  ...row,
  removed: { ...noCounts, ...row.removed },
});

/** Returns an erasure; undefined if there is none. */
export async function findErasure(db: D1Database, id: string): Promise<StoredErasure | undefined> {
  const row = await selectErasures(db).where(eq(erasures.id, id)).get();
  return row && toStoredErasure(row);
}

/** Lists the erasures that refuse one of some keys. @param pseudonyms - of the keys */
export async function listErasuresOfKeys(
  db: D1Database,
  pseudonyms: readonly string[],
): Promise<StoredErasure[]> {
  const ids = drizzle(db)
    .select({ id: erasedKeys.erasureId })
    .from(erasedKeys)
    .where(isInList(erasedKeys.pseudonym, pseudonyms));
  return (await selectErasures(db).where(inArray(erasures.id, ids))).map(toStoredErasure);
}

/**
 * Lists a page of erasures, newest first.
 * @param after - the last one of the previous page
 */
export async function listErasures(
  db: D1Database,
  after: Pick<StoredErasure, 'id' | 'at'> | undefined,
  limit: number,
): Promise<StoredErasure[]> {
  const rows = await selectErasures(db)
    .where(after && sql`(${erasures.at}, ${erasures.id}) < (${after.at}, ${after.id})`)
    .orderBy(desc(erasures.at), desc(erasures.id))
    .limit(limit);
  return rows.map(toStoredErasure);
}

/**
 * Builds the statements that mark a company as allowed again, and change the version of erasures, so that copies of refusals
 * end. Its keys are refused until {@link deleteErasedKeys} has deleted them.
 */
export function markAllowed(orm: DrizzleD1Database, id: string, at: number) {
  const set = { allowedAt: at };
  const isFirst = and(eq(erasures.id, id), isNull(erasures.allowedAt));
  return [orm.update(erasures).set(set).where(isFirst), setLastErasure(orm, crypto.randomUUID())] as const;
}

/** Lists the erasures of companies that are allowed again, but have refused keys. */
export async function listRefusedAllowed(db: D1Database): Promise<string[]> {
  const rows = await drizzle(db)
    .selectDistinct({ id: erasures.id })
    .from(erasures)
    .innerJoin(erasedKeys, eq(erasedKeys.erasureId, erasures.id))
    .where(isNotNull(erasures.allowedAt));
  return rows.map(({ id }) => id);
}

export interface RefusedKey {
  pseudonym: string;
  erasure: string;
  /** What was erased. */
  subject: string;
  /** Begin of the erasure, milliseconds since 1970. */
  at: number;
}

/**
 * Lists a page of refused keys by pseudonym, and counts all.
 * @param after - pseudonym of the last one of the previous page
 */
export async function listRefusedKeys(
  db: D1Database,
  after: string | undefined,
  limit: number,
): Promise<{ total: number; keys: RefusedKey[] }> {
  const orm = drizzle(db);
  const [totals, keys] = await orm.batch([
    orm.select({ total: count() }).from(erasedKeys),
    orm
      .select({
        pseudonym: erasedKeys.pseudonym,
        erasure: erasedKeys.erasureId,
        subject: erasures.subject,
        at: erasures.at,
      })
      .from(erasedKeys)
      .innerJoin(erasures, eq(erasures.id, erasedKeys.erasureId))
      .where(after === undefined ? undefined : gt(erasedKeys.pseudonym, after))
      .orderBy(erasedKeys.pseudonym)
      .limit(limit),
  ]);
  return { total: totals[0]?.total ?? 0, keys };
}

/** Records what an erasure removed. @param completeAt - when the last copy expires: milliseconds since 1970 */
export async function completeErasure(
  db: D1Database,
  id: string,
  removed: ErasureCounts,
  completeAt: number,
): Promise<void> {
  await drizzle(db).update(erasures).set({ removed, completeAt, work: null }).where(eq(erasures.id, id));
}

/** Counts unfinished erasures that began before a time. @param before - milliseconds since 1970 */
export async function countLateErasures(db: D1Database, before: number): Promise<number> {
  const late = and(isNotNull(erasures.work), lte(erasures.at, before));
  const row = await drizzle(db).select({ count: count() }).from(erasures).where(late).get();
  return row?.count ?? 0;
}
