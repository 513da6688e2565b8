// employee_multi_source: the employee_clean record with data from more sources. Contract, "Assumptions".
import { createLabel, createVariant, type FamilyDefinition } from './definition.ts';
import { info as baseFacts } from './employee_clean.ts';

export { changedAt, fields, form, preview } from './employee_clean.ts';

export const info = /* @__PURE__ */ createVariant(baseFacts, 'multi-source', 'employee_clean');

export const operations: FamilyDefinition['operations'] = {
  collect: ['id', 'shorthand_name'],
  search: ['es_dsl'],
  preview: ['es_dsl'],
  bulk: ['ids'],
};

export const prices = { record: 20, preview: 20 };

export const familyLabel = /* @__PURE__ */ createLabel('People', 'All sources', 'person', 'people');

export const filters: FamilyDefinition['filters'] = [];
