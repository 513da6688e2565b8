// Job postings of several sources: the job_base record with data of more sources. Contract, "Assumptions".
import type { Filter } from '../query/filters.ts';
import {
  type ChangedAt,
  type FamilyFacts,
  type FamilyLabel,
  type FamilyOperations,
  type Prices,
  type SearchForm,
  variantOf,
} from './definition.ts';
import { facts as baseFacts, fields } from './job_base.ts';

export { fields, preview } from './job_base.ts';

export const facts: FamilyFacts = /* @__PURE__ */ variantOf(baseFacts, 'multi-source', 'job_base');

export const operations: FamilyOperations = {
  collect: ['id'],
  search: ['es_dsl'],
  preview: ['es_dsl'],
  bulk: ['ids', 'es_dsl'],
};

export const prices: Prices = { record: 20, preview: 20 };

export const label: FamilyLabel = { name: 'Jobs, multi-source', one: 'job', many: 'jobs' };

export const filters: readonly Filter[] = [];

export const form: SearchForm | null = { first: ['title', 'country', 'company_name'], source: fields };

export const changedAt: ChangedAt | null = { field: 'last_updated', precision: 'second' };
