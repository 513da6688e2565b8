// What a request asks for: keys are kept until the provider has them, for they name people; a query as long as the rows, so
// that a table which is made of them can ask it again. The words of queries stand in D1 too, so that an erasure looks through
// thousands of them in a few statements.
import pMap from 'p-map';
import type { BulkKind, BulkOperation } from '../../shared/operations.ts';
import type { RequestRow } from '../db/schema.ts';
import type { Env } from '../env.ts';
import type { Mention } from '../gateway/mentions.ts';
import { bulkOperation, type Selection, selectionSchema } from './order.ts';
import { type Split, splitPlace, withoutErased } from './split.ts';

/** Of the six connections that an invocation may hold open. */
const CONCURRENCY = 5;
/** Of a query that is longer, no words are noted in D1: it is read where it is kept. */
const MAX_CHARACTERS = 100_000;
/** Queries whose words one statement reads. */
const PAGE = 50;

const placeOf = (id: string): string => `asked/${id}.json`;

/** Is what such a request asks for kept as long as its rows? */
export const staysAsked = (kind: BulkKind): boolean => kind === 'filter' || kind === 'es_dsl';

/** Keeps what a request asks for. */
export async function keepAsked({ ROWS }: Env, id: string, selection: Selection): Promise<void> {
  await ROWS.put(placeOf(id), JSON.stringify(selection));
}

/**
 * Notes the words of a query that a request asks for; whoever is killed before is followed by {@link noteUnnoted}.
 * @param selection - undefined where nothing is kept
 */
export async function noteWords({ DB }: Env, id: string, selection: Selection | undefined): Promise<void> {
  const query = selection !== undefined && 'query' in selection ? selection.query : '';
  const text = query.length > MAX_CHARACTERS ? null : query.toLowerCase();
  await DB.prepare(
    'INSERT OR REPLACE INTO asked_queries (request_id, text) SELECT id, ?2 FROM requests WHERE id = ?1',
  )
    .bind(id, text)
    .run();
}

/** @returns undefined where it is not kept any more */
export async function readAsked({ ROWS }: Env, id: string): Promise<Selection | undefined> {
  const object = await ROWS.get(placeOf(id));
  return object === null ? undefined : selectionSchema.parse(await object.json());
}

/**
 * What the provider is told of a request; keys that were erased meanwhile are left out.
 * @param split - absent where the selection is passed on as it is
 * @returns undefined where it is not kept any more
 */
export async function orderToSend(
  env: Env,
  { id, family, kind }: Pick<RequestRow, 'id' | 'family' | 'kind'>,
  split: Split | undefined,
): Promise<{ operation: BulkOperation; selection: Selection } | undefined> {
  const operation = bulkOperation(family, split?.kind ?? kind);
  const selection =
    split === undefined
      ? await readAsked(env, id)
      : { keys: await withoutErased(env, split.kind, family, split.ordered) };
  return operation && selection && { operation, selection };
}

/** Forgets what a request asked for, and the keys that it came to. */
export async function forgetAsked({ ROWS, DB }: Env, id: string): Promise<void> {
  await ROWS.delete([placeOf(id), splitPlace(id)]);
  await DB.prepare("UPDATE asked_queries SET text = '' WHERE request_id = ?").bind(id).run();
}

/**
 * Notes the words of kept queries of which they are not noted.
 * @param most - so many at most
 * @returns whether there are no more of them
 */
export async function noteUnnoted(env: Env, most: number): Promise<boolean> {
  const { results } = await env.DB.prepare(
    `SELECT id FROM requests WHERE kind IN ('filter', 'es_dsl') AND cleared_at IS NULL
       AND NOT EXISTS (SELECT 1 FROM asked_queries WHERE request_id = id) LIMIT ?`,
  )
    .bind(most + 1)
    .run<{ id: string }>();
  await pMap(results.slice(0, most), async ({ id }) => noteWords(env, id, await readAsked(env, id)), {
    concurrency: CONCURRENCY,
  });
  return results.length <= most;
}

/** Does a query that is too long for D1 name them? */
async function isInKept(env: Env, id: string, { isIn }: Mention): Promise<boolean> {
  const selection = await readAsked(env, id);
  return selection !== undefined && 'query' in selection && isIn(selection.query);
}

/**
 * Forgets the kept queries that name somebody.
 * @throws where some could not be looked at
 */
export async function forgetNaming(env: Env, mention: Mention): Promise<void> {
  const names = JSON.stringify(mention.names);
  const page = env.DB.prepare(
    `SELECT request_id AS id, text FROM asked_queries WHERE request_id > ?1
       AND (text IS NULL OR EXISTS (SELECT 1 FROM json_each(?2) WHERE instr(text, value) > 0))
       ORDER BY request_id LIMIT ${PAGE}`,
  );
  for (let after: string | undefined = ''; after !== undefined; ) {
    const { results }: D1Result<{ id: string; text: string | null }> = await page.bind(after, names).run();
    await pMap(
      results,
      async ({ id, text }) => {
        const isNamed = text === null ? await isInKept(env, id, mention) : mention.isIn(text);
        if (isNamed) await forgetAsked(env, id);
      },
      { concurrency: CONCURRENCY },
    );
    after = results.length < PAGE ? undefined : results.at(-1)?.id;
  }
}
