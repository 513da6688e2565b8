// Turns cached records into rows of data requests, and caches delivered records.
import type { RequestRow } from '../../db/schema.ts';
import type { Env } from '../../env.ts';
import { type RecordKey, toCacheName } from '../../gateway/cache/cache-keys.ts';
import type { Envelope } from '../../gateway/cache/envelope.ts';
import { buildKeyCall } from '../../gateway/record-call.ts';
import { findErasedKeys } from '../../gateway/refusal-list/erasure-list.ts';
import { fetchCalls, sendDeliveredRecords } from '../../gateway/single-flight/client.ts';
import { createOrderCache, type KeySplit, toRecordKey } from '../order/split-keys.ts';
import { getRowStore } from '../state-machine.ts';
import { ingestFile, readRecords } from './index.ts';

/** The file index of the first slice of cached records; it is greater than any of the provider's. */
const CACHE_FILE_INDEX = 100_000;
/**
 * Cached records that one step delivers. A batch takes at most 67 calls, if KV shows none of its records, and a page of 4 MB
 * seven: 430 in total for records of 90 KB, of the thousand that an invocation may make.
 */
export const CACHED_PER_STEP = 500;
/** KV reads at most 100 keys at once. It also bounds the records in memory. */
const BATCH_SIZE = 100;
/** Delivered records that one step caches; they go to at most 64 single-flight objects. */
const RECORDS_PER_STEP = 500;
const BYTES_PER_STEP = 4 * 1024 * 1024;

const encoder = new TextEncoder();

/** Result of delivering a slice of the cached records. */
export interface CacheDelivery {
  rows: number;
  /** Records that have disappeared from the cache since the split, without an erasure. */
  missing: number;
}

/**
 * Reads records from KV, then from the single flights.
 * @returns records as JSON, by cache name; missing ones are absent
 * @throws if KV can't be read
 */
async function readCached(
  env: Env,
  { identity, teamId: team, tokenId: token }: RequestRow & { identity: string },
  keys: readonly RecordKey[],
  now: () => number,
): Promise<Map<string, string>> {
  const texts = new Map<string, string>();
  const addRecord = (name: string, { content }: Envelope): void => {
    if (content.kind === 'record') texts.set(name, content.record.text);
  };
  const unread = await createOrderCache(env, identity, now).readRecords(keys, (key, envelope) =>
    addRecord(toCacheName(key), envelope),
  );
  if (unread.length > 0) throw new Error('The cache can’t be read.');
  const calls = keys.flatMap((key) => (texts.has(toCacheName(key)) ? [] : (buildKeyCall(key) ?? [])));
  if (calls.length === 0) return texts;
  const payer = { team, token };
  const rows = await fetchCalls(env, { identity, calls, payer, lane: 'bulk', waitMs: 0, background: false });
  for (const row of rows.values()) if ('envelope' in row) addRecord(row.name, row.envelope);
  return texts;
}

/**
 * Stores the next slice of the cached records of a data request as rows, like a separate file. It is idempotent.
 * @throws if a store can't be reached; the caller retries
 */
export async function ingestCachedRecords(
  env: Env,
  row: RequestRow & { identity: string },
  { kind, cached }: KeySplit,
  now: () => number,
  perStep: number,
): Promise<CacheDelivery> {
  const { id: requestId, family, cachedSlices } = row;
  const first = cachedSlices * perStep;
  const slice = cached.slice(first, first + perStep);
  const missingKeys: RecordKey[] = [];
  async function* lines(): AsyncGenerator<Uint8Array, void> {
    for (let from = 0; from < slice.length; from += BATCH_SIZE) {
      const keys = slice.slice(from, from + BATCH_SIZE).map((text) => toRecordKey(kind, family, text));
      const texts = await readCached(env, row, keys, now);
      for (const key of keys) {
        const text = texts.get(toCacheName(key));
        if (text === undefined) missingKeys.push(key);
        else yield encoder.encode(`${text}\n`);
      }
    }
  }
  const source = lines();
  let failure: unknown;
  const body = new ReadableStream<Uint8Array>({
    async pull(controller) {
      try {
        const { done, value } = await source.next();
        if (done) controller.close();
        else controller.enqueue(value);
      } catch (error) {
        // ingestFile reports a failed body as truncated, so the error is thrown below.
        failure = error;
        controller.error(error);
      }
    },
  });
  const file = { requestId, family, fileIndex: CACHE_FILE_INDEX + cachedSlices, body };
  const { rows } = await ingestFile(getRowStore(env), file);
  if (failure !== undefined) throw failure;
  return {
    rows,
    missing: missingKeys.length - (await findErasedKeys(env, missingKeys)).size,
  };
}

/**
 * Caches the next batch of delivered records, so that later lookups and orders find them.
 * @returns the cursor of the next batch; null after the last one
 */
export async function cacheDeliveredRecords(
  env: Env,
  { id: requestId, family, identity, endedAt, cacheCursor }: RequestRow,
): Promise<string | null> {
  if (identity === null || endedAt === null || cacheCursor === null) return null;
  const { records, after } = await readRecords(getRowStore(env), {
    requestId,
    limit: RECORDS_PER_STEP,
    maxBytes: BYTES_PER_STEP,
    beforeFile: CACHE_FILE_INDEX,
    ...(cacheCursor === '' ? {} : { after: cacheCursor }),
  });
  await sendDeliveredRecords(env, { identity, family, records, fetchedAt: endedAt });
  return after;
}
