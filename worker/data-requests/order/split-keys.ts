// Splits the keys of an order: fresh cached records are delivered from the cache, and only the others are ordered. The split is
// made once, before credits are reserved, and stored in R2 until the provider has the order.
import * as z from 'zod';
import type { Family } from '../../../shared/families/index.ts';
import { parseProfileUrl, parseShorthandName } from '../../../shared/keys/profile.ts';
import type { Env } from '../../env.ts';
import { AnswerCache, MemoryCache } from '../../gateway/cache/answer-cache.ts';
import { type RecordKey, toCacheName } from '../../gateway/cache/cache-keys.ts';
import type { Envelope } from '../../gateway/cache/envelope.ts';
import type { GatewayContext } from '../../gateway/context.ts';
import { buildKeyCall } from '../../gateway/record-call.ts';
import { findErasedKeys } from '../../gateway/refusal-list/erasure-list.ts';
import { ProblemError } from '../../http/problem-error.ts';
import { type ListKind, listKinds } from './parse-keys.ts';

const splitSchema = z.object({
  kind: z.enum(listKinds),
  /** Keys of cached records, and keys to order; both in the form that the provider receives. */
  cached: z.array(z.string()),
  ordered: z.array(z.string()),
});
export type KeySplit = z.infer<typeof splitSchema>;

/** Returns the R2 key of the split of a data request. */
export const splitObjectKey = (id: string): string => `split/${id}.json`;

export async function putSplit({ ROWS }: Env, id: string, split: KeySplit): Promise<void> {
  await ROWS.put(splitObjectKey(id), JSON.stringify(split));
}

/** Reads the split of a data request; undefined if there is none, or the provider has the keys already. */
export async function getSplit({ ROWS }: Env, id: string): Promise<KeySplit | undefined> {
  const object = await ROWS.get(splitObjectKey(id));
  return object === null ? undefined : splitSchema.parse(await object.json());
}

/** Deletes the split of a data request, because it names people. */
export async function deleteSplit({ ROWS }: Env, id: string): Promise<void> {
  await ROWS.delete(splitObjectKey(id));
}

/** Converts a key to a cache key. @param text - in the form that the provider receives */
export function toRecordKey(kind: ListKind, family: Family, text: string): RecordKey {
  if (kind === 'ids' || kind === 'id_file') return { family, kind: 'id', value: text };
  const parsed = kind === 'urls' ? parseProfileUrl(text, family) : parseShorthandName(text);
  return { family, kind: 'shorthand_name', value: parsed.ok ? parsed.value : text };
}

/** Creates a cache of a provider that does not fill the isolate's memory, because an order may have 10,000 records. */
export function createOrderCache({ RECORDS }: Env, identity: string, now: () => number): AnswerCache {
  return new AnswerCache(RECORDS, new MemoryCache(now), identity, now);
}

/**
 * Filters out erased keys.
 * @returns the other keys, in order
 */
export async function excludeErased(
  env: Env,
  kind: ListKind,
  family: Family,
  keys: readonly string[],
): Promise<string[]> {
  const entries = keys.map((text) => ({ text, key: toRecordKey(kind, family, text) }));
  const erased = await findErasedKeys(
    env,
    entries.map(({ key }) => key),
  );
  return entries.flatMap(({ text, key }) => (erased.has(toCacheName(key)) ? [] : [text]));
}

/** Without the cache an order could pay twice. */
const cacheUnavailable = (): ProblemError =>
  new ProblemError(
    'gateway_unavailable',
    'The cache can’t be read right now, so nothing was ordered.',
    'Try again in a minute.',
  );

/**
 * Finds fresh records in the single flights, which KV may not show yet.
 * @returns their cache names
 * @throws ProblemError if a single flight can't be reached
 */
export async function findFreshAnswers(
  keys: readonly RecordKey[],
  {
    identity,
    fetchCalls,
    payer,
    lane,
    now,
  }: Pick<GatewayContext, 'identity' | 'fetchCalls' | 'payer' | 'lane' | 'now'>,
): Promise<string[]> {
  const calls = keys.flatMap((key) => buildKeyCall(key) ?? []);
  if (calls.length === 0) return [];
  const rows = await fetchCalls({ identity, calls, payer, lane, waitMs: 0, background: false, fields: [] });
  return [...rows.values()].flatMap((row) => {
    if ('envelope' in row) return isFresh(row.envelope, now()) ? [row.name] : [];
    if (row.outcome === 'failed' && row.problem === 'gateway_unavailable') throw cacheUnavailable();
    return [];
  });
}

const isFresh = ({ content, freshUntil }: Envelope, now: number): boolean =>
  content.kind === 'record' && freshUntil > now;

/**
 * Splits keys into cached and ordered ones; free.
 * @param keys - distinct
 * @throws ProblemError if the cache can't be read
 */
export async function splitKeys(
  env: Env,
  { kind, family, keys }: { kind: ListKind; family: Family; keys: readonly string[] },
  context: Pick<GatewayContext, 'identity' | 'fetchCalls' | 'payer' | 'lane' | 'now'>,
): Promise<KeySplit> {
  const { identity, now } = context;
  const allowed = await excludeErased(env, kind, family, keys);
  const recordKeys = new Map(allowed.map((text) => [text, toRecordKey(kind, family, text)]));
  const fresh = new Set<string>();
  const unread = await createOrderCache(env, identity, now).readRecords(
    [...recordKeys.values()],
    (key, envelope) => {
      if (isFresh(envelope, now())) fresh.add(toCacheName(key));
    },
  );
  if (unread.length > 0) throw cacheUnavailable();
  const others = [...recordKeys.values()].filter((key) => !fresh.has(toCacheName(key)));
  for (const name of await findFreshAnswers(others, context)) fresh.add(name);
  const isCached = (text: string): boolean =>
    fresh.has(toCacheName(recordKeys.get(text) ?? toRecordKey(kind, family, text)));
  return {
    kind,
    cached: allowed.filter(isCached),
    ordered: allowed.filter((text) => !isCached(text)),
  };
}
