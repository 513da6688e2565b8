// Generates the facts of companies that all records of the sample share.
import { LRUCache } from 'lru-cache';
import { hashText } from '../../../shared/lib/hash.ts';
import { DAY_S, getMonthStart, REFERENCE_S } from './dates.ts';
import { INDUSTRIES, type Industry } from './industries.ts';
import { type City, COUNTRIES, type Country } from './places.ts';
import { type Language, PROSE, type Prose } from './prose.ts';
import { Random, splitList } from './random.ts';

/** Ids of more companies would not fit. */
export const MAX_COMPANIES = 2_000_000;
/** Cached companies that other records refer to. */
const CACHED_COMPANIES = 20_000;

export const NETWORK = 'https://www.professional-network.example';
export const MEDIA = 'https://media.professional-network.example';

/** A size category with its range of employees. */
interface SizeRange {
  label: string;
  low: number;
  high: number;
}

export const SIZE_RANGES: readonly SizeRange[] = [
  { label: '1-10 employees', low: 1, high: 10 },
  { label: '11-50 employees', low: 11, high: 50 },
  { label: '51-200 employees', low: 51, high: 200 },
  { label: '201-500 employees', low: 201, high: 500 },
  { label: '501-1,000 employees', low: 501, high: 1000 },
  { label: '1,001-5,000 employees', low: 1001, high: 5000 },
  { label: '5,001-10,000 employees', low: 5001, high: 10_000 },
  { label: '10,001+ employees', low: 10_001, high: 70_000 },
];

const ROUNDS = [
  { name: 'Pre seed', low: 80_000, high: 900_000 },
  { name: 'Seed', low: 400_000, high: 5_500_000 },
  { name: 'Series A', low: 3_000_000, high: 20_000_000 },
  { name: 'Series B', low: 12_000_000, high: 60_000_000 },
  { name: 'Series C', low: 30_000_000, high: 150_000_000 },
  { name: 'Series D', low: 60_000_000, high: 300_000_000 },
];
const OTHER_ROUNDS = splitList(
  'Angel; Convertible note; Corporate round; Debt financing; Equity crowdfunding; Grant; Private equity',
);
const TYPES = [
  { name: 'Privately Held', weight: 66 },
  { name: 'Partnership', weight: 10 },
  { name: 'Self-Owned', weight: 8 },
  { name: 'Nonprofit', weight: 8 },
  { name: 'Public Company', weight: 6 },
  { name: 'Educational', weight: 2 },
];

/** Syllables of company names. Each index gets a unique combination. */
const STARTS = splitList(
  'Al; Bel; Bran; Cal; Cor; Dar; Del; El; Fen; Gal; Har; Hel; Iv; Jor; Kal; Kar; Lan; Lor; Mar; Mel; Mor; Nel; Nor; Ol; Or; Pal; Per; Quin; Ral; Ros; Sal; Sel; Sol; Tal; Tor; Ul; Val; Ver; Wil; Zel',
);
const MIDDLES = splitList(
  'a; ba; da; de; do; e; ga; i; ka; la; li; lo; ma; mi; na; ne; no; o; ra; ri; ro; sa; ta; ti; va; vo',
);
const ENDS = splitList(
  'bis; dan; dis; don; gen; lan; len; lia; lis; mar; mis; mon; nar; nia; nis; nor; ra; ran; ria; ris; ron; sa; sen; sis; tan; ter; tis; ton; va; ven; vis; xa',
);
const COINED_NAME_COUNT = STARTS.length * MIDDLES.length * ENDS.length;
/** Coprime to the number of names, so that neighbouring companies sound different. */
const NAME_STEP = 7919;

export interface Round {
  /** Seconds since 1970. */
  at: number;
  type: string;
  investors: number | null;
  /** US dollars. */
  money: number | null;
}

export interface Office {
  city: City;
  street: string;
  zip: string;
}

