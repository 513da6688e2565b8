// Bounds JSON before it is parsed: walking a very deep value would overflow the stack, and a body of a few megabytes may hold a
// million objects.

/** Maximum nesting of a request's body. Each clause of a query takes up to three levels. */
export const MAX_BODY_DEPTH = 500;

/** Maximum number of values in a request's body. An order has ten thousand keys. */
export const MAX_BODY_VALUES = 100_000;

/** Maximum nesting of the provider's responses and of the lines of its files. Its records have a few levels. */
export const MAX_RESPONSE_DEPTH = 100;

const QUOTE = 0x22;
const COMMA = 0x2c;
const BACKSLASH = 0x5c;
const OPEN_ARRAY = 0x5b;
const CLOSE_ARRAY = 0x5d;
const OPEN_OBJECT = 0x7b;
const CLOSE_OBJECT = 0x7d;

/** Finds the quote that ends a string. @param from - position of the opening quote */
function findEndOfString(text: string, from: number): number {
  for (let end = text.indexOf('"', from + 1); end !== -1; end = text.indexOf('"', end + 1)) {
    let escapes = 0;
    while (text.charCodeAt(end - 1 - escapes) === BACKSLASH) escapes += 1;
    if (escapes % 2 === 0) return end;
  }
  return text.length;
}

/**
 * Tells whether a JSON text is nested too deep. It does not recurse, so no text overflows the stack. For a text that is not
 * JSON, the result is of no use.
 * @param levels - maximum number of arrays and objects within each other
 */
export function isNestedDeeper(text: string, levels: number): boolean {
  let depth = 0;
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    if (code === QUOTE) at = findEndOfString(text, at);
    else if (code === OPEN_ARRAY || code === OPEN_OBJECT) {
      depth += 1;
      if (depth > levels) return true;
    } else if (code === CLOSE_ARRAY || code === CLOSE_OBJECT) depth -= 1;
  }
  return false;
}

/** Tells whether a JSON text has more values than allowed, counting each comma and each array or object. */
export function hasMoreValues(text: string, values: number): boolean {
  // Each value but the last takes two characters.
  if (text.length < 2 * values) return false;
  let count = 0;
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    if (code === QUOTE) at = findEndOfString(text, at);
    else if (code === COMMA || code === OPEN_ARRAY || code === OPEN_OBJECT) {
      count += 1;
      if (count > values) return true;
    }
  }
  return false;
}
