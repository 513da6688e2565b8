// Reads records from KV while the caller is still being admitted, so that a hit in a new isolate takes two sequential trips
// (docs/decisions/0017-cold-hit-in-two-trips.md).
import { type RecordKey, toLookupKvKey, toRecordKvKey } from './cache-keys.ts';
import { decodeAlias } from './envelope.ts';
import { KV_BATCH, type KvTexts, readKvBatch } from './kv-texts.ts';

/** An alias leads to an id, which may itself be an alias if the record was merged into another. */
export const MAX_HOPS = 2;

/** Values older than this are read again, so that an erased record leaves every isolate in time. */
export const MAX_PREFETCH_AGE_MS = 5_000;

/** Values that were read while a caller was admitted. */
export interface Prefetch {
  texts: Promise<KvTexts>;
  startedAt: number;
}

/**
 * Reads the records of keys: aliases at once, which anybody can cause, and records only for a verified token. Takes the first
 * {@link KV_BATCH} keys, which bounds the memory and the cost of an unauthenticated request.
 * @param identity - the provider's
 * @param isVerified - whether the caller's token is valid. Never rejects
 * @returns what could be read; the route reads the rest. Only an admitted caller may get it
 */
export async function prefetchTexts(
  kv: KVNamespace,
  identity: string,
  keys: readonly RecordKey[],
  isVerified: Promise<boolean>,
): Promise<KvTexts> {
  const texts = new Map<string, string | null>();
  /** @returns the KV keys of the records to which the read aliases lead */
  const read = async (kvKeys: ReadonlySet<string>): Promise<Set<string>> => {
    const targets = new Set<string>();
    for (const [kvKey, text] of await readKvBatch(kv, [...kvKeys])) {
      texts.set(kvKey, text);
      const recordName = text === null ? undefined : decodeAlias(text);
      if (recordName !== undefined) targets.add(toRecordKvKey(identity, recordName));
    }
    return targets;
  };
  const [aliases, records] = [new Set<string>(), new Set<string>()];
  for (const key of keys.slice(0, KV_BATCH)) {
    (key.kind === 'id' ? records : aliases).add(toLookupKvKey(identity, key));
  }
  try {
    const [targets, isAllowed] = await Promise.all([read(aliases), isVerified]);
    if (!isAllowed) return texts;
    let pending = new Set([...records, ...targets]);
    for (let hop = 1; hop <= MAX_HOPS; hop += 1) pending = await read(pending);
  } catch {
    // The route reads again and reports the failure, if the caller is admitted.
  }
  return texts;
}
