// Parses one line of a result file into the id and keys of its record.

import type { DataRecord } from '../../../shared/api/common.ts';
import { type Family, families, familyNames } from '../../../shared/families/index.ts';
import { extractKeys, normaliseId } from '../../../shared/keys/index.ts';
import { isObject } from '../../../shared/lib/is-object.ts';
import { parseExactly, parseJson } from '../../lib/exact-json.ts';
import { isNestedDeeper, MAX_RESPONSE_DEPTH } from '../../lib/json-depth.ts';
import { MemberReader } from './member-reader.ts';
import type { RejectionReason } from './types.ts';

export interface LineRecord {
  id: string;
  /** Other keys, such as `website:example.com`. */
  keys: string[];
}

export type ParsedLine = { ok: true; record: LineRecord } | { ok: false; reason: RejectionReason };

/** A record usually has a website or two and a few names. */
const MAX_KEYS = 20;

/** JSON white space: an empty line. */
const BLANK = /^[\t\r ]*$/;

const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/** Returns the normalised id. An unsafe integer is parsed again from the text, with all its digits. */
function parseId({ id }: Record<string, unknown>, text: string): string | undefined {
  let value = id;
  if (typeof id === 'number' && !Number.isSafeInteger(id)) {
    const exact = parseExactly(text);
    value = isObject(exact) ? exact.id : undefined;
  }
  if (typeof value !== 'number' && typeof value !== 'string') return undefined;
  const key = normaliseId(String(value));
  return key.ok ? key.value : undefined;
}

function listKeys(family: Family, record: Record<string, unknown>): string[] {
  const { website, shorthand_name } = extractKeys(family, record);
  return [
    ...website.map((value) => `website:${value}`),
    ...shorthand_name.map((value) => `shorthand_name:${value}`),
  ].slice(0, MAX_KEYS);
}

function decodeText(bytes: Uint8Array): string | undefined {
  try {
    return decoder.decode(bytes);
  } catch {
    return undefined;
  }
}

const reject = (reason: RejectionReason): ParsedLine => ({ ok: false, reason });

/** By family: the reader of the members that identify a record. */
const readers = new Map(
  familyNames.map((family) => {
    const { website, shorthand_name } = families[family].keyFields;
    return [family, new MemberReader(['id', ...website, ...shorthand_name], MAX_RESPONSE_DEPTH)];
  }),
);

/**
 * Parses a line.
 * @param bytes - without the line break
 */
export function parseLine(family: Family, bytes: Uint8Array): ParsedLine {
  const text = readers.get(family)?.read(bytes) ?? decodeText(bytes);
  if (text === undefined) return reject('not_utf8');
  const value = parseJson(text);
  if (value === undefined) return reject(BLANK.test(text) ? 'empty' : 'not_json');
  if (!isObject(value)) return reject('not_object');
  if (isNestedDeeper(text, MAX_RESPONSE_DEPTH)) return reject('too_deep');
  const id = parseId(value, text);
  return id === undefined ? reject('no_id') : { ok: true, record: { id, keys: listKeys(family, value) } };
}

const recordDecoder = new TextDecoder();

/**
 * Parses a record.
 * @param recordId - id of the expected record
 * @param toValue - integers beyond 2^53 become bigints with it, otherwise strings
 * @returns undefined if another record or none is there, because its page is being rewritten
 */
export function parseRecord(
  bytes: Uint8Array,
  recordId: string,
  toValue?: typeof BigInt,
): DataRecord | undefined {
  try {
    const value = parseExactly(recordDecoder.decode(bytes), toValue);
    return isObject(value) && String(value.id).trim() === recordId ? value : undefined;
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}
