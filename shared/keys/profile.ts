// Reads ids, shorthand names and profile URLs.
import { type Family, families } from '../families.ts';
import { invalid, type KeyResult } from './result.ts';

/** Ids are integers from 1; those of posts have 19 digits, so an id is a text outside arithmetic. */
const ID = /^[1-9]\d{0,18}$/;
const MAX_SHORTHAND = 100;
// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what it refuses
const NOT_IN_SHORTHAND = /[\s/\\?#@:\u0000-\u001f\u007f]/;
const PROFILE_URL = /^(?:https?:)?(?:\/\/)?[^\s/?#@]+\.[^\s/?#@.]+\/([^?#]*)/i;

/**
 * Reads an id.
 * @param text - digits, without a sign and leading zeros
 */
export function normaliseId(text: string): KeyResult {
  const id = text.trim();
  return ID.test(id) ? { ok: true, kind: 'id', value: id } : invalid('An id is a whole number from 1.');
}

/**
 * Reads a shorthand name: the last segment of a profile URL. Case does not matter.
 * @param text - the name alone, plain or percent-encoded
 */
export function normaliseShorthandName(text: string): KeyResult {
  let name = text.trim();
  try {
    name = decodeURIComponent(name);
  } catch {
    // A lone % is part of the name.
  }
  name = name.normalize('NFC').toLowerCase();
  if (name === '' || name.length > MAX_SHORTHAND || NOT_IN_SHORTHAND.test(name)) {
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
  const segments = PROFILE_URL.exec(text.trim())?.[1]?.split('/') ?? [];
  const known: readonly string[] = families[family].profileSegments;
  const at = segments.findIndex((segment) => known.includes(segment.toLowerCase()));
  const name = at < 0 ? undefined : segments[at + 1];
  if (name === undefined || name === '') {
    return invalid(`A profile URL of this kind holds /${known[0]}/ and a name.`);
  }
  return normaliseShorthandName(name);
}

/** Tells whether a text looks like an address of a page rather than a bare name. */
export function looksLikeUrl(text: string): boolean {
  return /^(?:https?:)?\/\//i.test(text.trim()) || text.includes('/');
}
