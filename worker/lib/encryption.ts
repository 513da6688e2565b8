// Encrypts short texts for storage: AES-256-GCM with a key derived from a secret by HKDF-SHA-256.
import { base64url } from 'jose';

/** Names the algorithm and, after a rotation, the secret. */
const VERSION = 'v1';
const NONCE_BYTES = 12;

/** Thrown if a text was encrypted with another secret or for another place, or was changed. */
export class DecryptionError extends Error {
  override name = 'DecryptionError';
}

const encoder = new TextEncoder();

async function deriveKey(secret: string): Promise<CryptoKey> {
  const material = await crypto.subtle.importKey('raw', encoder.encode(secret), 'HKDF', false, ['deriveKey']);
  return crypto.subtle.deriveKey(
    {
      name: 'HKDF',
      hash: 'SHA-256',
      salt: new Uint8Array(),
      info: encoder.encode(`cdapi encryption ${VERSION}`),
    },
    material,
    { name: 'AES-GCM', length: 256 },
    false,
    ['encrypt', 'decrypt'],
  );
}

/** The place is additional data: the text can't be moved to another one. */
function getParameters(iv: Uint8Array<ArrayBuffer>, place: string) {
  return { name: 'AES-GCM', iv, additionalData: encoder.encode(`${VERSION} ${place}`) };
}

/**
 * Encrypts a text. Two encryptions of one text differ.
 * @param secret - random, at least 32 characters
 * @param place - where it is stored: table, column and row
 * @returns `v1.` and the nonce with the ciphertext, base64url
 */
export async function encrypt(secret: string, text: string, place: string): Promise<string> {
  const nonce = crypto.getRandomValues(new Uint8Array(NONCE_BYTES));
  const key = await deriveKey(secret);
  const ciphertext = await crypto.subtle.encrypt(getParameters(nonce, place), key, encoder.encode(text));
  const bytes = new Uint8Array([...nonce, ...new Uint8Array(ciphertext)]);
  return `${VERSION}.${base64url.encode(bytes)}`;
}

/**
 * Decrypts a text.
 * @param secret - the secret that encrypted it
 * @param encrypted - from {@link encrypt}
 * @param place - the place that it was encrypted for
 * @throws DecryptionError
 */
export async function decrypt(secret: string, encrypted: string, place: string): Promise<string> {
  const [version, encoded = ''] = encrypted.split('.');
  if (version !== VERSION) throw new DecryptionError('The version is unknown.');
  try {
    const bytes = new Uint8Array(base64url.decode(encoded));
    const parameters = getParameters(bytes.slice(0, NONCE_BYTES), place);
    const key = await deriveKey(secret);
    const text = await crypto.subtle.decrypt(parameters, key, bytes.subarray(NONCE_BYTES));
    return new TextDecoder().decode(text);
  } catch {
    throw new DecryptionError('The text can’t be decrypted.');
  }
}
