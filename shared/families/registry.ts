// The registry of families: one table for each export of the family files. To add a family, add its file, its name in
// names.ts and a line in each table; the compiler reports missing lines. Separate tables let bundlers drop the unused
// ones.

import * as company_base from './company_base.ts';
import * as company_clean from './company_clean.ts';
import * as company_multi_source from './company_multi_source.ts';
import type { FamilyDefinition } from './definition.ts';
import * as employee_base from './employee_base.ts';
import * as employee_clean from './employee_clean.ts';
import * as employee_multi_source from './employee_multi_source.ts';
import * as employee_post from './employee_post.ts';
import * as job_base from './job_base.ts';
import * as job_multi_source from './job_multi_source.ts';
import type { Family } from './names.ts';

export { type Family, familyNames } from './names.ts';

type Table<Export extends keyof FamilyDefinition> = Readonly<Record<Family, FamilyDefinition[Export]>>;

/** Identity of each family. */
export const families: Table<'info'> = {
  company_clean: company_clean.info,
  company_base: company_base.info,
  company_multi_source: company_multi_source.info,
  employee_clean: employee_clean.info,
  employee_base: employee_base.info,
  employee_multi_source: employee_multi_source.info,
  job_base: job_base.info,
  job_multi_source: job_multi_source.info,
  employee_post: employee_post.info,
};

export const familyOperations: Table<'operations'> = {
  company_clean: company_clean.operations,
  company_base: company_base.operations,
  company_multi_source: company_multi_source.operations,
  employee_clean: employee_clean.operations,
  employee_base: employee_base.operations,
  employee_multi_source: employee_multi_source.operations,
  job_base: job_base.operations,
  job_multi_source: job_multi_source.operations,
  employee_post: employee_post.operations,
};

/** Sort orders of DSL searches besides `id` and `_score`. Absent if there are none. */
export const dslSorts: Readonly<Partial<Record<Family, FamilyDefinition['dslSorts']>>> = {
  company_clean: company_clean.dslSorts,
  company_multi_source: company_multi_source.dslSorts,
};

/** Prices in credits. */
export const prices: Table<'prices'> = {
  company_clean: company_clean.prices,
  company_base: company_base.prices,
  company_multi_source: company_multi_source.prices,
  employee_clean: employee_clean.prices,
  employee_base: employee_base.prices,
  employee_multi_source: employee_multi_source.prices,
  job_base: job_base.prices,
  job_multi_source: job_multi_source.prices,
  employee_post: employee_post.prices,
};

/** Names in user interfaces. */
export const familyLabels: Table<'familyLabel'> = {
  company_clean: company_clean.familyLabel,
  company_base: company_base.familyLabel,
  company_multi_source: company_multi_source.familyLabel,
  employee_clean: employee_clean.familyLabel,
  employee_base: employee_base.familyLabel,
  employee_multi_source: employee_multi_source.familyLabel,
  job_base: job_base.familyLabel,
  job_multi_source: job_multi_source.familyLabel,
  employee_post: employee_post.familyLabel,
};

/** Searchable fields of each family. */
export const indexFields: Table<'fields'> = {
  company_clean: company_clean.fields,
  company_base: company_base.fields,
  company_multi_source: company_multi_source.fields,
  employee_clean: employee_clean.fields,
  employee_base: employee_base.fields,
  employee_multi_source: employee_multi_source.fields,
  job_base: job_base.fields,
  job_multi_source: job_multi_source.fields,
  employee_post: employee_post.fields,
};

/** Fields of preview items. Empty if the family has no previews. */
export const previewFields: Table<'preview'> = {
  company_clean: company_clean.preview,
  company_base: company_base.preview,
  company_multi_source: company_multi_source.preview,
  employee_clean: employee_clean.preview,
  employee_base: employee_base.preview,
  employee_multi_source: employee_multi_source.preview,
  job_base: job_base.preview,
  job_multi_source: job_multi_source.preview,
  employee_post: employee_post.preview,
};

/** Named filters. Empty if the family has no filter search. */
export const filters: Table<'filters'> = {
  company_clean: company_clean.filters,
  company_base: company_base.filters,
  company_multi_source: company_multi_source.filters,
  employee_clean: employee_clean.filters,
  employee_base: employee_base.filters,
  employee_multi_source: employee_multi_source.filters,
  job_base: job_base.filters,
  job_multi_source: job_multi_source.filters,
  employee_post: employee_post.filters,
};

/** Search forms. null if the family can’t be searched. */
export const searchForms: Table<'form'> = {
  company_clean: company_clean.form,
  company_base: company_base.form,
  company_multi_source: company_multi_source.form,
  employee_clean: employee_clean.form,
  employee_base: employee_base.form,
  employee_multi_source: employee_multi_source.form,
  job_base: job_base.form,
  job_multi_source: job_multi_source.form,
  employee_post: employee_post.form,
};

/** The field with the time of the last change. null if the family can’t be searched. */
export const changedAt: Table<'changedAt'> = {
  company_clean: company_clean.changedAt,
  company_base: company_base.changedAt,
  company_multi_source: company_multi_source.changedAt,
  employee_clean: employee_clean.changedAt,
  employee_base: employee_base.changedAt,
  employee_multi_source: employee_multi_source.changedAt,
  job_base: job_base.changedAt,
  job_multi_source: job_multi_source.changedAt,
  employee_post: employee_post.changedAt,
};
