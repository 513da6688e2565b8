// Removes the provider's API key from what the provider answers: an error that echoes it must reach nobody and be kept nowhere.

/** What stands in place of the key. */
const REDACTED = '[redacted]';

/** The service's keys have 32 characters; a shorter text than this may be a word that records hold. */
const MIN_KEY_LENGTH = 8;

const escapeRegExp = (text: string): string => text.replaceAll(/[\\^$.*+?()[\]{}|/-]/g, '\\$&');

/** A character as it is, percent-encoded, or escaped in JSON. */
function spellings(character: string): string {
  const hex = character.charCodeAt(0).toString(16).padStart(2, '0');
  return `(?:${escapeRegExp(character)}|%${hex}|\\\\u00${hex})`;
}

/**
 * What a text has in base64 wherever it stands in a longer one: its bytes begin at one of three places of a group. The
 * characters at both ends are left out, since its neighbours share their bits.
 */
function base64Spellings(text: string): string[] {
  const bytes = String.fromCharCode(...new TextEncoder().encode(text));
  return [0, 1, 2].map((shift) => {
    const encoded = btoa('\0'.repeat(shift) + bytes);
    const whole = encoded.slice(Math.ceil((shift * 8) / 6), Math.floor(((shift + bytes.length) * 8) / 6));
    return [...whole].map((one) => ({ '+': '[+-]', '/': '[/_]' })[one] ?? one).join('');
  });
}

function createRedactor(key: string): (text: string) => string {
  if (key.length < MIN_KEY_LENGTH) return (text) => text;
  const plain = new RegExp([...key].map(spellings).join(''), 'gi');
  const base64 = new RegExp(base64Spellings(key).join('|'), 'g');
  return (text) => text.replaceAll(plain, REDACTED).replaceAll(base64, REDACTED);
}

/** A deployment has one key. */
let last: { key: string; redact: (text: string) => string } | undefined;

/**
 * Removes the key from a text, be it plain, percent-encoded, escaped in JSON or in base64.
 * @param key - the provider's
 */
export function redactKey(key: string, text: string): string {
  if (last?.key !== key) last = { key, redact: createRedactor(key) };
  return last.redact(text);
}
