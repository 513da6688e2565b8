// What a lookup asks for, and what of it is remembered.
import type { LookupRequest } from '../../../shared/api/lookup.ts';
import { families } from '../../../shared/families/index.ts';
import { resolveKey } from '../../../shared/keys/index.ts';
import { type RecordOperation, recordOperation } from '../../../shared/operations.ts';
import { type GatewayContext, recordCall } from '../context.ts';
import { answered, type Outcome, type Projection } from '../lookup-rows.ts';
import type { WantedCall } from '../single-flight/types.ts';
import { nameOf, type RecordKey } from './cache-keys.ts';

/** The fields that a lookup asks for, or those of its family. */
export function fieldsOf({ family, fields }: LookupRequest): string[] {
  return fields ?? [...families[family].defaultFields];
}

/** One key to look up, and every place in which it was asked. */
export interface Wanted {
  key: RecordKey;
  operation: RecordOperation;
}

/** Distinct keys in the order in which they were first asked; `names` says for each place which one, if any. */
function distinct({ family, by, keys }: LookupRequest): {
  wanted: Map<string, Wanted>;
  names: (string | undefined)[];
} {
  const wanted = new Map<string, Wanted>();
  const names = keys.map((text) => {
    const read = resolveKey(family, by, text);
    const operation = read.ok ? recordOperation(family, read.kind) : undefined;
    if (!read.ok || operation === undefined) return undefined;
    const key: RecordKey = { family, kind: read.kind, value: read.value };
    const name = nameOf(key);
    if (!wanted.has(name)) wanted.set(name, { key, operation });
    return name;
  });
  return { wanted, names };
}

/** What is remembered, sorted by what it is good for. */
export interface Remembered {
  wanted: Map<string, Wanted>;
  names: (string | undefined)[];
  /** Good as they are; those past their freshness are marked by it. */
  good: Map<string, { outcome: Outcome; stale: boolean; fetchedAt: number }>;
  /** Older than was asked for: served only if nothing younger can be had. */
  older: Map<string, Outcome>;
  /** Nobody knows whether they are remembered. */
  unread: RecordKey[];
  /** Answers count if they were fetched at this time or later. */
  since: number;
}

/**
 * Reads the keys of a lookup, and what is remembered of them.
 * @param cut - to the fields that were asked
 */
export async function remember(
  request: LookupRequest,
  cut: Projection,
  context: GatewayContext,
): Promise<Remembered> {
  const { wanted, names } = distinct(request);
  const started = context.now();
  const since = request.max_age_s === undefined ? 0 : started - request.max_age_s * 1000;
  const good: Remembered['good'] = new Map();
  const older: Remembered['older'] = new Map();
  const unread = await context.cache.getRecords(
    [...wanted.values()].map(({ key }) => key),
    (key, envelope) => {
      const name = nameOf(key);
      const stale = envelope.freshUntil <= started;
      const isRecord = envelope.content.kind === 'record';
      if (envelope.fetchedAt < since) {
        if (isRecord) older.set(name, answered('stale', envelope, cut, 0));
      } else if (isRecord || !stale) {
        const outcome = answered(stale ? 'stale' : 'hit', envelope, cut, 0);
        good.set(name, { outcome, stale, fetchedAt: envelope.fetchedAt });
      }
    },
  );
  return { wanted, names, good, older, unread, since };
}

/** What buys stale records again, for teams that switched it on. Whatever is younger than what was found counts. */
export function refreshCalls(
  { max_credits }: LookupRequest,
  { wanted, good }: Pick<Remembered, 'wanted' | 'good'>,
  { backgroundRefresh }: GatewayContext,
): WantedCall[] {
  if (!backgroundRefresh || max_credits !== undefined) return [];
  return [...good].flatMap(([name, { stale, fetchedAt }]) => {
    const one = stale ? wanted.get(name) : undefined;
    return one === undefined ? [] : [recordCall(one.operation, one.key, one.key.value, fetchedAt + 1)];
  });
}
