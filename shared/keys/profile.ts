// Reads ids, shorthand names and profile URLs.
import { type Family, getSubject } from '../families/index.ts';
import { invalidKey, type KeyResult } from './result.ts';

/** Ids are integers from 1; those of posts have 19 digits, so an id is a text outside arithmetic. */
const ID = /^[1-9]\d{0,18}$/;
const MAX_SHORTHAND = 100;
// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what it refuses
const NOT_IN_SHORTHAND = /[\s/\\?#@:\u0000-\u001f\u007f]/;
const PROFILE_URL = /^(?:https?:)?(?:\/\/)?[^\s/?#@]+\.[^\s/?#@.]+\/([^?#]*)/i;
/** Profile pages exist in several languages: `/de/company/acme`. */
const LANGUAGE = /^[a-z]{2}$/i;

/**
 * Reads an id.
 * @param text - digits, without a sign and leading zeros
 */
export function normaliseId(text: string): KeyResult {
  const id = text.trim();
  return ID.test(id) ? { ok: true, kind: 'id', value: id } : invalidKey('An id is a whole number from 1.');
}

/** Lone halves of surrogate pairs are no text and can't be sent. */
function isWellFormed(text: string): boolean {
  try {
    encodeURIComponent(text);
    return true;
  } catch {
    return false;
  }
}

/** Contract, "Keys": where a name stands in the place of a key, the service takes digits alone for an id. */
const DIGITS = /^\d+$/;

function rejectDigits(name: KeyResult): KeyResult {
  return name.ok && DIGITS.test(name.value)
    ? invalidKey('A shorthand name of digits alone would be taken for an id: give the id.')
    : name;
}

/**
 * Reads a shorthand name where nothing but one can stand: in a record, or in a list of names. Digits alone are one, too.
 * @param text - the name alone, plain or percent-encoded; case does not matter
 */
export function parseShorthandName(text: string): KeyResult {
  let name = text.trim();
  try {
    name = decodeURIComponent(name);
  } catch {
    // A lone % is part of the name.
  }
  name = name.normalize('NFC').toLowerCase();
  const unusable =
    name === '' || name === '.' || name === '..' || NOT_IN_SHORTHAND.test(name) || !isWellFormed(name);
  if (unusable || name.length > MAX_SHORTHAND) {
    return invalidKey('A shorthand name is the last part of a profile URL.');
  }
  return { ok: true, kind: 'shorthand_name', value: name };
}

/**
 * Reads a shorthand name that is to be looked up: the last segment of a profile URL.
 * @param text - the name alone, plain or percent-encoded; case does not matter
 * @returns the name; none of digits alone, which the service would take for an id
 */
export function normaliseShorthandName(text: string): KeyResult {
  return rejectDigits(parseShorthandName(text));
}

/**
 * Reads a profile URL of a family, where the name in it is used as a name only: one of digits alone, too.
 * @param text - for a company `https://<network>/company/<shorthand name>`, with or without scheme, query and more
 * @returns the shorthand name in it
 */
export function parseProfileUrl(text: string, family: Family): KeyResult {
  const known = getSubject(family).profileSegments;
  if (known.length === 0) return invalidKey('Records of this kind have no profile page.');
  const segments = PROFILE_URL.exec(text.trim())?.[1]?.split('/') ?? [];
  if (LANGUAGE.test(segments[0] ?? '') && !known.includes(segments[0]?.toLowerCase() ?? '')) segments.shift();
  const [kind = '', name = ''] = segments;
  if (!known.includes(kind.toLowerCase()) || name === '') {
    return invalidKey(`A profile URL of this kind holds /${known[0]}/ and a name.`);
  }
  return parseShorthandName(name);
}

/**
 * Reads a profile URL of a family whose name is to be looked up.
 * @returns the shorthand name in it; none of digits alone, which the service would take for an id
 */
export function normaliseProfileUrl(text: string, family: Family): KeyResult {
  return rejectDigits(parseProfileUrl(text, family));
}

/** Tells whether a text looks like an address of a page rather than a bare name. */
export function looksLikeUrl(text: string): boolean {
  return /^(?:https?:)?\/\//i.test(text.trim()) || text.includes('/');
}
