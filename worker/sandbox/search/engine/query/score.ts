// BM25 in the arithmetic of Lucene 8: lengths in one byte, scores in 32-bit floats.

const { fround } = Math;

/** Saturation of term frequency. */
const K1 = fround(1.2);
/** Influence of the text length. */
const B = 0.75;
const K1_PLUS_ONE = fround(1 + K1);

/** Lengths up to here are exact; longer ones are floats with three mantissa bits. */
const EXACT_LENGTHS = 24;
const MANTISSA_BITS = 3;

function decodeLength(byte: number): number {
  if (byte < EXACT_LENGTHS) return byte;
  const bits = byte - EXACT_LENGTHS;
  const mantissa = bits & ((1 << MANTISSA_BITS) - 1);
  const exponent = (bits >> MANTISSA_BITS) - 1;
  return EXACT_LENGTHS + (exponent < 0 ? mantissa : (mantissa + (1 << MANTISSA_BITS)) * 2 ** exponent);
}

const decodedLengths = Float64Array.from({ length: 256 }, (_, byte) => decodeLength(byte));

/**
 * Encodes a text's length in a byte, rounding down (Lucene's SmallFloat).
 * @param length - number of terms, below 2^31
 * @returns 0 to 255, monotonic
 */
export function encodeLength(length: number): number {
  if (length < EXACT_LENGTHS) return length;
  const excess = length - EXACT_LENGTHS;
  if (excess < 1 << MANTISSA_BITS) return EXACT_LENGTHS + excess;
  const shift = 31 - Math.clz32(excess) - MANTISSA_BITS;
  const mantissa = (excess >> shift) & ((1 << MANTISSA_BITS) - 1);
  return EXACT_LENGTHS + ((shift + 1) << MANTISSA_BITS) + mantissa;
}

/** Statistics of a field over the whole index. */
export interface FieldStatistics {
  /** Number of documents with a term in the field. */
  docs: number;
  /** Number of terms in these documents. */
  tokens: number;
}

/**
 * Computes the inverse document frequency: ln(1 + (N − n + ½) / (n + ½)).
 * @param docs - documents with the field
 * @param docFrequency - documents with the term, at least 1
 */
export function computeIdf(docs: number, docFrequency: number): number {
  return fround(Math.log(1 + (docs - docFrequency + 0.5) / (docFrequency + 0.5)));
}

/**
 * Creates the scorer of a term or phrase.
 * @param field - statistics of its field
 * @param idf - of the term; for a phrase the sum over its terms
 * @param boost - of the clause
 * @returns a function of the number of occurrences and the length byte
 */
export function createScorer(
  field: FieldStatistics,
  idf: number,
  boost: number,
): (frequency: number, byte: number) => number {
  const averageLength = fround(field.tokens / Math.max(1, field.docs));
  const inverseNorms = decodedLengths.map((length) => {
    const norm = fround(K1 * fround(1 - B + fround(fround(B * length) / averageLength)));
    return fround(1 / norm);
  });
  const weight = fround(fround(boost * K1_PLUS_ONE) * idf);
  return (frequency, byte) => {
    const saturation = fround(1 + fround(frequency * (inverseNorms[byte] ?? 0)));
    return fround(weight - fround(weight / saturation));
  };
}
