// Generates base records of employees.
import { DAY_S, formatMonth, formatTime } from './dates.ts';
import { formatMonthOrNull, type Person } from './person.ts';
import { addBaseOrder, createProfile } from './profile.ts';
import { Random } from './random.ts';

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

export type EmployeeBase = ReturnType<typeof createBaseEmployee>;
