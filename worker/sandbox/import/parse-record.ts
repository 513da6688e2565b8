// Validates a record to import: an object with an id.

import { normaliseId } from '../../../shared/keys/index.ts';
import { isObject } from '../../../shared/lib/is-object.ts';
import type { NewRecord } from '../record-store.ts';

/** A valid record, or why it is rejected. */
export type ParsedRecord = ({ ok: true } & NewRecord) | { ok: false; reason: string };

const NO_ID = 'it has no id that is a whole number from 1';
/** The largest SQLite integer. */
const MAX_ID = 2n ** 63n - 1n;

/** Records of the service are a few levels deep; very deep ones can't be serialised. */
const MAX_LEVELS = 100;
const TOO_DEEP = `it is nested deeper than ${MAX_LEVELS} levels`;

function isDeeperThan(value: unknown, levels: number): boolean {
  if (typeof value !== 'object' || value === null) return false;
  return levels === 0 || Object.values(value).some((inner) => isDeeperThan(inner, levels - 1));
}

/**
 * Validates a record to import.
 * @param candidate - JSON with bigints
 * @returns the record with its normalised id, or why it is rejected
 */
export function parseRecord(candidate: unknown): ParsedRecord {
  if (!isObject(candidate)) return { ok: false, reason: 'it is not an object' };
  const { id } = candidate;
  // A number beyond 2^53 was written with a point or an exponent, and may be rounded.
  if (!Number.isSafeInteger(id) && typeof id !== 'bigint' && typeof id !== 'string')
    return { ok: false, reason: NO_ID };
  const key = normaliseId(String(id));
  if (!key.ok || BigInt(key.value) > MAX_ID) return { ok: false, reason: NO_ID };
  if (isDeeperThan(candidate, MAX_LEVELS)) return { ok: false, reason: TOO_DEEP };
  return { ok: true, id: key.value, record: candidate };
}
