// The names under which answers are remembered: one for each question, the kind of key in it. docs/storage.md lists them.
import type { DataRecord } from '../../../shared/api/common.ts';
import type { Family, KeyKind } from '../../../shared/families/index.ts';
import { extractKeys, normaliseId } from '../../../shared/keys/index.ts';
import { getLookupKinds } from '../../../shared/operations.ts';
import { sha256Hex } from '../../lib/hash.ts';
import type { OperationName } from '../provider-call.ts';

/** A key of a record in its one spelling; `verbatim` is one that only the provider can read, as it was written. */
export interface RecordKey {
  family: Family;
  kind: KeyKind | 'verbatim';
  value: string;
}

/** KV takes names of at most 512 bytes; what is longer is named by its digest. */
const MAX_VALUE_BYTES = 300;

/** @returns the name of what is remembered under a key: `company_clean:website:example.com` */
export function toCacheName(key: RecordKey): string {
  return `${key.family}:${key.kind}:${key.value}`;
}

/**
 * Makes a key of a text that the provider may understand although we don't.
 * @param text - undefined where none was sent, which is another question than an empty one
 */
export async function createVerbatimKey(family: Family, text: string | undefined): Promise<RecordKey> {
  if (text === undefined) return { family, kind: 'verbatim', value: '' };
  const short = new TextEncoder().encode(text).length <= MAX_VALUE_BYTES;
  return { family, kind: 'verbatim', value: `=${short ? text : await sha256Hex(text)}` };
}

/**
 * Under which keys a record is remembered: its own first, which is its id, then those that lead to it: the one that was
 * asked and its shorthand name. A record without a usable id is remembered under the key that was asked.
 */
export function getCacheKeys(asked: RecordKey, record: DataRecord): [own: RecordKey, ...others: RecordKey[]] {
  const { family } = asked;
  const id = normaliseId(String(record.id ?? ''));
  const own: RecordKey = id.ok ? { family, kind: 'id', value: id.value } : asked;
  const [shorthandName] = extractKeys(family, record).shorthand_name;
  // A record that was asked by one id and has another is a merged one: its old id leads to it.
  const others = new Map([[toCacheName(asked), asked]]);
  if (shorthandName !== undefined && getLookupKinds(family).includes('shorthand_name')) {
    const key: RecordKey = { family, kind: 'shorthand_name', value: shorthandName };
    others.set(toCacheName(key), key);
  }
  others.delete(toCacheName(own));
  return [own, ...others.values()];
}

/**
 * The name of a page of ids or preview items. Queries are the team's own, so its id is part of the name.
 * @param question - path, parameters and body in canonical form
 */
export async function createPageName(
  team: string,
  operation: OperationName,
  family: Family,
  question: string,
): Promise<string> {
  return `${operation}:${team}:${family}:${await sha256Hex(question)}`;
}

/** @returns where in KV a record is, by its own name; `identity` is the provider's */
export function toRecordKvKey(identity: string, name: string): string {
  return `record:${identity}:${name}`;
}

/**
 * Where in KV a key is looked up: there stands the record, the name of the record that it leads to, or that there is none.
 * @param identity - the provider's
 */
export function toLookupKvKey(identity: string, key: RecordKey): string {
  return key.kind === 'id'
    ? toRecordKvKey(identity, toCacheName(key))
    : `alias:${identity}:${toCacheName(key)}`;
}

/** @returns where in KV a page is */
export function toPageKvKey(identity: string, name: string): string {
  return `page:${identity}:${name}`;
}

/** How the places begin where somebody may stand in KV. Those of previews do not tell the family. */
export function getKvPrefixes(
  identity: string,
  family: Family,
): { records: string; aliases: string; previews: string } {
  return {
    records: `record:${identity}:${family}:`,
    aliases: `alias:${identity}:${family}:`,
    previews: `page:${identity}:preview:`,
  };
}

/** @returns the name of what is remembered at a place in KV */
export function fromKvKey(identity: string, place: string): string {
  return place.slice(place.indexOf(`:${identity}:`) + identity.length + 2);
}
