// Generates careers: chronological positions at companies of the sample.
import { type Company, capitalize, getCompany, writeSentence } from './company.ts';
import { type Month, toMonth } from './dates.ts';
import { fillSlots, type Random } from './random.ts';
import { type City, type Country, type Role, words } from './words.ts';

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
export function createPositions(
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
