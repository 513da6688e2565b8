// Words and dates of the sample. words.json has countries, industries, templates of lists and sentences, one entry a line.

import { allLocales } from '@faker-js/faker';
import words from './words.json' with { type: 'json' };

export { words };

/** Languages of texts. */
export type Language = keyof typeof words.prose;

export type TextKind = keyof typeof words.prose.en;

export type Industry = (typeof words.industries)[number];

const isLanguage = (name: string): name is Language => Object.hasOwn(words.prose, name);
const locales = new Map(Object.entries(allLocales));

/** Countries with faker's names and streets. Telephone numbers are reserved for fiction. */
export const COUNTRIES = words.countries.map(({ locale: code, language, ...country }) => {
  const locale = locales.get(code);
  if (locale === undefined || !isLanguage(language))
    throw new Error(`${country.name} has an unknown locale or language.`);
  return { ...country, locale, language };
});
export type Country = (typeof COUNTRIES)[number];
export type City = Country['cities'][number];

/** All dates of the sample are before this day. */
export const REFERENCE_S = Date.UTC(2026, 10, 1) / 1000;

/** Returns the first second of a month. */
export function getMonthStart(year: number, month = 1): number {
  return Date.UTC(year, month - 1, 1) / 1000;
}

/** Formats an instant: `2026-01-31 09:30:00`. */
export function formatTime(s: number): string {
  return new Date(s * 1000).toISOString().slice(0, 19).replace('T', ' ');
}

/** Formats a day: `2026-01-31`. */
export function formatDay(s: number): string {
  return formatTime(s).slice(0, 10);
}

/** Months since the year 0. */
export type Month = number;

export function toMonth(s: number): Month {
  const date = new Date(s * 1000);
  return date.getUTCFullYear() * 12 + date.getUTCMonth();
}

/** Formats a month: `2026-01`. */
export function formatMonth(month: Month): string {
  return `${Math.floor(month / 12)}-${String((month % 12) + 1).padStart(2, '0')}`;
}
