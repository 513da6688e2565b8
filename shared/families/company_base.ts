// company_base: companies as shown on their profiles.

import type { Properties } from '../index-fields/mapping.ts';
import {
  addressOrNull,
  byte,
  dateOrDateTime,
  dateTime,
  defineMapping,
  exactTextOrNull,
  integer,
  integerOrMinusOne,
  keyword,
  keywordOrNull,
  longOrMinusOne,
  nested,
  storedText,
  text,
  withType,
} from '../index-fields/parts.ts';
import { defineFilters, rangeFilters, singleFilter, textFilter } from '../query/filters.ts';
import { createLabel, type FamilyDefinition } from './definition.ts';

export const info: FamilyDefinition['info'] = {
  subject: 'company',
  variant: 'base',
  keyFields: { website: ['website'], shorthand_name: ['canonical_shorthand_name', 'company_shorthand_name'] },
  updatedField: 'last_updated',
  defaultFields: ['name', 'website', 'industry', 'size', 'headquarters_country_parsed', 'founded'],
};

export const operations: FamilyDefinition['operations'] = {
  collect: ['id', 'shorthand_name'],
  search: ['filter', 'es_dsl'],
  preview: ['filter', 'es_dsl'],
  bulk: ['id_file', 'filter', 'es_dsl'],
};

export const prices = { record: 10, preview: 10 };

export const familyLabel = /* @__PURE__ */ createLabel('Companies', 'Raw profile', 'company', 'companies', {
  canonical_url: 'Profile URL',
  headquarters_country_parsed: 'Country',
  headquarters_new_address: 'Headquarters address',
  company_investors_list: 'Investor',
  last_response_code: 'Result of the last check',
  last_updated_ux: 'Last updated (Unix time)',
  hash: 'Internal code',
});

/** Fields of every collection item. */
const item = (): Properties => ({
  ...withType('id company_id', integerOrMinusOne),
  ...withType('created last_updated', dateTime),
  deleted: byte,
});

/** Derived from the fields of a record. Contract, "Assumptions". */
export const fields = /* @__PURE__ */ defineMapping(() => ({
  id: integer,
  ...withType('url canonical_url', exactTextOrNull),
  ...withType('hash company_shorthand_name canonical_shorthand_name', keywordOrNull),
  name: exactTextOrNull,
  website: addressOrNull,
  ...withType('size type headquarters_country headquarters_country_parsed', keywordOrNull),
  industry: exactTextOrNull,
  description: text,
  ...withType('followers founded last_response_code employees_count source_id', integerOrMinusOne),
  ...withType(
    'headquarters_city headquarters_state headquarters_street1 headquarters_street2 headquarters_zip headquarters_new_address',
    exactTextOrNull,
  ),
  logo_url: storedText,
  ...withType('created last_updated', dateTime),
  deleted: byte,
  last_updated_ux: longOrMinusOne,
  company_affiliated_collection: nested({ ...item(), affiliated_company_url: exactTextOrNull }),
  company_also_viewed_collection: nested({ ...item(), viewed_company_url: exactTextOrNull }),
  company_featured_employees_collection: nested({ ...item(), url: exactTextOrNull }),
  company_featured_investors_collection: nested({
    ...item(),
    company_investors_list: {
      type: 'object',
      properties: {
        id: integerOrMinusOne,
        name: exactTextOrNull,
        ...withType('hash financial_website_url', keywordOrNull),
        ...withType('created last_updated', dateTime),
      },
    },
  }),
  company_funding_rounds_collection: nested({
    ...item(),
    ...withType('last_round_investors_count total_rounds_count', integerOrMinusOne),
    ...withType('last_round_type last_round_money_raised financial_website_url', keywordOrNull),
    last_round_date: dateOrDateTime,
  }),
  company_locations_collection: nested({ ...item(), location_address: exactTextOrNull, is_primary: byte }),
  company_similar_collection: nested({ ...item(), url: exactTextOrNull }),
  company_specialties_collection: nested({ ...item(), specialty: exactTextOrNull }),
  company_stock_info_collection: nested({ ...item(), ...withType('ticker exchange', keyword) }),
  company_updates_collection: nested({
    ...item(),
    urn: keywordOrNull,
    ...withType(
      'date description reshared_post_author reshared_post_author_url reshared_post_author_headline reshared_post_description reshared_post_date',
      text,
    ),
    ...withType('followers reactions_count comments_count reshared_post_followers', integerOrMinusOne),
  }),
}));

export const preview = [
  'id',
  'name',
  'canonical_url',
  'website',
  'size',
  'industry',
  'headquarters_country_parsed',
  '_score',
];

const FUNDING = 'company_funding_rounds_collection';

const inFunding = (field: string): string => `${FUNDING}.${field}`;

const HEADQUARTERS = [
  'new_address',
  'street1',
  'street2',
  'zip',
  'city',
  'state',
  'country',
  'country_parsed',
];

/** Named filters. Contract, "Filters". */
export const filters = /* @__PURE__ */ defineFilters(() => [
  ...textFilter('name', 'Name'),
  ...singleFilter('website', 'host', 'Website'),
  ...singleFilter('exact_website', 'exact', 'Website, exactly', ['website']),
  ...textFilter('size', 'Size'),
  ...textFilter('industry', 'Industry'),
  ...textFilter('country', 'Country', 'headquarters_country_parsed'),
  ...textFilter(
    'location',
    'Headquarters',
    HEADQUARTERS.map((part) => `headquarters_${part}`),
  ),
  ...rangeFilters('created_at', 'datetime', 'Created', 'created'),
  ...rangeFilters('last_updated', 'datetime', 'Last updated'),
  ...singleFilter('deleted', 'flag', 'Deleted'),
  ...rangeFilters('employees_count', 'integer', 'Employees'),
  ...singleFilter('source_id', 'integer', 'Source ID'),
  ...rangeFilters('founded_year', 'integer', 'Founded', 'founded'),
  ...rangeFilters(
    'funding_total_rounds_count',
    'integer',
    'Funding rounds',
    inFunding('total_rounds_count'),
    FUNDING,
  ),
  ...textFilter('funding_last_round_type', 'Last funding round', [inFunding('last_round_type')], FUNDING),
  ...rangeFilters('funding_last_round_date', 'date', 'Last funding', inFunding('last_round_date'), FUNDING),
]);

export const form: FamilyDefinition['form'] = {
  initialFields: ['industry', 'country', 'size'],
  columns: ['name', 'website', 'industry', 'size', 'headquarters_country_parsed', 'canonical_url', 'id'],
  source: filters,
};

export const changedAt: FamilyDefinition['changedAt'] = {
  field: 'last_updated',
  precision: 'second',
  filter: 'last_updated_gte',
};
