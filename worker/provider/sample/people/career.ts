// Careers: where somebody has worked, as what, from when to when.
import { roleFacts, rolesOf, roleWeight } from '../data/people/roles.ts';
import type { CompanyFacts, Office } from '../facts.ts';
import { type Random, randomFor } from '../random.ts';
import { companyIn } from './neighbourhood.ts';
import type { Person } from './person.ts';
import { type Calling, callingOf, englishTitle, titleIn } from './titles.ts';
import type { Area, Level, Role, RoleFacts } from './vocabulary.ts';

/** Months since the year 0: `year * 12 + month`, January being 0. */
export type Month = number;

/** One position; positions of a career do not overlap. */
export interface Position {
  company: CompanyFacts;
  calling: Calling;
  level: Level;
  /** as the profile words it */
  title: string;
  english: string;
  from: Month;
  /** null = held at present */
  to: Month | null;
  /** where; null where the profile does not say */
  office: Office | null;
  /** the profile gives no dates */
  undated: boolean;
  /** years of experience at the beginning */
  years: number;
}

/** A career, latest position first. */
export interface Career {
  positions: readonly Position[];
  /** the month in which the profile was last read */
  now: Month;
  /** the month in which the first position began; of students, the present */
  begun: Month;
  calling: Calling;
}

/** Trades whose seniors become partners. */
const PARTNERSHIPS: ReadonlySet<string> = new Set([
  'law',
  'accounting',
  'architects',
  'consulting',
  'wealth',
  'vets',
]);
/** What students work as. */
const STUDENT_JOBS: readonly Role[] = ['store', 'host', 'office', 'warehouse', 'support'];
/** Areas in which beginners are called so. */
const GRADED: ReadonlySet<Area> = new Set<Area>(['build', 'study', 'count', 'shape', 'lead', 'sell']);
const MOST_POSITIONS = 11;

/**
 * The month of a moment.
 *
 * @param seconds whole seconds since 1970
 * @returns the month, UTC
 */
export function monthOf(seconds: number): Month {
  const date = new Date(seconds * 1000);
  return date.getUTCFullYear() * 12 + date.getUTCMonth();
}

/**
 * Writes a month.
 *
 * @param month the month
 * @returns `YYYY-MM`
 */
export function monthText(month: Month): string {
  return `${Math.floor(month / 12)}-${String((month % 12) + 1).padStart(2, '0')}`;
}

interface Stage {
  company: CompanyFacts;
  role: Calling;
  from: Month;
  to: Month | null;
}

/** How far somebody has come after so many years; `drive` is from 0 to 99. */
function levelAfter(years: number, drive: number, calling: Calling, company: CompanyFacts): Level {
  const { staff, trade, type } = company;
  const { ceiling } = calling.role;
  if (ceiling === 3 && (PARTNERSHIPS.has(trade.trade) || type === 'Partnership') && years >= 9 && drive >= 72)
    return 'Partner';
  if (ceiling === 3 && staff >= 6 && years >= 13 && drive >= 93) return 'C-Level';
  if (ceiling === 3 && staff >= 250 && years >= 12 && drive >= 89) return 'President/Vice President';
  if (ceiling === 3 && staff >= 40 && years >= 10 && drive >= 81) return 'Director';
  if (ceiling === 3 && staff >= 25 && years >= 8 && drive >= 73) return 'Head';
  if (ceiling >= 2 && staff >= 7 && years >= 6 && drive >= 55) return 'Manager';
  if (years >= 4 && drive >= 34) return 'Senior';
  return 'Specialist';
}

/** Whether somebody runs the company, and as what. */
function lordship(company: CompanyFacts, now: Month, random: Random): 'Founder' | 'Owner' | null {
  const { staff, year, type, trade } = company;
  if (type === 'Public Company' || type === 'Government Agency' || (trade.sector === 'civic' && staff > 1))
    return null;
  const perMille =
    staff === 1 ? 1000 : staff <= 4 ? 330 : staff <= 10 ? 170 : staff <= 50 ? 42 : staff <= 250 ? 9 : 1;
  if (!random.chance(perMille)) return null;
  const young = now - year * 12 <= 25 * 12;
  return young && random.chance(company.identity.family.startup ? 820 : 330) ? 'Founder' : 'Owner';
}

/** Goes back in time from the latest employer, company by company; founders have been there from the start. */
function stagesOf(person: Person, now: Month, calling: Calling, founder: boolean, random: Random): Stage[] {
  const { employer, hood } = person;
  const working = random.chance(905) || employer.staff === 1;
  const total = random.lowish(3, 43 * 12, 1);
  const opened: Month = employer.year * 12 + random.int(0, 11);
  const start = founder ? Math.min(now - total, opened) : now - total;
  const stages: Stage[] = [];
  let company: CompanyFacts | null = employer;
  let end = working ? now : Math.max(now - random.lowish(1, 44, 2), employer.year * 12 + 14);
  let role = calling;
  const restless = random.int(1, 3);
  const known = new Set<CompanyFacts>();
  while (company !== null && stages.length < MOST_POSITIONS) {
    const first = stages.length === 0;
    const founded: Month = first ? opened : company.year * 12 + random.int(0, 11);
    const wanted = random.lowish(4, total > 240 ? 300 : 150, restless);
    const from: Month =
      first && founder ? Math.min(end, founded) : Math.min(end, Math.max(end - wanted, start, founded));
    stages.push({ company, role, from, to: first && working ? null : end });
    end = from - (random.chance(560) ? 0 : random.lowish(1, 13, 2));
    if (end <= start + 2) break;
    const last: CompanyFacts = company;
    if (random.chance(960)) known.add(last);
    const limit = end - 4;
    const early = end - start <= 30 && random.chance(240);
    let wish = role.role;
    if (early) wish = roleFacts(random.pick(STUDENT_JOBS));
    else if (role.role.academic < 900 && random.chance(130)) wish = otherRole(wish, last, random);
    const fits = (facts: CompanyFacts) =>
      facts !== last &&
      !known.has(facts) &&
      facts.year * 12 + 11 <= limit &&
      facts.staff > 1 &&
      roleWeight(wish, facts.trade, facts.staff) > 0;
    company = companyIn(hood, random, { country: person.country.key, fits }, 14);
    if (company === null && random.chance(300)) company = companyIn(hood, random, { fits }, 14);
    if (company !== null)
      role = callingOf(wish, company.trade, random, wish === role.role ? role : undefined);
  }
  return stages;
}

