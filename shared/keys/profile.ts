// Parses ids, shorthand names and profile URLs.
import { type Family, getSubject } from '../families/index.ts';
import { invalidKey, type KeyResult } from './result.ts';

/** Ids are integers from 1. Ids of posts have 19 digits, so ids are handled as text. */
const ID = /^[1-9]\d{0,18}$/;
const MAX_SHORTHAND = 100;
// biome-ignore lint/suspicious/noControlCharactersInRegex: the pattern rejects control characters
const NOT_IN_SHORTHAND = /[\s/\\?#@:\u0000-\u001f\u007f]/;
const PROFILE_URL = /^(?:https?:)?(?:\/\/)?[^\s/?#@]+\.[^\s/?#@.]+\/([^?#]*)/i;
/** Language prefix of profile pages: `/de/company/acme`. */
const LANGUAGE = /^[a-z]{2}$/i;

/**
 * Parses an id.
 * @param text - digits without sign and leading zeros
 */
export function normaliseId(text: string): KeyResult {
  const id = text.trim();
  return ID.test(id)
    ? { ok: true, kind: 'id', value: id }
    : invalidKey('An id must be a whole number from 1.');
}

/** Checks for lone surrogates, which can't be sent. */
function isWellFormed(text: string): boolean {
  try {
    encodeURIComponent(text);
    return true;
  } catch {
    return false;
  }
}

/** The service treats a key of digits as an id. Source: provider API, "Keys". */
const DIGITS = /^\d+$/;

function rejectDigits(name: KeyResult): KeyResult {
  return name.ok && DIGITS.test(name.value)
    ? invalidKey('A shorthand name can’t consist of digits only. Use the id instead.')
    : name;
}

/**
 * Parses a shorthand name from a record or a list of names. Digits alone are allowed.
 * @param text - plain or percent-encoded, in any case
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
    return invalidKey('This isn’t a valid shorthand name. Use the last part of a profile URL.');
  }
  return { ok: true, kind: 'shorthand_name', value: name };
}

/**
 * Parses a shorthand name to look up. Rejects digits alone, which the service would treat as an id.
 * @param text - plain or percent-encoded, in any case
 */
export function normaliseShorthandName(text: string): KeyResult {
  return rejectDigits(parseShorthandName(text));
}

/**
 * Parses the shorthand name in a profile URL. Digits alone are allowed.
 * @param text - for a company `https://<network>/company/<shorthand name>`; scheme, query and further segments are
 * optional
 */
export function parseProfileUrl(text: string, family: Family): KeyResult {
  const known = getSubject(family).profileSegments;
  if (known.length === 0) return invalidKey('Records of this kind have no profile URL. Use the id.');
  const segments = PROFILE_URL.exec(text.trim())?.[1]?.split('/') ?? [];
  if (LANGUAGE.test(segments[0] ?? '') && !known.includes(segments[0]?.toLowerCase() ?? '')) segments.shift();
  const [kind = '', name = ''] = segments;
  if (!known.includes(kind.toLowerCase()) || name === '') {
    return invalidKey(`This isn’t a valid profile URL. It must contain /${known[0]}/ and a name.`);
  }
  return parseShorthandName(name);
}

/**
 * Parses the shorthand name in a profile URL to look up. Rejects digits alone, which the service would treat as an id.
 */
export function normaliseProfileUrl(text: string, family: Family): KeyResult {
  return rejectDigits(parseProfileUrl(text, family));
}

/** Checks whether a text looks like a URL rather than a bare name. */
export function looksLikeUrl(text: string): boolean {
  return /^(?:https?:)?\/\//i.test(text.trim()) || text.includes('/');
}
