// The base record of a sample employee.
import { DAY_S, monthText, timeText } from './dates.ts';
import { monthOrNull, type Person } from './person.ts';
import { inBaseOrder, profileOf } from './profile.ts';
import { Random } from './random.ts';

/**
 * The base record of an employee, in agreement with the clean record.
 * @param companies - in the sample
 * @returns a record of `employee_base`
 */
export function baseEmployee(seed: number, person: Person, companies: number) {
  const random = new Random(seed, 'employee_base', person.index);
  const { id, name, country, city, positions, url } = person;
  const home = city === null ? null : country;
  const profile = profileOf(seed, person, companies);
  const seldom = () => random.chance(3);
  const isKept = () => false;
  return {
    id,
    parent_id: id,
    is_parent: 1 as const,
    full_name: name.full,
    first_name: name.first,
    last_name: name.last,
    headline: person.headline,
    summary: person.summary,
    created_at: timeText(person.created),
    updated_at: timeText(person.updated),
    checked_at: timeText(Math.max(person.created, person.updated - random.skewed(0, 20, 4) * DAY_S)),
    profile_url: url,
    profile_photo_url: person.picture,
    location: city === null ? null : `${city.name} Area`,
    industry: random.orNull(10, positions[0]?.company.industry.name ?? ''),
    country: home?.name ?? null,
    country_iso_2: home?.iso2 ?? null,
    country_iso_3: home?.iso3 ?? null,
    // Service description: "Base employee collect examples select `region` and `industry`".
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
    experience: inBaseOrder(
      positions.map(({ company, title, from, to, description, location }) => ({
        title,
        company_id: company.id,
        company_name: company.name,
        company_url: company.url,
        company_website: company.website,
        company_industry: company.industry.name,
        company_size: company.sizeRange,
        company_employees_count: company.employeesCount,
        date_from: monthText(from),
        date_to: monthOrNull(to),
        is_current: to === null ? (1 as const) : (0 as const),
        description,
        location,
      })),
      isKept,
    ),
    education: inBaseOrder(
      profile.education.map(({ degree, program_name, ...school }) => ({
        ...school,
        program_name: [degree, program_name].filter((part) => part !== null).join(', ') || null,
      })),
      seldom,
    ),
    certifications: inBaseOrder(profile.certifications, seldom),
    languages: inBaseOrder(profile.languages, seldom),
    skills: inBaseOrder(
      person.skills.map((skill) => ({ skill })),
      seldom,
    ),
    awards: inBaseOrder(profile.awards, seldom),
    courses: inBaseOrder(profile.courses, seldom),
    organizations: inBaseOrder(profile.organizations, seldom),
    patents: inBaseOrder(profile.patents, seldom),
    projects: inBaseOrder(profile.projects, seldom),
    publications: inBaseOrder(profile.publications, seldom),
    recommendations: inBaseOrder(profile.recommendations, seldom),
    volunteering_positions: inBaseOrder(profile.volunteering_positions, seldom),
    activity: inBaseOrder(profile.activity, seldom),
  };
}

export type EmployeeBase = ReturnType<typeof baseEmployee>;