/** Facts that both variants of a company's record, its jobs and its employees share. */
export interface Company {
  index: number;
  id: number;
  sourceId: number;
  name: string;
  /** Without hyphens, the first label of its website. */
  slug: string;
  url: string;
  /** In the owner's spelling. */
  website: string | null;
  host: string;
  industry: Industry;
  country: Country;
  /** Headquarters first; empty if unknown. */
  offices: Office[];
  type: string | null;
  founded: number | null;
  /** The actual year, even if `founded` is null. */
  foundedYear: number;
  staff: number;
  /** Null if the record omits it. */
  employeesCount: number | null;
  sizeRange: string | null;
  followers: number | null;
  description: string | null;
  specialities: string[];
  rounds: Round[];
  stock: { ticker: string; exchange: string } | null;
  /** Seconds since 1970: creation and last change of the record. */
  created: number;
  updated: number;
}

function coinName(seed: number, index: number): { stem: string; round: number } {
  let position = (((index % COINED_NAME_COUNT) + hashText('names', seed)) * NAME_STEP) % COINED_NAME_COUNT;
  const parts = [ENDS, MIDDLES, STARTS].map((syllables) => {
    const syllable = syllables[position % syllables.length] ?? '';
    position = Math.floor(position / syllables.length);
    return syllable;
  });
  return { stem: parts.reverse().join(''), round: Math.floor(index / COINED_NAME_COUNT) };
}

/** Writes a name in the country's own script, if it has one. */
function localizeName(
  random: Random,
  country: Country,
  industry: Industry,
  latin: string,
  legalForm: string,
): string {
  const lastName = () => random.faker(country.locale).person.lastName();
  const industryName = PROSE[country.language].industries[INDUSTRIES.indexOf(industry)] ?? '';
  switch (country.language) {
    case 'ja':
    case 'ko':
    case 'zh':
      return country.language === 'ko'
        ? `${legalForm} ${lastName()}${industryName}`
        : `${lastName()}${industryName}${legalForm}`;
    case 'ar':
      return `شركة ${lastName()} ${industryName}`;
    case 'uk':
      return `${legalForm} «${lastName()} ${industryName}»`;
    default:
      return random.chance(45) ? `${latin} ${legalForm}` : latin;
  }
}

function createWebsite(random: Random, host: string): string {
  const scheme = random.chance(80) ? 'https://' : 'http://';
  const path = random.chance(30) ? '/' : random.chance(6) ? '/home' : '';
  return `${scheme}${random.chance(60) ? 'www.' : ''}${host}${path}`;
}

function createOffice(random: Random, country: Country, city: City): Office {
  const { location } = random.faker(country.locale);
  return { city, street: location.streetAddress(), zip: location.zipCode() };
}

function createRounds(random: Random, foundedYear: number, updated: number): Round[] {
  const rounds: Round[] = [];
  let at = getMonthStart(foundedYear, random.int(1, 12)) + random.int(60, 500) * DAY_S;
  for (const step of ROUNDS.slice(0, random.skewed(1, ROUNDS.length, 2))) {
    if (at >= updated) break;
    const type = random.chance(15) ? random.pick(OTHER_ROUNDS) : step.name;
    const money = Math.round(random.skewed(step.low, step.high, 2) / 10_000) * 10_000;
    rounds.push({
      at,
      type,
      investors: random.orNull(25, random.skewed(1, 12, 2)),
      money: random.orNull(15, money),
    });
    at += random.int(200, 900) * DAY_S;
  }
  return rounds;
}

/** Facts that texts about a company use. */
type CompanyProfile = Pick<Company, 'name' | 'industry' | 'country' | 'offices' | 'foundedYear'>;

/**
 * Writes one sentence about a company.
 * @param slots - values of the slots that the company itself does not provide
 */
export function writeSentence(
  random: Random,
  company: CompanyProfile,
  language: Language,
  kind: keyof Prose,
  slots: Readonly<Record<string, string>> = {},
): string {
  const { name, industry, country, offices, foundedYear } = company;
  return random.fillTemplate(PROSE[language][kind], {
    name,
    industry: PROSE[language].industries[INDUSTRIES.indexOf(industry)] ?? industry.name,
    city: offices[0]?.city.name ?? country.name,
    year: String(foundedYear),
    product: random.pick(industry.products),
    customers: random.pick(industry.customers),
    ...slots,
  });
}

/** Capitalizes the first letter: a slot may begin a sentence. */
export function capitalize(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}

