// Erases people and companies from data requests: their rows, queries that name them, and stored provider errors.
import { sql } from 'drizzle-orm';
import { type Family, type KeyKind, keyKinds } from '../../shared/families/index.ts';
import { requests } from '../db/schema.ts';
import type { Env } from '../env.ts';
import type { RecordKey } from '../gateway/cache/cache-keys.ts';
import { createNameMatcher, type NameMatcher } from '../gateway/refusal-list/name-matcher.ts';
import { stripNamingAnswers } from '../gateway/refusal-list/named-rows.ts';
import type { SubjectKey } from '../gateway/refusal-list/named-subjects.ts';
import { eraseRecord, RowIndex, stripRows } from './ingest/index.ts';
import { deleteSelectionsNaming, indexMissingQueries } from './order/selection-store.ts';
import { getRowStore } from './state-machine.ts';

export interface RecordRow {
  family: Family;
  /** Id of the record. */
  id: string;
  /** Id of the data request or table run. */
  order: string;
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

async function findIds({ DB }: Env, { family, kind, value }: RecordKey): Promise<string[]> {
  if (kind === 'id') return [value];
  return kind === 'verbatim' ? [] : new RowIndex(DB).findRecordIdsByKey(family, `${kind}:${value}`);
}

/** Finds the distinct records of some keys: family and id. */
async function findRecords(
  env: Env,
  keys: readonly RecordKey[],
): Promise<(readonly [RecordKey['family'], string])[]> {
  const records = new Map<string, readonly [RecordKey['family'], string]>();
  for (const key of keys) {
    for (const id of await findIds(env, key)) records.set(`${key.family}:${id}`, [key.family, id]);
  }
  return [...records.values()];
}

/** Finds all keys of the records that a key identifies. They are valid in every family of the subject. */
export async function findRowKeys(env: Env, key: RecordKey): Promise<{ kind: KeyKind; value: string }[]> {
  const ids = await findIds(env, key);
  const found: { kind: KeyKind; value: string }[] = ids.map((value) => ({ kind: 'id', value }));
  for (const id of ids)
    found.push(...(await new RowIndex(env.DB).listKeys(key.family, id)).flatMap(parseKey));
  return found;
}

/** Finds the rows of the records of some keys. */
export async function findRecordRows(env: Env, keys: readonly RecordKey[]): Promise<RecordRow[]> {
  const rows: RecordRow[] = [];
  for (const [family, id] of await findRecords(env, keys))
    for (const { requestId: order } of await new RowIndex(env.DB).findRecordLocations(family, id))
      rows.push({ family, id, order });
  return rows;
}

/**
 * Deletes the records of some keys from all rows, and the queries that name them.
 * @returns the number of deleted rows
 * @throws if some queries are not indexed yet; the next call continues
 */
export async function eraseFromRequests(env: Env, keys: readonly RecordKey[]): Promise<number> {
  await deleteQueries(env, keys);
  let rows = 0;
  for (const [family, id] of await findRecords(env, keys))
    rows += await eraseRecord(getRowStore(env), family, id);
  return rows;
}

/**
 * Removes keys from the rows of others: reads some pages of rows.
 * @param after - cursor of the previous call; '' for the first
 * @returns the number of changed rows, and the cursor of the next call; null at the end
 */
export const stripOtherRows = (env: Env, keys: readonly SubjectKey[], after: string) =>
  stripRows(getRowStore(env), keys, after, PAGES_PER_CALL);
