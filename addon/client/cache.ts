// Caches gateway responses in Google's CacheService for some hours, so that recalculating a sheet calls nobody. The
// gateway remains the source of truth.

import type { DataRecord } from '../../shared/api/common.ts';
import type { LookupRow } from '../../shared/api/lookup.ts';
import type { Connection } from '../../shared/connection.ts';
import { hashText } from '../../shared/lib/hash.ts';
import { isObject } from '../../shared/lib/is-object.ts';
import { createGuard, parseAs, parseJson } from '../lib/json.ts';

/** Reference "Class Cache": a value holds 100 KB and stays for 6 hours at most. */
const MAX_BYTES = 100_000;
const MAX_S = 21_600;

/** After this time the stamp is requested again, so that erased records disappear. */
const STAMP_S = 600;

/** Somebody may buy the missing record after this time. */
const NOT_FOUND_MS = 600_000;

/** Rows are packed into buckets. A bucket per row would exceed Google's limit of about 1,000 values per cache. */
const BUCKETS = 32;

/** A cached row. Its names are short because they repeat in every row. */
interface CachedRow {
  /** The record; absent when the key was not found. */
  r?: DataRecord;
  /** When the record was bought, in ms; absent when unknown. */
  f?: number;
  /** When the row expires, in ms. */
  u: number;
}

type Bucket = Map<string, CachedRow>;

/** A cache of gateway responses for one connection. */
export type SpreadsheetCache = ReturnType<typeof openCache>;

/** The last failed call of this connection. */
export interface LastError {
  /** Unix time in ms. */
  at: number;
  message: string;
}

const isLastError = createGuard<LastError>({ at: 'number', message: 'string' });

function utf8Length(text: string): number {
  let bytes = text.length;
  for (let at = 0; at < text.length; at += 1) {
    const unit = text.charCodeAt(at);
    // Each half of a pair takes two of the four bytes.
    if (unit > 0x7f) bytes += unit > 0x7ff && (unit < 0xd800 || unit > 0xdfff) ? 2 : 1;
  }
  return bytes;
}

/** Hashes a cache key, so that it never reveals the token. */
function digest(parts: readonly unknown[]): string {
  const bytes = Utilities.computeDigest(
    Utilities.DigestAlgorithm.SHA_256,
    JSON.stringify(parts),
    Utilities.Charset.UTF_8,
  );
  return Utilities.base64EncodeWebSafe(bytes);
}

/** Maps a key to a bucket: a hash with its upper half folded into the lower, which spreads similar keys. */
function toBucketIndex(key: string): number {
  const hash = hashText(key);
  return ((hash ^ (hash >>> 16)) >>> 0) % BUCKETS;
}

function isCachedRow(value: unknown): value is CachedRow {
  return isObject(value) && typeof value.u === 'number' && (value.r === undefined || isObject(value.r));
}

function unpackBucket(text: string | undefined, now: number): Bucket {
  const value = parseJson(text);
  const entries = isObject(value) ? Object.entries(value) : [];
  return new Map(
    entries.filter((entry): entry is [string, CachedRow] => isCachedRow(entry[1]) && entry[1].u > now),
  );
}

/** Serializes a bucket. If it is too large, the oldest rows are dropped. */
function packBucket(bucket: Bucket): string {
  const parts: string[] = [];
  let bytes = 2;
  for (const [key, row] of [...bucket].reverse()) {
    const part = `${JSON.stringify(key)}:${JSON.stringify(row)}`;
    bytes += utf8Length(part) + 1;
    if (bytes > MAX_BYTES) break;
    parts.push(part);
  }
  return `{${parts.reverse().join(',')}}`;
}

function toRow(key: string, { r, f }: CachedRow): LookupRow {
  const bought = f === undefined ? {} : { fetched_at: new Date(f).toISOString() };
  return r === undefined
    ? { key, status: 'not_found', credits: 0, problem: 'not_found', ...bought }
    : { key, status: 'hit', record: r, credits: 0, ...bought };
}

/** Returns undefined for a row whose outcome may change on the next lookup. */
function toCachedRow(row: LookupRow, now: number): CachedRow | undefined {
  const bought = Date.parse(row.fetched_at ?? '');
  const f = Number.isNaN(bought) ? {} : { f: bought };
  if (row.record !== undefined) return { r: row.record, ...f, u: now + MAX_S * 1000 };
  return row.status === 'not_found' ? { ...f, u: now + NOT_FOUND_MS } : undefined;
}

