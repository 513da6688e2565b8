// Recognises places in company names: `Deutschland` in `Acme Deutschland GmbH`, `Berlin` in `Acme (Berlin)`.

import { foldToKey } from '../lib/fold-text.ts';
import { once } from '../lib/once.ts';
import { findCountryByName } from '../query/find-country.ts';
import { CITIES } from './data/cities.ts';

/** A country, or a city and its country. */
export interface Place {
  /** ISO 3166-1. */
  country: string;
  /** The usual name, folded. */
  city?: string;
}

/** Shorter texts are words of other languages; these codes are not. */
const MIN_LENGTH = 4;
const shortNames: ReadonlySet<string> = new Set(['uk', 'usa', 'uae', 'ksa']);

const getCities = once(
  (): ReadonlyMap<string, Place> =>
    new Map(
      CITIES.trim()
        .split('\n')
        .flatMap((line) =>
          line
            .slice(3)
            .split(';')
            .flatMap((names) => {
              const keys = names.split('=').map(foldToKey);
              return keys.map((key): [string, Place] => [
                key,
                { country: line.slice(0, 2), city: keys[0] ?? '' },
              ]);
            }),
        ),
    ),
);

const isLatin = (text: string): boolean => /^[\p{Script=Latin}\s.'-]*$/u.test(text);

/** Finds the place with a name in any language. */
export function findPlace(text: string): Place | undefined {
  const key = foldToKey(text);
  const city = getCities().get(key);
  if (city !== undefined) return city;
  if (isLatin(text) && key.length < MIN_LENGTH && !shortNames.has(key)) return undefined;
  const country = findCountryByName(text);
  return country === undefined ? undefined : { country };
}

/** Checks whether two texts name the same city: `Munich` and `München`. */
export function isSameCity(one: string, other: string): boolean {
  const [first, second] = [foldToKey(one), foldToKey(other)];
  return (getCities().get(first)?.city ?? first) === (getCities().get(second)?.city ?? second);
}
