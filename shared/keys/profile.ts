// Parses ids, shorthand names and profile URLs.
import { type Family, getSubject, type Subject, subjectNames, subjects } from '../families/index.ts';
import { toAsciiHost } from './host.ts';
import { invalidKey, type KeyResult } from './result.ts';
import { isProfileHost } from './shared-hosts.ts';
import { isNumber, looksLikeName, readUrl, removeInvisible, removeWrapping } from './text.ts';

/** Ids are integers from 1. Ids of posts have 19 digits, so ids are handled as text. */
const ID = /^[1-9]\d{0,18}$/;
const MAX_SHORTHAND = 100;
// biome-ignore lint/suspicious/noControlCharactersInRegex: the pattern rejects control characters
const NOT_IN_SHORTHAND = /[\s/\\?#@:\u0000-\u001f\u007f]/;
const PROFILE_URL = /^([^\s/?#@]+\.[^\s/?#@.:]+)(?::\d{0,5})?\/([^?#]*)/;

/**
 * Parses an id.
 * @param text - digits without sign and leading zeros
 */
export function normaliseId(text: string): KeyResult {
  const id = removeInvisible(text);
  if (ID.test(id)) return { ok: true, kind: 'id', value: id };
  if (isNumber(id))
    return invalidKey('This number isn’t an ID: an ID is a whole number such as 4711.', 'number');
  return looksLikeName(id)
    ? invalidKey('This is a name, not an ID.', 'name')
    : invalidKey('This isn’t an ID: an ID is a whole number such as 4711.');
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

function rejectNumbers(name: KeyResult): KeyResult {
  if (!name.ok || !isNumber(name.value)) return name;
  return DIGITS.test(name.value)
    ? invalidKey('A shorthand name can’t consist of digits only. Use the ID instead.', 'id')
    : invalidKey('This number isn’t an ID: an ID is a whole number such as 4711.', 'number');
}

const NO_SHORTHAND = 'This isn’t a valid shorthand name. Use the last part of a profile URL.';

/** Parses a shorthand name from a record or a list of names. Digits alone are allowed. */
export function parseShorthandName(text: string): KeyResult {
  let name = text;
  try {
    name = decodeURIComponent(text);
  } catch {
    // A lone % is part of the name.
  }
  name = removeInvisible(name).normalize('NFC').toLowerCase();
  const unusable =
    name === '' || name === '.' || name === '..' || NOT_IN_SHORTHAND.test(name) || !isWellFormed(name);
  if (unusable || name.length > MAX_SHORTHAND) {
    return /\s/.test(name) && looksLikeName(name)
      ? invalidKey('This is a name, not a shorthand name.', 'name')
      : invalidKey(NO_SHORTHAND);
  }
  return { ok: true, kind: 'shorthand_name', value: name };
}

/** Parses a shorthand name to look up. Rejects numbers: the service would treat digits as an id. */
export function normaliseShorthandName(text: string): KeyResult {
  return rejectNumbers(parseShorthandName(text));
}

const subjectsBySegment = new Map<string, Subject>(
  subjectNames.flatMap((subject) =>
    subjects[subject].profileSegments.map((segment): [string, Subject] => [segment, subject]),
  ),
);

/** Prefixes of profile paths: languages, and the network's pages for e-mails and phones. */
const PREFIX = /^(?:[a-z]{2}|comm|m|mwlite)$/i;
const PUNCTUATION = /(?<![.,;:!?…)\]}>"'’”])[.,;:!?…)\]}>"'’”]+$/;

/** Splits a profile URL into its host and the segments of its path, without language and the like. Undefined for other texts. */
function splitProfileUrl(text: string): { host: string; segments: string[] } | undefined {
  // Most keys are ids.
  if (!text.includes('.')) return undefined;
  const [, host, path] = PROFILE_URL.exec(readUrl(removeWrapping(text)).rest) ?? [];
  if (host === undefined || path === undefined) return undefined;
  const all = path.split('/');
  const first = all.findIndex(
    (segment) => subjectsBySegment.has(segment.toLowerCase()) || !PREFIX.test(segment),
  );
  return { host: toAsciiHost(host), segments: first < 0 ? [] : all.slice(first) };
}

/** Tells whether a text is a URL of the network, which may name a profile, or of another host. Undefined if it is none. */
export function findUrlOwner(text: string): 'network' | 'other' | undefined {
  const { host } = splitProfileUrl(text) ?? {};
  return host === undefined ? undefined : isProfileHost(host) ? 'network' : 'other';
}

/**
 * Parses the shorthand name in a URL of a record. Its host is not checked: the field holds profile URLs, and the service
 * does not name the network. Digits alone are allowed.
 */
export function parseRecordUrl(text: string, family: Family): KeyResult {
  const [kind = '', name = ''] = splitProfileUrl(text)?.segments ?? [];
  const known = getSubject(family).profileSegments;
  return known.includes(kind.toLowerCase()) ? parseShorthandName(name) : invalidKey(NO_SHORTHAND);
}

/**
 * Parses the shorthand name in a profile URL. Digits alone are allowed.
 * @param text - for a company `https://<network>/company/<shorthand name>`; scheme, language, query and further segments
 * are optional. Other hosts have no profiles, whatever their paths look like
 */
export function parseProfileUrl(text: string, family: Family): KeyResult {
  const known = getSubject(family).profileSegments;
  if (known.length === 0) return invalidKey('Records of this kind have no profile URL. Use the ID.');
  const { host = '', segments: [kind = '', name = ''] = [] } = splitProfileUrl(text) ?? {};
  if (!isProfileHost(host)) {
    return looksLikeName(text)
      ? invalidKey('This is a name, not a profile link.', 'name')
      : invalidKey('This isn’t a profile link of the network.', host === '' ? 'other' : 'website');
  }
  const subject = subjectsBySegment.get(kind.toLowerCase());
  if (subject !== undefined && !known.includes(kind.toLowerCase())) {
    const other = subjects[subject].label.toLowerCase();
    return invalidKey(`This is the profile of ${/^[aeiou]/.test(other) ? 'an' : 'a'} ${other}.`, 'profile');
  }
  const cleaned = name.split('&')[0]?.replace(PUNCTUATION, '') ?? '';
  return subject === undefined || cleaned === ''
    ? invalidKey(`This isn’t a valid profile URL. It must contain /${known[0]}/ and a name.`)
    : parseShorthandName(cleaned);
}

/**
 * Parses the shorthand name in a profile URL to look up. Rejects digits alone, which the service would treat as an id.
 */
export function normaliseProfileUrl(text: string, family: Family): KeyResult {
  return rejectNumbers(parseProfileUrl(text, family));
}

/** Checks whether a text looks like a URL rather than a bare name. */
export function looksLikeUrl(text: string): boolean {
  return /^(?:https?:)?\/\//i.test(text.trim()) || text.includes('/');
}
