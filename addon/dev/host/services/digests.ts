// Digests for Utilities.computeDigest and computeHmacSha256Signature.
import { Exception } from '../calls.ts';

/** Web Crypto names by Utilities.DigestAlgorithm. */
const WEB_CRYPTO: Readonly<Record<string, string>> = {
  SHA_1: 'SHA-1',
  SHA_256: 'SHA-256',
  SHA_384: 'SHA-384',
  SHA_512: 'SHA-512',
};

/** Computes a digest; throws "not emulated" for MD2. */
export async function digest(algorithm: string, data: Uint8Array): Promise<Uint8Array> {
  if (algorithm === 'MD5') return md5(data);
  const name = WEB_CRYPTO[algorithm];
  if (!name) throw new Exception(`not emulated: Utilities.DigestAlgorithm.${algorithm}`);
  return new Uint8Array(await crypto.subtle.digest(name, new Uint8Array(data)));
}

export async function hmacSha256(data: Uint8Array, key: Uint8Array): Promise<Uint8Array> {
  if (key.length === 0) throw new Exception('Invalid argument: key');
  const algorithm = { name: 'HMAC', hash: 'SHA-256' };
  const imported = await crypto.subtle.importKey('raw', new Uint8Array(key), algorithm, false, ['sign']);
  return new Uint8Array(await crypto.subtle.sign('HMAC', imported, new Uint8Array(data)));
}

/** RFC 1321, section 3.4: rotations of each round, and constants floor(2^32 × |sin(i + 1)|). */
const ROTATIONS = [
  [7, 12, 17, 22],
  [5, 9, 14, 20],
  [4, 11, 16, 23],
  [6, 10, 15, 21],
] as const;
const SINES = Array.from({ length: 64 }, (_, i) => Math.floor(Math.abs(Math.sin(i + 1)) * 2 ** 32));
const START = [0x67452301, 0xefcdab89, 0x98badcfe, 0x10325476] as const;

/** RFC 1321, section 3.4: the mixing function and word order of each round. */
const ROUNDS: readonly {
  readonly mix: (b: number, c: number, d: number) => number;
  readonly word: (step: number) => number;
}[] = [
  { mix: (b, c, d) => (b & c) | (~b & d), word: (step) => step },
  { mix: (b, c, d) => (b & d) | (c & ~d), word: (step) => 5 * step + 1 },
  { mix: (b, c, d) => b ^ c ^ d, word: (step) => 3 * step + 5 },
  { mix: (b, c, d) => c ^ (b | ~d), word: (step) => 7 * step },
];

function md5(data: Uint8Array): Uint8Array {
  const padded = new DataView(new ArrayBuffer((((data.length + 8) >> 6) + 1) << 6));
  for (const [index, byte] of data.entries()) padded.setUint8(index, byte);
  padded.setUint8(data.length, 0x80);
  padded.setUint32(padded.byteLength - 8, (data.length << 3) >>> 0, true);
  padded.setUint32(padded.byteLength - 4, Math.floor(data.length / 2 ** 29), true);
  let [a0, b0, c0, d0]: [number, number, number, number] = [...START];
  for (let block = 0; block < padded.byteLength; block += 64) {
    let [a, b, c, d] = [a0, b0, c0, d0];
    for (const [index, round] of ROUNDS.entries()) {
      for (let step = 0; step < 16; step++) {
        const word = padded.getUint32(block + (round.word(step) % 16) * 4, true);
        const sum = a + round.mix(b, c, d) + word + (SINES[index * 16 + step] ?? 0);
        [a, d, c, b] = [d, c, b, (b + rotateLeft(sum, ROTATIONS[index]?.[step % 4] ?? 0)) | 0];
      }
    }
    [a0, b0, c0, d0] = [(a0 + a) | 0, (b0 + b) | 0, (c0 + c) | 0, (d0 + d) | 0];
  }
  const result = new DataView(new ArrayBuffer(16));
  for (const [index, word] of [a0, b0, c0, d0].entries()) result.setInt32(index * 4, word, true);
  return new Uint8Array(result.buffer);
}

function rotateLeft(value: number, by: number): number {
  return (value << by) | ((value | 0) >>> (32 - by));
}
