// Rows as parameters: a statement takes a hundred, so rows go as one JSON text, of which D1 takes 2 MB.

/** Characters of one parameter. */
const MAX_PARAMETER_LENGTH = 500_000;

/**
 * Cuts rows into JSON arrays of bounded length.
 * @returns at least one row in each
 */
export function toJsonChunks(rows: readonly unknown[]): string[] {
  const parts: string[] = [];
  let part: string[] = [];
  let length = 0;
  for (const row of rows) {
    const text = JSON.stringify(row);
    if (length + text.length > MAX_PARAMETER_LENGTH && part.length > 0) {
      parts.push(`[${part.join(',')}]`);
      part = [];
      length = 0;
    }
    part.push(text);
    length += text.length;
  }
  if (part.length > 0) parts.push(`[${part.join(',')}]`);
  return parts;
}
