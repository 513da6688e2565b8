// Parses and writes JSON without losing digits of integers beyond 2^53: ids of posts have 19 digits, a double is exact for 15.

/** Shorter numbers are always exact. Most texts lack such a run of digits, and this test is fast. */
const MANY_DIGITS = /\d{16}/;
/** An integer, unlike the digits in a text such as `urn:li:activity:7012345678901234567`. */
const LONG_INTEGER = /(?:^|[\s:[,])-?\d{16,}(?=[\s,\]}]|$)/;
const INTEGER = /^-?\d+$/;

/** Tells whether a JSON text may contain integers beyond 2^53. A text that quotes JSON may seem to. */
function hasLongIntegers(text: string): boolean {
  return MANY_DIGITS.test(text) && LONG_INTEGER.test(text);
}

/**
 * Parses JSON.
 * @param toValue - converts the digits of an integer beyond 2^53; default: a string of its digits. Values with `BigInt` are
 * written by {@link stringifyExactly}
 * @throws SyntaxError
 */
export function parseExactly(text: string, toValue: (digits: string) => unknown = String): unknown {
  if (!hasLongIntegers(text)) return JSON.parse(text);
  return JSON.parse(text, (_key, value, { source }) =>
    typeof value === 'number' && !Number.isSafeInteger(value) && source !== undefined && INTEGER.test(source)
      ? toValue(source)
      : value,
  );
}

/** Parses JSON. @returns undefined for a text that is not JSON */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Serialises a JSON value. Bigints become integers. */
export function stringifyExactly(value: unknown): string {
  try {
    return JSON.stringify(value);
  } catch (error) {
    // JSON.stringify throws on a bigint. A replacer would make it several times slower for all other values.
    if (!(error instanceof TypeError)) throw error;
    return JSON.stringify(value, (_key, part: unknown) =>
      typeof part === 'bigint' ? JSON.rawJSON(String(part)) : part,
    );
  }
}

/** A JSON text with all digits of its integers. Its value is parsed when it is first read. */
export class ExactJson<T> {
  readonly text: string;
  readonly #isExpected: (value: unknown) => value is T;
  #value: T | undefined;
  #exact: T | undefined;

  /**
   * @param isExpected - checks the parsed value
   * @param exact - the value with bigints, if it is known
   */
  constructor(text: string, isExpected: (value: unknown) => value is T, exact?: T) {
    this.text = text;
    this.#isExpected = isExpected;
    this.#exact = exact;
  }

  /** The value; integers beyond 2^53 are strings. @throws Error if it is not the expected one */
  get value(): T {
    this.#value ??= hasLongIntegers(this.text) ? this.#parse() : (this.#exact ?? this.#parse());
    return this.#value;
  }

  /** The value; integers beyond 2^53 are bigints. @throws Error if it is not the expected one */
  get exact(): T {
    this.#exact ??= hasLongIntegers(this.text) ? this.#parse(BigInt) : this.value;
    return this.#exact;
  }

  #parse(toValue?: (digits: string) => unknown): T {
    const value = parseExactly(this.text, toValue);
    if (!this.#isExpected(value)) throw new TypeError('The JSON has another shape than expected.');
    return value;
  }
}
