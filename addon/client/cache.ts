// What a spreadsheet remembers of answers for some hours, so that recalculating asks nobody. The gateway stays the truth.

import type { DataRecord } from '../../shared/api/common.ts';
import type { LookupRow } from '../../shared/api/lookup.ts';
import type { Connection } from '../../shared/connection.ts';
import { isObject } from '../../shared/lib/is-object.ts';
import { parseJson } from '../lib/json.ts';

/** Reference "Class Cache": a value holds 100 KB and stays for 6 hours at most. */
const MAX_BYTES = 100_000;
const MAX_S = 21_600;

/** For so long nobody asks whether a record was erased meanwhile. */
const STAMP_S = 600;

/** A key under which nothing was found may have been bought by somebody by then. */
const NOT_FOUND_MS = 600_000;

/**
 * Rows are packed: some thousand rows with five fields fit into as many values as this, and Google keeps about 1,000 values.
 */
const BUCKETS = 32;

/** A row as it is kept; short names, since they stand in every row. */
interface CachedRow {
  /** The record; absent where there is none. */
  r?: DataRecord;
  /** When it was bought, in ms; absent where nobody said. */
  f?: number;
  /** To be forgotten then, in ms. */
  u: number;
}

type Bucket = Map<string, CachedRow>;

/** Keeps and finds answers of one connection. */
export interface SpreadsheetCache {
  /**
   * Takes the stamp that came with an answer: what is kept under another is found no more.
   * @param stamp - undefined where the gateway sent none: then nothing is kept until it sends one
   */
  setStamp: (stamp: string | undefined) => void;
  /**
   * Rows that are remembered, by their keys.
   * @param set - what they were asked with beside their keys: rows of another set are not found
   * @param maxAgeS - only of records that were bought in the last so many seconds
   */
  getRows: (set: readonly unknown[], keys: readonly string[], maxAgeS?: number) => Map<string, LookupRow>;
  /**
   * Keeps rows that have a record, and for some minutes those under whose key there is none; nothing else.
   * What was kept of an erased one is forgotten.
   */
  putRows: (set: readonly unknown[], rows: readonly LookupRow[]) => void;
  /** What was kept under a name; undefined where there is nothing. */
  get: (name: readonly unknown[]) => unknown;
  /** Keeps something that JSON can hold, where it is small enough. */
  put: (name: readonly unknown[], value: unknown) => void;
  /** The last error that a call ended with. */
  getLastError: () => LastError | undefined;
  putLastError: (message: string) => void;
}

/** An error that somebody met. */
export interface LastError {
  /** In ms. */
  at: number;
  message: string;
}

/** How many bytes a text takes as UTF-8. */
function utf8Length(text: string): number {
  let bytes = text.length;
  for (let at = 0; at < text.length; at += 1) {
    const unit = text.charCodeAt(at);
    // Each half of a pair takes two of the four bytes.
    if (unit > 0x7f) bytes += unit > 0x7ff && (unit < 0xd800 || unit > 0xdfff) ? 2 : 1;
  }
  return bytes;
}

/** No token may be read from the name of what is kept. */
function digest(parts: readonly unknown[]): string {
  const bytes = Utilities.computeDigest(
    Utilities.DigestAlgorithm.SHA_256,
    JSON.stringify(parts),
    Utilities.Charset.UTF_8,
  );
  return Utilities.base64EncodeWebSafe(bytes);
}

/** FNV-1a, its upper half folded into the lower: keys that differ little fall into different buckets. */
function toBucketIndex(key: string): number {
  let hash = 0x811c9dc5;
  for (let at = 0; at < key.length; at += 1) hash = Math.imul(hash ^ key.charCodeAt(at), 0x01000193);
  return ((hash ^ (hash >>> 16)) >>> 0) % BUCKETS;
}

function isCachedRow(value: unknown): value is CachedRow {
  return isObject(value) && typeof value.u === 'number' && (value.r === undefined || isObject(value.r));
}

function unpackBucket(text: string | undefined, now: number): Bucket {
  const value = parseJson(text ?? '');
  const entries = isObject(value) ? Object.entries(value) : [];
  return new Map(
    entries.filter((entry): entry is [string, CachedRow] => isCachedRow(entry[1]) && entry[1].u > now),
  );
}

