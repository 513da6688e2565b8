// People as their profiles show them: everything that is true of this family alone.

import type { Mapping, Properties } from '../index-fields/mapping.ts';
import {
  addressOrNull,
  all,
  byte,
  exactTextOrNull,
  integer,
  integerOrMinusOne,
  keywordOrNull,
  mapping,
  nested,
  roughDate,
  storedText,
  text,
  time,
} from '../index-fields/parts.ts';
import { end, entry, type Filter, filterList, one, range, words } from '../query/filters.ts';
import type {
  ChangedAt,
  FamilyFacts,
  FamilyLabel,
  FamilyOperations,
  Prices,
  SearchForm,
} from './definition.ts';

export const facts: FamilyFacts = {
  subject: 'employee',
  variant: 'base',
  keyFields: { website: [], shorthand_name: ['shorthand_name', 'profile_url', 'shorthand_names'] },
  updatedField: 'updated_at',
  defaultFields: ['full_name', 'headline', 'location', 'industry'],
};

export const operations: FamilyOperations = {
  collect: ['id', 'shorthand_name'],
  search: ['filter', 'es_dsl'],
  preview: ['filter', 'es_dsl'],
  bulk: ['ids', 'filter', 'es_dsl', 'shorthand_names', 'urls'],
};

export const prices: Prices = { record: 10, preview: 10 };

export const label: FamilyLabel = { name: 'Employees, base', one: 'employee', many: 'employees' };

/** What the items of a profile's lists have in common. */
const item = (): Properties => ({ order_in_profile: integerOrMinusOne, deleted: byte });
const period: Properties = /* @__PURE__ */ all('date_from date_to', roughDate);

/** Contract, "Assumptions": they follow the record's fields. */
export const fields: Mapping = /* @__PURE__ */ mapping(() => ({
  id: integer,
  parent_id: integerOrMinusOne,
  ...all('is_parent deleted is_hidden', byte),
  ...all('full_name first_name last_name headline profile_url location region industry', exactTextOrNull),
  ...all('created_at updated_at checked_at', time),
  summary: text,
  profile_photo_url: storedText,
  ...all('country country_iso_2 country_iso_3 shorthand_name', keywordOrNull),
  regions: nested({ region: keywordOrNull }),
  ...all('recommendations_count connections_count follower_count experience_count', integerOrMinusOne),
  shorthand_names: nested({ shorthand_name: keywordOrNull }),
  historical_ids: nested({ id: integer }),
  experience: nested({
    ...item(),
    ...period,
    ...all('title company_name company_url company_industry location', exactTextOrNull),
    ...all('company_id company_employees_count', integerOrMinusOne),
    company_website: addressOrNull,
    company_size: keywordOrNull,
    is_current: byte,
    description: text,
  }),
  education: nested({
    ...item(),
    ...period,
    ...all('institution_name institution_url program_name', exactTextOrNull),
    ...all('description activities_and_societies', text),
  }),
  certifications: nested({
    ...item(),
    ...period,
    ...all('title issuer issuer_url certificate_url', exactTextOrNull),
    certificate_id: keywordOrNull,
  }),
  languages: nested({ ...item(), ...all('language proficiency', exactTextOrNull) }),
  skills: nested({ ...item(), skill: exactTextOrNull }),
  awards: nested({ ...item(), ...all('title issuer', exactTextOrNull), description: text, date: roughDate }),
  courses: nested({ ...item(), ...all('title organizer', exactTextOrNull) }),
  organizations: nested({
    ...item(),
    ...period,
    ...all('name position', exactTextOrNull),
    description: text,
  }),
  patents: nested({
    ...item(),
    ...all('title status', exactTextOrNull),
    ...all('inventors description', text),
    patent_number: keywordOrNull,
    date: roughDate,
  }),
  projects: nested({ ...item(), ...period, name: exactTextOrNull, description: text }),
  publications: nested({
    ...item(),
    ...all('title publisher', exactTextOrNull),
    ...all('authors description', text),
    date: roughDate,
  }),
  recommendations: nested({ ...item(), recommendation: text, referee_full_name: exactTextOrNull }),
  volunteering_positions: nested({
    ...item(),
    ...period,
    ...all('organization_name role cause', exactTextOrNull),
    description: text,
  }),
  activity: nested({ ...item(), ...all('activity_url title action', exactTextOrNull) }),
}));

export const preview: readonly string[] = [
  'id',
  'full_name',
  'profile_url',
  'headline',
  'industry',
  'location',
  'country',
  'connections_count',
  'follower_count',
  'experience_count',
  'title',
  'company_name',
  'company_url',
  'company_website',
  'company_industry',
  '_score',
];

const EXPERIENCE = 'experience';
const EDUCATION = 'education';

const inExperience = (field: string): string => `${EXPERIENCE}.${field}`;

const job = /* @__PURE__ */ entry(EXPERIENCE);
const studies = /* @__PURE__ */ entry(EDUCATION);

/** Contract, "Filters". All optional; several narrow the result. */
export const filters: readonly Filter[] = /* @__PURE__ */ filterList(() => [
  ...words('full_name', 'Name'),
  ...words('headline', 'Headline'),
  ...words('location', 'Location'),
  ...words('industry', 'Industry'),
  ...words('summary', 'Summary'),
  ...range('created_at', 'datetime', 'Created'),
  ...range('updated_at', 'datetime', 'Updated'),
  ...one('deleted', 'flag', 'Deleted'),
  ...words('country', 'Country'),
  ...words('skill', 'Skill', 'skills.skill'),
  ...words('certification_title', 'Certificate', 'certifications.title'),
  ...job('title', 'text', 'Job title'),
  ...job('company_name', 'text', 'Company'),
  ...job('company_exact_name', 'exact', 'Company, exactly', 'company_name'),
  ...job('company_website_url', 'host', 'Company website', 'company_website'),
  ...job('company_website_exact_url', 'exact', 'Company website, exactly', 'company_website'),
  ...job('company_professional_network_url', 'exact', 'Company profile URL', 'company_url'),
  ...job('company_industry', 'text', 'Company industry'),
  ...job('company_size', 'text', 'Company size'),
  ...range(
    'experience_company_employees_count',
    'integer',
    'Company employees',
    inExperience('company_employees_count'),
    EXPERIENCE,
  ),
  ...end(EXPERIENCE, 'date_from', 'Job since'),
  ...end(EXPERIENCE, 'date_to', 'Job until'),
  ...job('description', 'text', 'Job description'),
  ...job('deleted', 'flag', 'Job deleted'),
  ...job('company_id', 'integer', 'Company id'),
  ...one('active_experience', 'flag', 'Job is current', [inExperience('is_current')], EXPERIENCE),
  ...words('keyword', 'Keyword', ['headline', 'summary', inExperience('title'), 'skills.skill']),
  ...studies('institution_name', 'text', 'School'),
  ...studies('institution_exact_name', 'exact', 'School, exactly', 'institution_name'),
  ...studies('program_name', 'text', 'Degree'),
  ...studies('description', 'text', 'Studies'),
  ...end(EDUCATION, 'date_from', 'Studied since'),
  ...end(EDUCATION, 'date_to', 'Studied until'),
  ...studies('institution_professional_network_url', 'exact', 'School profile URL', 'institution_url'),
  ...one('is_hidden', 'flag', 'Hidden'),
]);

export const form: SearchForm | null = {
  first: ['experience_title', 'country', 'experience_company_name'],
  source: filters,
};

export const changedAt: ChangedAt | null = {
  field: 'updated_at',
  precision: 'second',
  filter: 'updated_at_gte',
};
