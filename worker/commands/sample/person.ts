// Generates the facts of employees that both variants of their records share: names, careers, skills.

import { LRUCache } from 'lru-cache';
import { DAY_S } from '../../../shared/lib/durations.ts';
import {
  type Company,
  capitalize,
  getCompany,
  MAX_COMPANIES,
  MEDIA,
  NETWORK,
  pickLargeCompany,
  writeSentence,
} from './company.ts';
import { fillSlots, Random } from './random.ts';
import {
  type City,
  COUNTRIES,
  type Country,
  formatMonth,
  type Month,
  REFERENCE_S,
  type Role,
  toMonth,
  words,
} from './words.ts';

export interface Position {
  company: Company;
  title: string;
  department: string;
  level: string;
  from: Month;
  /** Null for a current position. */
  to: Month | null;
  description: string | null;
  location: string | null;
}

const { areas, levels, lists } = words;
const departmentAreas: Readonly<Record<string, string>> = areas;
export const DECIDING_LEVELS: readonly string[] = lists.decidingLevels;

const titleTemplates: Readonly<Record<string, string>> = words.titles;

function buildTitle(random: Random, { title, department }: Role, level: string, company: Company) {
  const area = departmentAreas[department] ?? department;
  if (level === 'C-Level') return { title: random.pick(lists.chiefs), department: 'C-Suite' };
  if (level === 'Founder' || level === 'Owner' || level === 'Partner')
    return {
      title: level === 'Founder' && company.staff > 10 ? 'Founder & CEO' : level,
      department: 'General Management',
    };
  if (level === 'Manager' && title.endsWith('Manager')) return { title, department };
  return { title: fillSlots(titleTemplates[level] ?? '{title}', { title, area }), department };
}

/** Formats a place: `Berlin, Berlin, Germany`. */
export function formatPlace(city: City, country: Country): string {
  return [city.name, city.state, country.name].filter((part) => part !== null).join(', ');
}

/** Draws the periods of a career, the latest first. */
function createPeriods(random: Random, home: Company, updated: number, seed: number, companies: number) {
  const periods: Pick<Position, 'company' | 'from' | 'to'>[] = [];
  let last = toMonth(updated);
  let company = home;
  const count = 1 + random.skewed(0, 6, 1.5);
  for (let number = 0; number < count; number += 1) {
    if (number > 0 && random.chance(70)) company = getCompany(seed, random.int(0, companies - 1));
    const from = Math.max(last - random.skewed(2, 110, 1.6), company.foundedYear * 12 + 11);
    const isOpen = number === 0 && !random.chance(9);
    if (from >= last || from < 1980 * 12) {
      if (number > 0) break;
      periods.push({ company, from: last, to: null });
      continue;
    }
    periods.push({ company, from, to: isOpen ? null : last });
    last = from - (random.chance(60) ? 0 : random.int(1, 14));
  }
  return periods;
}

/** Draws the positions of a career, the latest first. Returns at least one. */
function createPositions(
  random: Random,
  home: Company,
  updated: number,
  seed: number,
  companies: number,
): Position[] {
  const periods = createPeriods(random, home, updated, seed, companies);
  const start = periods.at(-1)?.from ?? toMonth(updated);
  const isOffice = random.chance(35);
  return periods.map(({ company, from, to }): Position => {
    const { industry, offices, country } = company;
    const role = random.pick(isOffice ? lists.officeRoles : industry.roles);
    const years = (from - start) / 12;
    const isFounder = company === home && to === null && home.staff <= 60 && years >= 2 && random.chance(12);
    const level = isFounder
      ? random.pick(['Founder', 'Owner'])
      : random.pickWeighted(
          levels.filter((level) => level.years <= years && (level.level !== 'Intern' || years < 2)),
        ).level;
    const { title, department } = buildTitle(random, role, level, company);
    const language = random.chance(50) ? country.language : 'en';
    const writeDuty = () =>
      capitalize(writeSentence(random, company, language, 'duties', { skill: random.pick(industry.skills) }));
    return {
      company,
      title,
      department,
      level,
      from,
      to,
      description: random.chance(35) ? null : [...new Set([writeDuty(), writeDuty()])].join('\n'),
      location: offices[0] === undefined || random.chance(20) ? null : formatPlace(offices[0].city, country),
    };
  });
}

export const EMPLOYEES_PER_COMPANY = 5;
const CACHED_PEOPLE = 5_000;

export type Name = ReturnType<typeof createName>;

/** Facts that both variants of an employee's record share. Instants are seconds since 1970. */
export type Person = ReturnType<typeof createPerson>;

