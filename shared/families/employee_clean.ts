// employee_clean: people, cleaned by the provider.

import type { Properties } from '../index-fields/mapping.ts';
import {
  addressOrNull,
  byte,
  dateOrDateTime,
  defineMapping,
  exactTextOrNull,
  integer,
  integerOrMinusOne,
  keyword,
  keywordOrNull,
  nested,
  partialDate,
  storedText,
  text,
  withType,
} from '../index-fields/parts.ts';
import { createLabel, type FamilyDefinition } from './definition.ts';

export const info: FamilyDefinition['info'] = {
  subject: 'employee',
  variant: 'clean',
  keyFields: { website: [], shorthand_name: ['websites_professional_network', 'shorthand_names'] },
  updatedField: 'last_updated',
  defaultFields: ['full_name', 'job_title', 'management_level', 'location_full'],
};

export const operations: FamilyDefinition['operations'] = {
  collect: ['id', 'shorthand_name'],
  search: ['es_dsl'],
  preview: ['es_dsl'],
  bulk: ['id_file', 'es_dsl', 'shorthand_names', 'urls'],
};

export const prices = { record: 10, preview: 10 };

export const familyLabel = /* @__PURE__ */ createLabel('People', 'Standard', 'person', 'people', {
  company_professional_network_url: 'Company profile URL',
  is_current: 'Current job',
  is_working: 'Currently employed',
  location_full: 'Location',
  websites_professional_network: 'Profile URL',
});

const item = (): Properties => ({ order_in_profile: integerOrMinusOne });
const period: Properties = /* @__PURE__ */ withType('date_from date_to', partialDate);

/** Derived from the fields of a record. Contract, "Assumptions". */
export const fields = /* @__PURE__ */ defineMapping(() => ({
  id: integer,
  ...withType(
    'full_name name_first name_middle name_last websites_professional_network headline job_title',
    exactTextOrNull,
  ),
  shorthand_names: keyword,
  picture_url: storedText,
  ...withType(
    'follower_count connections_count company_id total_experience_duration_months',
    integerOrMinusOne,
  ),
  skills: exactTextOrNull,
  ...withType('description job_description', text),
  ...withType('is_decision_maker is_working is_deleted', byte),
  ...withType('department management_level', keywordOrNull),
  ...withType('location_raw_address location_full location_city location_state', exactTextOrNull),
  ...withType('location_country location_country_iso_2 location_country_iso_3', keywordOrNull),
  location_regions: keywordOrNull,
  last_updated: dateOrDateTime,
  experience: nested({
    ...item(),
    ...period,
    ...withType(
      'title company_name company_professional_network_url company_industry company_categories_and_keywords location company_location_hq_full_address company_location_hq_state company_location_hq_city',
      exactTextOrNull,
    ),
    ...withType('description company_description', text),
    ...withType('company_id duration_months company_employees_count company_followers', integerOrMinusOne),
    ...withType(
      'company_shorthand_name department management_level company_size_range company_type company_founded company_location_hq_country company_location_hq_country_iso_2 company_location_hq_country_iso_3 company_location_hq_regions',
      keywordOrNull,
    ),
    company_website: addressOrNull,
    is_current: byte,
  }),
  education: nested({
    ...item(),
    ...period,
    ...withType('institution_name institution_url degree program_name', exactTextOrNull),
    ...withType('description activities_and_societies', text),
  }),
  languages: nested({ ...item(), ...withType('language proficiency', exactTextOrNull) }),
  certifications: nested({
    ...item(),
    ...period,
    ...withType('title issuer issuer_url certificate_url', exactTextOrNull),
    certificate_id: keywordOrNull,
  }),
  courses: nested({ ...item(), ...withType('title organizer', exactTextOrNull) }),
  awards: nested({
    ...item(),
    ...withType('title issuer', exactTextOrNull),
    description: text,
    date: partialDate,
  }),
  recommendations: nested({ ...item(), recommendation: text, referee_full_name: exactTextOrNull }),
  activity: nested({ ...item(), ...withType('activity_url title action', exactTextOrNull) }),
}));

export const preview = [
  'id',
  'full_name',
  'websites_professional_network',
  'headline',
  'location_full',
  'location_raw_address',
  'location_country',
  'connections_count',
  'follower_count',
  'company_name',
  'company_professional_network_url',
  'company_website',
  'company_industry',
  'job_title',
  'department',
  'management_level',
  'company_location_hq_full_address',
  'company_location_hq_country',
  '_score',
];

export const filters: FamilyDefinition['filters'] = [];

export const form: FamilyDefinition['form'] = {
  initialFields: ['job_title', 'location_country', 'management_level'],
  columns: [
    'full_name',
    'job_title',
    'company_name',
    'company_website',
    'location_full',
    'websites_professional_network',
    'id',
  ],
  source: fields,
};

/** The field may hold a date without a time. */
export const changedAt: FamilyDefinition['changedAt'] = { field: 'last_updated', precision: 'day' };
