// A short hash of texts for fingerprints, buckets and seeds. It protects nothing.

/** Hashes a text to 32 bits: FNV-1a over UTF-16 code units. */
export function hashText(text: string, seed = 0x811c9dc5): number {
  let value = seed;
  for (let at = 0; at < text.length; at += 1) value = Math.imul(value ^ text.charCodeAt(at), 0x01000193);
  return value >>> 0;
}
