// company_multi_source: the company_clean record with data from more sources. Contract, "Assumptions".
import { info as baseFacts } from './company_clean.ts';
import { createLabel, createVariant, type FamilyDefinition } from './definition.ts';

export { changedAt, dslSorts, fields, form, preview } from './company_clean.ts';

export const info = /* @__PURE__ */ createVariant(baseFacts, 'multi-source', 'company_clean');

export const operations: FamilyDefinition['operations'] = {
  collect: ['id', 'shorthand_name'],
  enrich: true,
  search: ['es_dsl'],
  preview: ['es_dsl'],
  bulk: ['ids', 'es_dsl'],
};

export const prices = { record: 20, preview: 20 };

export const familyLabel = /* @__PURE__ */ createLabel('Companies', 'All sources', 'company', 'companies');

export const filters: FamilyDefinition['filters'] = [];
