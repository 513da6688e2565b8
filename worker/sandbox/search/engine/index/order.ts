// Order of terms and ids, and binary search.

const FIRST_SURROGATE = 0xd800;
const LAST_SURROGATE = 0xdfff;
const LAST_POINT = 0x10ffff;

/** Sorts surrogates after all other units, because their code points are higher. */
function toSortKey(unit: number): number {
  return unit >= FIRST_SURROGATE && unit <= LAST_SURROGATE ? unit + LAST_POINT : unit;
}

/** Compares two texts by code point. */
export function compareCodePoints(a: string, b: string): number {
  const length = Math.min(a.length, b.length);
  for (let at = 0; at < length; at += 1) {
    if (a.charCodeAt(at) === b.charCodeAt(at)) continue;
    return toSortKey(a.charCodeAt(at)) - toSortKey(b.charCodeAt(at));
  }
  return a.length - b.length;
}

/** Compares ids by length first, which orders numbers. */
export function compareIds(a: string, b: string): number {
  return a.length - b.length || compareCodePoints(a, b);
}

/**
 * Finds the end of the first items of a sorted list.
 * @param isBefore - true for these items, false for all after them
 * @param from - where the search begins
 * @returns the index of the first item that is not before
 */
export function findEnd<Item>(list: ArrayLike<Item>, isBefore: (item: Item) => boolean, from = 0): number {
  let low = from;
  let high = list.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    const item = list[middle];
    if (item !== undefined && isBefore(item)) low = middle + 1;
    else high = middle;
  }
  return low;
}
