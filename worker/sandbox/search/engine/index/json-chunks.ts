// Passes rows to a statement as JSON text: D1 allows a hundred parameters of 2 MB each.

/** Maximum characters of a parameter. */
const MAX_PARAMETER_LENGTH = 500_000;

/**
 * Splits rows into JSON arrays of bounded length.
 * @returns arrays with at least one row each
 */
export function toJsonChunks(rows: readonly unknown[]): string[] {
  const chunks: string[] = [];
  let chunk: string[] = [];
  let length = 0;
  for (const row of rows) {
    const text = JSON.stringify(row);
    if (length + text.length > MAX_PARAMETER_LENGTH && chunk.length > 0) {
      chunks.push(`[${chunk.join(',')}]`);
      chunk = [];
      length = 0;
    }
    chunk.push(text);
    length += text.length;
  }
  if (chunk.length > 0) chunks.push(`[${chunk.join(',')}]`);
  return chunks;
}
