// Parses JSON without losing digits of large integers: ids of posts have 19 digits, a double is exact for 15.

/** Shorter numbers are always exact. */
const MANY_DIGITS = /\d{16}/;
const INTEGER = /^-?\d+$/;

/**
 * Parses JSON.
 * @returns the value; an integer beyond 2^53 is a string of its digits
 * @throws SyntaxError
 */
export function parseExactly(text: string): unknown {
  if (!MANY_DIGITS.test(text)) return JSON.parse(text);
  return JSON.parse(text, (_key, value, { source }) =>
    typeof value === 'number' && !Number.isSafeInteger(value) && source !== undefined && INTEGER.test(source)
      ? source
      : value,
  );
}
