// Ids of teams.

const ID_BYTES = 8;

/**
 * Generates a random id.
 * @returns 16 hexadecimal digits
 */
export function generateHexId(randomBytes: (length: number) => Uint8Array): string {
  return Array.from(randomBytes(ID_BYTES), (byte) => byte.toString(16).padStart(2, '0')).join('');
}
