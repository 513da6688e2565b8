// Job postings: everything that is true of this family alone.

import type { Mapping } from '../index-fields/mapping.ts';
import {
  addressOrNull,
  all,
  byte,
  exactText,
  exactTextOrNull,
  integer,
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
  subject: 'job',
  variant: 'base',
  keyFields: { website: [], shorthand_name: [] },
  updatedField: 'last_updated',
  defaultFields: ['title', 'company_name', 'location', 'seniority', 'created'],
};

export const operations: FamilyOperations = {
  collect: ['id'],
  search: ['filter', 'es_dsl'],
  preview: ['filter', 'es_dsl'],
  bulk: ['id_file', 'filter'],
};

export const prices: Prices = { record: 1, preview: 10 };

export const label: FamilyLabel = { name: 'Jobs, base', one: 'job', many: 'jobs' };

/** Service description, "Job posting index fields". */
export const fields: Mapping = /* @__PURE__ */ mapping(() => ({
  ...all('id company_id professional_network_job_id', integer),
  ...all('created last_updated', time),
  ...all('time_posted url hash salary', storedText),
  ...all('title description employment_type location external_url redirected_url country', text),
  ...all('seniority company_name applicants_count job_functions_collection', exactTextOrNull),
  company_url: exactText,
  ...all('deleted application_active', byte),
  job_industry_collection: nested({
    job_industry_list: { type: 'object', properties: { industry: text } },
  }),
  job_company_website: addressOrNull,
}));

export const preview: readonly string[] = ['id', 'created', 'title', 'location', 'company_name', '_score'];

/** Contract, "Filters". All optional; several narrow the result. */
export const filters: readonly Filter[] = /* @__PURE__ */ filterList(() => [
  ...range('created_at', 'datetime', 'Created', 'created'),
  ...range('last_updated', 'datetime', 'Last updated'),
  ...words('title', 'Title'),
  ...words('keyword_description', 'Description', 'description'),
  ...words('employment_type', 'Employment type'),
  ...words('location', 'Location'),
  ...one('company_id', 'integer', 'Company id'),
  ...words('company_name', 'Company'),
  ...one('company_domain', 'host', 'Company website', ['job_company_website']),
  ...one('company_exact_website', 'exact', 'Company website, exactly', ['job_company_website']),
  ...one('company_professional_network_url', 'exact', 'Company profile URL', ['company_url']),
  ...one('deleted', 'flag', 'Deleted'),
  ...one('application_active', 'flag', 'Open for applications'),
  ...words('country', 'Country'),
  ...words('industry', 'Industry', 'job_industry_collection.job_industry_list.industry'),
]);

export const form: SearchForm | null = { first: ['title', 'country', 'company_name'], source: filters };

export const changedAt: ChangedAt | null = {
  field: 'last_updated',
  precision: 'second',
  filter: 'last_updated_gte',
};
