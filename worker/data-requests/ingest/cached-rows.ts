// Moves records between the cache and the rows of data requests: cached ones become rows, delivered ones are cached.
import type { RequestRow } from '../../db/schema.ts';
import type { Env } from '../../env.ts';
import { type RecordKey, toCacheName } from '../../gateway/cache/cache-keys.ts';
import { type Envelope, encodeRecord } from '../../gateway/cache/envelope.ts';
import { buildKeyCall } from '../../gateway/record-call.ts';
import { findErasedKeys } from '../../gateway/refusal-list/erasure-list.ts';
import { fetchCalls, sendDeliveredRecords } from '../../gateway/single-flight/client.ts';
import { createOrderCache, type KeySplit, toRecordKey } from '../order/split-keys.ts';
import { getRowStore } from '../state-machine.ts';
import { ingestFile, readRecords } from './index.ts';

/** The place of the cached records behind all files of the provider. */
export const CACHE_FILE_INDEX = 100_000;
/** KV answers at most so many keys at once; so many records are held. */
const BATCH_SIZE = 100;
/** Delivered records that are cached in one step: their flights are at most 64 calls. */
const RECORDS_PER_STEP = 500;
const BYTES_PER_STEP = 4 * 1024 * 1024;

const encoder = new TextEncoder();

/** What became of the records that come from the cache. */
export interface CacheDelivery {
  rows: number;
  /** Records that could not be found although they were cached a moment ago and nobody was erased. */
  missing: number;
}

/**
 * Reads some records.
 * @returns by the names of their keys, as JSON; those that neither KV nor a single flight has are absent
 * @throws where KV can't be read
 */
async function readCached(
  env: Env,
  { identity, teamId: team, tokenId: token }: RequestRow & { identity: string },
  keys: readonly RecordKey[],
  now: () => number,
): Promise<Map<string, string>> {
  const texts = new Map<string, string>();
  const take = (name: string, { content }: Envelope): void => {
    if (content.kind === 'record') texts.set(name, encodeRecord(content));
  };
  const unread = await createOrderCache(env, identity, now).readRecords(keys, (key, envelope) =>
    take(toCacheName(key), envelope),
  );
  if (unread.length > 0) throw new Error('The cache can’t be read.');
  const calls = keys.flatMap((key) => (texts.has(toCacheName(key)) ? [] : (buildKeyCall(key) ?? [])));
  if (calls.length === 0) return texts;
  const payer = { team, token };
  const rows = await fetchCalls(env, { identity, calls, payer, lane: 'bulk', waitMs: 0, background: false });
  for (const row of rows.values()) if ('envelope' in row) take(row.name, row.envelope);
  return texts;
}

/**
 * Makes rows of the cached records of a request. Done again, it changes nothing.
 * @throws where a store can't be reached: then it is done again
 */
export async function ingestCachedRecords(
  env: Env,
  row: RequestRow & { identity: string },
  { kind, cached }: KeySplit,
  now: () => number,
): Promise<CacheDelivery> {
  const { id: requestId, family } = row;
  const lost: RecordKey[] = [];
  async function* lines(): AsyncGenerator<Uint8Array, void> {
    for (let from = 0; from < cached.length; from += BATCH_SIZE) {
      const keys = cached.slice(from, from + BATCH_SIZE).map((text) => toRecordKey(kind, family, text));
      const texts = await readCached(env, row, keys, now);
      for (const key of keys) {
        const text = texts.get(toCacheName(key));
        if (text === undefined) lost.push(key);
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
        // A file that breaks off is no failure of its own for who puts it in: this one is told below.
        failure = error;
        controller.error(error);
      }
    },
  });
  const file = { requestId, family, fileIndex: CACHE_FILE_INDEX, fileName: 'cache', body };
  const { rows } = await ingestFile(getRowStore(env), file);
  if (failure !== undefined) throw failure;
  return { rows, missing: lost.length - (await findErasedKeys(env.DB, lost)).size };
}

/**
 * Caches some records that the provider delivered for a request, so that later lookups and orders find them.
 * @returns behind which row to go on; null where all are cached
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
