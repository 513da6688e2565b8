// Generates clean records of employees.

import { DECIDING_LEVELS, formatPlace, type Position } from './career.ts';
import { formatAddress } from './company.ts';
import { formatDay, formatMonth, type Month, toMonth } from './dates.ts';
import type { Person } from './person.ts';
import { addOrder, createProfile } from './profile.ts';

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

export type EmployeeClean = ReturnType<typeof createCleanEmployee>;
