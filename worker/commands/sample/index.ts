// Generates the sample: fictional companies with their employees, job postings and posts.

import { getCompany, MAX_COMPANIES } from './company.ts';
import { type CompanyBase, createBaseCompany } from './company-base.ts';
import { type CompanyClean, createCleanCompany } from './company-clean.ts';
import { createBaseEmployee, type EmployeeBase } from './employee-base.ts';
import { createCleanEmployee, type EmployeeClean } from './employee-clean.ts';
import { createJob, JOBS_PER_TWO_COMPANIES, type JobBase } from './job.ts';
import { EMPLOYEES_PER_COMPANY, getPerson } from './person.ts';
import { createPost, type EmployeePost, POSTS_PER_TWO_COMPANIES } from './post.ts';

export { MAX_COMPANIES as MOST_COMPANIES } from './company.ts';

/** Seed of the sandbox's sample data. */
export const SAMPLE_SEED = 20_261_101;

/** Record types by family. */
export interface RecordsByFamily {
  company_clean: CompanyClean;
  company_base: CompanyBase;
  employee_clean: EmployeeClean;
  employee_base: EmployeeBase;
  job_base: JobBase;
  employee_post: EmployeePost;
}

/** A family with sample records. */
export type SampleFamily = keyof RecordsByFamily;

/** Families in the order in which their records are generated. */
export const SAMPLE_FAMILIES = [
  'company_clean',
  'company_base',
  'employee_clean',
  'employee_base',
  'job_base',
  'employee_post',
] as const satisfies readonly SampleFamily[];

/** One record with its family. */
export type SampleRecord = {
  [Family in SampleFamily]: { family: Family; record: RecordsByFamily[Family] };
}[SampleFamily];

/** Options of a sample. */
export interface SampleOptions {
  /** A whole number; each seed gives other records. */
  seed: number;
  /** Number of companies, 1 to 2,000,000; other families follow in proportion. */
  companies: number;
  /** Families to generate; all by default. */
  families?: readonly SampleFamily[];
}

/**
 * Counts the records of each family.
 * @returns for 2,000 companies: 10,000 employees, 5,000 job postings and 3,000 posts
 */
export function countSampleRecords(companies: number): Readonly<Record<SampleFamily, number>> {
  const employees = companies * EMPLOYEES_PER_COMPANY;
  return {
    company_clean: companies,
    company_base: companies,
    employee_clean: employees,
    employee_base: employees,
    job_base: Math.ceil((companies * JOBS_PER_TWO_COMPANIES) / 2),
    employee_post: Math.ceil((companies * POSTS_PER_TWO_COMPANIES) / 2),
  };
}

/**
 * Generates companies, then employees, job postings and posts. Each record depends only on the seed, its index and
 * the number of companies, so the generator needs little memory.
 * @throws RangeError if the number of companies is out of range
 */
export function* generateSample(options: SampleOptions): Generator<SampleRecord, void, undefined> {
  const { seed, companies } = options;
  if (!Number.isInteger(companies) || companies < 1 || companies > MAX_COMPANIES) {
    throw new RangeError(`A sample has 1 to ${MAX_COMPANIES} companies, not ${companies}.`);
  }
  const wantedFamilies: ReadonlySet<SampleFamily> = new Set(options.families ?? SAMPLE_FAMILIES);
  const counts = countSampleRecords(companies);
  const includesAny = (...families: SampleFamily[]) => families.some((family) => wantedFamilies.has(family));

  for (let index = 0; includesAny('company_clean', 'company_base') && index < companies; index += 1) {
    const company = getCompany(seed, index);
    if (includesAny('company_clean'))
      yield { family: 'company_clean', record: createCleanCompany(seed, company) };
    if (includesAny('company_base'))
      yield { family: 'company_base', record: createBaseCompany(seed, company) };
  }
  for (
    let index = 0;
    includesAny('employee_clean', 'employee_base') && index < counts.employee_base;
    index += 1
  ) {
    const person = getPerson(seed, index, companies);
    if (includesAny('employee_clean'))
      yield { family: 'employee_clean', record: createCleanEmployee(seed, person, companies) };
    if (includesAny('employee_base'))
      yield { family: 'employee_base', record: createBaseEmployee(seed, person, companies) };
  }
  for (let index = 0; includesAny('job_base') && index < counts.job_base; index += 1) {
    yield { family: 'job_base', record: createJob(seed, index, companies) };
  }
  for (let index = 0; includesAny('employee_post') && index < counts.employee_post; index += 1) {
    yield { family: 'employee_post', record: createPost(seed, index, companies) };
  }
}
