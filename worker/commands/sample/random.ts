// Seeded random choices. Every record has its own stream, so it does not depend on other records.
import { base, en, Faker, type LocaleDefinition } from '@faker-js/faker';
import { hashText } from '../../../shared/lib/hash.ts';

/** Whose numbers faker draws. {@link Random.faker} sets it, because one Faker per record would be too slow. */
let current: Random | undefined;
const randomizer = { next: () => current?.next() ?? 0, seed: () => {} };
const fakers = new Map<LocaleDefinition, Faker>();

/** Draws the values of one record. */
export class Random {
  #state: number;

  /** @param kind - purpose of the numbers; each kind of numbers of a record has its own stream */
  constructor(seed: number, kind: string, index: number) {
    this.#state = hashText(`${seed}/${kind}/${index}`);
  }

  /** Mulberry32: the 32-bit state makes a stream per record cheap. */
  next(): number {
    this.#state = (this.#state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(this.#state ^ (this.#state >>> 15), 1 | this.#state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  }

  /** Returns the faker of a locale. Use it immediately: the next call for another record redirects it. */
  faker(locale: LocaleDefinition = en): Faker {
    current = this;
    let faker = fakers.get(locale);
    if (faker === undefined) {
      faker = new Faker({ locale: [locale, en, base], randomizer });
      fakers.set(locale, faker);
    }
    return faker;
  }

  /** Draws a whole number, both ends included. */
  int(low: number, high: number): number {
    return low + Math.floor(this.next() * (high - low + 1));
  }

  /** Draws a whole number with a bias towards `low`: a `power` of 1 is uniform, 3 is mostly near the lower end. */
  skewed(low: number, high: number, power: number): number {
    return low + Math.floor(this.next() ** power * (high - low + 1));
  }

  chance(percent: number): boolean {
    return this.next() * 100 < percent;
  }

  /** Returns null with a probability of `percent`, otherwise the value. */
  orNull<T>(percent: number, value: T): T | null {
    return this.chance(percent) ? null : value;
  }

  /** Picks one item. @throws RangeError if there are none */
  pick<T>(items: readonly T[]): T {
    const item = items[this.int(0, items.length - 1)];
    if (item === undefined) throw new RangeError('There are no items to pick from.');
    return item;
  }

  pickWeighted<T extends { weight: number }>(items: readonly T[]): T {
    let remaining = this.next() * items.reduce((sum, { weight }) => sum + weight, 0);
    for (const item of items) {
      remaining -= item.weight;
      if (remaining < 0) return item;
    }
    return this.pick(items);
  }

  pickSome<T>(items: readonly T[], low: number, high: number): T[] {
    const candidates = [...items];
    const count = Math.min(this.int(low, high), candidates.length);
    return Array.from({ length: count }, () =>
      candidates.splice(this.int(0, candidates.length - 1), 1),
    ).flat();
  }

  /** Draws hexadecimal digits. */
  hex(length: number): string {
    return Array.from({ length }, () => this.int(0, 15).toString(16)).join('');
  }

  /** Replaces each # with a digit. */
  digits(pattern: string): string {
    return pattern.replace(/#/g, () => String(this.int(0, 9)));
  }
}

export const toBit = (value: boolean): 0 | 1 => (value ? 1 : 0);

/** Writes a text in lower-case letters without accents, digits and hyphens; it may be empty. */
export function toSlug(text: string): string {
  const plain = text.replace(/ß/g, 'ss').replace(/[øØ]/g, 'o').replace(/[łŁ]/g, 'l').replace(/ı/g, 'i');
  return plain
    .normalize('NFKD')
    .toLowerCase()
    .replace(/[^\x20-\x7e]/g, '')
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-|-$/g, '');
}

export const fillSlots = (template: string, slots: Readonly<Record<string, string>>): string =>
  template.replace(/\{(\w+)\}/g, (_, name: string) => slots[name] ?? '');