/** The last ones stay where not all fit. */
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

/** Undefined for a row that must be asked again: it may end otherwise next time. */
function toCachedRow(row: LookupRow, now: number): CachedRow | undefined {
  const bought = Date.parse(row.fetched_at ?? '');
  const f = Number.isNaN(bought) ? {} : { f: bought };
  if (row.record !== undefined) return { r: row.record, ...f, u: now + MAX_S * 1000 };
  return row.status === 'not_found' ? { ...f, u: now + NOT_FOUND_MS } : undefined;
}

/** The document's cache, which all who look share; where a formula runs without its document, the person's own. */
function openGoogleCache(): GoogleAppsScript.Cache.Cache | undefined {
  const document: GoogleAppsScript.Cache.Cache | null = CacheService.getDocumentCache();
  const user: GoogleAppsScript.Cache.Cache | null = document ?? CacheService.getUserCache();
  return user ?? undefined;
}

/** What Google's cache does is never a reason for a formula to fail: it may forget, and refuse, at any time. */
function attempt<T>(act: () => T, otherwise: T): T {
  try {
    return act();
  } catch {
    return otherwise;
  }
}

/**
 * Opens what the spreadsheet remembers for a connection.
 */
export function openCache({ url, token }: Connection): SpreadsheetCache {
  const own = attempt(() => digest([url, token]), undefined);
  const cache = own === undefined ? undefined : attempt(openGoogleCache, undefined);
  const stampName = `${own} stamp`;
  const errorName = `${own} error`;
  const buckets = new Map<string, Bucket>();
  let stamp = attempt(() => cache?.get(stampName), undefined) ?? undefined;

  const nameOf = (parts: readonly unknown[]): string => digest([own, stamp, parts]);
  const open = (names: readonly string[], now: number): void => {
    const unopened = names.filter((name) => !buckets.has(name));
    if (unopened.length === 0) return;
    // The reference promises texts; a name that is not there has none.
    const cached: Record<string, string | undefined> = cache?.getAll(unopened) ?? {};
    for (const name of unopened) buckets.set(name, unpackBucket(cached[name], now));
  };

  return {
    setStamp: (newStamp) =>
      attempt(() => {
        stamp = newStamp;
        if (newStamp !== undefined) cache?.put(stampName, newStamp, STAMP_S);
      }, undefined),
    getRows: (set, keys, maxAgeS) =>
      attempt(() => {
        const rows = new Map<string, LookupRow>();
        if (stamp === undefined || keys.length === 0) return rows;
        const now = Date.now();
        const name = nameOf(set);
        open([...new Set(keys.map((key) => `${name} ${toBucketIndex(key)}`))], now);
        for (const key of keys) {
          const kept = buckets.get(`${name} ${toBucketIndex(key)}`)?.get(key);
          const fresh = maxAgeS === undefined || (kept?.f !== undefined && now - kept.f <= maxAgeS * 1000);
          if (kept !== undefined && fresh) rows.set(key, toRow(key, kept));
        }
        return rows;
      }, new Map<string, LookupRow>()),
    putRows: (set, rows) =>
      attempt(() => {
        if (stamp === undefined) return;
        const now = Date.now();
        const name = nameOf(set);
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
      }, undefined),
    get: (name) =>
      attempt(() => (stamp === undefined ? undefined : parseJson(cache?.get(nameOf(name)) ?? '')), undefined),
    put: (name, value) =>
      attempt(() => {
        const text = JSON.stringify(value);
        if (stamp !== undefined && utf8Length(text) <= MAX_BYTES) cache?.put(nameOf(name), text, MAX_S);
      }, undefined),
    getLastError: () =>
      attempt(() => {
        const error = parseJson(cache?.get(errorName) ?? '');
        return isObject(error) && typeof error.at === 'number' && typeof error.message === 'string'
          ? { at: error.at, message: error.message }
          : undefined;
      }, undefined),
    putLastError: (message) =>
      attempt(() => {
        cache?.put(errorName, JSON.stringify({ at: Date.now(), message }), MAX_S);
      }, undefined),
  };
}
