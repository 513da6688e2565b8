// JSON whose whole numbers keep all their digits: ids of posts have 19, and a number holds 15 of any.

/** Only such digits may be more than a number holds. */
const MANY_DIGITS = /\d{16}/;
const WHOLE = /^-?\d+$/;

/**
 * Reads JSON.
 * @returns the value; a whole number that a number does not hold exactly is a text of its digits
 * @throws SyntaxError
 */
export function parseExactly(text: string): unknown {
  if (!MANY_DIGITS.test(text)) return JSON.parse(text);
  return JSON.parse(text, (_key, value, { source }) =>
    typeof value === 'number' && !Number.isSafeInteger(value) && source !== undefined && WHOLE.test(source)
      ? source
      : value,
  );
}
