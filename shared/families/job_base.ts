// job_base: job postings.

import {
  addressOrNull,
  byte,
  dateTime,
  defineMapping,
  exactText,
  exactTextOrNull,
  integer,
  nested,
  storedText,
  text,
  withType,
} from '../index-fields/parts.ts';
import { defineFilters, rangeFilters, singleFilter, textFilter } from '../query/filters.ts';
import { createLabel, type FamilyDefinition } from './definition.ts';

export const info: FamilyDefinition['info'] = {
  subject: 'job',
  variant: 'base',
  keyFields: { website: [], shorthand_name: [] },
  updatedField: 'last_updated',
  defaultFields: ['title', 'company_name', 'location', 'seniority', 'created'],
};

export const operations: FamilyDefinition['operations'] = {
  collect: ['id'],
  search: ['filter', 'es_dsl'],
  preview: ['filter', 'es_dsl'],
  bulk: ['id_file', 'filter'],
};

export const prices = { record: 1, preview: 10 };

export const familyLabel = /* @__PURE__ */ createLabel('Jobs', 'Standard', 'job', 'jobs', {
  application_active: 'Open for applications',
  job_industry_collection: 'Industries',
  job_industry_list: '',
  professional_network_job_id: 'Original job ID',
});

/** Provider API, "Job posting index fields". */
export const fields = /* @__PURE__ */ defineMapping(() => ({
  ...withType('id company_id professional_network_job_id', integer),
  ...withType('created last_updated', dateTime),
  ...withType('time_posted url hash salary', storedText),
  ...withType('title description employment_type location external_url redirected_url country', text),
  ...withType('seniority company_name applicants_count job_functions_collection', exactTextOrNull),
  company_url: exactText,
  ...withType('deleted application_active', byte),
  job_industry_collection: nested({
    job_industry_list: { type: 'object', properties: { industry: text } },
  }),
  job_company_website: addressOrNull,
}));

export const preview = ['id', 'created', 'title', 'location', 'company_name', '_score'];

/** Named filters. Contract, "Filters". */
export const filters = /* @__PURE__ */ defineFilters(() => [
  ...rangeFilters('created_at', 'datetime', 'Created', 'created'),
  ...rangeFilters('last_updated', 'datetime', 'Last updated'),
  ...textFilter('title', 'Title'),
  ...textFilter('keyword_description', 'Description', 'description'),
  ...textFilter('employment_type', 'Employment type'),
  ...textFilter('location', 'Location'),
  ...singleFilter('company_id', 'integer', 'Company ID'),
  ...textFilter('company_name', 'Company'),
  ...singleFilter('company_domain', 'host', 'Company website', ['job_company_website']),
  ...singleFilter('company_exact_website', 'exact', 'Company website, exactly', ['job_company_website']),
  ...singleFilter('company_professional_network_url', 'exact', 'Company profile URL', ['company_url']),
  ...singleFilter('deleted', 'flag', 'Deleted'),
  ...singleFilter('application_active', 'flag', 'Open for applications'),
  ...textFilter('country', 'Country'),
  ...textFilter('industry', 'Industry', 'job_industry_collection.job_industry_list.industry'),
]);

export const form: FamilyDefinition['form'] = {
  initialFields: ['title', 'country', 'company_name', 'application_active'],
  columns: ['title', 'company_name', 'location', 'created', 'id'],
  source: filters,
  index: fields,
};

export const changedAt: FamilyDefinition['changedAt'] = {
  field: 'last_updated',
  precision: 'second',
  filter: 'last_updated_gte',
};
