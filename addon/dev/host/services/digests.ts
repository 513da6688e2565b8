// Digests for Utilities.computeDigest and computeHmacSha256Signature.
import { Exception } from '../calls.ts';

/** Web Crypto names by Utilities.DigestAlgorithm. */
const WEB_CRYPTO: Readonly<Record<string, string>> = {
  SHA_1: 'SHA-1',
  SHA_256: 'SHA-256',
  SHA_384: 'SHA-384',
  SHA_512: 'SHA-512',
};

/** Computes a digest; throws "not emulated" for MD2 and MD5. */
export async function digest(algorithm: string, data: Uint8Array): Promise<Uint8Array> {
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
