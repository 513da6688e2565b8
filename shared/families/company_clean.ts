// company_clean: companies, cleaned by the provider.

import {
  addressOrNull,
  boolean,
  date,
  defineMapping,
  exactText,
  exactTextOrNull,
  integer,
  integerOrMinusOne,
  keyword,
  keywordOrNull,
  nested,
  text,
  withType,
} from '../index-fields/parts.ts';
import { createLabel, type FamilyDefinition } from './definition.ts';

export const info: FamilyDefinition['info'] = {
  subject: 'company',
  variant: 'clean',
  keyFields: {
    website: ['websites_main', 'websites_main_original'],
    shorthand_name: ['websites_professional_network_canonical', 'websites_professional_network'],
  },
  updatedField: 'last_updated',
  defaultFields: ['name', 'industry', 'size_range', 'location_hq_country', 'founded'],
};

export const operations: FamilyDefinition['operations'] = {
  collect: ['id', 'shorthand_name'],
  enrich: true,
  search: ['es_dsl'],
  preview: ['es_dsl'],
  bulk: ['ids', 'es_dsl', 'shorthand_names', 'urls'],
};

export const dslSorts: FamilyDefinition['dslSorts'] = ['followers', 'size_employees_count'];

export const prices = { record: 10, preview: 10 };

export const familyLabel = /* @__PURE__ */ createLabel('Companies', 'Standard', 'company', 'companies', {
  size_employees_count: 'Employees',
  size_employees_count_inferred: 'Employees, estimated',
  websites_main: 'Website',
  website_main: 'Website',
  websites_main_original: 'Website, as given',
  websites_resolved: 'Website after redirects',
  websites_professional_network_canonical: 'Current profile URL',
  social_professional_network_urls: 'Profile URLs',
  professional_network_source_id: 'Profile ID',
  exchange: 'Stock exchange',
  locations_full: 'Locations',
  urn: 'Post ID',
});

/** Provider API, "Clean company index fields". */
export const fields = /* @__PURE__ */ defineMapping(() => ({
  id: integer,
  name: text,
  type: keywordOrNull,
  founded: keyword,
  followers: integerOrMinusOne,
  ...withType('websites_main_original websites_main websites_resolved', addressOrNull),
  ...withType(
    'websites_facebook websites_twitter websites_professional_network websites_professional_network_canonical',
    exactTextOrNull,
  ),
  size_range: keywordOrNull,
  ...withType('size_employees_count size_employees_count_inferred', integerOrMinusOne),
  industry: exactTextOrNull,
  description: text,
  location_hq_raw_address: exactTextOrNull,
  ...withType('location_hq_country location_hq_country_iso_2 location_hq_country_iso_3', keywordOrNull),
  ...withType('location_hq_state location_hq_city', exactTextOrNull),
  location_hq_regions: text,
  last_updated: date,
  logo: { type: 'binary' },
  specialities: exactText,
  ...withType('ticker exchange', keyword),
  enriched_summary: text,
  enriched_keywords: keyword,
  enriched_b2b: integer,
  enriched_category: exactTextOrNull,
  ...withType('metadata_title metadata_description', text),
  professional_network_source_id: keyword,
  funding_rounds: nested({
    ...withType('last_round_investors_count total_rounds_count last_round_money_raised', integerOrMinusOne),
    last_round_type: keywordOrNull,
    last_round_date: date,
    financial_website_url: keyword,
  }),
  ...withType('expired_domain unique_domain unique_website', boolean),
  phone_numbers: keyword,
  emails: text,
  ...withType(
    'pricing_available free_trial_available demo_available is_downloadable mobile_apps_exist online_reviews_exist api_docs_exist',
    boolean,
  ),
  ...withType(
    'social_discord_urls social_facebook_urls social_instagram_urls social_professional_network_urls social_pinterest_urls social_tiktok_urls social_twitter_urls social_x_urls social_youtube_urls social_github_urls social_reddit_urls',
    text,
  ),
  locations_full: nested({
    location_address: keywordOrNull,
    is_primary: boolean,
    ...withType('country country_iso_2 country_iso_3', keywordOrNull),
    regions: nested({ region: keywordOrNull }),
    ...withType('state city', exactTextOrNull),
  }),
  technologies: nested({ technology: text, ...withType('first_verified_at last_verified_at', date) }),
  updates: nested({
    ...withType(
      'urn date description reshared_post_author reshared_post_author_url reshared_post_author_headline reshared_post_description reshared_post_date',
      text,
    ),
    ...withType('followers reactions_count comments_count reshared_post_followers', integer),
  }),
  created_at: date,
}));

export const preview = [
  'id',
  'name',
  'websites_professional_network_canonical',
  'website_main',
  'size_range',
  'industry',
  'location_hq_country',
  'logo',
  '_score',
];

export const filters: FamilyDefinition['filters'] = [];

export const form: FamilyDefinition['form'] = {
  initialFields: ['industry', 'location_hq_country', 'size_employees_count'],
  columns: [
    'name',
    'website_main',
    'industry',
    'size_range',
    'location_hq_country',
    'websites_professional_network_canonical',
    'id',
  ],
  source: fields,
};

/** Provider API, "Clean company index fields". */
export const changedAt: FamilyDefinition['changedAt'] = { field: 'last_updated', precision: 'day' };
