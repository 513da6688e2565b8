// Compares texts by code point, as SQLite and Lucene do; JavaScript compares UTF-16 units.

const FIRST_SURROGATE = 0xd800;
const LAST_SURROGATE = 0xdfff;
const LAST = 0x10ffff;

/** Compares two texts by code point. */
export function compareCodePoints(a: string, b: string): number {
  const length = Math.min(a.length, b.length);
  for (let at = 0; at < length; at += 1) {
    if (a.charCodeAt(at) === b.charCodeAt(at)) continue;
    return toSortKey(a.charCodeAt(at)) - toSortKey(b.charCodeAt(at));
  }
  return a.length - b.length;
}

/** Sorts surrogates after all other units, because their code points are higher. */
function toSortKey(unit: number): number {
  return unit >= FIRST_SURROGATE && unit <= LAST_SURROGATE ? unit + LAST : unit;
}

/**
 * Finds the first text after all texts with a prefix.
 * @returns undefined if there is none: an empty prefix, or only last code points
 */
export function findPrefixEnd(prefix: string): string | undefined {
  const points = Array.from(prefix, (character) => character.codePointAt(0) ?? 0);
  for (let last = points.pop(); last !== undefined; last = points.pop()) {
    if (last === LAST) continue;
    const next = last + 1 === FIRST_SURROGATE ? LAST_SURROGATE + 1 : last + 1;
    return String.fromCodePoint(...points, next);
  }
  return undefined;
}
