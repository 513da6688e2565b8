// Stored searches for a person. Terms and results are encrypted, and deleted some hours after the start.
import { and, count, eq, isNull, lte } from 'drizzle-orm';
import type { BatchItem } from 'drizzle-orm/batch';
import { drizzle } from 'drizzle-orm/d1';
import * as z from 'zod';
import {
  maxPersonSearches,
  type PersonSearchTerms,
  personSearchHours,
  personSearchTerms,
} from '../../../shared/api/admin-person-searches.ts';
import { HOUR_MS } from '../../../shared/lib/durations.ts';
import { type PersonSearchRow, personSearches } from '../../db/schema.ts';
import type { Env } from '../../env.ts';
import { filterErasedPseudonyms } from '../../gateway/refusal-list/erasure-list.ts';
import { Pseudonyms } from '../../gateway/refusal-list/pseudonyms.ts';
import { ProblemError } from '../../http/problem-error.ts';
import { decryptStored, encryptStored } from '../../http/secrets.ts';
import { enqueue, putJob } from '../../queue/jobs.ts';
import { foundPersonSchema } from './found-people.ts';

const stateSchema = z.object({
  terms: personSearchTerms,
  /** Where the next part begins; null at the end. */
  cursor: z.object({ phase: z.enum(['count', 'answers', 'rows']), after: z.string() }).nullable(),
  /** Entries that were counted so far. */
  counted: z.int(),
  people: z.array(foundPersonSchema),
  more: z.boolean(),
});
export type SearchState = z.infer<typeof stateSchema>;

export type PersonSearch = Omit<PersonSearchRow, 'state'> & { state: SearchState };

const getPlace = (id: string): string => `person_searches.state ${id}`;

const encryptState = (env: Env, id: string, state: SearchState): Promise<string> =>
  encryptStored(env, JSON.stringify(state), getPlace(id));

async function decryptState(env: Env, { id, state }: PersonSearchRow): Promise<SearchState> {
  return stateSchema.parse(JSON.parse(await decryptStored(env, state, getPlace(id))));
}

/** Returns when a search is deleted, milliseconds since 1970. */
export const getExpiry = ({ createdAt }: Pick<PersonSearchRow, 'createdAt'>): number =>
  createdAt + personSearchHours * HOUR_MS;

async function omitErased(env: Env, people: SearchState['people']): Promise<SearchState['people']> {
  const pseudonyms = await Pseudonyms.load(env);
  const ofPeople = await Promise.all(
    people.map(({ keys }) => Promise.all(keys.map((key) => pseudonyms.forSubjectKey(key)))),
  );
  const erased = new Set(await filterErasedPseudonyms(env.DB, ofPeople.flat()));
  return people.filter((_, at) => !ofPeople[at]?.some((pseudonym) => erased.has(pseudonym)));
}

/** A statement of the same batch as the change of a search. */
type Companion = BatchItem<'sqlite'>;

/**
 * Stores a search with its job.
 * @param buildCompanion - builds another statement of the same batch, for the id of the search
 * @throws ProblemError `too_many`; `not_configured` without ENCRYPTION_SECRET
 */
export async function createSearch(
  env: Env,
  terms: PersonSearchTerms,
  now: number,
  buildCompanion: (id: string) => Companion,
): Promise<PersonSearch> {
  const orm = drizzle(env.DB);
  const stored = await orm.select({ searches: count() }).from(personSearches).get();
  if (stored !== undefined && stored.searches >= maxPersonSearches)
    throw new ProblemError(
      'too_many',
      `There are ${maxPersonSearches} searches.`,
      `Each is deleted ${personSearchHours} hours after its start: try again later.`,
    );
  const id = crypto.randomUUID();
  const cursor = { phase: 'count' as const, after: '' };
  const state: SearchState = { terms, cursor, counted: 0, people: [], more: false };
  const row = { id, createdAt: now, searched: 0, total: null, endedAt: null, isStopped: false };
  await orm.batch([
    orm.insert(personSearches).values({ ...row, state: await encryptState(env, id, state) }),
    putJob(orm, { kind: 'person_search', id, dueAt: now, createdAt: now }),
    buildCompanion(id),
  ]);
  await enqueue(env, [{ kind: 'person_search', id }]);
  return { ...row, state };
}

/** Finds a search, without people erased since. @param now - milliseconds since 1970 */
export async function findSearch(env: Env, id: string, now: number): Promise<PersonSearch | undefined> {
  const row = await drizzle(env.DB).select().from(personSearches).where(eq(personSearches.id, id)).get();
  if (row === undefined || getExpiry(row) <= now) return undefined;
  const state = await decryptState(env, row);
  return { ...row, state: { ...state, people: await omitErased(env, state.people) } };
}

/** Ends a search that runs. What it has found stays. @param companion - the next statement of the same batch */
export async function stopSearch(env: Env, id: string, now: number, companion: Companion): Promise<void> {
  const orm = drizzle(env.DB);
  await orm.batch([
    orm
      .update(personSearches)
      .set({ endedAt: now, isStopped: true })
      .where(and(eq(personSearches.id, id), isNull(personSearches.endedAt))),
    companion,
  ]);
}

/** Stores the progress of a search that runs. @returns false if it was stopped or deleted */
export async function saveProgress(
  env: Env,
  { id, searched, total, endedAt, state }: PersonSearch,
): Promise<boolean> {
  const people = await omitErased(env, state.people);
  const encrypted = await encryptState(env, id, { ...state, people });
  const saved = await drizzle(env.DB)
    .update(personSearches)
    .set({ searched, total, endedAt, state: encrypted })
    .where(and(eq(personSearches.id, id), isNull(personSearches.endedAt)))
    .returning({ id: personSearches.id });
  return saved.length > 0;
}

/** @param now - milliseconds since 1970 */
export async function deleteExpiredSearches(db: D1Database, now: number): Promise<void> {
  const before = now - personSearchHours * HOUR_MS;
  await drizzle(db).delete(personSearches).where(lte(personSearches.createdAt, before));
}

/**
 * Removes erased people from the results of all searches. A search that can't be read any more is deleted: an erasure always ends,
 * and a search can be repeated.
 * @throws if D1 can't be reached
 */
export async function eraseFromSearches(env: Env): Promise<void> {
  const orm = drizzle(env.DB);
  for (const row of await orm.select().from(personSearches)) {
    const state = await decryptState(env, row).catch(() => undefined);
    if (state === undefined) {
      await orm.delete(personSearches).where(eq(personSearches.id, row.id));
      continue;
    }
    const people = await omitErased(env, state.people);
    if (people.length === state.people.length) continue;
    // The job of a running search writes a newer state without them.
    await orm
      .update(personSearches)
      .set({ state: await encryptState(env, row.id, { ...state, people }) })
      .where(and(eq(personSearches.id, row.id), eq(personSearches.state, row.state)));
  }
}
