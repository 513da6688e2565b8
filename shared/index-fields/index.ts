// What can be searched in each family of records.
import { companyBase } from './company_base.ts';
import { companyClean } from './company_clean.ts';
import { employeeBase } from './employee_base.ts';
import { employeeClean } from './employee_clean.ts';
import { employeePost } from './employee_post.ts';
import { jobBase } from './job_base.ts';
import type { Mapping } from './mapping.ts';

/** Multi-source records are the clean record, of jobs the base record (contract, "Assumptions"). */
const mappings = {
  company_clean: companyClean,
  company_base: companyBase,
  company_multi_source: companyClean,
  employee_clean: employeeClean,
  employee_base: employeeBase,
  employee_multi_source: employeeClean,
  job_base: jobBase,
  job_multi_source: jobBase,
  employee_post: employeePost,
} as const satisfies Record<string, Mapping>;

/** The families that have an index. */
export type IndexFamily = keyof typeof mappings;

/** Their names. */
export const indexFamilies = Object.keys(mappings).filter(isIndexFamily);

/**
 * Tells whether a family has an index.
 * @param name - any text
 */
export function isIndexFamily(name: string): name is IndexFamily {
  return Object.keys(mappings).includes(name);
}

/**
 * The fields that records of a family are searched by.
 * @returns the mapping, in the words of the search engine
 */
export function indexMapping(family: IndexFamily): Mapping {
  return mappings[family];
}
