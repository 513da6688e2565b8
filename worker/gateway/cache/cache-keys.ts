// Cache names and KV keys of answers. docs/storage.md lists them.
import type { DataRecord } from '../../../shared/api/common.ts';
import { type Family, isFamily, type KeyKind } from '../../../shared/families/index.ts';
import { extractKeys, normaliseId } from '../../../shared/keys/index.ts';
import { getLookupKinds } from '../../../shared/operations.ts';
import { logError } from '../../http/log.ts';
import { sha256Hex } from '../../lib/hash.ts';
import type { OperationName } from '../provider-call.ts';

/** A normalised key of a record. A `verbatim` key is the hash of one that only the provider can interpret. */
export interface RecordKey {
  family: Family;
  kind: KeyKind | 'verbatim';
  value: string;
}

/** Builds the cache name of a key: `company_clean:website:example.com`. */
export function toCacheName(key: RecordKey): string {
  return `${key.family}:${key.kind}:${key.value}`;
}

/**
 * Creates a key from a text that the gateway cannot normalise. It contains the hash of the text, which may name a person.
 * @param text - undefined if the caller sent none, which differs from an empty text
 */
export async function createVerbatimKey(family: Family, text: string | undefined): Promise<RecordKey> {
  if (text === undefined) return { family, kind: 'verbatim', value: '' };
  return { family, kind: 'verbatim', value: `=${await sha256Hex(text)}` };
}

/**
 * Lists the keys under which a record is cached: first its id, then its aliases, which are the requested key, the
 * shorthand name and a website that no other company has. A record without a usable id is cached under the requested key.
 */
export function getCacheKeys(
  requested: RecordKey,
  record: DataRecord,
): [primary: RecordKey, ...aliases: RecordKey[]] {
  const { family } = requested;
  const id = normaliseId(String(record.id ?? ''));
  const primary: RecordKey = id.ok ? { family, kind: 'id', value: id.value } : requested;
  const { shorthand_name: shorthandNames, website: websites } = extractKeys(family, record);
  // A merged record has another id than the requested one: the old id becomes an alias.
  const aliases = new Map([[toCacheName(requested), requested]]);
  const known = {
    shorthand_name: shorthandNames[0],
    // Several companies may share a website, unless the provider says that it is one company's alone.
    website: record.unique_website === true ? websites[0] : undefined,
  };
  for (const kind of getLookupKinds(family)) {
    const value = kind === 'id' ? undefined : known[kind];
    if (value === undefined) continue;
    const key: RecordKey = { family, kind, value };
    aliases.set(toCacheName(key), key);
  }
  aliases.delete(toCacheName(primary));
  return [primary, ...aliases.values()];
}

/**
 * Creates the cache name of a page of ids or preview items. It contains the team, because queries are private to it.
 * @param query - path, parameters and body in canonical form
 */
export async function createPageName(
  team: string,
  operation: OperationName,
  family: Family,
  query: string,
): Promise<string> {
  return `${operation}:${team}:${family}:${await sha256Hex(query)}`;
}

export function parseFamily(name: string): Family | undefined {
  const parts = name.split(':');
  return [parts[0], parts.at(-2)].find((part) => part !== undefined && isFamily(part));
}

/** Builds the KV key of a record. @param identity - the provider's */
export function toRecordKvKey(identity: string, name: string): string {
  return `record:${identity}:${name}`;
}

/**
 * Builds the KV key at which a key is looked up. It holds the record, an alias, or the fact that no record exists.
 * @param identity - the provider's
 */
export function toLookupKvKey(identity: string, key: RecordKey): string {
  return key.kind === 'id'
    ? toRecordKvKey(identity, toCacheName(key))
    : `alias:${identity}:${toCacheName(key)}`;
}

/** Builds the KV key of a page. @param identity - the provider's */
export function toPageKvKey(identity: string, name: string): string {
  return `page:${identity}:${name}`;
}

/** Lists how the KV keys of all answers of a provider start. @param identity - the provider's */
export const listKvPrefixes = (identity: string): string[] =>
  ['record', 'alias', 'page'].map((place) => `${place}:${identity}:`);

/** Shortest expiration that KV accepts, in seconds. */
export const MIN_TTL_S = 60;

const ATTEMPTS = 3;
/** KV accepts one write per second and key. */
const PAUSE_MS = 1_100;

/** Writes to KV; tries three times. @throws the last error */
export async function retryKvWrite(
  write: () => Promise<void>,
  sleep: (ms: number) => Promise<void>,
): Promise<void> {
  for (let attemptsLeft = ATTEMPTS - 1; ; attemptsLeft -= 1) {
    try {
      return await write();
    } catch (error) {
      logError('kv_delete_failed', error, { attempts_left: attemptsLeft });
      if (attemptsLeft <= 0) throw error;
      await sleep(PAUSE_MS);
    }
  }
}
