// Reads ids, shorthand names and profile URLs.
import { type Family, subjectOf } from '../families.ts';
import { invalid, type KeyResult } from './result.ts';

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
  return ID.test(id) ? { ok: true, kind: 'id', value: id } : invalid('An id is a whole number from 1.');
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

/**
 * Reads a shorthand name: the last segment of a profile URL. Case does not matter.
 * @param text - the name alone, plain or percent-encoded
 * @returns the name; none of digits alone, since the service would take it for an id (contract, "Keys")
 */
export function normaliseShorthandName(text: string): KeyResult {
  let name = text.trim();
  try {
    name = decodeURIComponent(name);
  } catch {
    // A lone % is part of the name.
  }
  name = name.normalize('NFC').toLowerCase();
  if (/^\d+$/.test(name))
    return invalid('A shorthand name of digits alone would be taken for an id: give the id.');
  const unusable =
    name === '' || name === '.' || name === '..' || NOT_IN_SHORTHAND.test(name) || !isWellFormed(name);
  if (unusable || name.length > MAX_SHORTHAND) {
    return invalid('A shorthand name is the last part of a profile URL.');
  }
  return { ok: true, kind: 'shorthand_name', value: name };
}

/**
 * Reads a profile URL of a family.
 * @param text - for a company `https://<network>/company/<shorthand name>`, with or without scheme, query and more
 * @returns the shorthand name in it
 */
export function normaliseProfileUrl(text: string, family: Family): KeyResult {
  const known = subjectOf(family).profileSegments;
  if (known.length === 0) return invalid('Records of this kind have no profile page.');
  const segments = PROFILE_URL.exec(text.trim())?.[1]?.split('/') ?? [];
  if (LANGUAGE.test(segments[0] ?? '') && !known.includes(segments[0]?.toLowerCase() ?? '')) segments.shift();
  const [kind = '', name = ''] = segments;
  if (!known.includes(kind.toLowerCase()) || name === '') {
    return invalid(`A profile URL of this kind holds /${known[0]}/ and a name.`);
  }
  return normaliseShorthandName(name);
}

/** Tells whether a text looks like an address of a page rather than a bare name. */
export function looksLikeUrl(text: string): boolean {
  return /^(?:https?:)?\/\//i.test(text.trim()) || text.includes('/');
}
