// Generates the facts of employees that both variants of their records share: names, careers, skills.

import { DAY_S } from '../../../shared/lib/durations.ts';
import { memoize } from '../../lib/bounded-cache.ts';
import { type Company, getCompany, NETWORK, pickLargeCompany, writeSentence } from './company.ts';
import { fillSlots, Random, toSlug } from './random.ts';
import {
  type City,
  COUNTRIES,
  type Country,
  type Industry,
  type Month,
  REFERENCE_S,
  toMonth,
  words,
} from './words.ts';

/** A job; `to` is null for the current one. */
export type Position = Person['positions'][number];

const { levels, lists } = words;
const titles: Readonly<Record<string, string>> = words.titles;
const areas: Readonly<Record<string, string>> = words.areas;
/** Departments of levels that have their own. */
const departments: Readonly<Record<string, string>> = words.departments;
export const DECIDING_LEVELS: readonly string[] = lists.decidingLevels;

function buildTitle(random: Random, { title, department }: Industry['roles'][number], level: string) {
  const template = title.endsWith(level) ? '{title}' : (titles[level] ?? '{title}');
  const slots = { title, area: areas[department] ?? department, chief: random.pick(lists.chiefs) };
  return { title: fillSlots(template, slots), department: departments[level] ?? department };
}

/** Formats a place: `Berlin, Berlin, Germany`. */
export function formatPlace(city: City, country: Country): string {
  return [city.name, city.state, country.name].filter((part) => part !== null).join(', ');
}

/** Draws the periods of a career, the latest first. */
function createPeriods(random: Random, home: Company, updated: number, seed: number, companies: number) {
  const periods: { company: Company; from: Month; to: Month | null }[] = [];
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
function createPositions(random: Random, home: Company, updated: number, seed: number, companies: number) {
  const periods = createPeriods(random, home, updated, seed, companies);
  const start = periods.at(-1)?.from ?? toMonth(updated);
  const isOffice = random.chance(35);
  return periods.map(({ company, from, to }) => {
    const { industry, offices, country } = company;
    const role = random.pick(isOffice ? lists.officeRoles : industry.roles);
    const years = (from - start) / 12;
    const possible = levels.filter((each) => each.years <= years && (each.level !== 'Intern' || years < 2));
    const { level } = random.pickWeighted(possible);
    const language = random.chance(50) ? country.language : 'en';
    const writeDuty = () =>
      writeSentence(random, company, language, 'duties', { skill: random.pick(industry.skills) });
    return {
      company,
      ...buildTitle(random, role, level),
      level,
      from,
      to,
      description: random.chance(35) ? null : [...new Set([writeDuty(), writeDuty()])].join('\n'),
      location: offices[0] === undefined || random.chance(20) ? null : formatPlace(offices[0].city, country),
    };
  });
}

export const EMPLOYEES_PER_COMPANY = 5;

/** Facts that both variants of an employee's record share. Instants are seconds since 1970. */
export type Person = ReturnType<typeof createPerson>;

function createName(random: Random, id: number, { locale, language }: Country) {
  const sex = random.pick(['female', 'male'] as const);
  const { person } = random.faker(locale);
  const first = person.firstName(sex);
  const last = person.lastName(sex);
  const middle = language === 'en' && random.chance(8) ? `${random.pick([...'ABCDEFGHJKLMNPRSTW'])}.` : null;
  const western = [first, middle, last].filter((part) => part !== null).join(' ');
  const full =
    language === 'zh' || language === 'ko' ? last + first : language === 'ja' ? `${last} ${first}` : western;
  const slug = toSlug(`${first} ${last}`) || 'member';
  // Unique in the sample.
  const shorthand = random.chance(1) ? String(id) : `${slug}-${id.toString(36)}`;
  return { first, middle, last, full, shorthand };
}

function createPerson(seed: number, index: number, companies: number) {
  const random = new Random(seed, 'person', index);
  // The first of every five employees works at the company with the same number.
  const company =
    index % EMPLOYEES_PER_COMPANY === 0 || random.chance(50)
      ? getCompany(seed, Math.floor(index / EMPLOYEES_PER_COMPANY))
      : pickLargeCompany(random, seed, companies, 3);
  const country = random.chance(88) ? company.country : random.pickWeighted(COUNTRIES);
  const id = 50_000_000 + index * 37;
  const name = createName(random, id, country);
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
  const connections = random.orNull(5, random.skewed(0, 500, 0.8));
  return {
    index,
    id,
    name,
    company,
    url: `${NETWORK}/in/${name.shorthand}`,
    country,
    city: random.chance(8) ? null : (office?.city ?? random.pick<City>(country.cities)),
    /** The latest first; never empty. */
    positions,
    headline: random.chance(12)
      ? null
      : random.pick([`${title} at ${company.name}`, `${title} | ${skills[0]}`, title]),
    summary: random.chance(45)
      ? null
      : writeSentence(random, { ...company, country }, language, 'profile', slots),
    skills: random.chance(12) ? [] : skills,
    connections,
    followers: random.orNull(6, (connections ?? 0) + random.skewed(0, 9000, 6)),
    picture: random.chance(30) ? null : `${NETWORK}/photo/${random.hex(16)}.jpg`,
    isDeleted: random.chance(2),
    isHidden: random.chance(3),
    created,
    updated,
  };
}

/** Returns the facts of employee number `index` in a sample of so many companies. Ids ascend with the index. */
export const getPerson: (seed: number, index: number, companies: number) => Person = memoize(
  5000,
  createPerson,
);
