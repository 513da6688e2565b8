// Secrets in the URLs of webhooks and tickets. Only their hashes are stored.
const SECRET_BYTES = 32;

/** Creates a secret of 256 bits, hexadecimal. */
export function createSecret(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(SECRET_BYTES));
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
}
