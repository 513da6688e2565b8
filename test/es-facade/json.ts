// JSON with all digits: whole numbers beyond what a number holds exactly are bigints.

declare global {
  /** What newer engines can do with the text of a number. */
  interface JSON {
    parse(
      text: string,
      reviver: (this: unknown, key: string, value: unknown, context: { source?: string }) => unknown,
    ): unknown;
    rawJSON(text: string): unknown;
  }
}

/** A JSON object. */
export type JsonObject = Readonly<Record<string, unknown>>;

const WHOLE = /^-?\d+$/;

/**
 * Reads JSON.
 * @throws SyntaxError
 */
export function readJson(text: string): unknown {
  return JSON.parse(text, (_key, value, { source }) =>
    typeof value === 'number' && !Number.isSafeInteger(value) && source !== undefined && WHOLE.test(source)
      ? BigInt(source)
      : value,
  );
}

/**
 * Reads JSON for the kinds of its values alone: a number that was written with a point or an exponent is no whole one.
 * @param text - JSON that {@link readJson} has read
 */
export function readKinds(text: string): unknown {
  return JSON.parse(text, (_key, value, { source = '' }) =>
    typeof value !== 'number' ? value : WHOLE.test(source) ? 1 : 0.5,
  );
}

/** Writes JSON. A number beyond the exact ones gets an exponent, so that nobody takes it for a whole one. */
export function writeJson(value: unknown, indent?: number): string {
  const write = (_key: string, inner: unknown): unknown => {
    if (typeof inner === 'bigint') return JSON.rawJSON(String(inner));
    const isInexact = typeof inner === 'number' && Number.isInteger(inner) && !Number.isSafeInteger(inner);
    return isInexact ? JSON.rawJSON(inner.toExponential()) : inner;
  };
  return JSON.stringify(value, write, indent);
}
