// Texts by code points: the order of the database, and of Lucene, where JavaScript's is by UTF-16 units.

const FIRST_SURROGATE = 0xd800;
const LAST_SURROGATE = 0xdfff;
const LAST = 0x10ffff;

/** Orders two texts by their code points. */
export function compareCodePoints(a: string, b: string): number {
  const length = Math.min(a.length, b.length);
  for (let at = 0; at < length; at += 1) {
    if (a.charCodeAt(at) === b.charCodeAt(at)) continue;
    return sortable(a.charCodeAt(at)) - sortable(b.charCodeAt(at));
  }
  return a.length - b.length;
}

/** Moves the units of pairs behind all others, where their code points belong. */
function sortable(unit: number): number {
  return unit >= FIRST_SURROGATE && unit <= LAST_SURROGATE ? unit + LAST : unit;
}

/**
 * The first text behind all that begin with a prefix.
 * @returns undefined where there is none: an empty prefix, or one of last code points only
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
