// Removes the provider's API key from its responses: an error that echoes the key must neither be passed on nor stored.
import { sha256Hex } from '../../lib/hash.ts';
import type { RawResponse } from './upstream.ts';

const REDACTED = '[redacted]';

/** The provider's keys have 32 characters. A shorter text might be a word in a record. */
const MIN_KEY_LENGTH = 8;

const escapeRegExp = (text: string): string => text.replaceAll(/[\\^$.*+?()[\]{}|/-]/g, '\\$&');

/** Returns the codes of a character in both cases: the pattern ignores case, but not that of encoded characters. */
const listCodes = (character: string): number[] => [
  ...new Set([character.toLowerCase(), character.toUpperCase()].map((one) => one.charCodeAt(0))),
];

/** Builds the pattern of a character in hexadecimal. */
const buildHex = (character: string): string =>
  `(?:${listCodes(character)
    .map((code) => code.toString(16).padStart(2, '0'))
    .join('|')})`;

/** Builds the pattern of a character: literal, percent-encoded (also twice), escaped in JSON or code, or an HTML entity. */
function buildCharacterPattern(character: string): string {
  const codes = listCodes(character);
  const hex = buildHex(character);
  const entity = `&(?:amp;)?#(?:x0{0,6}${hex}|0{0,6}(?:${codes.join('|')}));?`;
  return `(?:${escapeRegExp(character)}|%(?:25)?${hex}|\\\\{1,4}(?:u00|x)${hex}|${entity})`;
}

/** Builds the pattern of a text as hexadecimal bytes, for example `61 62`, `61:62` or `0x61, 0x62`. */
const buildHexPattern = (text: string): string => [...text].map(buildHex).join('(?:[ :_-]|, ?)?(?:0x)?');

/**
 * Builds the patterns of a text inside a longer base64 text. Base64 encodes groups of three bytes, so the text can start at
 * three places of a group. The characters at both ends are left out, because they share bits with their neighbours.
 */
function buildBase64Patterns(text: string): string[] {
  const bytes = String.fromCharCode(...new TextEncoder().encode(text));
  return [0, 1, 2].map((shift) => {
    const encoded = btoa('\0'.repeat(shift) + bytes);
    const inner = encoded.slice(Math.ceil((shift * 8) / 6), Math.floor(((shift + bytes.length) * 8) / 6));
    return [...inner].map((character) => ({ '+': '[+-]', '/': '[/_]' })[character] ?? character).join('');
  });
}

function createRedactor(key: string): (text: string) => string {
  if (key.length < MIN_KEY_LENGTH) return (text) => text;
  const plain = [...key].map(buildCharacterPattern).join('');
  const plainOrHex = new RegExp(`${plain}|${buildHexPattern(key)}`, 'gi');
  const base64 = new RegExp(buildBase64Patterns(key).join('|'), 'g');
  return (text) => text.replaceAll(plainOrHex, REDACTED).replaceAll(base64, REDACTED);
}

/** The redactor of the last key. A deployment has only one key. */
let last: { key: string; redact: (text: string) => string } | undefined;

/**
 * Removes the API key from a text, whether it is plain, percent-encoded, escaped in JSON or code, written as HTML entities, in
 * hexadecimal or in base64. A provider that wants to tell it in another way can: the key is its own.
 * @param key - the provider's API key
 */
export function redactKey(key: string, text: string): string {
  if (last?.key !== key) last = { key, redact: createRedactor(key) };
  return last.redact(text);
}

/** Too short to find a key by it, and long enough for the two keys of a rotation. */
const LENGTH = 8;

/** Returns a name of an API key: the beginning of its hash. It is not stored. */
export async function identifyKey(apiKey: string): Promise<string> {
  return (await sha256Hex(apiKey)).slice(0, LENGTH);
}

/**
 * Removes the API key from a response.
 * @param body - text of the response
 */
export function toRawResponse({ status }: Response, body: string, apiKey: string): RawResponse {
  return { status, body: redactKey(apiKey, body) };
}
