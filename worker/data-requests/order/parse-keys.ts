// Parses and normalises the keys of an order, or lists the invalid ones.
import type { Family } from '../../../shared/families/index.ts';
import { parseProfileUrl, parseShorthandName } from '../../../shared/keys/profile.ts';
import type { KeyResult } from '../../../shared/keys/result.ts';
import { removeInvisible } from '../../../shared/keys/text.ts';
import { maxRequestRecords } from '../../../shared/limits.ts';
import type { BulkKind } from '../../../shared/operations.ts';

export const listKinds = ['ids', 'id_file', 'shorthand_names', 'urls'] as const satisfies readonly BulkKind[];
export type ListKind = (typeof listKinds)[number];

/** The service stores ids as signed 64-bit integers. */
const MAX_ID = 2n ** 63n - 1n;
const DIGITS = /^-?\d{1,100}$/;
/** Issues that one response lists. */
const MAX_ISSUES = 20;

/** An invalid key; the types are those of the service's 422. */
export interface KeyIssue {
  /** Index in the list, from 0. */
  index: number;
  msg: string;
  type: string;
  ctx?: { limit_value: number | string };
}

export type ParsedKeys = { keys: string[] } | { issues: KeyIssue[] } | { tooMany: true } | { empty: true };

/** `value` identifies the key; `sent` is submitted instead, if present. */
type ParsedKey = { value: string; sent?: string } | Omit<KeyIssue, 'index'>;

function parseId(text: string): ParsedKey {
  const digits = removeInvisible(text);
  if (!DIGITS.test(digits)) return { msg: 'value is not a valid integer', type: 'type_error.integer' };
  const id = BigInt(digits);
  if (id < 1n) {
    return {
      msg: 'ensure this value is greater than or equal to 1',
      type: 'value_error.number.not_ge',
      ctx: { limit_value: 1 },
    };
  }
  if (id > MAX_ID) {
    return {
      msg: `ensure this value is less than or equal to ${MAX_ID}`,
      type: 'value_error.number.not_le',
      ctx: { limit_value: String(MAX_ID) },
    };
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
  urls: (text, family) => {
    const parsed = toParsedKey(parseProfileUrl(text, family));
    return 'value' in parsed ? { ...parsed, sent: text.trim() } : parsed;
  },
};

/** Whether a list may contain duplicates. Provider API, "Bulk". */
const allowsDuplicates: Readonly<Record<ListKind, boolean>> = {
  ids: true,
  id_file: true,
  shorthand_names: false,
  urls: false,
};

/**
 * Parses a list of keys.
 * @param texts - undefined for a value that is no string
 */
export function parseKeys(
  kind: ListKind,
  family: Family,
  texts: readonly (string | undefined)[],
): ParsedKeys {
  if (texts.length === 0) return { empty: true };
  if (texts.length > maxRequestRecords) return { tooMany: true };
  const keys = new Map<string, string>();
  const issues: KeyIssue[] = [];
  for (const [at, text] of texts.entries()) {
    const parsed: ParsedKey =
      text === undefined ? { msg: 'str type expected', type: 'type_error.str' } : parsers[kind](text, family);
    if (!('value' in parsed)) issues.push({ index: at, ...parsed });
    else if (keys.has(parsed.value) && !allowsDuplicates[kind]) {
      issues.push({ index: at, msg: 'value stands twice', type: 'value_error.duplicate' });
    } else keys.set(parsed.value, parsed.sent ?? parsed.value);
    if (issues.length === MAX_ISSUES) break;
  }
  return issues.length > 0 ? { issues } : { keys: [...keys.values()] };
}

const END_OF_LINE = /\r\n|\n|\r/g;

/**
 * Splits an id file into its non-empty lines, numbered from 1. Stops after one more line than an order may have.
 */
export function splitLines(text: string): { line: number; text: string }[] {
  const lines: { line: number; text: string }[] = [];
  let start = 0;
  for (let line = 1; start <= text.length && lines.length <= maxRequestRecords; line += 1) {
    END_OF_LINE.lastIndex = start;
    const end = END_OF_LINE.exec(text);
    const content = text.slice(start, end?.index);
    if (content.trim() !== '') lines.push({ line, text: content });
    start = end === null ? text.length + 1 : END_OF_LINE.lastIndex;
  }
  return lines;
}
