// The facts of a sample employee: name, home, career and everything that both variants of the record agree on.
import { LRUCache } from 'lru-cache';
import { makePositions, type Position } from './career.ts';
import {
  type Company,
  capitalised,
  companyAt,
  MEDIA,
  MOST_COMPANIES,
  NETWORK,
  writeSentence,
} from './company.ts';
import { DAY_S, type Month, monthOf, monthText, REFERENCE_S } from './dates.ts';
import { OFFICE_SKILLS } from './industries.ts';
import { type City, COUNTRIES, type Country } from './places.ts';
import { Random } from './random.ts';

export const EMPLOYEES_PER_COMPANY = 5;
const CACHED_PEOPLE = 5_000;

export interface Name {
  first: string;
  middle: string | null;
  last: string;
  full: string;
  /** Unique in the sample. */
  shorthand: string;
}

export interface Person {
  index: number;
  id: number;
  name: Name;
  url: string;
  country: Country;
  /** Null where nobody knows it. */
  city: City | null;
  /** The latest first; never empty. */
  positions: Position[];
  headline: string | null;
  summary: string | null;
  skills: string[];
  connections: number | null;
  followers: number | null;
  picture: string | null;
  isDeleted: boolean;
  isHidden: boolean;
  /** Seconds since 1970: when the record was made and last changed. */
  created: number;
  updated: number;
}

/** A person’s number among all employees decides where they work: the first of every five at the company of that number. */
function homeCompany(random: Random, seed: number, index: number, companies: number): Company {
  const own = companyAt(seed, Math.floor(index / EMPLOYEES_PER_COMPANY));
  if (index % EMPLOYEES_PER_COMPANY === 0 || random.chance(50)) return own;
  // Large companies have more people.
  const others = Array.from({ length: 3 }, () => companyAt(seed, random.int(0, companies - 1)));
  return others.reduce((largest, other) => (other.staff > largest.staff ? other : largest));
}

function slugOf(text: string): string {
  const plain = text.replace(/ß/g, 'ss').replace(/[øØ]/g, 'o').replace(/[łŁ]/g, 'l').replace(/ı/g, 'i');
  return plain
    .normalize('NFKD')
    .toLowerCase()
    .replace(/[^\x20-\x7e]/g, '')
    .replace(/[^a-z]+/g, '-')
    .replace(/^-|-$/g, '');
}

function idAt(index: number): number {
  return 50_000_000 + index * 37;
}

function makeName(random: Random, index: number, { locale, language }: Country): Name {
  const sex = random.pick(['female', 'male'] as const);
  const { person } = random.faker(locale);
  const first = person.firstName(sex);
  const last = person.lastName(sex);
  const middle = language === 'en' && random.chance(8) ? `${random.pick([...'ABCDEFGHJKLMNPRSTW'])}.` : null;
  const western = [first, middle, last].filter((part) => part !== null).join(' ');
  const full =
    language === 'zh' || language === 'ko' ? last + first : language === 'ja' ? `${last} ${first}` : western;
  const id = idAt(index);
  const slug = slugOf(`${first} ${last}`) || 'member';
  return {
    first,
    middle,
    last,
    full,
    shorthand: random.chance(1) ? String(id) : `${slug}-${id.toString(36)}`,
  };
}

/** What a name depends on: the stream that drew it goes on to draw the person. */
function begin(seed: number, index: number, companies: number) {
  const random = new Random(seed, 'person', index);
  const company = homeCompany(random, seed, index, companies);
  const country = random.chance(88) ? company.country : random.weighted(COUNTRIES);
  return { random, company, country, name: makeName(random, index, country) };
}

/**
 * The name of employee number `index`.
 * @param companies - in the sample
 */
export function personName(seed: number, index: number, companies: number): Name {
  return begin(seed, index, companies).name;
}

function makePerson(seed: number, index: number, companies: number): Person {
  const { random, company, country, name } = begin(seed, index, companies);
  const updated = REFERENCE_S - 1 - random.skewed(0, 200 * DAY_S, 2);
  const created = updated - random.int(30, 2500) * DAY_S;
  const positions = makePositions(random, company, updated, seed, companies);
  const [latest] = positions;
  const title = latest?.title ?? '';
  const office = company.country === country ? company.offices[0] : undefined;
  const skills = random.some([...company.industry.skills, ...OFFICE_SKILLS], 2, 11);
  const firstMonth = positions.at(-1)?.from ?? 0;
  const slots = {
    title,
    years: String(Math.max(1, Math.floor((monthOf(updated) - firstMonth) / 12))),
    skill: skills[0] ?? 'Teamwork',
  };
  const language = random.chance(60) ? country.language : 'en';
  const isHidden = random.chance(3);
  const connections = random.orNull(5, random.skewed(0, 500, 0.8));
  return {
    index,
    id: idAt(index),
    name,
    url: `${NETWORK}/in/${name.shorthand}`,
    country,
    city: random.chance(8) ? null : (office?.city ?? random.pick(country.cities)),
    positions,
    headline: random.chance(12)
      ? null
      : random.pick([`${title} at ${company.name}`, `${title} | ${skills[0]}`, title]),
    summary: random.chance(45)
      ? null
      : capitalised(writeSentence(random, { ...company, country }, language, 'profile', slots)),
    skills: random.chance(12) ? [] : skills,
    connections,
    followers: random.orNull(6, (connections ?? 0) + random.skewed(0, 9000, 6)),
    picture: random.chance(30) ? null : `${MEDIA}/profile-displayphoto/200_200/${random.hex(16)}.jpg`,
    isDeleted: random.chance(2),
    isHidden,
    created,
    updated,
  };
}

const cache = new LRUCache<string, Person>({ max: CACHED_PEOPLE });

/**
 * The facts of employee number `index`; the id grows with the index.
 * @param companies - in the sample; people work and have worked at these
 * @throws RangeError where there can be no such employee
 */
export function personAt(seed: number, index: number, companies: number): Person {
  const most = EMPLOYEES_PER_COMPANY * Math.min(companies, MOST_COMPANIES);
  if (!Number.isInteger(index) || index < 0 || index >= most) {
    throw new RangeError(`There is no sample employee number ${index}.`);
  }
  const key = `${seed}/${index}/${companies}`;
  let person = cache.get(key);
  if (person === undefined) {
    person = makePerson(seed, index, companies);
    cache.set(key, person);
  }
  return person;
}

/** A month as records write it; null stays null. */
export function monthOrNull(month: Month | null): string | null {
  return month === null ? null : monthText(month);
}
