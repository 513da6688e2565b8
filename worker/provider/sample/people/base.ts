// The base variant of an employee's record, written from the same profile as the clean one.

import { REFERENCE_S } from '../data/catalogue.ts';
import { DAY_S, momentText } from '../dates.ts';
import type { BaseExperience, BaseItem, EmployeeBase } from '../people-types.ts';
import { profileUrl } from '../presence.ts';
import { type Random, randomFor } from '../random.ts';
import { monthText, type Position } from './career.ts';
import { placeOf, showsSkills } from './clean.ts';
import { detailsOf } from './counts.ts';
import { activityOf, awardsOf, certificatesOf, coursesOf, praiseOf } from './extras.ts';
import { pursuitsOf } from './pursuits.ts';
import { languagesOf } from './schooling.ts';
import { headlineOf, noteOf, type Profile, summaryOf } from './texts.ts';

/** Numbers the items of a list; a few of them are gone from the profile. */
function listed<T>(items: readonly T[], random: Random, gonePerMille = 14): (BaseItem & T)[] {
  return items.map((item, at) => ({
    order_in_profile: at + 1,
    deleted: random.chance(gonePerMille) ? 1 : 0,
    ...item,
  }));
}

function baseExperience(profile: Profile, position: Position, at: number): Omit<BaseExperience, 'deleted'> {
  const { company, from, to, undated } = position;
  return {
    order_in_profile: at + 1,
    title: position.title,
    company_id: company.id,
    company_name: company.name,
    company_url: profileUrl('company', company.identity.shorthand),
    company_website: company.site?.main ?? null,
    company_industry: company.missing.industry ? null : company.trade.industry,
    company_size: company.missing.size ? null : company.size.label,
    company_employees_count: company.missing.staff ? null : company.staff,
    date_from: undated ? null : monthText(from),
    date_to: undated || to === null ? null : monthText(to),
    is_current: to === null ? 1 : 0,
    description: noteOf(profile, position, at),
    location: placeOf(position),
  };
}

/** Positions as they are, and now and then one as it was before the person reworded it. */
function experiencesOf(profile: Profile, random: Random): BaseExperience[] {
  return profile.career.positions.flatMap((position, at) => {
    const shown: BaseExperience = { ...baseExperience(profile, position, at), deleted: 0 };
    if (!random.chance(85)) return [shown];
    const worded = random.chance(500) ? { description: null } : { title: position.english };
    const open = position.to !== null && random.chance(400) ? { date_to: null, is_current: 1 as const } : {};
    return [shown, { ...shown, ...worded, ...open, deleted: 1 }];
  });
}

/**
 * The base record of an employee.
 *
 * @param profile the person
 * @returns the record
 */
export function baseEmployee(profile: Profile): EmployeeBase {
  const { person, career, schools } = profile;
  const { name, country } = person;
  const random = randomFor(person.seed, 'base person', person.index);
  const details = detailsOf(person);
  const place = <T>(value: T): T | null => (details.placeless ? null : value);
  const praise = praiseOf(profile);
  const pursuits = pursuitsOf(profile);
  const checkedS = random.chance(540)
    ? person.updatedS
    : Math.min(REFERENCE_S - 3600, person.updatedS + random.lowish(0, 120 * DAY_S, 1));
  const earlier = random.chance(38) ? [{ id: 10_000_000 + person.index }] : [];
  return {
    id: person.id,
    parent_id: person.id,
    is_parent: 1,
    full_name: name.full,
    first_name: name.first,
    last_name: name.last,
    headline: headlineOf(profile),
    summary: summaryOf(profile),
    created_at: momentText(person.createdS),
    updated_at: momentText(person.updatedS),
    checked_at: momentText(checkedS),
    profile_url: person.url,
    profile_photo_url: details.picture,
    location: details.location,
    industry: random.chance(110) ? null : person.employer.trade.industry,
    country: place(country.name),
    country_iso_2: place(country.iso2),
    country_iso_3: place(country.iso3),
    region: place(country.regions[0] ?? null),
    regions: details.placeless ? [] : country.regions.map((region) => ({ region })),
    deleted: person.gone ? 1 : 0,
    is_hidden: person.hidden ? 1 : 0,
    recommendations_count: person.hidden ? null : praise.length,
    connections_count: details.connections,
    follower_count: details.followers,
    experience_count: career.positions.length,
    shorthand_name: name.shorthand,
    shorthand_names: [
      { shorthand_name: name.shorthand },
      ...(name.former === null ? [] : [{ shorthand_name: name.former }]),
    ],
    historical_ids: [{ id: person.id }, ...earlier],
    experience: experiencesOf(profile, random),
    education: schools.map((school, at) => ({
      order_in_profile: at + 1,
      deleted: random.chance(18) ? 1 : 0,
      institution_name: school.name,
      institution_url: school.url,
      program_name: [school.degree, school.subject].filter((text) => text !== null).join(', ') || null,
      date_from: school.from === null ? null : String(school.from),
      date_to: school.to === null ? null : String(school.to),
      description: school.note,
      activities_and_societies: school.societies,
    })),
    certifications: listed(certificatesOf(profile), random),
    languages: listed(languagesOf(person), random),
    skills: listed(
      (showsSkills(profile) ? profile.skills : []).map((skill) => ({ skill })),
      random,
      32,
    ),
    awards: listed(awardsOf(profile), random),
    courses: listed(coursesOf(profile), random),
    organizations: listed(pursuits.organizations, random),
    patents: listed(pursuits.patents, random),
    projects: listed(pursuits.projects, random),
    publications: listed(pursuits.publications, random),
    recommendations: listed(praise, random),
    volunteering_positions: listed(pursuits.volunteering, random),
    activity: listed(activityOf(profile), random, 60),
  };
}
