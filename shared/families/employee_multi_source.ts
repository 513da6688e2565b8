// employee_multi_source: the employee_clean record with data from more sources. Contract, "Assumptions".
import type { Filter } from '../query/filters.ts';
import {
  createLabel,
  createVariant,
  type FamilyInfo,
  type FamilyLabel,
  type FamilyOperations,
  type Prices,
} from './definition.ts';
import { info as baseFacts } from './employee_clean.ts';

export { changedAt, fields, form, preview } from './employee_clean.ts';

export const info: FamilyInfo = /* @__PURE__ */ createVariant(baseFacts, 'multi-source', 'employee_clean');

export const operations: FamilyOperations = {
  collect: ['id', 'shorthand_name'],
  search: ['es_dsl'],
  preview: ['es_dsl'],
  bulk: ['ids'],
};

export const prices: Prices = { record: 20, preview: 20 };

export const familyLabel: FamilyLabel = /* @__PURE__ */ createLabel(
  'People',
  'All sources',
  'person',
  'people',
);

export const filters: readonly Filter[] = [];
