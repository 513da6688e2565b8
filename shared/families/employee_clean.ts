// People as cleaned by the provider: everything that is true of this family alone.

import type { Mapping, Properties } from '../index-fields/mapping.ts';
import {
  addressOrNull,
  all,
  byte,
  dayOrTime,
  exactTextOrNull,
  integer,
  integerOrMinusOne,
  keyword,
  keywordOrNull,
  mapping,
  nested,
  roughDate,
  storedText,
  text,
} from '../index-fields/parts.ts';
import type { Filter } from '../query/filters.ts';
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
  variant: 'clean',
  keyFields: { website: [], shorthand_name: ['websites_professional_network', 'shorthand_names'] },
  updatedField: 'last_updated',
  defaultFields: ['full_name', 'job_title', 'management_level', 'location_full'],
};

export const operations: FamilyOperations = {
  collect: ['id', 'shorthand_name'],
  search: ['es_dsl'],
  preview: ['es_dsl'],
  bulk: ['id_file', 'es_dsl', 'shorthand_names', 'urls'],
};

export const prices: Prices = { record: 10, preview: 10 };

export const label: FamilyLabel = { name: 'Employees, clean', one: 'employee', many: 'employees' };

const item = (): Properties => ({ order_in_profile: integerOrMinusOne });
const period: Properties = /* @__PURE__ */ all('date_from date_to', roughDate);

/** Contract, "Assumptions": they follow the record's fields. */
export const fields: Mapping = /* @__PURE__ */ mapping(() => ({
  id: integer,
  ...all(
    'full_name name_first name_middle name_last websites_professional_network headline job_title',
    exactTextOrNull,
  ),
  shorthand_names: keyword,
  picture_url: storedText,
  ...all('follower_count connections_count company_id total_experience_duration_months', integerOrMinusOne),
  skills: exactTextOrNull,
  ...all('description job_description', text),
  ...all('is_decision_maker is_working is_deleted', byte),
  ...all('department management_level', keywordOrNull),
  ...all('location_raw_address location_full location_city location_state', exactTextOrNull),
  ...all('location_country location_country_iso_2 location_country_iso_3', keywordOrNull),
  location_regions: keywordOrNull,
  last_updated: dayOrTime,
  experience: nested({
    ...item(),
    ...period,
    ...all(
      'title company_name company_professional_network_url company_industry company_categories_and_keywords location company_location_hq_full_address company_location_hq_state company_location_hq_city',
      exactTextOrNull,
    ),
    ...all('description company_description', text),
    ...all('company_id duration_months company_employees_count company_followers', integerOrMinusOne),
    ...all(
      'company_shorthand_name department management_level company_size_range company_type company_founded company_location_hq_country company_location_hq_country_iso_2 company_location_hq_country_iso_3 company_location_hq_regions',
      keywordOrNull,
    ),
    company_website: addressOrNull,
    is_current: byte,
  }),
  education: nested({
    ...item(),
    ...period,
    ...all('institution_name institution_url degree program_name', exactTextOrNull),
    ...all('description activities_and_societies', text),
  }),
  languages: nested({ ...item(), ...all('language proficiency', exactTextOrNull) }),
  certifications: nested({
    ...item(),
    ...period,
    ...all('title issuer issuer_url certificate_url', exactTextOrNull),
    certificate_id: keywordOrNull,
  }),
  courses: nested({ ...item(), ...all('title organizer', exactTextOrNull) }),
  awards: nested({ ...item(), ...all('title issuer', exactTextOrNull), description: text, date: roughDate }),
  recommendations: nested({ ...item(), recommendation: text, referee_full_name: exactTextOrNull }),
  activity: nested({ ...item(), ...all('activity_url title action', exactTextOrNull) }),
}));

export const preview: readonly string[] = [
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

export const filters: readonly Filter[] = [];

export const form: SearchForm | null = {
  first: ['job_title', 'location_country', 'management_level'],
  source: fields,
};

/** A record may name a day alone. */
export const changedAt: ChangedAt | null = { field: 'last_updated', precision: 'day' };
