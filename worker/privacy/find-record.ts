// Finds the cached answer for a key.
import type { Env } from '../env.ts';
import { AnswerCache, MemoryCache } from '../gateway/cache/answer-cache.ts';
import { type RecordKey, toCacheName } from '../gateway/cache/cache-keys.ts';
import type { Envelope } from '../gateway/cache/envelope.ts';
import { buildKeyCall } from '../gateway/record-call.ts';
import { fetchCalls } from '../gateway/single-flight/client.ts';

/**
 * Finds the cached answer for a key, in KV or in its single flight.
 * @param provider - `identity`: the provider's; `now`: milliseconds since 1970
 * @throws if KV can't be read
 */
export async function findCachedRecord(
  key: RecordKey,
  { env, identity, now }: { env: Env; identity: string; now: () => number },
): Promise<Envelope | undefined> {
  const cache = new AnswerCache(env.RECORDS, new MemoryCache(now), identity, now);
  let found: Envelope | undefined;
  const unread = await cache.readRecords([key], (_key, envelope) => {
    found = envelope;
  });
  if (unread.length > 0) throw new Error('KV can’t be read.');
  const call = buildKeyCall(key);
  if (found !== undefined || call === undefined) return found;
  const rows = await fetchCalls(env, {
    identity,
    calls: [call],
    payer: { team: '', token: '' },
    lane: 'bulk',
    waitMs: 0,
    background: false,
  });
  const row = rows.get(toCacheName(key));
  return row !== undefined && 'envelope' in row ? row.envelope : undefined;
}
