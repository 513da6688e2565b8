// Secrets that can stand in an address: of webhooks and of tickets. Only their hashes are kept.

const SECRET_BYTES = 32;

/** Makes a secret of 256 bits, hexadecimal. */
export function createSecret(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(SECRET_BYTES));
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
}
