// Generates the facts of companies that all records of the sample share.

import { DAY_S } from '../../../shared/lib/durations.ts';
import { hashText } from '../../../shared/lib/hash.ts';
import { memoize } from '../../lib/bounded-cache.ts';
import { fillSlots, Random, toSlug } from './random.ts';
import {
  type City,
  COUNTRIES,
  type Country,
  getMonthStart,
  type Industry,
  type Language,
  REFERENCE_S,
  type TextKind,
  words,
} from './words.ts';

export const NETWORK = 'https://www.professional-network.example';

export const SIZE_RANGES = words.sizeRanges;

/** Syllables of company names. Each index gets a unique combination. */
const SYLLABLES = [words.lists.ends, words.lists.middles, words.lists.starts];
const COINED_NAME_COUNT = SYLLABLES.reduce((count, { length }) => count * length, 1);
/** Coprime to the number of names, so that neighbouring companies sound different. */
const NAME_STEP = 7919;

export interface Office {
  city: City;
  street: string;
  zip: string;
  address: string;
}

/** Facts that both variants of a company's record, its jobs and its employees share. Instants are seconds since 1970. */
export type Company = ReturnType<typeof createCompany>;

function coinName(seed: number, index: number) {
  let position = (((index % COINED_NAME_COUNT) + hashText('names', seed)) * NAME_STEP) % COINED_NAME_COUNT;
  const parts = SYLLABLES.map((syllables) => {
    const syllable = syllables[position % syllables.length] ?? '';
    position = Math.floor(position / syllables.length);
    return syllable;
  });
  return { stem: parts.reverse().join(''), round: Math.floor(index / COINED_NAME_COUNT) };
}

const nameTemplates: Readonly<Record<string, string>> = words.companyNames;

/** Writes a name in the country's own script, if it has one. */
function localizeName(random: Random, country: Country, industry: Industry, latin: string): string {
  const { language, locale, legalForms } = country;
  const form = random.pick(legalForms);
  const template = nameTemplates[language];
  if (template === undefined) return random.chance(45) ? `${latin} ${form}` : latin;
  const industryName = words.prose[language].industries[words.industries.indexOf(industry)] ?? '';
  return fillSlots(template, { form, industry: industryName, last: random.faker(locale).person.lastName() });
}

function createWebsite(random: Random, host: string): string {
  const scheme = random.chance(80) ? 'https://' : 'http://';
  const path = random.chance(30) ? '/' : random.chance(6) ? '/home' : '';
  return `${scheme}${random.chance(60) ? 'www.' : ''}${host}${path}`;
}

function createRounds(random: Random, foundedYear: number, updated: number) {
  const rounds = [];
  let at = getMonthStart(foundedYear, random.int(1, 12)) + random.int(60, 500) * DAY_S;
  for (const step of words.fundingRounds.slice(0, random.skewed(1, words.fundingRounds.length, 2))) {
    if (at >= updated) break;
    const type = random.chance(15) ? random.pick(words.lists.otherRounds) : step.name;
    const dollars = Math.round(random.skewed(step.low, step.high, 2) / 10_000) * 10_000;
    const investors = random.orNull(25, random.skewed(1, 12, 2));
    rounds.push({ at, type, investors, dollars: random.orNull(15, dollars) });
    at += random.int(200, 900) * DAY_S;
  }
  return rounds;
}

/** Facts that texts about a company use. */
interface CompanyProfile {
  name: string;
  industry: Industry;
  country: Country;
  offices: readonly Office[];
  foundedYear: number;
}

/**
 * Writes one sentence about a company.
 * @param slots - values of the slots that the company itself does not provide
 */
export function writeSentence(
  random: Random,
  { name, industry, country, offices, foundedYear }: CompanyProfile,
  language: Language,
  kind: TextKind,
  slots: Readonly<Record<string, string>> = {},
): string {
  const allSlots = {
    name,
    industry: words.prose[language].industries[words.industries.indexOf(industry)] ?? industry.name,
    city: offices[0]?.city.name ?? country.name,
    year: String(foundedYear),
    product: random.pick(industry.products),
    customers: random.pick(industry.customers),
    ...slots,
  };
  const text = fillSlots(random.pick<string>(words.prose[language][kind]), allSlots);
  // A slot may begin a sentence.
  return text.charAt(0).toUpperCase() + text.slice(1);
}

