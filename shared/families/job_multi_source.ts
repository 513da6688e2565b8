// job_multi_source: the job_base record with data from more sources. Contract, "Assumptions".
import type { Filter } from '../query/filters.ts';
import {
  type ChangedAt,
  createLabel,
  createVariant,
  type FamilyInfo,
  type FamilyLabel,
  type FamilyOperations,
  type Prices,
  type SearchForm,
} from './definition.ts';
import { info as baseFacts, fields } from './job_base.ts';

export { fields, preview } from './job_base.ts';

export const info: FamilyInfo = /* @__PURE__ */ createVariant(baseFacts, 'multi-source', 'job_base');

export const operations: FamilyOperations = {
  collect: ['id'],
  search: ['es_dsl'],
  preview: ['es_dsl'],
  bulk: ['ids', 'es_dsl'],
};

export const prices: Prices = { record: 20, preview: 20 };

export const familyLabel: FamilyLabel = /* @__PURE__ */ createLabel('Jobs', 'All sources', 'job', 'jobs');

export const filters: readonly Filter[] = [];

export const form: SearchForm | null = {
  initialFields: ['title', 'country', 'company_name'],
  columns: ['title', 'company_name', 'location', 'created', 'id'],
  source: fields,
};

export const changedAt: ChangedAt | null = { field: 'last_updated', precision: 'second' };