function writeDescription(random: Random, company: CompanyProfile): string {
  const language = random.chance(70) ? company.country.language : 'en';
  const sentences = new Set([capitalize(writeSentence(random, company, language, 'about'))]);
  for (let count = random.int(1, 3); count > 0; count -= 1) {
    sentences.add(capitalize(writeSentence(random, company, language, 'more')));
  }
  return [...sentences].join(language === 'ja' || language === 'zh' ? '' : ' ');
}

function createCompany(seed: number, index: number): Company {
  const random = new Random(seed, 'company', index);
  const industry = random.pickWeighted(INDUSTRIES);
  const country = random.pickWeighted(COUNTRIES);
  const { stem, round } = coinName(seed, index);
  const word = random.pick(industry.nameWords);
  const latin = `${stem} ${word}`;
  const slug = `${stem}-${word}${round === 0 ? '' : `-${round + 1}`}`
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-');
  const host = `${random.chance(30) ? slug : slug.replace(/-(?!\d)/g, '')}.example`;
  const staff = Math.max(1, Math.round(Math.exp(random.skewed(300, 10_800, industry.smallness) / 1000)));
  const range = SIZE_RANGES.find(({ high }) => staff <= high);
  const foundedYear = Math.min(2025, 2026 - random.skewed(1, random.chance(15) ? 130 : 40, 1.3));
  const created = random.int(getMonthStart(Math.max(2016, foundedYear)), REFERENCE_S - 200 * DAY_S);
  const updated = REFERENCE_S - 1 - random.skewed(0, 160 * DAY_S, 3);
  const hasPlace = !random.chance(8);
  const cities = hasPlace
    ? [random.pick(country.cities), ...random.pickSome(country.cities, 0, staff > 50 ? 3 : 0)]
    : [];
  const type = random.pickWeighted(TYPES).name;
  const facts = {
    index,
    id: 1_000_000 + index * 101 + random.int(0, 100),
    sourceId: 60_000_000 + index * 7 + random.int(0, 6),
    name: localizeName(random, country, industry, latin, random.pick(country.legalForms)),
    slug,
    url: `${NETWORK}/company/${slug}`,
    website: random.chance(7) ? null : createWebsite(random, host),
    host,
    industry,
    country,
    offices: [...new Set(cities)].map((city) => createOffice(random, country, city)),
    type: random.orNull(5, type),
    founded: random.orNull(25, foundedYear),
    foundedYear,
    staff,
    employeesCount: random.orNull(6, staff),
    sizeRange: random.orNull(5, range?.label ?? ''),
    followers: random.orNull(3, random.skewed(0, staff * 40 + 300, 2)),
    specialities: random.chance(30) ? [] : random.pickSome(industry.specialities, 1, 4),
    stock:
      type === 'Public Company'
        ? {
            ticker: stem.slice(0, 4).toUpperCase(),
            exchange: random.pick(['NYSE', 'NASDAQ', 'XETRA', 'LSE']),
          }
        : null,
    created,
    updated: Math.max(updated, created),
  };
  const rounds = random.chance(14) ? createRounds(random, Math.max(2005, foundedYear), facts.updated) : [];
  return { ...facts, rounds, description: random.chance(10) ? null : writeDescription(random, facts) };
}

const cache = new LRUCache<string, Company>({ max: CACHED_COMPANIES });

/**
 * Returns the facts of company number `index`. Ids ascend with the index.
 * @param seed - other seeds give other companies
 * @throws RangeError if the index is out of range
 */
export function getCompany(seed: number, index: number): Company {
  if (!Number.isInteger(index) || index < 0 || index >= MAX_COMPANIES) {
    throw new RangeError(`There is no sample company number ${index}.`);
  }
  const key = `${seed}/${index}`;
  let company = cache.get(key);
  if (company === undefined) {
    company = createCompany(seed, index);
    cache.set(key, company);
  }
  return company;
}

/** Formats an address: `Hauptstraße 5, 10115 Berlin, Berlin, DE`. */
export function formatAddress({ street, zip, city }: Office, { iso2 }: Country): string {
  return [street, `${zip} ${city.name}`, city.state, iso2].filter((part) => part !== null).join(', ');
}
