// company_multi_source: the company_clean record with data from more sources. Contract, "Assumptions".
import type { Filter } from '../query/filters.ts';
import { info as baseFacts } from './company_clean.ts';
import {
  createLabel,
  createVariant,
  type FamilyInfo,
  type FamilyLabel,
  type FamilyOperations,
  type Prices,
} from './definition.ts';

export { changedAt, dslSorts, fields, form, preview } from './company_clean.ts';

export const info: FamilyInfo = /* @__PURE__ */ createVariant(baseFacts, 'multi-source', 'company_clean');

export const operations: FamilyOperations = {
  collect: ['id', 'shorthand_name'],
  enrich: true,
  search: ['es_dsl'],
  preview: ['es_dsl'],
  bulk: ['ids', 'es_dsl'],
};

export const prices: Prices = { record: 20, preview: 20 };

export const familyLabel: FamilyLabel = /* @__PURE__ */ createLabel(
  'Companies',
  'All sources',
  'company',
  'companies',
);

export const filters: readonly Filter[] = [];
