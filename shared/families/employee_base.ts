// employee_base: people as shown on their profiles.

import type { Properties } from '../index-fields/mapping.ts';
import {
  addressOrNull,
  byte,
  dateTime,
  defineMapping,
  exactTextOrNull,
  integer,
  integerOrMinusOne,
  keywordOrNull,
  nested,
  partialDate,
  storedText,
  text,
  withType,
} from '../index-fields/parts.ts';
import {
  createEntryFilter,
  defineFilters,
  periodFilter,
  rangeFilters,
  singleFilter,
  textFilter,
} from '../query/filters.ts';
import { createLabel, type FamilyDefinition } from './definition.ts';

export const info: FamilyDefinition['info'] = {
  subject: 'employee',
  variant: 'base',
  keyFields: { website: [], shorthand_name: ['shorthand_name', 'profile_url', 'shorthand_names'] },
  updatedField: 'updated_at',
  defaultFields: ['full_name', 'headline', 'location', 'industry'],
};

export const operations: FamilyDefinition['operations'] = {
  collect: ['id', 'shorthand_name'],
  search: ['filter', 'es_dsl'],
  preview: ['filter', 'es_dsl'],
  bulk: ['ids', 'filter', 'es_dsl', 'shorthand_names', 'urls'],
};

export const prices = { record: 10, preview: 10 };

export const familyLabel = /* @__PURE__ */ createLabel('People', 'Raw profile', 'person', 'people', {
  company_url: 'Company profile URL',
  experience_count: 'Number of jobs',
  is_parent: 'Main record',
  parent_id: 'ID of the main record',
});

/** Fields of every list item of a profile. */
const item = (): Properties => ({ order_in_profile: integerOrMinusOne, deleted: byte });
const period: Properties = /* @__PURE__ */ withType('date_from date_to', partialDate);

/** Derived from the fields of a record. Contract, "Assumptions". */
export const fields = /* @__PURE__ */ defineMapping(() => ({
  id: integer,
  parent_id: integerOrMinusOne,
  ...withType('is_parent deleted is_hidden', byte),
  ...withType(
    'full_name first_name last_name headline profile_url location region industry',
    exactTextOrNull,
  ),
  ...withType('created_at updated_at checked_at', dateTime),
  summary: text,
  profile_photo_url: storedText,
  ...withType('country country_iso_2 country_iso_3 shorthand_name', keywordOrNull),
  regions: nested({ region: keywordOrNull }),
  ...withType('recommendations_count connections_count follower_count experience_count', integerOrMinusOne),
  shorthand_names: nested({ shorthand_name: keywordOrNull }),
  historical_ids: nested({ id: integer }),
  experience: nested({
    ...item(),
    ...period,
    ...withType('title company_name company_url company_industry location', exactTextOrNull),
    ...withType('company_id company_employees_count', integerOrMinusOne),
    company_website: addressOrNull,
    company_size: keywordOrNull,
    is_current: byte,
    description: text,
  }),
  education: nested({
    ...item(),
    ...period,
    ...withType('institution_name institution_url program_name', exactTextOrNull),
    ...withType('description activities_and_societies', text),
  }),
  certifications: nested({
    ...item(),
    ...period,
    ...withType('title issuer issuer_url certificate_url', exactTextOrNull),
    certificate_id: keywordOrNull,
  }),
  languages: nested({ ...item(), ...withType('language proficiency', exactTextOrNull) }),
  skills: nested({ ...item(), skill: exactTextOrNull }),
  awards: nested({
    ...item(),
    ...withType('title issuer', exactTextOrNull),
    description: text,
    date: partialDate,
  }),
  courses: nested({ ...item(), ...withType('title organizer', exactTextOrNull) }),
  organizations: nested({
    ...item(),
    ...period,
    ...withType('name position', exactTextOrNull),
    description: text,
  }),
  patents: nested({
    ...item(),
    ...withType('title status', exactTextOrNull),
    ...withType('inventors description', text),
    patent_number: keywordOrNull,
    date: partialDate,
  }),
  projects: nested({ ...item(), ...period, name: exactTextOrNull, description: text }),
  publications: nested({
    ...item(),
    ...withType('title publisher', exactTextOrNull),
    ...withType('authors description', text),
    date: partialDate,
  }),
  recommendations: nested({ ...item(), recommendation: text, referee_full_name: exactTextOrNull }),
  volunteering_positions: nested({
    ...item(),
    ...period,
    ...withType('organization_name role cause', exactTextOrNull),
    description: text,
  }),
  activity: nested({ ...item(), ...withType('activity_url title action', exactTextOrNull) }),
}));

