// Known values of some fields. Forms suggest them, and typed values match them regardless of case. Fields accept other
// values too.
import { countries } from './countries.ts';
import { findCountryByName } from './find-country.ts';

/** Source: provider API, "Records", employee_clean. Format of all lists: the value, then `=` and its aliases. */
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

/** Format: provider API, "Records", company_base. The steps are those in the records. */
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

interface KnownValue {
  /** Spellings in records, the most common one first. */
  spellings: readonly string[];
  /** Other texts that people type for the value. */
  aliases: readonly string[];
}

const parseValues = (list: readonly string[]): KnownValue[] =>
  list.map((text) => {
    const [spelling = '', aliases = ''] = text.split('=');
    return { spellings: [spelling], aliases: aliases.split(';') };
  });

/** Company sizes, with the number alone as alias. */
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

/** Known values by the end of a field path, for all families. */
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
 * Returns the known values of a field. Empty if there are none.
 * @param path - path of an index field, such as `experience.management_level`, or name of a filter
 */
export function getKnownValues(path: string): readonly string[] {
  return findValues(path).flatMap(({ spellings: [usual = ''] }) => usual);
}

/**
 * Returns the known values of a field with all their spellings and aliases: `Germany` with `Germany DE DEU Deutschland`.
 */
export const getKnownWords = (path: string): ReadonlyMap<string, string> =>
  new Map(
    findValues(path).map(({ spellings, aliases }) => [
      spellings[0] ?? '',
      [...spellings, ...aliases].join(' '),
    ]),
  );

/** Folds accents, case, spaces and punctuation, which do not distinguish values. Slashes do: `n/a` is not Namibia. */
const fold = (text: string): string =>
  text
    .normalize('NFD')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}/]+/gu, '');

/** Cached indexes from folded text to spellings, by field path. */
const spellingIndexes = new Map<string, ReadonlyMap<string, readonly string[]>>();

function getSpellingIndex(path: string): ReadonlyMap<string, readonly string[]> {
  const found = spellingIndexes.get(path);
  if (found !== undefined) return found;
  const index = new Map<string, readonly string[]>();
  const known = findValues(path);
  const put = (text: string, spellings: readonly string[]): void => {
    if (fold(text) !== '' && !index.has(fold(text))) index.set(fold(text), spellings);
  };
  // A value's name takes precedence over an alias of another value.
  for (const { spellings } of known) for (const text of spellings) put(text, spellings);
  for (const { spellings, aliases } of known) for (const text of aliases) put(text, spellings);
  spellingIndexes.set(path, index);
  return index;
}

const COUNTRY_FIELD = /country(?:_parsed|_iso_[23])?$/;

/** Finds the spellings of a known value. Countries have names in every language, which the index does not have. */
function findSpellings(path: string, typed: string): readonly string[] | undefined {
  const index = getSpellingIndex(path);
  const found = index.get(fold(typed));
  if (found !== undefined || !COUNTRY_FIELD.test(path)) return found;
  return index.get(findCountryByName(typed)?.toLowerCase() ?? '');
}

/**
 * Returns the spellings that records use for a typed value: `germany`, `DE` and `Deutschland` are `Germany`; `USA` is `United
 * States` or `United States of America`.
 * @returns the text itself if it is not a known value
 */
export function getSpellings(path: string, typed: string): readonly string[] {
  return findSpellings(path, typed) ?? [typed];
}

/** Checks whether a typed text is a known value of a field, or another spelling of one. */
export const isKnownValue = (path: string, typed: string): boolean =>
  findSpellings(path, typed) !== undefined;

/** Lists the letters of a text and its pairs of neighbouring letters, the first and last one with a space. */
const listParts = (text: string): string[] => [
  ...text,
  ...[...` ${text}`].map((letter, at) => letter + (text[at] ?? ' ')),
];

/** Smallest share of common letters and pairs. */
const MIN_SIMILARITY = 0.6;

/** Codes are too short to resemble a word. */
const MIN_NAME_LENGTH = 4;

/**
 * Returns the known value that a misspelled text resembles most: `United Kingdom` for `Untied Kingdom`.
 * @returns undefined if it resembles none
 */
export function findSimilarValue(path: string, typed: string): string | undefined {
  const parts = listParts(fold(typed));
  let best: { value: string | undefined; similarity: number } = { value: undefined, similarity: 0 };
  for (const [name, [value]] of getSpellingIndex(path)) {
    if (name.length < MIN_NAME_LENGTH) continue;
    const others = listParts(name);
    const common = parts.filter((part) => others.includes(part)).length;
    const similarity = (2 * common) / (parts.length + others.length);
    if (similarity >= MIN_SIMILARITY && similarity > best.similarity) best = { value, similarity };
  }
  return best.value;
}

/** Reverses {@link getSpellings} for the values of a query: all spellings of a value become the most common one. */
export function mergeSpellings(path: string, texts: readonly string[]): string[] {
  return texts.filter((text) => {
    const spellings = getSpellings(path, text);
    return text === spellings[0] || !spellings.every((each) => texts.includes(each));
  });
}
