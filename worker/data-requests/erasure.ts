// Erases people and companies from data requests: their rows, queries that name them, and stored provider errors.
import { sql } from 'drizzle-orm';
import { type Family, type KeyKind, keyKinds } from '../../shared/families/index.ts';
import { requests } from '../db/schema.ts';
import type { Env } from '../env.ts';
import type { RecordKey } from '../gateway/cache/cache-keys.ts';
import { createNameMatcher, type NameMatcher } from '../gateway/refusal-list/name-matcher.ts';
import { stripNamingAnswers } from '../gateway/refusal-list/named-rows.ts';
import type { SubjectKey } from '../gateway/refusal-list/named-subjects.ts';
import { eraseRecord, findRecordIds, listRecordKeys, listRecordOrders, stripRows } from './ingest/index.ts';
import { deleteSelectionsNaming, indexMissingQueries } from './order/selection-store.ts';
import { getRowStore } from './state-machine.ts';

export interface RecordRow {
  family: Family;
  /** Id of the record. */
  id: string;
  /** Id of the data request or table run. */
  order: string;
}

/** Erases records from the rows of data requests. */
export interface RowErasure {
  /** Finds all keys of the records that a key identifies. The keys are valid in every family of the subject. */
  findKeys: (key: RecordKey) => Promise<{ kind: KeyKind; value: string }[]>;
  find: (keys: readonly RecordKey[]) => Promise<RecordRow[]>;
  /**
   * Deletes the records of some keys from all rows, and the queries that name them.
   * @returns the number of deleted rows
   * @throws if some queries are not indexed yet; the next call continues
   */
  remove: (keys: readonly RecordKey[]) => Promise<number>;
  /**
   * Removes keys from the rows of others: reads some pages of rows.
   * @param after - cursor of the previous call; '' for the first
   * @returns the number of changed rows, and the cursor of the next call; null at the end
   */
  stripOthers: (
    keys: readonly SubjectKey[],
    after: string,
  ) => Promise<{ rows: number; after: string | null }>;
}

/** Each is up to 4 MB. */
const PAGES_PER_CALL = 10;
/** Limit of queries that one erasure indexes. Usually a query is indexed when its data request is created. */
const QUERIES_PER_ERASURE = 300;

/** @param text - such as `website:example.com` */
function parseKey(text: string): { kind: KeyKind; value: string }[] {
  const kind = keyKinds.find((name) => text.startsWith(`${name}:`));
  return kind === undefined ? [] : [{ kind, value: text.slice(kind.length + 1) }];
}

/**
 * Deletes the queries that name a person or company. A data request that was not submitted yet then fails without a charge.
 * Key lists need no search: they are deleted when they have been submitted.
 */
async function deleteQueries(env: Env, keys: readonly RecordKey[]): Promise<void> {
  const matcher = createNameMatcher(keys);
  if (matcher === undefined) return;
  if (!(await indexMissingQueries(env, QUERIES_PER_ERASURE))) {
    throw new Error('Some queries are not indexed yet.');
  }
  await deleteSelectionsNaming(env, matcher);
}

/** Deletes provider answers that name a person or company from failed data requests. */
export function eraseFromFailures(db: D1Database, matcher: NameMatcher): Promise<void> {
  return stripNamingAnswers(
    db,
    { table: requests, key: sql`${requests.id}`, text: requests.failure, family: requests.family },
    matcher,
  );
}

/** Creates the {@link RowErasure} of a deployment. */
export function createRowErasure(env: Env): RowErasure {
  const store = getRowStore(env);

  async function findIds({ family, kind, value }: RecordKey): Promise<string[]> {
    if (kind === 'id') return [value];
    return kind === 'verbatim' ? [] : findRecordIds(store, family, kind, value);
  }

  /** Finds the distinct records of some keys: family and id. */
  async function findRecords(
    keys: readonly RecordKey[],
  ): Promise<(readonly [RecordKey['family'], string])[]> {
    const records = new Map<string, readonly [RecordKey['family'], string]>();
    for (const key of keys) {
      for (const id of await findIds(key)) records.set(`${key.family}:${id}`, [key.family, id]);
    }
    return [...records.values()];
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
    find: async (keys) => {
      const rows: RecordRow[] = [];
      for (const [family, id] of await findRecords(keys))
        for (const order of await listRecordOrders(store, family, id)) rows.push({ family, id, order });
      return rows;
    },
    remove: async (keys) => {
      await deleteQueries(env, keys);
      let rows = 0;
      for (const [family, id] of await findRecords(keys)) rows += await eraseRecord(store, family, id);
      return rows;
    },
    stripOthers: (keys, after) => stripRows(store, keys, after, PAGES_PER_CALL),
  };
}
