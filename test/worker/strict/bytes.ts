// How many bytes a value takes in a database.

/** @returns bytes of a text in UTF-8, of a buffer or its view; a number takes 8 */
export function countBytes(value: unknown): number {
  if (typeof value === 'string') return new TextEncoder().encode(value).length;
  if (value instanceof ArrayBuffer || ArrayBuffer.isView(value)) return value.byteLength;
  return 8;
}