/** Picks the current employer. The first of every five employees works at the company with the same number. */
function pickHomeCompany(random: Random, seed: number, index: number, companies: number): Company {
  const defaultCompany = getCompany(seed, Math.floor(index / EMPLOYEES_PER_COMPANY));
  if (index % EMPLOYEES_PER_COMPANY === 0 || random.chance(50)) return defaultCompany;
  return pickLargeCompany(random, seed, companies, 3);
}

function toSlug(text: string): string {
  const plain = text.replace(/ß/g, 'ss').replace(/[øØ]/g, 'o').replace(/[łŁ]/g, 'l').replace(/ı/g, 'i');
  return plain
    .normalize('NFKD')
    .toLowerCase()
    .replace(/[^\x20-\x7e]/g, '')
    .replace(/[^a-z]+/g, '-')
    .replace(/^-|-$/g, '');
}

function computePersonId(index: number): number {
  return 50_000_000 + index * 37;
}

function createName(random: Random, index: number, { locale, language }: Country) {
  const sex = random.pick(['female', 'male'] as const);
  const { person } = random.faker(locale);
  const first = person.firstName(sex);
  const last = person.lastName(sex);
  const middle = language === 'en' && random.chance(8) ? `${random.pick([...'ABCDEFGHJKLMNPRSTW'])}.` : null;
  const western = [first, middle, last].filter((part) => part !== null).join(' ');
  const full =
    language === 'zh' || language === 'ko' ? last + first : language === 'ja' ? `${last} ${first}` : western;
  const id = computePersonId(index);
  const slug = toSlug(`${first} ${last}`) || 'member';
  return {
    first,
    middle,
    last,
    full,
    /** Unique in the sample. */
    shorthand: random.chance(1) ? String(id) : `${slug}-${id.toString(36)}`,
  };
}

/** Draws what a name depends on. The same stream then draws the rest of the person. */
function drawIdentity(seed: number, index: number, companies: number) {
  const random = new Random(seed, 'person', index);
  const company = pickHomeCompany(random, seed, index, companies);
  const country = random.chance(88) ? company.country : random.pickWeighted(COUNTRIES);
  return { random, company, country, name: createName(random, index, country) };
}

/** Returns the name of employee number `index`. @param companies - number of companies in the sample */
export function getPersonName(seed: number, index: number, companies: number): Name {
  return drawIdentity(seed, index, companies).name;
}

function createPerson(seed: number, index: number, companies: number) {
  const { random, company, country, name } = drawIdentity(seed, index, companies);
  const updated = REFERENCE_S - 1 - random.skewed(0, 200 * DAY_S, 2);
  const created = updated - random.int(30, 2500) * DAY_S;
  const positions = createPositions(random, company, updated, seed, companies);
  const [latest] = positions;
  const title = latest?.title ?? '';
  const office = company.country === country ? company.offices[0] : undefined;
  const skills = random.pickSome([...company.industry.skills, ...words.lists.officeSkills], 2, 11);
  const firstMonth = positions.at(-1)?.from ?? 0;
  const slots = {
    title,
    years: String(Math.max(1, Math.floor((toMonth(updated) - firstMonth) / 12))),
    skill: skills[0] ?? 'Teamwork',
  };
  const language = random.chance(60) ? country.language : 'en';
  const isHidden = random.chance(3);
  const connections = random.orNull(5, random.skewed(0, 500, 0.8));
  return {
    index,
    id: computePersonId(index),
    name,
    url: `${NETWORK}/in/${name.shorthand}`,
    country,
    city: random.chance(8) ? null : (office?.city ?? random.pick(country.cities)),
    /** The latest first; never empty. */
    positions,
    headline: random.chance(12)
      ? null
      : random.pick([`${title} at ${company.name}`, `${title} | ${skills[0]}`, title]),
    summary: random.chance(45)
      ? null
      : capitalize(writeSentence(random, { ...company, country }, language, 'profile', slots)),
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

const cache = new LRUCache<string, Person, Parameters<typeof createPerson>>({
  max: CACHED_PEOPLE,
  memoMethod: (_key, _stale, { context }) => createPerson(...context),
});

/**
 * Returns the facts of employee number `index`. Ids ascend with the index.
 * @param companies - number of companies in the sample, which employ the person
 * @throws RangeError if the index is out of range
 */
export function getPerson(seed: number, index: number, companies: number): Person {
  const limit = EMPLOYEES_PER_COMPANY * Math.min(companies, MAX_COMPANIES);
  if (!Number.isInteger(index) || index < 0 || index >= limit)
    throw new RangeError(`There is no sample employee number ${index}.`);
  return cache.memo(`${seed}/${index}/${companies}`, { context: [seed, index, companies] });
}

/** Formats a month; null stays null. */
export function formatMonthOrNull(month: Month | null): string | null {
  return month === null ? null : formatMonth(month);
}
