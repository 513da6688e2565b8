// Generates the clean and the base record of an employee, with the lists of the profile, such as schools and certificates.

import { DAY_S } from '../../../shared/lib/durations.ts';
import { capitalize, formatAddress, getCompany, NETWORK, writeSentence } from './company.ts';
import {
  DECIDING_LEVELS,
  formatMonthOrNull,
  formatPlace,
  getPersonName,
  type Person,
  type Position,
} from './person.ts';
import { Random, toBit } from './random.ts';
import { formatDay, formatMonth, formatTime, type Month, REFERENCE_S, toMonth, words } from './words.ts';

const { lists } = words;
const TWO_YEARS = 24;

/** Creates a school with a coined name, like those of companies. */
function createSchool(random: Random, seed: number, firstJob: Month, years: number) {
  const { country, offices, slug } = getCompany(seed, random.int(0, 400));
  const [stem = ''] = slug.split('-');
  const name = random.pick([
    `${capitalize(stem)} University`,
    `${capitalize(stem)} College`,
    `Institute of ${capitalize(stem)}`,
  ]);
  const end = Math.floor(firstJob / 12) - years;
  return {
    institution_name: offices[0] === undefined ? name : `${name}, ${country.name}`,
    institution_url: random.orNull(25, `${NETWORK}/school/${stem}`),
    degree: random.orNull(10, random.pick(lists.degrees)),
    program_name: random.orNull(8, random.pick(lists.subjects)),
    date_from: random.orNull(10, String(end - random.int(2, 5))),
    date_to: random.orNull(10, String(end)),
    description: random.chance(12)
      ? `Thesis on ${random.pick(lists.subjects).toLowerCase()} in practice.`
      : null,
    activities_and_societies: random.chance(12) ? random.pick(lists.activities) : null,
  };
}

/** A list of profiles: the share of profiles that have it, its greatest length, and its items. */
interface ListTemplate {
  share: number;
  most: number;
  /** Texts with {slots}, some with a percentage of nulls. */
  item: Readonly<Record<string, string | readonly (string | number)[]>>;
}
type Item = Readonly<Record<string, string | null>>;

const texts: Readonly<Record<string, readonly unknown[]>> = lists;

/** Creates the lists of a profile. @param companies - number of companies in the sample */
function createProfile(seed: number, person: Person, companies: number) {
  const random = new Random(seed, 'profile', person.index);
  const now = toMonth(REFERENCE_S) - 1;
  const firstJob = person.positions.at(-1)?.from ?? now;
  const company = person.positions[0]?.company;
  let month = now;
  const drawMonth = (earliest: Month): string => {
    month = random.int(earliest, now);
    return formatMonth(month);
  };
  const slots: Readonly<Record<string, () => string>> = {
    skill: () => random.pick(person.skills.length === 0 ? ['Teamwork'] : person.skills),
    colleague: () => getPersonName(seed, random.int(0, companies * 5 - 1), companies).full,
    month: () => drawMonth(firstJob),
    from: () => drawMonth(Math.min(firstJob, now - 1)),
    to: () => drawMonth(month),
    later: () => formatMonth(now + TWO_YEARS),
    hex: () => random.hex(12),
    news: () => (company === undefined ? '' : writeSentence(random, company, 'en', 'news')),
    product: () => random.pick(company?.industry.products ?? ['tools']),
    company: () => company?.name ?? '',
    network: () => NETWORK,
    name: () => person.name.full,
    first: () => person.name.first,
  };
  const fill = (template: string | number = ''): string =>
    String(template).replaceAll(/\{([^}]+)\}/g, (_, slot: string) =>
      slot.startsWith('#')
        ? random.digits(slot)
        : (slots[slot]?.() ?? String(random.pick(texts[slot] ?? []))),
    );
  const createItem = ({ item }: ListTemplate): Item =>
    Object.fromEntries(
      Object.entries(item).map(([name, template]) => [
        name,
        typeof template === 'string' ? fill(template) : random.orNull(Number(template[0]), fill(template[1])),
      ]),
    );
  const createList = (list: ListTemplate): Item[] =>
    random.chance(list.share) ? Array.from({ length: random.int(1, list.most) }, () => createItem(list)) : [];
  const createSchools = () =>
    Array.from({ length: random.int(1, 2) }, (_, at) => createSchool(random, seed, firstJob, at * 3));
  return {
    education: random.chance(82) ? createSchools() : [],
    languages: random.chance(45)
      ? random
          .pickSome(lists.languages, 1, 3)
          .map((language) => ({ language, proficiency: random.orNull(20, random.pick(lists.proficiencies)) }))
      : [],
    certifications: createList(words.profile.certifications),
    courses: createList(words.profile.courses),
    awards: createList(words.profile.awards),
    recommendations: createList(words.profile.recommendations),
    activity: createList(words.profile.activity),
    organizations: createList(words.profile.organizations),
    patents: createList(words.profile.patents),
    projects: createList(words.profile.projects),
    publications: createList(words.profile.publications),
    volunteering_positions: createList(words.profile.volunteering_positions),
  };
}

/**
 * Numbers the items of lists, from 1.
 * @param isDeleted - of items of a base record
 */
const numberLists = (lists: Readonly<Record<string, readonly object[]>>, isDeleted?: () => boolean) =>
  Object.fromEntries(
    Object.entries(lists).map(([name, items]) => [
      name,
      items.map((item, at) => ({
        order_in_profile: at + 1,
        ...(isDeleted === undefined ? {} : { deleted: toBit(isDeleted()) }),
        ...item,
      })),
    ]),
  );

function createExperience({ company, from, to, ...position }: Position, now: Month) {
  const { country, offices, industry } = company;
  const [headquarters] = offices;
  const place = headquarters === undefined ? null : country;
  return {
    title: position.title,
    description: position.description,
    is_current: toBit(to === null),
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
  const { education, languages, certifications, courses, awards, recommendations, activity } = profile;
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
    is_decision_maker: toBit(current !== undefined && DECIDING_LEVELS.includes(current.level)),
    is_working: toBit(current !== undefined),
    is_deleted: toBit(person.isDeleted),
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
    experience: positions.map((position, at) => ({
      order_in_profile: at + 1,
      ...createExperience(position, now),
    })),
    ...numberLists({ education, languages, certifications, courses, awards, recommendations, activity }),
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
  const {
    education: _,
    certifications,
    languages,
    awards,
    courses,
    recommendations,
    activity,
    volunteering_positions,
    ...more
  } = profile;
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
    deleted: toBit(person.isDeleted),
    is_hidden: toBit(person.isHidden),
    recommendations_count: person.isHidden ? null : profile.recommendations.length,
    connections_count: person.connections,
    follower_count: person.followers,
    experience_count: positions.length,
    shorthand_name: name.shorthand,
    shorthand_names: [{ shorthand_name: name.shorthand }],
    historical_ids: random.chance(10) ? [{ id }, { id: id + 1 }] : [{ id }],
    experience: positions.map(({ company, title, from, to, description, location }, at) => ({
      order_in_profile: at + 1,
      deleted: 0,
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
      is_current: toBit(to === null),
      description,
      location,
    })),
    ...numberLists(
      {
        education: profile.education.map(({ degree, program_name, ...school }) => ({
          ...school,
          program_name: [degree, program_name].filter((part) => part !== null).join(', ') || null,
        })),
        certifications,
        languages,
        skills: person.skills.map((skill) => ({ skill })),
        awards,
        courses,
        ...more,
        recommendations,
        volunteering_positions,
        activity,
      },
      () => random.chance(3),
    ),
  };
}
