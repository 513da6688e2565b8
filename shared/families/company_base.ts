// Companies as their profiles show them: everything that is true of this family alone.

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
  longOrMinusOne,
  mapping,
  nested,
  storedText,
  text,
  time,
} from '../index-fields/parts.ts';
import { type Filter, filterList, one, range, words } from '../query/filters.ts';
import type {
  ChangedAt,
  FamilyFacts,
  FamilyLabel,
  FamilyOperations,
  Prices,
  SearchForm,
} from './definition.ts';

export const facts: FamilyFacts = {
  subject: 'company',
  variant: 'base',
  keyFields: { website: ['website'], shorthand_name: ['canonical_shorthand_name', 'company_shorthand_name'] },
  updatedField: 'last_updated',
  defaultFields: ['name', 'website', 'industry', 'size', 'headquarters_country_parsed', 'founded'],
};

export const operations: FamilyOperations = {
  collect: ['id', 'shorthand_name'],
  search: ['filter', 'es_dsl'],
  preview: ['filter', 'es_dsl'],
  bulk: ['id_file', 'filter', 'es_dsl'],
};

export const prices: Prices = { record: 10, preview: 10 };

export const label: FamilyLabel = { name: 'Companies, base', one: 'company', many: 'companies' };

/** What every item of a collection has. */
const item = (): Properties => ({
  ...all('id company_id', integerOrMinusOne),
  ...all('created last_updated', time),
  deleted: byte,
});

/** Contract, "Assumptions": they follow the record's fields. */
export const fields: Mapping = /* @__PURE__ */ mapping(() => ({
  id: integer,
  ...all('url canonical_url', exactTextOrNull),
  ...all('hash company_shorthand_name canonical_shorthand_name', keywordOrNull),
  name: exactTextOrNull,
  website: addressOrNull,
  ...all('size type headquarters_country headquarters_country_parsed', keywordOrNull),
  industry: exactTextOrNull,
  description: text,
  ...all('followers founded last_response_code employees_count source_id', integerOrMinusOne),
  ...all(
    'headquarters_city headquarters_state headquarters_street1 headquarters_street2 headquarters_zip headquarters_new_address',
    exactTextOrNull,
  ),
  logo_url: storedText,
  ...all('created last_updated', time),
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
        ...all('hash financial_website_url', keywordOrNull),
        ...all('created last_updated', time),
      },
    },
  }),
  company_funding_rounds_collection: nested({
    ...item(),
    ...all('last_round_investors_count total_rounds_count', integerOrMinusOne),
    ...all('last_round_type last_round_money_raised financial_website_url', keywordOrNull),
    last_round_date: dayOrTime,
  }),
  company_locations_collection: nested({ ...item(), location_address: exactTextOrNull, is_primary: byte }),
  company_similar_collection: nested({ ...item(), url: exactTextOrNull }),
  company_specialties_collection: nested({ ...item(), specialty: exactTextOrNull }),
  company_stock_info_collection: nested({ ...item(), ...all('ticker exchange', keyword) }),
  company_updates_collection: nested({
    ...item(),
    urn: keywordOrNull,
    ...all(
      'date description reshared_post_author reshared_post_author_url reshared_post_author_headline reshared_post_description reshared_post_date',
      text,
    ),
    ...all('followers reactions_count comments_count reshared_post_followers', integerOrMinusOne),
  }),
}));

export const preview: readonly string[] = [
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

/** Contract, "Filters". All optional; several narrow the result. */
export const filters: readonly Filter[] = /* @__PURE__ */ filterList(() => [
  ...words('name', 'Name'),
  ...one('website', 'host', 'Website'),
  ...one('exact_website', 'exact', 'Website, exactly', ['website']),
  ...words('size', 'Size'),
  ...words('industry', 'Industry'),
  ...words('country', 'Country', 'headquarters_country_parsed'),
  ...words(
    'location',
    'Headquarters',
    HEADQUARTERS.map((part) => `headquarters_${part}`),
  ),
  ...range('created_at', 'datetime', 'Created', 'created'),
  ...range('last_updated', 'datetime', 'Last updated'),
  ...one('deleted', 'flag', 'Deleted'),
  ...range('employees_count', 'integer', 'Employees'),
  ...one('source_id', 'integer', 'Source id'),
  ...range('founded_year', 'integer', 'Founded', 'founded'),
  ...range(
    'funding_total_rounds_count',
    'integer',
    'Funding rounds',
    inFunding('total_rounds_count'),
    FUNDING,
  ),
  ...words('funding_last_round_type', 'Last funding round', [inFunding('last_round_type')], FUNDING),
  ...range('funding_last_round_date', 'date', 'Last funding', inFunding('last_round_date'), FUNDING),
]);

export const form: SearchForm | null = {
  first: ['industry', 'country', 'size'],
  source: filters,
  labels: { headquarters_country_parsed: 'Country' },
};

export const changedAt: ChangedAt | null = {
  field: 'last_updated',
  precision: 'second',
  filter: 'last_updated_gte',
};
