// Generates the clean and the base record of an employee.
import { DAY_S } from '../../../shared/lib/durations.ts';
import { DECIDING_LEVELS, formatPlace, type Position } from './career.ts';
import { formatAddress } from './company.ts';
import { formatDay, formatMonth, formatTime, type Month, toMonth } from './dates.ts';
import { formatMonthOrNull, type Person } from './person.ts';
import { addBaseOrder, addOrder, createProfile } from './profile.ts';
import { Random } from './random.ts';

function createExperience({ company, from, to, ...position }: Position, now: Month) {
  const { country, offices, industry } = company;
  const [headquarters] = offices;
  const place = headquarters === undefined ? null : country;
  return {
    title: position.title,
    description: position.description,
    is_current: to === null ? (1 as const) : (0 as const),
    company_id: company.id,
    company_name: company.name,
    company_shorthand_name: company.slug,
    company_professional_network_url: company.url,
    company_website: company.website,
    company_industry: industry.name,
    company_categories_and_keywords: [...company.specialities],
    company_type: company.type,
    company_founded: company.founded === null ? null : String(company.founded),
    company_description: company.description,
    company_size_range: company.sizeRange,
    company_employees_count: company.employeesCount,
    company_followers: company.followers,
    company_location_hq_full_address:
      headquarters === undefined ? null : formatAddress(headquarters, country),
    company_location_hq_country: place?.name ?? null,
    company_location_hq_country_iso_2: place?.iso2 ?? null,
    company_location_hq_country_iso_3: place?.iso3 ?? null,
    company_location_hq_state: headquarters?.city.state ?? null,
    company_location_hq_city: headquarters?.city.name ?? null,
    company_location_hq_regions: [...(place?.regions ?? [])],
    date_from: formatMonth(from),
    // Contract, "Records": an open period has no date_to.
    ...(to === null ? {} : { date_to: formatMonth(to) }),
    duration_months: Math.max(1, (to ?? now) - from),
    department: position.department,
    management_level: position.level,
    location: position.location,
  };
}

/** Counts the months with at least one position; periods do not overlap. */
function countMonthsWorked(positions: readonly Position[], now: Month): number {
  return positions.reduce((sum, { from, to }) => sum + Math.max(1, (to ?? now) - from), 0);
}

/**
 * Creates the clean record of an employee, consistent with the base record.
 * @param companies - number of companies in the sample
 * @returns a record of `employee_clean`
 */
export function createCleanEmployee(seed: number, person: Person, companies: number) {
  const { name, country, city, positions } = person;
  const now = toMonth(person.updated);
  const current = positions.find(({ to }) => to === null);
  const home = city === null ? null : country;
  const profile = createProfile(seed, person, companies);
  return {
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
    is_decision_maker:
      current !== undefined && DECIDING_LEVELS.includes(current.level) ? (1 as const) : (0 as const),
    is_working: current === undefined ? (0 as const) : (1 as const),
    is_deleted: person.isDeleted ? (1 as const) : (0 as const),
    total_experience_duration_months: countMonthsWorked(positions, now),
    location_raw_address: city === null ? null : `${city.name} Area`,
    location_full: city === null ? null : formatPlace(city, country),
    location_country: home?.name ?? null,
    location_country_iso_2: home?.iso2 ?? null,
    location_country_iso_3: home?.iso3 ?? null,
    location_state: city?.state ?? null,
    location_city: city?.name ?? null,
    location_regions: [...(home?.regions ?? [])],
    last_updated: formatDay(person.updated),
    experience: addOrder(positions.map((position) => createExperience(position, now))),
    education: addOrder(profile.education),
    languages: addOrder(profile.languages),
    certifications: addOrder(profile.certifications),
    courses: addOrder(profile.courses),
    awards: addOrder(profile.awards),
    recommendations: addOrder(profile.recommendations),
    activity: addOrder(profile.activity),
  };
}

/**
 * Creates the base record of an employee, consistent with the clean record.
 * @param companies - number of companies in the sample
 * @returns a record of `employee_base`
 */
export function createBaseEmployee(seed: number, person: Person, companies: number) {
  const random = new Random(seed, 'employee_base', person.index);
  const { id, name, country, city, positions, url } = person;
  const home = city === null ? null : country;
  const profile = createProfile(seed, person, companies);
  const isRarelyDeleted = () => random.chance(3);
  const isNeverDeleted = () => false;
  return {
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
    profile_url: url,
    profile_photo_url: person.picture,
    location: city === null ? null : `${city.name} Area`,
    industry: random.orNull(10, positions[0]?.company.industry.name ?? ''),
    country: home?.name ?? null,
    country_iso_2: home?.iso2 ?? null,
    country_iso_3: home?.iso3 ?? null,
    // Provider API: "Base employee collect examples select `region` and `industry`".
    region: home?.regions[0] ?? null,
    regions: (home?.regions ?? []).map((region) => ({ region })),
    deleted: person.isDeleted ? (1 as const) : (0 as const),
    is_hidden: person.isHidden ? (1 as const) : (0 as const),
    recommendations_count: person.isHidden ? null : profile.recommendations.length,
    connections_count: person.connections,
    follower_count: person.followers,
    experience_count: positions.length,
    shorthand_name: name.shorthand,
    shorthand_names: [{ shorthand_name: name.shorthand }],
    historical_ids: random.chance(10) ? [{ id }, { id: id + 1 }] : [{ id }],
    experience: addBaseOrder(
      positions.map(({ company, title, from, to, description, location }) => ({
        title,
        company_id: company.id,
        company_name: company.name,
        company_url: company.url,
        company_website: company.website,
        company_industry: company.industry.name,
        company_size: company.sizeRange,
        company_employees_count: company.employeesCount,
        date_from: formatMonth(from),
        date_to: formatMonthOrNull(to),
        is_current: to === null ? (1 as const) : (0 as const),
        description,
        location,
      })),
      isNeverDeleted,
    ),
    education: addBaseOrder(
      profile.education.map(({ degree, program_name, ...school }) => ({
        ...school,
        program_name: [degree, program_name].filter((part) => part !== null).join(', ') || null,
      })),
      isRarelyDeleted,
    ),
    certifications: addBaseOrder(profile.certifications, isRarelyDeleted),
    languages: addBaseOrder(profile.languages, isRarelyDeleted),
    skills: addBaseOrder(
      person.skills.map((skill) => ({ skill })),
      isRarelyDeleted,
    ),
    awards: addBaseOrder(profile.awards, isRarelyDeleted),
    courses: addBaseOrder(profile.courses, isRarelyDeleted),
    organizations: addBaseOrder(profile.organizations, isRarelyDeleted),
    patents: addBaseOrder(profile.patents, isRarelyDeleted),
    projects: addBaseOrder(profile.projects, isRarelyDeleted),
    publications: addBaseOrder(profile.publications, isRarelyDeleted),
    recommendations: addBaseOrder(profile.recommendations, isRarelyDeleted),
    volunteering_positions: addBaseOrder(profile.volunteering_positions, isRarelyDeleted),
    activity: addBaseOrder(profile.activity, isRarelyDeleted),
  };
}
