// The clean variant of an employee's record, written from the profile.
import { addressOf, specialitiesOf } from '../clean.ts';
import { dateText } from '../dates.ts';
import type { CompanyFacts } from '../facts.ts';
import type { CleanExperience, CleanItem, EmployeeClean } from '../people-types.ts';
import { profileUrl } from '../presence.ts';
import { randomFor } from '../random.ts';
import { type Career, monthsWorked, monthText, type Position, presentOf } from './career.ts';
import { detailsOf } from './counts.ts';
import { activityOf, awardsOf, certificatesOf, coursesOf, praiseOf } from './extras.ts';
import { languagesOf } from './schooling.ts';
import { headlineOf, noteOf, type Profile, summaryOf } from './texts.ts';
import { DECIDING_LEVELS, type Department, type Level } from './vocabulary.ts';

/** What a position shows of its company. */
type Employer = Pick<CleanExperience, Extract<keyof CleanExperience, `company_${string}`>>;

const cards = new Map<string, Employer>();
const MOST_CARDS = 4000;

/** The company's fields as its clean record has them; those used lately are remembered. */
function employerOf(facts: CompanyFacts): Employer {
  const key = `${facts.seed} ${facts.index}`;
  const known = cards.get(key);
  if (known !== undefined) return known;
  const { identity, missing } = facts;
  const { city, country } = facts.offices[0];
  const place = <T>(value: T): T | null => (missing.place ? null : value);
  const made: Employer = {
    company_id: facts.id,
    company_name: facts.name,
    company_shorthand_name: identity.shorthand,
    company_professional_network_url: profileUrl('company', identity.shorthand),
    company_website: facts.site?.main ?? null,
    company_industry: missing.industry ? null : facts.trade.industry,
    company_categories_and_keywords: specialitiesOf(facts),
    company_type: missing.type ? null : facts.type,
    company_founded: missing.year ? null : String(facts.year),
    company_size_range: missing.size ? null : facts.size.label,
    company_employees_count: missing.staff ? null : facts.staff,
    company_followers: missing.followers ? null : facts.followers,
    company_location_hq_full_address: place(
      addressOf(facts.offices[0], randomFor(facts.seed, 'address 0', facts.index)),
    ),
    company_location_hq_country: place(country.name),
    company_location_hq_country_iso_2: place(country.iso2),
    company_location_hq_country_iso_3: place(country.iso3),
    company_location_hq_state: place(city.state),
    company_location_hq_city: place(city.name),
    company_location_hq_regions: missing.place ? [] : [...country.regions],
  };
  if (cards.size >= MOST_CARDS) cards.clear();
  cards.set(key, made);
  return made;
}

/**
 * The department of a position.
 *
 * @param position the position
 * @returns the role's department, or that of those who run the company
 */
export function departmentOf({ level, calling }: Position): Department {
  if (level === 'C-Level') return 'C-Suite';
  return level === 'Founder' || level === 'Owner' ? 'General Management' : calling.role.department;
}

/**
 * Where a position was held, as profiles write it.
 *
 * @param position the position
 * @returns such as `Lyon, France`; null where the profile does not say
 */
export function placeOf({ office }: Position): string | null {
  if (office === null) return null;
  const { city, country } = office;
  return [city.name, city.state === city.name ? null : city.state, country.name]
    .filter((part) => part !== null)
    .join(', ');
}

function experienceOf(profile: Profile, position: Position, at: number): CleanExperience {
  const { from, to, undated } = position;
  const employer = employerOf(position.company);
  const dates: Pick<CleanExperience, 'date_from' | 'date_to' | 'duration_months'> = undated
    ? { date_from: null, date_to: null, duration_months: null }
    : {
        date_from: monthText(from),
        ...(to === null ? {} : { date_to: monthText(to) }),
        duration_months: (to ?? profile.career.now) - from,
      };
  return {
    title: position.title,
    description: noteOf(profile, position, at),
    order_in_profile: at + 1,
    is_current: to === null ? 1 : 0,
    ...employer,
    company_categories_and_keywords: [...employer.company_categories_and_keywords],
    company_location_hq_regions: [...employer.company_location_hq_regions],
    ...dates,
    department: departmentOf(position),
    management_level: position.level,
    location: placeOf(position),
  };
}

