// Reads the keys of an order: each in its one spelling, or what is wrong with it and where.
import type { Family } from '../../../shared/families/index.ts';
import { parseProfileUrl, parseShorthandName } from '../../../shared/keys/profile.ts';
import type { KeyResult } from '../../../shared/keys/result.ts';
import { maxRequestRecords } from '../../../shared/limits.ts';
import type { ListKind } from './list-kinds.ts';

/** The greatest number of 64 bits, as the service stores ids. */
const MAX_ID = 2n ** 63n - 1n;
const DIGITS = /^\s*-?\d{1,100}\s*$/;
/** More complaints than that help nobody. */
const MAX_ISSUES = 20;

/** What is wrong with a key; types are those of the service's 422. */
export interface KeyIssue {
  /** Its place in the list, from 0. */
  index: number;
  msg: string;
  type: string;
}

/** What came of a list. */
export type ParsedKeys =
  | { keys: string[] }
  | { complaints: KeyIssue[] }
  | { tooMany: true }
  | { empty: true };

/** `value` tells keys apart; `sent` is what the provider gets, where that is not the same. */
type ParsedKey = { value: string; sent?: string } | Omit<KeyIssue, 'index'>;

function parseId(text: string): ParsedKey {
  if (!DIGITS.test(text)) return { msg: 'value is not a valid integer', type: 'type_error.integer' };
  const id = BigInt(text.trim());
  if (id < 1n) {
    return { msg: 'ensure this value is greater than or equal to 1', type: 'value_error.number.not_ge' };
  }
  if (id > MAX_ID) {
    return { msg: `ensure this value is less than or equal to ${MAX_ID}`, type: 'value_error.number.not_le' };
  }
  return { value: String(id) };
}

function toParsedKey(result: KeyResult): ParsedKey {
  return result.ok
    ? { value: result.value }
    : { msg: 'value yields no shorthand name', type: 'value_error.shorthand_name' };
}

const parsers: Readonly<Record<ListKind, (text: string, family: Family) => ParsedKey>> = {
  ids: parseId,
  id_file: parseId,
  shorthand_names: (text) => toParsedKey(parseShorthandName(text)),
  urls: (text, family) => ({ ...toParsedKey(parseProfileUrl(text, family)), sent: text.trim() }),
};

/** May a key stand twice? Contract, "Bulk": names and URLs may not. */
const allowsDuplicates: Readonly<Record<ListKind, boolean>> = {
  ids: true,
  id_file: true,
  shorthand_names: false,
  urls: false,
};

/**
 * Reads a list of keys.
 * @param texts - as they came; undefined for what is no text
 */
export function parseKeys(
  kind: ListKind,
  family: Family,
  texts: readonly (string | undefined)[],
): ParsedKeys {
  if (texts.length === 0) return { empty: true };
  if (texts.length > maxRequestRecords) return { tooMany: true };
  const keys = new Map<string, string>();
  const complaints: KeyIssue[] = [];
  for (const [at, text] of texts.entries()) {
    const reading: ParsedKey =
      text === undefined ? { msg: 'str type expected', type: 'type_error.str' } : parsers[kind](text, family);
    if (!('value' in reading)) complaints.push({ index: at, ...reading });
    else if (keys.has(reading.value) && !allowsDuplicates[kind]) {
      complaints.push({ index: at, msg: 'value stands twice', type: 'value_error.duplicate' });
    } else keys.set(reading.value, reading.sent ?? reading.value);
    if (complaints.length === MAX_ISSUES) break;
  }
  return complaints.length > 0 ? { complaints } : { keys: [...keys.values()] };
}

/** The lines of a file of ids that hold something, and their numbers from 1. */
export function splitLines(text: string): { line: number; text: string }[] {
  return text
    .split(/\r\n|\n|\r/)
    .flatMap((own, at) => (own.trim() === '' ? [] : [{ line: at + 1, text: own }]));
}
