// Tells what can be put in as a record: an object with an id.

import { normaliseId } from '../../../shared/keys/index.ts';
import { isObject } from '../../../shared/lib/is-object.ts';
import type { NewRecord } from '../record-store.ts';

/** A record that can be put in, or why it is none. */
export type ParsedRecord = ({ ok: true } & NewRecord) | { ok: false; reason: string };

const NO_ID = 'it has no id that is a whole number from 1';
/** Beyond 2^53 a number no longer says which id it was. */
const INEXACT = 'its id is too large for a number: write it as text, in quotes';
/** What a database holds as an integer. */
const MAX_ID = 2n ** 63n - 1n;

/** Records of the service are a few levels deep; what has no end can't be written again. */
const MAX_LEVELS = 100;
const TOO_DEEP = `it is nested deeper than ${MAX_LEVELS} levels`;

function isDeeper(value: unknown, levels: number): boolean {
  if (typeof value !== 'object' || value === null) return false;
  return levels === 0 || Object.values(value).some((inner) => isDeeper(inner, levels - 1));
}

/**
 * Reads a record that is to be put in.
 * @param candidate - as it was read from JSON
 * @returns the record with its id in its one spelling, or the reason why it is refused
 */
export function parseRecord(candidate: unknown): ParsedRecord {
  if (!isObject(candidate)) return { ok: false, reason: 'it is not an object' };
  const { id } = candidate;
  if (typeof id !== 'number' && typeof id !== 'string') return { ok: false, reason: NO_ID };
  if (Number.isInteger(id) && !Number.isSafeInteger(id)) return { ok: false, reason: INEXACT };
  const key = normaliseId(String(id));
  if (!key.ok || BigInt(key.value) > MAX_ID) return { ok: false, reason: NO_ID };
  if (isDeeper(candidate, MAX_LEVELS)) return { ok: false, reason: TOO_DEEP };
  return { ok: true, id: key.value, record: candidate };
}
