// A set of texts as short digests: a membership test that takes four bytes a text.
import { hashText } from '../lib/hash.ts';

const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_';
const DIGITS = 3;
/** Bits of a hash that become its digest. The lower ones choose a bucket. */
const DIGEST_BITS = 18;

/** Hashes a text to 32 bits, with the final mix of MurmurHash3. */
function hash(text: string): number {
  let value = hashText(text);
  value = Math.imul(value ^ (value >>> 16), 0x85ebca6b);
  value = Math.imul(value ^ (value >>> 13), 0xc2b2ae35);
  return (value ^ (value >>> 16)) >>> 0;
}

function toDigest(value: number): string {
  const bits = value >>> (32 - DIGEST_BITS);
  return [12, 6, 0].map((shift) => ALPHABET.charAt((bits >> shift) & 63)).join('');
}

/**
 * Encodes a set.
 * @param buckets - a power of 2, at most 2^14
 */
export function encodeDigests(texts: Iterable<string>, buckets: number): string {
  const digests = Array.from({ length: buckets }, () => new Set<string>());
  for (const text of texts) digests[hash(text) % buckets]?.add(toDigest(hash(text)));
  return digests.map((bucket) => [...bucket].sort().join('')).join(' ');
}

/**
 * Creates a check for membership. It is always right for members. It takes another text for a member with a probability of
 * (members / buckets) / 2^18.
 * @param encoded - see {@link encodeDigests}
 */
export function createDigestSet(encoded: string): (text: string) => boolean {
  let buckets: string[] | undefined;
  return (text) => {
    buckets ??= encoded.split(' ');
    const value = hash(text);
    const bucket = buckets[value % buckets.length] ?? '';
    const digest = toDigest(value);
    for (let at = 0; at < bucket.length; at += DIGITS) if (bucket.startsWith(digest, at)) return true;
    return false;
  };
}
