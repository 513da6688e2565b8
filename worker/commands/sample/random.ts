// Seeded choices: every record has its own stream of random numbers, so that it does not depend on the others.
import { base, en, Faker, type LocaleDefinition } from '@faker-js/faker';

/** Mulberry32: one 32-bit state, so that a stream for each record costs nothing. */
class Stream {
  #state: number;

  constructor(state: number) {
    this.#state = state;
  }

  next(): number {
    this.#state = (this.#state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(this.#state ^ (this.#state >>> 15), 1 | this.#state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  }
}

/** The stream that faker draws from: set by {@link Random.faker}, as a Faker for each record would be too slow. */
let current = new Stream(0);
const randomizer = { next: () => current.next(), seed: () => {} };
const fakers = new Map<LocaleDefinition, Faker>();

/**
 * Mixes a text into 32 bits (FNV-1a).
 * @param seed - where to go on from
 */
export function hash(text: string, seed = 0x811c9dc5): number {
  let mixed = seed;
  for (let at = 0; at < text.length; at += 1) mixed = Math.imul(mixed ^ text.charCodeAt(at), 0x01000193);
  return mixed >>> 0;
}

/** Draws the values of one record. */
export class Random {
  readonly #stream: Stream;

  /**
   * @param kind - what the numbers are for; each kind has numbers of its own
   * @param index - of the record
   */
  constructor(seed: number, kind: string, index: number) {
    this.#stream = new Stream(hash(`${seed}/${kind}/${index}`));
  }

  /** The faker of a locale. Use it at once: another record's draws take it over. */
  faker(locale: LocaleDefinition = en): Faker {
    current = this.#stream;
    let faker = fakers.get(locale);
    if (faker === undefined) {
      faker = new Faker({ locale: [locale, en, base], randomizer });
      fakers.set(locale, faker);
    }
    return faker;
  }

  /** A whole number, both ends included. */
  int(low: number, high: number): number {
    return low + Math.floor(this.#stream.next() * (high - low + 1));
  }

  /** A whole number that is more often small: `power` 1 is even, 3 mostly near the lower end. */
  skewed(low: number, high: number, power: number): number {
    return low + Math.floor(this.#stream.next() ** power * (high - low + 1));
  }

  chance(percent: number): boolean {
    return this.#stream.next() * 100 < percent;
  }

  /** The value, or null in so many of a hundred cases. */
  orNull<T>(percent: number, value: T): T | null {
    return this.chance(percent) ? null : value;
  }

  /** @throws RangeError where there is nothing to pick */
  pick<T>(items: readonly T[]): T {
    const item = items[this.int(0, items.length - 1)];
    if (item === undefined) throw new RangeError('There is nothing to pick from.');
    return item;
  }

  /** Picks by weight. */
  weighted<T extends { weight: number }>(items: readonly T[]): T {
    let rest = this.#stream.next() * items.reduce((sum, { weight }) => sum + weight, 0);
    for (const item of items) {
      rest -= item.weight;
      if (rest < 0) return item;
    }
    return this.pick(items);
  }

  /** Some items, none twice. */
  some<T>(items: readonly T[], low: number, high: number): T[] {
    const left = [...items];
    const count = Math.min(this.int(low, high), left.length);
    return Array.from({ length: count }, () => left.splice(this.int(0, left.length - 1), 1)).flat();
  }

  /** Hexadecimal digits. */
  hex(length: number): string {
    return Array.from({ length }, () => this.int(0, 15).toString(16)).join('');
  }

  /** Replaces each # by a digit. */
  digits(pattern: string): string {
    return pattern.replace(/#/g, () => String(this.int(0, 9)));
  }

  /** Picks a template and fills its {slots}. */
  phrase(templates: readonly string[], slots: Readonly<Record<string, string>>): string {
    return this.pick(templates).replace(/\{(\w+)\}/g, (_, name: string) => slots[name] ?? '');
  }
}

/** Splits a list that is written with semicolons. */
export function list(text: string): readonly string[] {
  return text.split(';').map((item) => item.trim());
}
