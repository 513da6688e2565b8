// What a term in a text is worth: BM25 in the arithmetic of Lucene 8, lengths in one byte and scores in 32 bits.

const { fround } = Math;

/** How soon further occurrences stop to count. */
const K1 = fround(1.2);
/** How much a text's length counts. */
const B = 0.75;
const K1_AND_ONE = fround(1 + K1);

/** The first byte values stand for themselves; the rest is a float with three bits behind its leading one. */
const EXACT_LENGTHS = 24;
const MANTISSA_BITS = 3;

function decodeLength(byte: number): number {
  if (byte < EXACT_LENGTHS) return byte;
  const bits = byte - EXACT_LENGTHS;
  const mantissa = bits & ((1 << MANTISSA_BITS) - 1);
  const exponent = (bits >> MANTISSA_BITS) - 1;
  return EXACT_LENGTHS + (exponent < 0 ? mantissa : (mantissa + (1 << MANTISSA_BITS)) * 2 ** exponent);
}

const lengths = Float64Array.from({ length: 256 }, (_, byte) => decodeLength(byte));

/**
 * Squeezes a text's length into a byte, downwards (Lucene's SmallFloat).
 * @param length - number of terms, below 2^31
 * @returns 0 to 255; greater lengths never give smaller bytes
 */
export function encodeLength(length: number): number {
  if (length < EXACT_LENGTHS) return length;
  const rest = length - EXACT_LENGTHS;
  if (rest < 1 << MANTISSA_BITS) return EXACT_LENGTHS + rest;
  const shift = 31 - Math.clz32(rest) - MANTISSA_BITS;
  const mantissa = (rest >> shift) & ((1 << MANTISSA_BITS) - 1);
  return EXACT_LENGTHS + ((shift + 1) << MANTISSA_BITS) + mantissa;
}

/** What is known of a field over the whole index. */
export interface FieldStatistics {
  /** Documents that have a term in the field. */
  docs: number;
  /** The number of their terms. */
  tokens: number;
}

/**
 * How much a term tells by being rare: ln(1 + (N − n + ½) / (n + ½)).
 * @param docs - documents that have the field
 * @param having - those that have the term, at least 1
 */
export function inverseDocumentFrequency(docs: number, having: number): number {
  return fround(Math.log(1 + (docs - having + 0.5) / (having + 0.5)));
}

/**
 * Makes the scorer of one term, or of a phrase.
 * @param field - the statistics of its field
 * @param idf - of the term; of a phrase the sum over its terms
 * @param boost - of the clause
 * @returns the score by the number of occurrences and the length byte of the text
 */
export function createScorer(
  field: FieldStatistics,
  idf: number,
  boost: number,
): (frequency: number, byte: number) => number {
  const average = fround(field.tokens / Math.max(1, field.docs));
  const inverse = lengths.map((length) => {
    const norm = fround(K1 * fround(1 - B + fround(fround(B * length) / average)));
    return fround(1 / norm);
  });
  const weight = fround(fround(boost * K1_AND_ONE) * idf);
  return (frequency, byte) => {
    const saturation = fround(1 + fround(frequency * (inverse[byte] ?? 0)));
    return fround(weight - fround(weight / saturation));
  };
}
