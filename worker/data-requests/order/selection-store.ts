// Stores the selections of data requests in R2: keys until the provider has them, because they name people; queries as long as
// the rows, because schedules repeat them. D1 indexes the text of queries, so an erasure searches thousands in a few statements.
import { and, eq, gt, inArray, isNull, notExists, or, sql } from 'drizzle-orm';
import { drizzle } from 'drizzle-orm/d1';
import pMap from 'p-map';
import type { Family } from '../../../shared/families/index.ts';
import type { BulkKind, BulkOperation } from '../../../shared/operations.ts';
import { type RequestRow, requestQueries, requests } from '../../db/schema.ts';
import type { Env } from '../../env.ts';
import type { NameMatcher } from '../../gateway/refusal-list/name-matcher.ts';
import { findBulkOperation, type Selection, selectionSchema } from './order.ts';
import { excludeErased, type KeySplit, splitObjectKey } from './split-keys.ts';

/** An invocation may hold six connections. */
const CONCURRENCY = 5;
/** Longer queries are not indexed in D1; an erasure reads them from R2. */
const MAX_CHARACTERS = 100_000;
/** Query texts that one statement reads. */
const PAGE_SIZE = 50;

const selectionKey = (id: string): string => `selections/${id}.json`;

/** Kinds of data requests that select by a query. */
const queryKinds: readonly BulkKind[] = ['filter', 'es_dsl'];

/** Returns whether a kind selects by a query, whose selection is kept as long as the rows. */
export const isQueryKind = (kind: BulkKind): boolean => queryKinds.includes(kind);

export async function putSelection({ ROWS }: Env, id: string, selection: Selection): Promise<void> {
  await ROWS.put(selectionKey(id), JSON.stringify(selection));
}

/**
 * Indexes the query of a data request in D1. After a crash, {@link indexMissingQueries} does it.
 * @param selection - undefined if none is stored
 */
export async function indexQueryText(
  { DB }: Env,
  id: string,
  selection: Selection | undefined,
): Promise<void> {
  const query = selection !== undefined && 'query' in selection ? selection.query : '';
  const text = query.length > MAX_CHARACTERS ? null : query.toLowerCase();
  const orm = drizzle(DB);
  // Selected from `requests`, so a deleted data request gets no index entry.
  const entry = orm
    .select({ requestId: requests.id, text: sql`${text}`.as('text') })
    .from(requests)
    .where(eq(requests.id, id));
  await orm
    .insert(requestQueries)
    .select(entry)
    .onConflictDoUpdate({ target: requestQueries.requestId, set: { text: sql`excluded.text` } });
}

/** Reads the selection of a data request; undefined if it is deleted. */
export async function getSelection({ ROWS }: Env, id: string): Promise<Selection | undefined> {
  const object = await ROWS.get(selectionKey(id));
  return object === null ? undefined : selectionSchema.parse(await object.json());
}

/**
 * Reads what to submit for a data request, without keys that were erased since.
 * @param split - undefined if the selection is submitted unchanged
 * @returns undefined if the selection is deleted
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

export async function deleteSelection({ ROWS, DB }: Env, id: string): Promise<void> {
  await ROWS.delete([selectionKey(id), splitObjectKey(id)]);
  await drizzle(DB).update(requestQueries).set({ text: '' }).where(eq(requestQueries.requestId, id));
}

/**
 * Indexes stored queries that are not indexed yet.
 * @param limit - maximum number of queries
 * @returns whether all queries are indexed now
 */
export async function indexMissingQueries(env: Env, limit: number): Promise<boolean> {
  const orm = drizzle(env.DB);
  const indexed = orm.select().from(requestQueries).where(eq(requestQueries.requestId, requests.id));
  const unindexed = await orm
    .select({ id: requests.id })
    .from(requests)
    .where(and(inArray(requests.kind, queryKinds), isNull(requests.clearedAt), notExists(indexed)))
    .limit(limit + 1);
  await pMap(
    unindexed.slice(0, limit),
    async ({ id }) => indexQueryText(env, id, await getSelection(env, id)),
    {
      concurrency: CONCURRENCY,
    },
  );
  return unindexed.length <= limit;
}

/** Returns whether a query that is too long for D1 names the person or company. */
async function isNamedInSelection(
  env: Env,
  id: string,
  family: Family,
  { matches }: NameMatcher,
): Promise<boolean> {
  const selection = await getSelection(env, id);
  return selection !== undefined && 'query' in selection && matches(selection.query, family);
}

/**
 * Deletes the stored queries that name a person or company.
 * @throws if some can't be read
 */
export async function deleteSelectionsNaming(env: Env, matcher: NameMatcher): Promise<void> {
  const names = JSON.stringify(matcher.names);
  const mayNamePerson = or(
    isNull(requestQueries.text),
    sql`EXISTS (SELECT 1 FROM json_each(${names}) WHERE instr(${requestQueries.text}, value) > 0)`,
  );
  const { requestId, text } = requestQueries;
  const listPage = (id: string) =>
    drizzle(env.DB)
      .select({ requestId, text, family: requests.family })
      .from(requestQueries)
      .innerJoin(requests, eq(requests.id, requestQueries.requestId))
      .where(and(gt(requestQueries.requestId, id), mayNamePerson))
      .orderBy(requestQueries.requestId)
      .limit(PAGE_SIZE)
      .all();
  for (let after: string | undefined = ''; after !== undefined; ) {
    const page = await listPage(after);
    await pMap(
      page,
      async ({ requestId: id, text, family }) => {
        const isNamed =
          text === null ? await isNamedInSelection(env, id, family, matcher) : matcher.matches(text, family);
        if (isNamed) await deleteSelection(env, id);
      },
      { concurrency: CONCURRENCY },
    );
    after = page.length < PAGE_SIZE ? undefined : page.at(-1)?.requestId;
  }
}
