// What a lookup asks for, and what of it is remembered.
import type { LookupRequest } from '../../../shared/api/lookup.ts';
import { families } from '../../../shared/families/index.ts';
import { resolveKey } from '../../../shared/keys/index.ts';
import { findRecordOperation, type RecordOperation } from '../../../shared/operations.ts';
import { buildRecordCall, type GatewayContext } from '../context.ts';
import { buildRecordRow, type Projection, type RowOutcome } from '../lookup-rows.ts';
import type { CallRequest } from '../single-flight/types.ts';
import { type RecordKey, toCacheName } from './cache-keys.ts';

/** The fields that a lookup asks for, or those of its family. */
export function getRequestedFields({ family, fields }: LookupRequest): string[] {
  return fields ?? [...families[family].defaultFields];
}

/** One key to look up, and every place in which it was asked. */
export interface RequestedRecord {
  key: RecordKey;
  operation: RecordOperation;
}

/** Distinct keys in the order in which they were first asked; `names` says for each place which one, if any. */
function resolveKeys({ family, by, keys }: LookupRequest): {
  wanted: Map<string, RequestedRecord>;
  names: (string | undefined)[];
} {
  const wanted = new Map<string, RequestedRecord>();
  const names = keys.map((text) => {
    const read = resolveKey(family, by, text);
    const operation = read.ok ? findRecordOperation(family, read.kind) : undefined;
    if (!read.ok || operation === undefined) return undefined;
    const key: RecordKey = { family, kind: read.kind, value: read.value };
    const name = toCacheName(key);
    if (!wanted.has(name)) wanted.set(name, { key, operation });
    return name;
  });
  return { wanted, names };
}

/** What is remembered, sorted by what it is good for. */
export interface CachedRecords {
  requested: Map<string, RequestedRecord>;
  names: (string | undefined)[];
  /** Good as they are; those past their freshness are marked by it. */
  usable: Map<string, { outcome: RowOutcome; stale: boolean; fetchedAt: number }>;
  /** Older than was asked for: served only if nothing younger can be had. */
  tooOld: Map<string, RowOutcome>;
  /** Nobody knows whether they are remembered. */
  unreadable: RecordKey[];
  /** Answers count if they were fetched at this time or later. */
  since: number;
}

/**
 * Reads the keys of a lookup, and what is remembered of them.
 * @param cut - to the fields that were asked
 */
export async function readCachedRecords(
  request: LookupRequest,
  cut: Projection,
  context: GatewayContext,
): Promise<CachedRecords> {
  const { wanted, names } = resolveKeys(request);
  const started = context.now();
  const since = request.max_age_s === undefined ? 0 : started - request.max_age_s * 1000;
  const good: CachedRecords['usable'] = new Map();
  const older: CachedRecords['tooOld'] = new Map();
  const unread = await context.cache.readRecords(
    [...wanted.values()].map(({ key }) => key),
    (key, envelope) => {
      const name = toCacheName(key);
      const stale = envelope.freshUntil <= started;
      const isRecord = envelope.content.kind === 'record';
      if (envelope.fetchedAt < since) {
        if (isRecord) older.set(name, buildRecordRow('stale', envelope, cut, 0));
      } else if (isRecord || !stale) {
        const outcome = buildRecordRow(stale ? 'stale' : 'hit', envelope, cut, 0);
        good.set(name, { outcome, stale, fetchedAt: envelope.fetchedAt });
      }
    },
  );
  return { requested: wanted, names, usable: good, tooOld: older, unreadable: unread, since };
}

/** What buys stale records again, for teams that switched it on. Whatever is younger than what was found counts. */
export function buildRefreshCalls(
  { max_credits }: LookupRequest,
  { requested, usable }: Pick<CachedRecords, 'requested' | 'usable'>,
  { backgroundRefresh }: GatewayContext,
): CallRequest[] {
  if (!backgroundRefresh || max_credits !== undefined) return [];
  return [...usable].flatMap(([name, { stale, fetchedAt }]) => {
    const one = stale ? requested.get(name) : undefined;
    return one === undefined ? [] : [buildRecordCall(one.operation, one.key, one.key.value, fetchedAt + 1)];
  });
}
