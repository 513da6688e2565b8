// Splits the keys of an order: records that are cached and fresh are delivered from the cache, only the others are ordered.
// The split is decided once, before credits are reserved, and kept in R2 until the provider has the order.
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
import { type ListKind, listKinds } from './list-kinds.ts';

const splitSchema = z.object({
  /** How the provider takes the keys. */
  kind: z.enum(listKinds),
  /** Keys whose records come from the cache, and keys that are ordered; both as the provider would get them. */
  cached: z.array(z.string()),
  ordered: z.array(z.string()),
});
export type KeySplit = z.infer<typeof splitSchema>;

/** Where in R2 the split of a request is kept. */
export const splitObjectKey = (id: string): string => `split/${id}.json`;

/** Keeps the split of a request. */
export async function putSplit({ ROWS }: Env, id: string, split: KeySplit): Promise<void> {
  await ROWS.put(splitObjectKey(id), JSON.stringify(split));
}

/** @returns undefined where the request was never split, or the provider has its keys */
export async function getSplit({ ROWS }: Env, id: string): Promise<KeySplit | undefined> {
  const object = await ROWS.get(splitObjectKey(id));
  return object === null ? undefined : splitSchema.parse(await object.json());
}

/** Deletes the split of a request: it names people. */
export async function deleteSplit({ ROWS }: Env, id: string): Promise<void> {
  await ROWS.delete(splitObjectKey(id));
}

/** The key by which the cache knows a record. @param text - as the provider gets it */
export function toRecordKey(kind: ListKind, family: Family, text: string): RecordKey {
  if (kind === 'ids' || kind === 'id_file') return { family, kind: 'id', value: text };
  const read = kind === 'urls' ? parseProfileUrl(text, family) : parseShorthandName(text);
  return { family, kind: 'shorthand_name', value: read.ok ? read.value : text };
}

/** Reads the cache of a provider without filling the isolate's memory: an order may be of 10,000 records. */
export function createOrderCache({ RECORDS }: Env, identity: string, now: () => number): AnswerCache {
  return new AnswerCache(RECORDS, new MemoryCache(now), identity, now);
}

/**
 * Takes out keys that an erasure refuses: they are never ordered.
 * @returns the others, in their order
 */
export async function excludeErased(
  { DB }: Env,
  kind: ListKind,
  family: Family,
  keys: readonly string[],
): Promise<string[]> {
  const named = keys.map((text) => ({ text, key: toRecordKey(kind, family, text) }));
  const erased = await findErasedKeys(
    DB,
    named.map(({ key }) => key),
  );
  return named.flatMap(({ text, key }) => (erased.has(toCacheName(key)) ? [] : [text]));
}

/** Nobody knows what is cached: to order now might be to pay twice. */
const cacheUnavailable = (): ProblemError =>
  new ProblemError(
    'gateway_unavailable',
    'The cache can’t be read right now, so nothing was ordered.',
    'Try again in a minute.',
  );

/**
 * Finds records that the single flights know and KV may not show yet.
 * @returns the names of the keys whose records are fresh
 * @throws ProblemError where a single flight can't be reached
 */
export async function findFreshInFlights(
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
 * Splits keys; free.
 * @param keys - distinct
 * @throws ProblemError where the cache can't be read
 */
export async function splitKeys(
  env: Env,
  { kind, family, keys }: { kind: ListKind; family: Family; keys: readonly string[] },
  context: Pick<GatewayContext, 'identity' | 'fetchCalls' | 'payer' | 'lane' | 'now'>,
): Promise<KeySplit> {
  const { identity, now } = context;
  const wanted = await excludeErased(env, kind, family, keys);
  const named = new Map(wanted.map((text) => [text, toRecordKey(kind, family, text)]));
  const fresh = new Set<string>();
  const unread = await createOrderCache(env, identity, now).readRecords(
    [...named.values()],
    (key, envelope) => {
      if (isFresh(envelope, now())) fresh.add(toCacheName(key));
    },
  );
  if (unread.length > 0) throw cacheUnavailable();
  const others = [...named.values()].filter((key) => !fresh.has(toCacheName(key)));
  for (const name of await findFreshInFlights(others, context)) fresh.add(name);
  const isCached = (text: string): boolean =>
    fresh.has(toCacheName(named.get(text) ?? toRecordKey(kind, family, text)));
  return {
    kind,
    cached: wanted.filter(isCached),
    ordered: wanted.filter((text) => !isCached(text)),
  };
}
