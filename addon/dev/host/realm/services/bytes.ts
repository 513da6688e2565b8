// Apps Script's signed bytes (-128 to 127) and base64.
import type { Bridge } from '../bridge.ts';

/** Converts to signed numbers, as scripts see bytes. */
export function toSignedBytes(bytes: Uint8Array): number[] {
  return Array.from(bytes, (byte) => (byte > 127 ? byte - 256 : byte));
}

export type Charset = 'US_ASCII' | 'UTF_8';

/** Java's US_ASCII encoding: replaces every other character with a question mark. */
const toAscii = (text: string): string =>
  Array.from(text, (letter) => (letter > '\x7f' ? '?' : letter)).join('');

/** Converts a text or signed numbers to bytes. */
export function toBytes(bridge: Bridge, value: unknown, charset: Charset = 'UTF_8'): Uint8Array {
  if (typeof value === 'string') return bridge.encode(charset === 'UTF_8' ? value : toAscii(value));
  return Uint8Array.from(Array.isArray(value) ? value.map((byte) => Number(byte) & 255) : []);
}

/** RFC 4648, section 5. */
const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_';

/** Encodes web-safe base64 with padding, as Apps Script does. */
export function toBase64WebSafe(bytes: Uint8Array): string {
  const pieces: string[] = [];
  for (let at = 0; at < bytes.length; at += 3) {
    const group = bytes.subarray(at, at + 3);
    const bits = ((group[0] ?? 0) << 16) | ((group[1] ?? 0) << 8) | (group[2] ?? 0);
    const letters = [18, 12, 6, 0].map((shift) => ALPHABET.charAt((bits >> shift) & 63)).join('');
    pieces.push(letters.slice(0, group.length + 1).padEnd(4, '='));
  }
  return pieces.join('');
}