function writeDescription(random: Random, company: CompanyProfile): string {
  const language = random.chance(70) ? company.country.language : 'en';
  const sentences = new Set([writeSentence(random, company, language, 'about')]);
  for (let count = random.int(1, 3); count > 0; count -= 1) {
    sentences.add(writeSentence(random, company, language, 'more'));
  }
  return [...sentences].join(language === 'ja' || language === 'zh' ? '' : ' ');
}

function createCompany(seed: number, index: number) {
  const random = new Random(seed, 'company', index);
  const industry = random.pickWeighted(words.industries);
  const country = random.pickWeighted(COUNTRIES);
  const { stem, round } = coinName(seed, index);
  const word = random.pick(industry.nameWords);
  const latin = `${stem} ${word}`;
  const slug = toSlug(`${stem} ${word}${round === 0 ? '' : ` ${round + 1}`}`);
  const host = `${random.chance(30) ? slug : slug.replace(/-(?!\d)/g, '')}.example`;
  const staff = Math.max(1, Math.round(Math.exp(random.skewed(300, 10_800, industry.smallness) / 1000)));
  const range = SIZE_RANGES.find(({ high }) => staff <= high);
  const foundedYear = Math.min(2025, 2026 - random.skewed(1, random.chance(15) ? 130 : 40, 1.3));
  const created = random.int(getMonthStart(Math.max(2016, foundedYear)), REFERENCE_S - 200 * DAY_S);
  const updated = REFERENCE_S - 1 - random.skewed(0, 160 * DAY_S, 3);
  const cities = random.chance(8)
    ? []
    : [random.pick<City>(country.cities), ...random.pickSome<City>(country.cities, 0, staff > 50 ? 3 : 0)];
  const type = random.pickWeighted(words.companyTypes).name;
  const ticker = stem.slice(0, 4).toUpperCase();
  const facts = {
    index,
    id: 1_000_000 + index * 101 + random.int(0, 100),
    sourceId: 60_000_000 + index * 7 + random.int(0, 6),
    name: localizeName(random, country, industry, latin),
    /** Without hyphens, the first label of its website. */
    slug,
    url: `${NETWORK}/company/${slug}`,
    /** In the owner's spelling. */
    website: random.chance(7) ? null : createWebsite(random, host),
    host,
    industry,
    country,
    /** Headquarters first; empty if unknown. */
    offices: [...new Set(cities)].map((city): Office => {
      const { location } = random.faker(country.locale);
      const [street, zip] = [location.streetAddress(), location.zipCode()];
      const address = [street, `${zip} ${city.name}`, city.state, country.iso2].filter(
        (part) => part !== null,
      );
      return { city, street, zip, address: address.join(', ') };
    }),
    type: random.orNull(5, type),
    founded: random.orNull(25, foundedYear),
    // The actual values, even if the record omits them.
    foundedYear,
    staff,
    employeesCount: random.orNull(6, staff),
    sizeRange: random.orNull(5, range?.label ?? ''),
    followers: random.orNull(3, random.skewed(0, staff * 40 + 300, 2)),
    specialities: random.chance(30) ? [] : random.pickSome(industry.specialities, 1, 4),
    stock: type === 'Public Company' ? { ticker, exchange: random.pick(words.lists.exchanges) } : null,
    created,
    updated: Math.max(updated, created),
  };
  const rounds = random.chance(14) ? createRounds(random, Math.max(2005, foundedYear), facts.updated) : [];
  return { ...facts, rounds, description: random.chance(10) ? null : writeDescription(random, facts) };
}

/** Returns the facts of company number `index`. Ids ascend with the index; other seeds give other companies. */
export const getCompany: (seed: number, index: number) => Company = memoize(20_000, createCompany);

/** Picks the largest of some companies: it has more employees and jobs. */
export function pickLargeCompany(random: Random, seed: number, companies: number, candidates: number) {
  const picked = Array.from({ length: candidates }, () => getCompany(seed, random.int(0, companies - 1)));
  return picked.reduce((largest, other) => (other.staff > largest.staff ? other : largest));
}

/** Describes a place by the names that records use; all values are null if it is unknown. */
export function describePlace(country: Country, city: City | null | undefined) {
  const known = city ? country : null;
  return {
    country: known?.name ?? null,
    country_iso_2: known?.iso2 ?? null,
    country_iso_3: known?.iso3 ?? null,
    state: city?.state ?? null,
    city: city?.name ?? null,
    regions: known?.regions ?? [],
  };
}

export const addPrefix = (prefix: string, fields: object): Record<string, unknown> =>
  Object.fromEntries(Object.entries(fields).map(([name, value]) => [prefix + name, value]));