export const preview = [
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

const job = /* @__PURE__ */ createEntryFilter(EXPERIENCE);
const studies = /* @__PURE__ */ createEntryFilter(EDUCATION);

/** Named filters. Contract, "Filters". */
export const filters = /* @__PURE__ */ defineFilters(() => [
  ...textFilter('full_name', 'Name'),
  ...textFilter('headline', 'Headline'),
  ...textFilter('location', 'Location'),
  ...textFilter('industry', 'Industry'),
  ...textFilter('summary', 'Summary'),
  ...rangeFilters('created_at', 'datetime', 'Created'),
  ...rangeFilters('updated_at', 'datetime', 'Updated'),
  ...singleFilter('deleted', 'flag', 'Deleted'),
  ...textFilter('country', 'Country'),
  ...textFilter('skill', 'Skill', 'skills.skill'),
  ...textFilter('certification_title', 'Certificate', 'certifications.title'),
  ...job('title', 'text', 'Job title'),
  ...job('company_name', 'text', 'Company'),
  ...job('company_exact_name', 'exact', 'Company, exactly', 'company_name'),
  ...job('company_website_url', 'host', 'Company website', 'company_website'),
  ...job('company_website_exact_url', 'exact', 'Company website, exactly', 'company_website'),
  ...job('company_professional_network_url', 'exact', 'Company profile URL', 'company_url'),
  ...job('company_industry', 'text', 'Company industry'),
  ...job('company_size', 'text', 'Company size'),
  ...rangeFilters(
    'experience_company_employees_count',
    'integer',
    'Company employees',
    inExperience('company_employees_count'),
    EXPERIENCE,
  ),
  ...periodFilter(EXPERIENCE, 'date_from', 'Job since'),
  ...periodFilter(EXPERIENCE, 'date_to', 'Job until'),
  ...job('description', 'text', 'Job description'),
  ...job('deleted', 'flag', 'Job deleted'),
  ...job('company_id', 'integer', 'Company ID'),
  ...singleFilter('active_experience', 'flag', 'Job is current', [inExperience('is_current')], EXPERIENCE),
  ...textFilter('keyword', 'Keyword', ['headline', 'summary', inExperience('title'), 'skills.skill']),
  ...studies('institution_name', 'text', 'School'),
  ...studies('institution_exact_name', 'exact', 'School, exactly', 'institution_name'),
  ...studies('program_name', 'text', 'Degree'),
  ...studies('description', 'text', 'Studies'),
  ...periodFilter(EDUCATION, 'date_from', 'Studied since'),
  ...periodFilter(EDUCATION, 'date_to', 'Studied until'),
  ...studies('institution_professional_network_url', 'exact', 'School profile URL', 'institution_url'),
  ...singleFilter('is_hidden', 'flag', 'Hidden'),
]);

export const form: FamilyDefinition['form'] = {
  initialFields: ['experience_title', 'country', 'experience_company_name'],
  columns: ['full_name', 'title', 'company_name', 'company_website', 'location', 'profile_url', 'id'],
  source: filters,
};

export const changedAt: FamilyDefinition['changedAt'] = {
  field: 'updated_at',
  precision: 'second',
  filter: 'updated_at_gte',
};
