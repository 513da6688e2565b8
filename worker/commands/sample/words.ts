// Words of the sample: countries, industries and sentence templates. words.json has one entry a line.
import { allLocales, type LocaleDefinition } from '@faker-js/faker';
import words from './words.json' with { type: 'json' };

export { words };

/** Languages of texts. Slots such as {name} without a translation are filled in English. */
export type Language = keyof typeof words.prose;

export type TextKind = keyof typeof words.prose.en;

export type Industry = (typeof words.industries)[number];
/** A job title and its department. */
export type Role = Industry['roles'][number];

export interface City {
  name: string;
  state: string | null;
}

export interface Country {
  name: string;
  iso2: string;
  iso3: string;
  /** From the smallest to the largest. */
  regions: readonly string[];
  /** Relative frequency among companies. */
  weight: number;
  /** faker's names and streets. */
  locale: LocaleDefinition;
  /** Language of texts, besides English. */
  language: Language;
  /** Suffixes of company names. */
  legalForms: readonly string[];
  /** Pattern of numbers that are reserved for fiction; # is a digit. */
  phone: string | null;
  cities: readonly City[];
}

const isLanguage = (name: string): name is Language => Object.hasOwn(words.prose, name);
const locales = new Map(Object.entries(allLocales));

export const COUNTRIES: readonly Country[] = words.countries.map(({ locale: code, language, ...country }) => {
  const locale = locales.get(code);
  if (locale === undefined || !isLanguage(language))
    throw new Error(`${country.name} has an unknown locale or language.`);
  return { ...country, locale, language };
});
