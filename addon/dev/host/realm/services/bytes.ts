// Apps Script's signed bytes (-128 to 127), base64 and Blob.
import { type Bridge, createException } from '../bridge.ts';
import { emulateObject, method } from '../emulated.ts';

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

const ALPHANUMERIC = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789';

/** RFC 4648, sections 4 and 5. */
export const BASE64 = `${ALPHANUMERIC}+/`;
export const BASE64_WEB_SAFE = `${ALPHANUMERIC}-_`;

/** Encodes base64 with padding, as Apps Script does in both alphabets. */
export function toBase64(bytes: Uint8Array, alphabet: string): string {
  const pieces: string[] = [];
  for (let at = 0; at < bytes.length; at += 3) {
    const group = bytes.subarray(at, at + 3);
    const bits = ((group[0] ?? 0) << 16) | ((group[1] ?? 0) << 8) | (group[2] ?? 0);
    const letters = [18, 12, 6, 0].map((shift) => alphabet.charAt((bits >> shift) & 63)).join('');
    pieces.push(letters.slice(0, group.length + 1).padEnd(4, '='));
  }
  return pieces.join('');
}

/** Decodes base64; throws "Could not decode string." */
export function fromBase64(text: string, alphabet: string): Uint8Array {
  const letters = text.replace(/[\s=]/g, '');
  const bytes = new Uint8Array(Math.floor((letters.length * 6) / 8));
  let bits = 0;
  let size = 0;
  let at = 0;
  for (const letter of letters) {
    const value = alphabet.indexOf(letter);
    if (value < 0 || letters.length % 4 === 1) throw createException('Could not decode string.');
    bits = ((bits << 6) | value) & 0xffff;
    size += 6;
    if (size < 8) continue;
    size -= 8;
    bytes[at++] = (bits >> size) & 255;
  }
  return bytes;
}

export interface BlobContent {
  readonly bytes: Uint8Array;
  readonly contentType: string | null;
  readonly name: string | null;
}

const contents = new WeakMap<object, BlobContent>();

/** Returns a Blob's content; null for other values. */
export function getBlobContent(value: unknown): BlobContent | null {
  return typeof value === 'object' && value !== null ? (contents.get(value) ?? null) : null;
}

export function createBlob(bridge: Bridge, content: BlobContent): object {
  const { bytes, contentType, name } = content;
  const object = emulateObject('Blob', {
    getBytes: method(() => toSignedBytes(bytes)),
    getContentType: method(() => contentType),
    getDataAsString: method((charset) => bridge.decode(bytes, String(charset ?? 'UTF-8')), '', 'String'),
    getName: method(() => name),
    copyBlob: method(() => createBlob(bridge, content)),
  });
  contents.set(object, content);
  return object;
}
