// SHA-256, and secrets of which only the hash is stored.

/** Returns the SHA-256 of a text in UTF-8, hexadecimal. */
export async function sha256Hex(text: string): Promise<string> {
  return toHex(await crypto.subtle.digest('SHA-256', new TextEncoder().encode(text)));
}

const HEX_BYTES = Array.from({ length: 256 }, (_, byte) => byte.toString(16).padStart(2, '0'));

export function toHex(bytes: ArrayBuffer | Uint8Array): string {
  let text = '';
  for (const byte of new Uint8Array(bytes)) text += HEX_BYTES[byte];
  return text;
}

const SECRET_BYTES = 32;

/** Creates a secret of 256 bits, hexadecimal. Only its hash is stored. */
export const createSecret = (): string => toHex(crypto.getRandomValues(new Uint8Array(SECRET_BYTES)));
