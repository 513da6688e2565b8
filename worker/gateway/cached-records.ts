// Resolves the keys of a lookup and reads their cached records.
import type { LookupRequest } from '../../shared/api/lookup.ts';
import { families } from '../../shared/families/index.ts';
import { resolveKey } from '../../shared/keys/index.ts';
import { findRecordOperation, type RecordOperation } from '../../shared/operations.ts';
import { mayRead } from './auth/tokens.ts';
import { type RecordKey, toCacheName } from './cache/cache-keys.ts';
import { computeSince } from './cache/freshness.ts';
import type { GatewayContext } from './context.ts';
import { buildRecordRow, type Projection, type RowOutcome } from './lookup-rows.ts';
import { buildRecordCall } from './record-call.ts';
import type { CallRequest } from './single-flight/types.ts';

/** The requested fields, or the default fields of the family. */
export function getRequestedFields({ family, fields }: LookupRequest): string[] {
  return fields ?? [...families[family].defaultFields];
}

/** A requested key and the operation that fetches its record. */
export interface RequestedRecord {
  key: RecordKey;
  operation: RecordOperation;
}

/** @returns distinct keys by cache name, in order of appearance, and for each requested key its name, if it is valid */
function resolveKeys({ family, by, keys }: LookupRequest): Pick<CachedRecords, 'requested' | 'names'> {
  const requested: CachedRecords['requested'] = new Map();
  const names = keys.map((text) => {
    const resolved = resolveKey(family, by, text);
    const operation = resolved.ok ? findRecordOperation(family, resolved.kind) : undefined;
    if (!resolved.ok || operation === undefined) return undefined;
    const key: RecordKey = { family, kind: resolved.kind, value: resolved.value };
    const name = toCacheName(key);
    if (!requested.has(name)) requested.set(name, { key, operation });
    return name;
  });
  return { requested, names };
}

export function listRecordKeys(request: LookupRequest): RecordKey[] {
  return Array.from(resolveKeys(request).requested.values(), ({ key }) => key);
}

/** The keys of a lookup and their cached records, by cache name. */
export interface CachedRecords {
  requested: Map<string, RequestedRecord>;
  /** In the order of the requested keys; undefined for an invalid key. */
  names: (string | undefined)[];
  /** Young enough for the request. */
  usable: Map<string, { outcome: RowOutcome; stale: boolean; fetchedAt: number }>;
  /** Older than the request allows: served only if the record cannot be fetched. */
  tooOld: Map<string, RowOutcome>;
  /** KV could not be read, so they may or may not be cached. */
  unreadable: RecordKey[];
  /** Answers count if they were fetched at this time or later: milliseconds since 1970. */
  since: number;
}

/**
 * Resolves the keys of a lookup and reads their records from the cache, if the caller may read them.
 * @param project - cuts a record to the requested fields
 */
export async function readCachedRecords(
  request: LookupRequest,
  project: Projection,
  context: GatewayContext,
): Promise<CachedRecords> {
  const { requested, names } = resolveKeys(request);
  const now = context.now();
  const since = computeSince(request.max_age_s, now);
  const usable: CachedRecords['usable'] = new Map();
  const tooOld: CachedRecords['tooOld'] = new Map();
  const unreadable = await context.cache.readRecords(
    [...requested.values()].flatMap(({ key, operation: { family, name: operation, credits } }) =>
      mayRead(context, { family, operation, credits }) ? [key] : [],
    ),
    (key, envelope) => {
      const name = toCacheName(key);
      const stale = envelope.freshUntil <= now;
      const isRecord = envelope.content.kind === 'record';
      if (envelope.fetchedAt < since) {
        if (isRecord) tooOld.set(name, buildRecordRow('stale', envelope, project, 0));
      } else if (isRecord || !stale) {
        const outcome = buildRecordRow(stale ? 'stale' : 'hit', envelope, project, 0);
        usable.set(name, { outcome, stale, fetchedAt: envelope.fetchedAt });
      }
    },
  );
  return { requested, names, usable, tooOld, unreadable, since };
}

/** Builds the calls that refresh stale records, if the team has switched background refresh on. */
export function buildRefreshCalls(
  { max_credits }: LookupRequest,
  { requested, usable }: Pick<CachedRecords, 'requested' | 'usable'>,
  { backgroundRefresh }: GatewayContext,
): CallRequest[] {
  if (!backgroundRefresh || max_credits !== undefined) return [];
  return [...usable].flatMap(([name, { stale, fetchedAt }]) => {
    const record = stale ? requested.get(name) : undefined;
    // Any younger record will do: another lookup may have refreshed it already.
    return record ? [buildRecordCall(record.operation, record.key, record.key.value, fetchedAt + 1)] : [];
  });
}
