// job_multi_source: the job_base record with data from more sources. Contract, "Assumptions".
import { createLabel, createVariant, type FamilyDefinition } from './definition.ts';
import { info as baseFacts, fields } from './job_base.ts';

export { fields, preview } from './job_base.ts';

export const info = /* @__PURE__ */ createVariant(baseFacts, 'multi-source', 'job_base');

export const operations: FamilyDefinition['operations'] = {
  collect: ['id'],
  search: ['es_dsl'],
  preview: ['es_dsl'],
  bulk: ['ids', 'es_dsl'],
};

export const prices = { record: 20, preview: 20 };

export const familyLabel = /* @__PURE__ */ createLabel('Jobs', 'All sources', 'job', 'jobs');

export const filters: FamilyDefinition['filters'] = [];

export const form: FamilyDefinition['form'] = {
  initialFields: ['title', 'country', 'company_name'],
  columns: ['title', 'company_name', 'location', 'created', 'id'],
  source: fields,
};

export const changedAt: FamilyDefinition['changedAt'] = { field: 'last_updated', precision: 'second' };
