// Stores the selection of a request in R2. Keys name people, so they are deleted once submitted. Queries are kept as long
// as the rows, because a schedule repeats them. Their text is also in D1, so that an erasure searches thousands at once.
import { and, eq, gt, inArray, isNull, notExists, or, sql } from 'drizzle-orm';
import { drizzle } from 'drizzle-orm/d1';
import pMap from 'p-map';
import type { BulkKind, BulkOperation } from '../../../shared/operations.ts';
import { askedQueries, type RequestRow, requests } from '../../db/schema.ts';
import type { Env } from '../../env.ts';
import type { NameMatcher } from '../../gateway/refusal-list/name-matcher.ts';
import { findBulkOperation, type Selection, selectionSchema } from './order.ts';
import { excludeErased, type KeySplit, splitObjectKey } from './split-keys.ts';

/** An invocation may hold six connections open. */
const CONCURRENCY = 5;
/** Longer queries are not copied to D1; an erasure reads them from R2. */
const MAX_CHARACTERS = 100_000;
/** Queries that one statement reads. */
const PAGE_SIZE = 50;

const selectionKey = (id: string): string => `asked/${id}.json`;

/** Kinds of requests with a query. */
const queryKinds: readonly BulkKind[] = ['filter', 'es_dsl'];

/** Returns whether a kind has a query, which is kept as long as its rows. */
export const isQueryKind = (kind: BulkKind): boolean => queryKinds.includes(kind);

/** Stores the selection of a request. */
export async function putSelection({ ROWS }: Env, id: string, selection: Selection): Promise<void> {
  await ROWS.put(selectionKey(id), JSON.stringify(selection));
}

/**
 * Indexes the query of a request for erasures. {@link indexMissingQueries} does it after a crash.
 * @param selection - undefined where none is stored
 */
export async function indexQueryText(
  { DB }: Env,
  id: string,
  selection: Selection | undefined,
): Promise<void> {
  const query = selection !== undefined && 'query' in selection ? selection.query : '';
  const text = query.length > MAX_CHARACTERS ? null : query.toLowerCase();
  const orm = drizzle(DB);
  // Selects from the requests, so that a request which is deleted meanwhile leaves no text.
  const words = orm
    .select({ requestId: requests.id, text: sql`${text}`.as('text') })
    .from(requests)
    .where(eq(requests.id, id));
  await orm
    .insert(askedQueries)
    .select(words)
    .onConflictDoUpdate({ target: askedQueries.requestId, set: { text: sql`excluded.text` } });
}

/** Reads the selection of a request. @returns undefined where it was deleted */
export async function getSelection({ ROWS }: Env, id: string): Promise<Selection | undefined> {
  const object = await ROWS.get(selectionKey(id));
  return object === null ? undefined : selectionSchema.parse(await object.json());
}

/**
 * Returns the operation and selection to submit, without keys that were erased meanwhile.
 * @param split - undefined where the selection is submitted unchanged
 * @returns undefined where the selection was deleted
 */
export async function getOrderToSubmit(
  env: Env,
  { id, family, kind }: Pick<RequestRow, 'id' | 'family' | 'kind'>,
  split: KeySplit | undefined,
): Promise<{ operation: BulkOperation; selection: Selection } | undefined> {
  const operation = findBulkOperation(family, split?.kind ?? kind);
  const selection =
    split === undefined
      ? await getSelection(env, id)
      : { keys: await excludeErased(env, split.kind, family, split.ordered) };
  return operation && selection && { operation, selection };
}

/** Deletes the selection of a request and its split keys. */
export async function deleteSelection({ ROWS, DB }: Env, id: string): Promise<void> {
  await ROWS.delete([selectionKey(id), splitObjectKey(id)]);
  await drizzle(DB).update(askedQueries).set({ text: '' }).where(eq(askedQueries.requestId, id));
}

/**
 * Indexes stored queries that are not indexed yet.
 * @param most - number of queries at most
 * @returns whether all are indexed now
 */
export async function indexMissingQueries(env: Env, most: number): Promise<boolean> {
  const orm = drizzle(env.DB);
  const noted = orm.select().from(askedQueries).where(eq(askedQueries.requestId, requests.id));
  const unnoted = await orm
    .select({ id: requests.id })
    .from(requests)
    .where(and(inArray(requests.kind, queryKinds), isNull(requests.clearedAt), notExists(noted)))
    .limit(most + 1);
  await pMap(unnoted.slice(0, most), async ({ id }) => indexQueryText(env, id, await getSelection(env, id)), {
    concurrency: CONCURRENCY,
  });
  return unnoted.length <= most;
}

/** Searches a query that is too long for D1. */
async function isNamedInSelection(env: Env, id: string, { matches }: NameMatcher): Promise<boolean> {
  const selection = await getSelection(env, id);
  return selection !== undefined && 'query' in selection && matches(selection.query);
}

/**
 * Deletes the stored queries that name a person.
 * @throws where some could not be read
 */
export async function deleteSelectionsNaming(env: Env, matcher: NameMatcher): Promise<void> {
  const names = JSON.stringify(matcher.names);
  const isMaybeNamed = or(
    isNull(askedQueries.text),
    sql`EXISTS (SELECT 1 FROM json_each(${names}) WHERE instr(${askedQueries.text}, value) > 0)`,
  );
  const pageAfter = (id: string): Promise<(typeof askedQueries.$inferSelect)[]> =>
    drizzle(env.DB)
      .select()
      .from(askedQueries)
      .where(and(gt(askedQueries.requestId, id), isMaybeNamed))
      .orderBy(askedQueries.requestId)
      .limit(PAGE_SIZE)
      .all();
  for (let after: string | undefined = ''; after !== undefined; ) {
    const page = await pageAfter(after);
    await pMap(
      page,
      async ({ requestId: id, text }) => {
        const isNamed = text === null ? await isNamedInSelection(env, id, matcher) : matcher.matches(text);
        if (isNamed) await deleteSelection(env, id);
      },
      { concurrency: CONCURRENCY },
    );
    after = page.length < PAGE_SIZE ? undefined : page.at(-1)?.requestId;
  }
}