/** Opens the document's cache, which all users share. Without a document it opens the user's cache. */
function openGoogleCache(): GoogleAppsScript.Cache.Cache | undefined {
  const document: GoogleAppsScript.Cache.Cache | null = CacheService.getDocumentCache();
  const user: GoogleAppsScript.Cache.Cache | null = document ?? CacheService.getUserCache();
  return user ?? undefined;
}

/** Ignores errors of CacheService: a cache failure must never fail a formula. */
function attempt<T>(act: () => T): T | undefined {
  try {
    return act();
  } catch {
    return undefined;
  }
}

/** Opens the cache of a connection. */
export function openCache({ url, token }: Connection) {
  const scope = attempt(() => digest([url, token]));
  const cache = scope === undefined ? undefined : attempt(openGoogleCache);
  const stampName = `${scope} stamp`;
  const errorName = `${scope} error`;
  const buckets = new Map<string, Bucket>();
  let stamp = attempt(() => cache?.get(stampName)) ?? undefined;

  const buildName = (parts: readonly unknown[]): string => digest([scope, stamp, parts]);
  const open = (names: readonly string[], now: number): void => {
    const unopened = names.filter((name) => !buckets.has(name));
    if (unopened.length === 0) return;
    // The reference promises strings, but a missing name has no value.
    const cached: Record<string, string | undefined> = cache?.getAll(unopened) ?? {};
    for (const name of unopened) buckets.set(name, unpackBucket(cached[name], now));
  };

  return {
    /**
     * Sets the stamp of the latest response. Entries under another stamp are invalid.
     * @param newStamp - undefined if responses to one call had different ones: nothing is cached until the next stamp
     */
    setStamp: (newStamp: string | undefined): void =>
      attempt(() => {
        stamp = newStamp;
        if (newStamp !== undefined) cache?.put(stampName, newStamp, STAMP_S);
      }),
    /**
     * Returns cached rows by key.
     * @param set - the parameters of the lookup without its keys; other sets have their own rows
     * @param maxAgeS - returns only records bought within this many seconds
     */
    getRows: (set: readonly unknown[], keys: readonly string[], maxAgeS?: number): Map<string, LookupRow> =>
      attempt(() => {
        const rows = new Map<string, LookupRow>();
        if (stamp === undefined || keys.length === 0) return rows;
        const now = Date.now();
        const name = buildName(set);
        open([...new Set(keys.map((key) => `${name} ${toBucketIndex(key)}`))], now);
        for (const key of keys) {
          const kept = buckets.get(`${name} ${toBucketIndex(key)}`)?.get(key);
          const fresh = maxAgeS === undefined || (kept?.f !== undefined && now - kept.f <= maxAgeS * 1000);
          if (kept !== undefined && fresh) rows.set(key, toRow(key, kept));
        }
        return rows;
      }) ?? new Map<string, LookupRow>(),
    /** Caches rows with a record, and for ten minutes rows that were not found. Deletes rows of erased records. */
    putRows: (set: readonly unknown[], rows: readonly LookupRow[]): void =>
      attempt(() => {
        if (stamp === undefined) return;
        const now = Date.now();
        const name = buildName(set);
        const changes = rows.flatMap((row): [string, string, CachedRow | undefined][] => {
          const entry = toCachedRow(row, now);
          const stays = entry === undefined && row.problem !== 'erased';
          return stays ? [] : [[`${name} ${toBucketIndex(row.key)}`, row.key, entry]];
        });
        const names = [...new Set(changes.map(([bucket]) => bucket))];
        open(names, now);
        for (const [bucket, key, entry] of changes) {
          buckets.get(bucket)?.delete(key);
          if (entry !== undefined) buckets.get(bucket)?.set(key, entry);
        }
        const values = names.map((bucket) => [bucket, packBucket(buckets.get(bucket) ?? new Map())]);
        if (values.length > 0) cache?.putAll(Object.fromEntries(values), MAX_S);
      }),
    /** Returns the value under a name; undefined on a miss. */
    get: (name: readonly unknown[]): unknown =>
      attempt(() => (stamp === undefined ? undefined : parseJson(cache?.get(buildName(name))))),
    /** Caches a JSON value if it is small enough. */
    put: (name: readonly unknown[], value: unknown): void =>
      attempt(() => {
        const text = JSON.stringify(value);
        if (stamp !== undefined && utf8Length(text) <= MAX_BYTES) cache?.put(buildName(name), text, MAX_S);
      }),
    /** Returns the error of the last failed call. */
    getLastError: (): LastError | undefined => attempt(() => parseAs(cache?.get(errorName), isLastError)),
    putLastError: (message: string): void =>
      attempt(() => {
        cache?.put(errorName, JSON.stringify({ at: Date.now(), message }), MAX_S);
      }),
  };
}