/** Numbers the items of a list. */
function numbered<T>(items: readonly T[]): (CleanItem & T)[] {
  return items.map((item, at) => ({ order_in_profile: at + 1, ...item }));
}

/** What the record says of the present position. */
function presentFields(
  career: Career,
  experience: readonly CleanExperience[],
): Pick<EmployeeClean, 'company_id' | 'job_title' | 'job_description' | 'department' | 'management_level'> & {
  is_decision_maker: 0 | 1;
  is_working: 0 | 1;
} {
  const present = presentOf(career);
  const shown = present === null ? undefined : experience[career.positions.indexOf(present)];
  const level: Level | null = shown?.management_level ?? null;
  return {
    company_id: shown?.company_id ?? null,
    job_title: shown?.title ?? null,
    job_description: shown?.description ?? null,
    department: shown?.department ?? null,
    management_level: level,
    is_decision_maker: level !== null && DECIDING_LEVELS.has(level) ? 1 : 0,
    is_working: shown === undefined ? 0 : 1,
  };
}

/**
 * The clean record of an employee.
 *
 * @param profile the person
 * @returns the record
 */
export function cleanEmployee(profile: Profile): EmployeeClean {
  const { person, career } = profile;
  const { name, city, country } = person;
  const random = randomFor(person.seed, 'clean person', person.index);
  const details = detailsOf(person);
  const place = <T>(value: T): T | null => (details.placeless ? null : value);
  const parsed = random.chance(930);
  const state = city.state === city.name ? null : city.state;
  const experience = career.positions.map((position, at) => experienceOf(profile, position, at));
  return {
    id: person.id,
    full_name: name.full,
    name_first: name.first,
    name_middle: name.middle,
    name_last: name.last,
    websites_professional_network: person.url,
    shorthand_names: name.former === null ? [name.shorthand] : [name.shorthand, name.former],
    picture_url: details.picture,
    follower_count: details.followers,
    connections_count: details.connections,
    skills: showsSkills(profile) ? [...profile.skills] : [],
    headline: headlineOf(profile),
    description: summaryOf(profile),
    ...presentFields(career, experience),
    is_deleted: person.gone ? 1 : 0,
    total_experience_duration_months: monthsWorked(career),
    location_raw_address: details.location,
    location_full: place(
      [parsed ? city.name : null, parsed ? state : null, country.name]
        .filter((part) => part !== null)
        .join(', '),
    ),
    location_country: place(country.name),
    location_country_iso_2: place(country.iso2),
    location_country_iso_3: place(country.iso3),
    location_state: parsed ? place(city.state) : null,
    location_city: parsed ? place(city.name) : null,
    location_regions: details.placeless ? [] : [...country.regions],
    last_updated: dateText(person.updatedS),
    experience,
    education: profile.schools.map((school, at) => ({
      order_in_profile: at + 1,
      institution_name: school.name,
      institution_url: school.url,
      degree: school.degree,
      program_name: school.subject,
      date_from: school.from === null ? null : String(school.from),
      date_to: school.to === null ? null : String(school.to),
      description: school.note,
      activities_and_societies: school.societies,
    })),
    languages: numbered(languagesOf(person)),
    certifications: numbered(certificatesOf(profile)),
    courses: numbered(coursesOf(profile)),
    awards: numbered(awardsOf(profile)),
    recommendations: numbered(praiseOf(profile)),
    activity: numbered(activityOf(profile)),
  };
}

/**
 * Whether the profile shows skills at all.
 *
 * @param profile the person
 * @returns false for about one in eight
 */
export function showsSkills({ person }: Profile): boolean {
  return !person.hidden && !randomFor(person.seed, 'shows skills', person.index).chance(125);
}
