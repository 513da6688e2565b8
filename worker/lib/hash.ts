// SHA-256, and secrets of which only the hash is stored.

/** Returns the SHA-256 of a text in UTF-8, hexadecimal. */
export async function sha256Hex(text: string): Promise<string> {
  return toHex(new Uint8Array(await crypto.subtle.digest('SHA-256', new TextEncoder().encode(text))));
}

const toHex = (bytes: Uint8Array): string =>
  Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');

const SECRET_BYTES = 32;

/** Creates a secret of 256 bits, hexadecimal. Only its hash is stored. */
export const createSecret = (): string => toHex(crypto.getRandomValues(new Uint8Array(SECRET_BYTES)));
