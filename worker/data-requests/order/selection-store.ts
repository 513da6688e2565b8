// What a request asks for: keys are kept until the provider has them, for they name people; a query as long as the rows, so
// that a table which is made of them can ask it again. The words of queries stand in D1 too, so that an erasure looks through
// thousands of them in a few statements.
import { and, eq, gt, inArray, isNull, notExists, or, sql } from 'drizzle-orm';
import { drizzle } from 'drizzle-orm/d1';
import pMap from 'p-map';
import type { BulkKind, BulkOperation } from '../../../shared/operations.ts';
import { askedQueries, type RequestRow, requests } from '../../db/schema.ts';
import type { Env } from '../../env.ts';
import type { NameMatcher } from '../../gateway/refusal-list/name-matcher.ts';
import { findBulkOperation, type Selection, selectionSchema } from './order.ts';
import { excludeErased, type KeySplit, splitObjectKey } from './split-keys.ts';

/** Of the six connections that an invocation may hold open. */
const CONCURRENCY = 5;
/** Of a query that is longer, no words are noted in D1: it is read where it is kept. */
const MAX_CHARACTERS = 100_000;
/** Queries whose words one statement reads. */
const PAGE_SIZE = 50;

const selectionKey = (id: string): string => `asked/${id}.json`;

/** Kinds of requests that are made by a query. */
const queryKinds: readonly BulkKind[] = ['filter', 'es_dsl'];

/** Is what such a request asks for kept as long as its rows? */
export const isQueryKind = (kind: BulkKind): boolean => queryKinds.includes(kind);

/** Keeps what a request asks for. */
export async function putSelection({ ROWS }: Env, id: string, selection: Selection): Promise<void> {
  await ROWS.put(selectionKey(id), JSON.stringify(selection));
}

/**
 * Notes the words of a query that a request asks for; whoever is killed before is followed by {@link indexMissingQueries}.
 * @param selection - undefined where nothing is kept
 */
export async function indexQueryText(
  { DB }: Env,
  id: string,
  selection: Selection | undefined,
): Promise<void> {
  const query = selection !== undefined && 'query' in selection ? selection.query : '';
  const text = query.length > MAX_CHARACTERS ? null : query.toLowerCase();
  const orm = drizzle(DB);
  // Selected from the requests: one that is deleted meanwhile leaves no words.
  const words = orm
    .select({ requestId: requests.id, text: sql`${text}`.as('text') })
    .from(requests)
    .where(eq(requests.id, id));
  await orm
    .insert(askedQueries)
    .select(words)
    .onConflictDoUpdate({ target: askedQueries.requestId, set: { text: sql`excluded.text` } });
}

/** @returns undefined where it is not kept any more */
export async function getSelection({ ROWS }: Env, id: string): Promise<Selection | undefined> {
  const object = await ROWS.get(selectionKey(id));
  return object === null ? undefined : selectionSchema.parse(await object.json());
}

/**
 * What the provider is told of a request; keys that were erased meanwhile are left out.
 * @param split - absent where the selection is passed on as it is
 * @returns undefined where it is not kept any more
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

/** Forgets what a request asked for, and the keys that it came to. */
export async function deleteSelection({ ROWS, DB }: Env, id: string): Promise<void> {
  await ROWS.delete([selectionKey(id), splitObjectKey(id)]);
  await drizzle(DB).update(askedQueries).set({ text: '' }).where(eq(askedQueries.requestId, id));
}

/**
 * Notes the words of kept queries of which they are not noted.
 * @param most - so many at most
 * @returns whether there are no more of them
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

/** Does a query that is too long for D1 name them? */
async function isNamedInSelection(env: Env, id: string, { matches }: NameMatcher): Promise<boolean> {
  const selection = await getSelection(env, id);
  return selection !== undefined && 'query' in selection && matches(selection.query);
}

/**
 * Forgets the kept queries that name somebody.
 * @throws where some could not be looked at
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
