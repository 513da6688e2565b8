// Ids of what the admin makes.

const ID_BYTES = 8;

/**
 * Makes an id that nobody has.
 * @param randomBytes - gives that many random bytes
 * @returns 16 hexadecimal digits
 */
export function generateHexId(randomBytes: (length: number) => Uint8Array): string {
  return Array.from(randomBytes(ID_BYTES), (byte) => byte.toString(16).padStart(2, '0')).join('');
}
