// Erases records and people from data requests: their rows, the queries that name them, and answers of the provider.
import { sql } from 'drizzle-orm';
import { type KeyKind, keyKinds } from '../../shared/families/index.ts';
import { requests } from '../db/schema.ts';
import type { Env } from '../env.ts';
import type { RecordKey } from '../gateway/cache/cache-keys.ts';
import { createNameMatcher, type NameMatcher } from '../gateway/refusal-list/name-matcher.ts';
import { stripNamingAnswers } from '../gateway/refusal-list/named-rows.ts';
import { eraseRecord, findRecordIds, listRecordKeys } from './ingest/index.ts';
import { deleteSelectionsNaming, indexMissingQueries } from './order/selection-store.ts';
import { getRowStore } from './state-machine.ts';

/** Erases records from the rows of data requests. */
export interface RowErasure {
  /** Finds the other keys of the records that a key leads to. The keys hold in every family of the subject. */
  findKeys: (key: RecordKey) => Promise<{ kind: KeyKind; value: string }[]>;
  /**
   * Removes the records behind some keys from all rows, and the queries that name them.
   * @returns the number of removed rows
   * @throws where some queries are not indexed yet: the next call continues
   */
  remove: (keys: readonly RecordKey[]) => Promise<number>;
}

/** Queries that one erasure indexes. Usually a query is indexed when it is ordered. */
const QUERIES_PER_ERASURE = 300;

/** @param text - such as `website:example.com` */
function parseKey(text: string): { kind: KeyKind; value: string }[] {
  const kind = keyKinds.find((name) => text.startsWith(`${name}:`));
  return kind === undefined ? [] : [{ kind, value: text.slice(kind.length + 1) }];
}

/**
 * Deletes the queries that name a person. A request that was not submitted yet then fails, and costs nothing.
 * Lists of keys are deleted once they are submitted, so they need no search.
 */
async function deleteQueries(env: Env, keys: readonly RecordKey[]): Promise<void> {
  const matcher = createNameMatcher(keys);
  if (matcher === undefined) return;
  if (!(await indexMissingQueries(env, QUERIES_PER_ERASURE))) {
    throw new Error('Some queries are not indexed yet.');
  }
  await deleteSelectionsNaming(env, matcher);
}

/** Removes the provider's answers that name a person from failed data requests. */
export function eraseFromFailures(db: D1Database, matcher: NameMatcher): Promise<void> {
  return stripNamingAnswers(
    db,
    { table: requests, key: sql`${requests.id}`, text: requests.failure },
    matcher,
  );
}

/** Creates the erasure of rows. */
export function createRowErasure(env: Env): RowErasure {
  const store = getRowStore(env);

  async function findIds({ family, kind, value }: RecordKey): Promise<string[]> {
    if (kind === 'id') return [value];
    return kind === 'verbatim' ? [] : findRecordIds(store, family, kind, value);
  }

  return {
    findKeys: async (key) => {
      const ids = await findIds(key);
      const found: { kind: KeyKind; value: string }[] = ids.map((value) => ({ kind: 'id', value }));
      for (const id of ids) {
        found.push(...(await listRecordKeys(store, key.family, id)).flatMap(parseKey));
      }
      return found;
    },
    remove: async (keys) => {
      await deleteQueries(env, keys);
      const ids = new Map<string, [RecordKey['family'], string]>();
      for (const key of keys) {
        for (const id of await findIds(key)) ids.set(`${key.family}:${id}`, [key.family, id]);
      }
      let rows = 0;
      for (const [family, id] of ids.values()) rows += await eraseRecord(store, family, id);
      return rows;
    },
  };
}
