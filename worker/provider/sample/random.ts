// Seeded random numbers by 32-bit integer arithmetic only, so that every machine draws the same ones.

/** A list of choices with whole-number weights. */
export type Weighted<T> = readonly (readonly [choice: T, weight: number])[];

/** One stream of random numbers; every call moves it on. */
export interface Random {
  /** The next whole number, 0 to 2^32 − 1. */
  next(): number;
  /** A whole number from `low` to `high`, both included, all equally likely. */
  int(low: number, high: number): number;
  /** A whole number from `low` to `high`, bell-shaped around the middle. */
  middling(low: number, high: number): number;
  /** A whole number from `low` to `high`; the higher `skew` (0 = even), the more of them are low. */
  lowish(low: number, high: number, skew?: number): number;
  /** True in `perMille` of 1,000 cases. */
  chance(perMille: number): boolean;
  /** One item; throws `RangeError` for an empty list. */
  pick<T>(list: readonly T[]): T;
  /** One choice by weight; throws `RangeError` when no weight is above zero. */
  weighted<T>(list: Weighted<T>): T;
  /** Up to `count` different items, in random order. */
  sample<T>(list: readonly T[], count: number): T[];
  /** `digits` hexadecimal digits, a multiple of eight. */
  hex(digits: number): string;
}

const RANGE = 0x1_0000_0000;

/**
 * Spreads the bits of a 32-bit number over the whole word; different numbers stay different.
 *
 * @param value any whole number; only its low 32 bits count
 * @returns a number from 0 to 2^32 − 1
 */
export function mix32(value: number): number {
  let word = value >>> 0;
  word = Math.imul(word ^ (word >>> 16), 0x7feb352d);
  word = Math.imul(word ^ (word >>> 15), 0x846ca68b);
  return (word ^ (word >>> 16)) >>> 0;
}

/**
 * A 32-bit fingerprint of a text (FNV-1a over UTF-16 units, bits spread at the end).
 *
 * @param text any text
 * @param start the fingerprint to go on from, to chain several texts
 * @returns a number from 0 to 2^32 − 1
 */
export function hashText(text: string, start = 0x811c9dc5): number {
  let word = start >>> 0;
  for (let at = 0; at < text.length; at += 1) {
    word = Math.imul(word ^ text.charCodeAt(at), 0x01000193) >>> 0;
  }
  return mix32(word);
}

/**
 * Opens the stream that belongs to one part of one record. Streams of other parts, other records or
 * other seeds are unrelated, so that a record never depends on how many were drawn before it.
 *
 * @param seed the seed of the whole data set
 * @param part what the numbers are for, such as `funding`
 * @param index the number of the record, from 0
 * @returns the stream at its beginning
 */
export function randomFor(seed: number, part: string, index: number): Random {
  const label = hashText(part);
  let a = mix32(seed ^ label);
  let b = mix32(index + 0x9e3779b9);
  let c = mix32(Math.imul(index + 1, 0x85ebca6b) ^ seed);
  let counter = 1;

  // Small fast counting generator: three words of state and a counter (Chris Doty-Humphrey's sfc32).
  function next(): number {
    const sum = (((a + b) | 0) + counter) | 0;
    counter = (counter + 1) | 0;
    a = b ^ (b >>> 9);
    b = (c + (c << 3)) | 0;
    c = (c << 21) | (c >>> 11);
    c = (c + sum) | 0;
    return sum >>> 0;
  }
  for (let round = 0; round < 12; round += 1) next();

  function int(low: number, high: number): number {
    const span = high - low + 1;
    if (span <= 1) return low;
    const limit = RANGE - (RANGE % span);
    let drawn = next();
    while (drawn >= limit) drawn = next();
    return low + (drawn % span);
  }

  function pick<T>(list: readonly T[]): T {
    const found = list[int(0, list.length - 1)];
    if (found === undefined) throw new RangeError('cannot pick from an empty list');
    return found;
  }

  function weighted<T>(list: Weighted<T>): T {
    let total = 0;
    for (const [, weight] of list) total += weight;
    let left = total > 0 ? int(1, total) : 1;
    for (const [choice, weight] of list) {
      left -= weight;
      if (left <= 0 && weight > 0) return choice;
    }
    throw new RangeError('cannot pick without weights');
  }

  function sample<T>(list: readonly T[], count: number): T[] {
    const left = [...list];
    const taken: T[] = [];
    while (taken.length < count && left.length > 0) {
      taken.push(...left.splice(int(0, left.length - 1), 1));
    }
    return taken;
  }

  return {
    next,
    int,
    middling: (low, high) => Math.floor((int(low, high) + int(low, high) + int(low, high)) / 3),
    lowish(low, high, skew = 1) {
      let lowest = int(low, high);
      for (let draw = 0; draw < skew; draw += 1) lowest = Math.min(lowest, int(low, high));
      return lowest;
    },
    chance: (perMille) => int(1, 1000) <= perMille,
    pick,
    weighted,
    sample,
    hex(digits) {
      let text = '';
      while (text.length < digits) text += next().toString(16).padStart(8, '0');
      return text.slice(0, digits);
    },
  };
}

/**
 * Where a position lands when the numbers below `size` are shuffled: a four-round Feistel network,
 * walked until it falls inside. Different positions land in different places, so that enumerating
 * positions visits every place exactly once and needs no memory.
 *
 * @param position a whole number from 0 to `size` − 1
 * @param size how many places there are, at most 2^30
 * @param key which shuffle
 * @returns the place, from 0 to `size` − 1
 * @throws `RangeError` when the position is not below the size
 */
export function shuffled(position: number, size: number, key: number): number {
  if (!Number.isInteger(position) || position < 0 || position >= size || size > 2 ** 30) {
    throw new RangeError(`no place for ${position} among ${size}`);
  }
  let half = 1;
  while (2 ** (2 * half) < size) half += 1;
  const mask = 2 ** half - 1;
  let at = position;
  do {
    let left = at >>> half;
    let right = at & mask;
    for (let round = 0; round < 4; round += 1) {
      const turned = left ^ (mix32(right ^ mix32(key + round)) & mask);
      left = right;
      right = turned;
    }
    at = (left << half) | right;
  } while (at >= size);
  return at;
}
