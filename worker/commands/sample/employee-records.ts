// Generates the clean and the base record of an employee.
import { indexFields } from '../../../shared/families/registry.ts';
import { DAY_S } from '../../../shared/lib/durations.ts';
import { addPrefix, describePlace } from './company.ts';
import { fillFields, type Subject } from './fill-fields.ts';
import { DECIDING_LEVELS, formatPlace, getPerson, type Person, type Position } from './person.ts';
import { Random, toBit } from './random.ts';
import { formatDay, formatMonth, formatTime, type Month, toMonth } from './words.ts';

const toSubject = (seed: number, person: Person): Subject => ({
  ...person,
  seed,
  kind: 'employee',
  topics: person.skills.length === 0 ? ['Teamwork'] : person.skills,
});

/** The part of a job that both variants contain. */
const createJob = ({ company, from, to, title, description, location }: Position) => ({
  title,
  description,
  location,
  is_current: toBit(to === null),
  company_id: company.id,
  company_name: company.name,
  company_website: company.website,
  company_industry: company.industry.name,
  company_employees_count: company.employeesCount,
  date_from: formatMonth(from),
});

const countMonths = ({ from, to }: Position, now: Month): number => Math.max(1, (to ?? now) - from);

function createCleanJob(position: Position, now: Month) {
  const { company, to, department, level } = position;
  const [headquarters] = company.offices;
  return {
    ...createJob(position),
    company_shorthand_name: company.slug,
    company_professional_network_url: company.url,
    company_categories_and_keywords: company.specialities,
    company_type: company.type,
    company_founded: company.founded === null ? null : String(company.founded),
    company_description: company.description,
    company_size_range: company.sizeRange,
    company_followers: company.followers,
    company_location_hq_full_address: headquarters?.address ?? null,
    ...addPrefix('company_location_hq_', describePlace(company.country, headquarters?.city)),
    // Contract, "Records": an open period has no date_to.
    date_to: to === null ? undefined : formatMonth(to),
    duration_months: countMonths(position, now),
    department,
    management_level: level,
  };
}

/** @returns a record of `employee_clean`, consistent with the base record */
export function createCleanEmployee(seed: number, index: number, companies: number) {
  const person = getPerson(seed, index, companies);
  const { name, country, city, positions } = person;
  const now = toMonth(person.updated);
  const current = positions.find(({ to }) => to === null);
  return fillFields(toSubject(seed, person), indexFields.employee_clean.properties, {
    id: person.id,
    full_name: name.full,
    name_first: name.first,
    name_middle: name.middle,
    name_last: name.last,
    websites_professional_network: person.url,
    shorthand_names: [name.shorthand],
    picture_url: person.picture,
    follower_count: person.followers,
    connections_count: person.connections,
    skills: person.skills,
    headline: person.headline,
    description: person.summary,
    company_id: current?.company.id ?? null,
    job_title: current?.title ?? null,
    job_description: current?.description ?? null,
    department: current?.department ?? null,
    management_level: current?.level ?? null,
    is_decision_maker: toBit(current !== undefined && DECIDING_LEVELS.includes(current.level)),
    is_working: toBit(current !== undefined),
    is_deleted: toBit(person.isDeleted),
    // Periods do not overlap.
    total_experience_duration_months: positions.reduce((sum, job) => sum + countMonths(job, now), 0),
    location_raw_address: city === null ? null : `${city.name} Area`,
    location_full: city === null ? null : formatPlace(city, country),
    ...addPrefix('location_', describePlace(country, city)),
    last_updated: formatDay(person.updated),
    experience: positions.map((position, at) => ({
      order_in_profile: at + 1,
      ...createCleanJob(position, now),
    })),
  });
}

/** @returns a record of `employee_base`, consistent with the clean record */
export function createBaseEmployee(seed: number, index: number, companies: number) {
  const person = getPerson(seed, index, companies);
  const random = new Random(seed, 'employee_base', index);
  const { id, name, country, city, positions } = person;
  const home = describePlace(country, city);
  return fillFields(toSubject(seed, person), indexFields.employee_base.properties, {
    id,
    parent_id: id,
    is_parent: 1 as const,
    full_name: name.full,
    first_name: name.first,
    last_name: name.last,
    headline: person.headline,
    summary: person.summary,
    created_at: formatTime(person.created),
    updated_at: formatTime(person.updated),
    checked_at: formatTime(Math.max(person.created, person.updated - random.skewed(0, 20, 4) * DAY_S)),
    profile_url: person.url,
    profile_photo_url: person.picture,
    location: city === null ? null : `${city.name} Area`,
    industry: random.orNull(10, person.company.industry.name),
    country: home.country,
    country_iso_2: home.country_iso_2,
    country_iso_3: home.country_iso_3,
    // Provider API: "Base employee collect examples select `region` and `industry`".
    region: home.regions[0] ?? null,
    regions: home.regions.map((region) => ({ region })),
    deleted: toBit(person.isDeleted),
    is_hidden: toBit(person.isHidden),
    connections_count: person.connections,
    follower_count: person.followers,
    experience_count: positions.length,
    shorthand_name: name.shorthand,
    shorthand_names: [{ shorthand_name: name.shorthand }],
    historical_ids: random.chance(10) ? [{ id }, { id: id + 1 }] : [{ id }],
    experience: positions.map((position, at) => ({
      order_in_profile: at + 1,
      deleted: 0,
      ...createJob(position),
      company_url: position.company.url,
      company_size: position.company.sizeRange,
      date_to: position.to === null ? null : formatMonth(position.to),
    })),
    skills: person.skills.map((skill) => ({ skill })),
  });
}
