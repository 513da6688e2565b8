// JSON without loss of digits: integers that a number can't hold exactly are bigints.

declare global {
  /** Source text access, which TypeScript's library doesn't declare yet. */
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

const INTEGER = /^-?\d+$/;

/** Parses JSON. @throws SyntaxError */
export function parseJson(text: string): unknown {
  return JSON.parse(text, (_key, value, { source }) =>
    typeof value === 'number' && !Number.isSafeInteger(value) && source !== undefined && INTEGER.test(source)
      ? BigInt(source)
      : value,
  );
}

/** Parses JSON for type detection: a number with a point or an exponent becomes 0.5, any other number 1. */
export function parseJsonTypes(text: string): unknown {
  return JSON.parse(text, (_key, value, { source = '' }) =>
    typeof value !== 'number' ? value : INTEGER.test(source) ? 1 : 0.5,
  );
}

/** Serialises JSON. An integer that is not exact gets an exponent, so that clients don't read it as exact. */
export function formatJson(value: unknown): string {
  const replacer = (_key: string, inner: unknown): unknown => {
    if (typeof inner === 'bigint') return JSON.rawJSON(String(inner));
    const isInexact = typeof inner === 'number' && Number.isInteger(inner) && !Number.isSafeInteger(inner);
    return isInexact ? JSON.rawJSON(inner.toExponential()) : inner;
  };
  return JSON.stringify(value, replacer);
}
