// Values that some fields are known to take: a form offers them, and what a person types is read as one of them whatever its
// case. Others are taken as well.
import { countries } from './countries.ts';

/** A value as records hold it, and behind `=` what else people type for it. */

/** Contract, "Records": employee_clean. */
const managementLevels = [
  'C-Level=C-Suite;CXO;Executive',
  'Director',
  'Founder',
  'Head',
  'Intern',
  'Manager',
  'Owner',
  'Partner',
  'President/Vice President=President;Vice President;VP',
  'Senior',
  'Specialist',
] as const;

const departments = [
  'Administrative',
  'C-Suite',
  'Consulting',
  'Customer Service',
  'Design',
  'Education',
  'Engineering and Technical=Engineering',
  'Finance & Accounting=Finance;Accounting',
  'General Management',
  'Human Resources=HR',
  'Legal',
  'Marketing',
  'Medical',
  'Operations',
  'Other',
  'Product',
  'Project Management',
  'Real Estate',
  'Research',
  'Sales',
  'Trades',
] as const;

/** Contract, "Records": company_base shows the form; the steps are those that records hold. */
const sizes = [
  '1-10 employees',
  '11-50 employees',
  '51-200 employees',
  '201-500 employees',
  '501-1,000 employees',
  '1,001-5,000 employees',
  '5,001-10,000 employees',
  '10,001+ employees',
] as const;

const rounds = [
  'Pre seed',
  'Seed',
  'Series A',
  'Series B',
  'Series C',
  'Series D',
  'Series E',
  'Angel',
  'Convertible note',
  'Corporate round',
  'Debt financing',
  'Equity crowdfunding',
  'Grant',
  'Private equity',
] as const;

const employment = [
  'Contract=Contractor',
  'Full-time',
  'Internship=Intern',
  'Part-time',
  'Temporary',
  'Volunteer',
] as const;

/** A known value. */
interface KnownValue {
  /** How records may spell it, the usual way first. */
  spellings: readonly string[];
  /** What else people type for it. */
  aliases: readonly string[];
}

const parseValues = (list: readonly string[]): KnownValue[] =>
  list.map((text) => {
    const [spelling = '', aliases = ''] = text.split('=');
    return { spellings: [spelling], aliases: aliases.split(';') };
  });

/** People leave the unit out. */
const buildSizeValues = (): KnownValue[] =>
  sizes.map((size) => ({ spellings: [size], aliases: [size.replace(' employees', '')] }));

const buildCountryValues = (): KnownValue[] =>
  countries.map(({ iso2, iso3, names, aliases }) => ({
    spellings: names,
    aliases: [iso2, iso3, ...aliases],
  }));

const buildCountryCodeValues = (code: 'iso2' | 'iso3') => (): KnownValue[] =>
  countries.map((country) => ({
    spellings: [country[code]],
    aliases: [country.iso2, country.iso3, ...country.names, ...country.aliases],
  }));

/** By how a field's path ends, whichever family it is in. */
const valuesBySuffix: readonly (readonly [RegExp, () => KnownValue[]])[] = [
  [/management_level$/, () => parseValues(managementLevels)],
  [/department$/, () => parseValues(departments)],
  [/size(?:_range)?$/, buildSizeValues],
  [/last_round_type$/, () => parseValues(rounds)],
  [/country(?:_parsed)?$/, buildCountryValues],
  [/country_iso_2$/, buildCountryCodeValues('iso2')],
  [/country_iso_3$/, buildCountryCodeValues('iso3')],
  [/employment_type$/, () => parseValues(employment)],
];

const findValues = (path: string): KnownValue[] =>
  valuesBySuffix.find(([end]) => end.test(path))?.[1]() ?? [];

/**
 * Values to offer for a field.
 * @param path - of an index field, such as `experience.management_level`, or the name of a filter
 * @returns none where nobody knows any
 */
export function getKnownValues(path: string): readonly string[] {
  return findValues(path).flatMap(({ spellings: [usual = ''] }) => usual);
}

/** Accents, case, blanks and signs do not tell values apart. */
const fold = (text: string): string =>
  text
    .normalize('NFD')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, '');

/** By a field's path: every text that stands for a known value, and how records spell that. */
const spellingIndexes = new Map<string, ReadonlyMap<string, readonly string[]>>();

function getSpellingIndex(path: string): ReadonlyMap<string, readonly string[]> {
  const found = spellingIndexes.get(path);
  if (found !== undefined) return found;
  const index = new Map<string, readonly string[]>();
  const known = findValues(path);
  const put = (text: string, spellings: readonly string[]): void => {
    if (fold(text) !== '' && !index.has(fold(text))) index.set(fold(text), spellings);
  };
  // A value's own name counts before what people type for another.
  for (const { spellings } of known) for (const text of spellings) put(text, spellings);
  for (const { spellings, aliases } of known) for (const text of aliases) put(text, spellings);
  spellingIndexes.set(path, index);
  return index;
}

/**
 * How records spell what a person typed: `germany`, `DE` and `deu` are `Germany`, and `USA` is `United States` or `United
 * States of America`.
 * @param path - of an index field, or the name of a filter
 * @returns at least one; the text itself where it is no known value
 */
export function getSpellings(path: string, typed: string): readonly string[] {
  return getSpellingIndex(path).get(fold(typed)) ?? [typed];
}
