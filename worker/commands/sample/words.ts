// Words and dates of the sample. words.json has countries, industries, templates of lists and sentences, one entry a line.

import { allLocales, type LocaleDefinition } from '@faker-js/faker';
import { DAY_S } from '../../../shared/lib/durations.ts';
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

/**
 * Formats the time between an instant and the reference day as the service does.
 * @returns for example `3d`, `2w`, `5mo`, `1yr`
 */
export function formatAge(s: number): string {
  const days = Math.max(1, Math.floor((REFERENCE_S - s) / DAY_S));
  if (days < 7) return `${days}d`;
  if (days < 30) return `${Math.floor(days / 7)}w`;
  return days < 365 ? `${Math.floor(days / 30)}mo` : `${Math.floor(days / 365)}yr`;
}