/** A role that somebody can have had before another: one that takes about as much study. */
function otherRole(now: RoleFacts, company: CompanyFacts, random: Random): RoleFacts {
  const drawn = random.weighted(rolesOf(company.trade, company.staff));
  return drawn.academic < 900 && Math.abs(drawn.academic - now.academic) < 350 ? drawn : now;
}

/** Splits long stays into positions, from the first to the last. */
function promoted(stage: Stage, now: Month, random: Random): Stage[] {
  const end = stage.to ?? now;
  const length = end - stage.from;
  const parts = length >= 30 && random.chance(290) ? (length >= 96 && random.chance(330) ? 3 : 2) : 1;
  if (parts === 1 || stage.company.staff < 8) return [stage];
  const cuts: Month[] = [];
  let at = stage.from;
  for (let part = 1; part < parts; part += 1) {
    at += random.int(10, Math.min(60, Math.max(11, Math.floor(length / parts))));
    if (at < end - 2) cuts.push(at);
  }
  const starts = [stage.from, ...cuts];
  return starts.map((from, part) => ({ ...stage, from, to: starts[part + 1] ?? stage.to }));
}

/**
 * The career of a person, a pure function of the person.
 *
 * @param person the person
 * @returns the positions, none for students
 */
export function careerOf(person: Person): Career {
  const random = randomFor(person.seed, 'career', person.index);
  const { employer } = person;
  const now = monthOf(person.updatedS);
  const calling = callingOf(random.weighted(rolesOf(employer.trade, employer.staff)), employer.trade, random);
  if (employer.staff > 4 && random.chance(22)) return { positions: [], now, begun: now, calling };

  const crown = lordship(employer, now, random);
  const stages = stagesOf(person, now, calling, crown === 'Founder', random);
  const begun = stages[stages.length - 1]?.from ?? now;
  const latest = stages[0];
  const drive = random.int(0, 99);
  const local = person.language === 'en' ? 0 : 790;
  const undated = random.chance(14);
  const positions: Position[] = [];
  for (const stage of [...stages].reverse()) {
    const own = stage === latest && crown !== null;
    const parts = own ? [stage] : promoted(stage, now, random);
    let before: Level | null = null;
    for (const part of parts) {
      const years = (part.from - begun) / 12;
      const length = ((part.to ?? now) - part.from) / 12;
      const { role } = part.role;
      const intern = positions.length === 0 && length < 1.3 && role.academic > 400 && random.chance(330);
      const level: Level = own
        ? crown
        : intern
          ? 'Intern'
          : levelAfter(years + Math.min(2, length / 2), drive, part.role, part.company);
      const earlier = positions[positions.length - 1];
      if (level === before && earlier !== undefined) {
        earlier.to = part.to;
        continue;
      }
      before = level;
      const junior = years < 2 && GRADED.has(role.area) && random.chance(600);
      const english = englishTitle(part.role, level, junior, part.company, random);
      const options = {
        trade: part.company.trade.trade,
        junior: junior && random.chance(300),
        woman: person.woman,
      };
      const title = random.chance(local)
        ? titleIn(person.language, english, part.role, level, options)
        : english;
      positions.push({
        company: part.company,
        calling: part.role,
        level,
        title: random.chance(12) ? title.toUpperCase() : random.chance(9) ? title.toLowerCase() : title,
        english,
        from: part.from,
        to: part.to,
        office: random.chance(640) ? officeFor(part.company, person, random) : null,
        undated,
        years: Math.floor(years),
      });
    }
  }
  return { positions: positions.reverse(), now, begun, calling };
}

function officeFor(company: CompanyFacts, person: Person, random: Random): Office {
  const near =
    company.offices.find((office) => office.city === person.city) ??
    company.offices.find((office) => office.country.key === person.country.key);
  if (near !== undefined && random.chance(930)) return near;
  return random.chance(800) ? company.offices[0] : random.pick(company.offices);
}

/**
 * The position that somebody holds at present: the first that has not ended.
 *
 * @param career the career
 * @returns the position; null for people without work
 */
export function presentOf(career: Career): Position | null {
  return career.positions.find((position) => position.to === null) ?? null;
}

/**
 * The months in which at least one position with dates was held.
 *
 * @param career the career
 * @returns the number of months; null when no position has dates
 */
export function monthsWorked(career: Career): number | null {
  const dated = career.positions.filter((position) => !position.undated);
  if (dated.length === 0) return null;
  return dated.reduce((sum, position) => sum + (position.to ?? career.now) - position.from, 0);
}
