// Finds the country that a typed text names: in any language, by code, or beside a city.
import { foldToKey } from '../lib/fold-text.ts';
import { once } from '../lib/once.ts';
import { countries } from './countries.ts';
import { getCountryNames } from './country-names.ts';

/** `NA` is rather "not available" or North America than Namibia. */
const NO_COUNTRY_CODE = 'na';

/** Codes as people write them: `DE`, `deu`, `U.S.A.`. */
const CODE = /^\p{L}(?:\.? ?\p{L}){1,2}\.?$/u;

/** The formal part of names such as `Kingdom of Denmark`. */
const FORMAL =
  /^(?:the\s+)?(?:federal\s+|federative\s+)?(?:kingdom|republic|state|sultanate|principality)\s+of\s+/i;

const codes: ReadonlyMap<string, string> = /* @__PURE__ */ new Map(
  countries.flatMap(({ iso2, iso3 }): [string, string][] => [
    [iso2.toLowerCase(), iso2],
    [iso3.toLowerCase(), iso2],
  ]),
);

const getNames = once((): ReadonlyMap<string, string> => {
  const names = new Map(
    getCountryNames()
      .split('\n')
      .flatMap((line) =>
        line
          .slice(2)
          .split('|')
          .map((name): [string, string] => [name, line.slice(0, 2)]),
      ),
  );
  for (const { iso2, names: usual, aliases } of countries) {
    for (const name of [...usual, ...aliases]) names.set(foldToKey(name), iso2);
  }
  return names;
});

/**
 * Finds the country with a name.
 * @param text - a name in any language, such as `Dänemark`, `Danmark` or `UAE`
 * @returns its ISO 3166-1 code of two letters
 */
export const findCountryByName = (text: string): string | undefined =>
  getNames().get(foldToKey(text)) ?? getNames().get(foldToKey(text.replace(FORMAL, '')));

function findCountryByCode(text: string): string | undefined {
  const code = CODE.test(text) ? foldToKey(text) : NO_COUNTRY_CODE;
  return code === NO_COUNTRY_CODE ? undefined : codes.get(code);
}

/**
 * Finds the country that a cell names: `Germany`, `DE`, `Berlin, Deutschland`.
 * @returns its ISO 3166-1 code of two letters; undefined if the text names none, such as `n/a` or `EMEA`, or several
 */
export function findCountry(text: string): string | undefined {
  const whole = text.trim();
  const found = findCountryByCode(whole) ?? findCountryByName(whole);
  if (found !== undefined) return found;
  const parts = whole.split(/[,;/|()]|\s[-–—]\s/).map((part) => part.trim());
  if (parts.length === 1) return undefined;
  const [named, ...others] = new Set(parts.flatMap((part) => findCountryByName(part) ?? []));
  if (named === undefined) return findCountryByCode(parts[parts.length - 1] ?? '');
  return others.length === 0 ? named : undefined;
}
