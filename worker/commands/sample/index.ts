// The sample: fictional companies, their employees, job postings and posts, one record after the other.

import { companyAt, MOST_COMPANIES } from './company.ts';
import { baseCompany, type CompanyBase } from './company-base.ts';
import { type CompanyClean, cleanCompany } from './company-clean.ts';
import { baseEmployee, type EmployeeBase } from './employee-base.ts';
import { cleanEmployee, type EmployeeClean } from './employee-clean.ts';
import { JOBS_PER_TWO_COMPANIES, type JobBase, jobAt } from './job.ts';
import { EMPLOYEES_PER_COMPANY, personAt } from './person.ts';
import { type EmployeePost, POSTS_PER_TWO_COMPANIES, postAt } from './post.ts';

export { MOST_COMPANIES } from './company.ts';

/** The seed of the sample data that comes with the sandbox. */
export const SAMPLE_SEED = 20_261_101;

/** The records of each family. */
export interface Records {
  company_clean: CompanyClean;
  company_base: CompanyBase;
  employee_clean: EmployeeClean;
  employee_base: EmployeeBase;
  job_base: JobBase;
  employee_post: EmployeePost;
}

/** A family that the sample has records of. */
export type SampleFamily = keyof Records;

/** The families of the sample, in the order in which their records come. */
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
  [Family in SampleFamily]: { family: Family; record: Records[Family] };
}[SampleFamily];

/** Which sample is wanted. */
export interface SampleOptions {
  /** A whole number; other seeds give other records. */
  seed: number;
  /** How many companies, 1 to 2,000,000; the other families follow in proportion. */
  companies: number;
  /** Only these families; all when left out. */
  families?: readonly SampleFamily[];
}

/**
 * How many records of each family a sample has.
 * @returns for 2,000 companies 10,000 employees, 5,000 job postings and 3,000 posts
 */
export function sampleCounts(companies: number): Readonly<Record<SampleFamily, number>> {
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
 * Makes a sample record by record: companies, then employees, job postings and posts. Each record depends on the seed,
 * its number and the number of companies only, and little is kept in memory.
 * @throws RangeError where the number of companies is out of range
 */
export function* sample(options: SampleOptions): Generator<SampleRecord, void, undefined> {
  const { seed, companies } = options;
  if (!Number.isInteger(companies) || companies < 1 || companies > MOST_COMPANIES) {
    throw new RangeError(`A sample has 1 to ${MOST_COMPANIES} companies, not ${companies}.`);
  }
  const wanted: ReadonlySet<SampleFamily> = new Set(options.families ?? SAMPLE_FAMILIES);
  const counts = sampleCounts(companies);
  const wants = (...families: SampleFamily[]) => families.some((family) => wanted.has(family));

  for (let index = 0; wants('company_clean', 'company_base') && index < companies; index += 1) {
    const company = companyAt(seed, index);
    if (wants('company_clean')) yield { family: 'company_clean', record: cleanCompany(seed, company) };
    if (wants('company_base')) yield { family: 'company_base', record: baseCompany(seed, company) };
  }
  for (let index = 0; wants('employee_clean', 'employee_base') && index < counts.employee_base; index += 1) {
    const person = personAt(seed, index, companies);
    if (wants('employee_clean'))
      yield { family: 'employee_clean', record: cleanEmployee(seed, person, companies) };
    if (wants('employee_base'))
      yield { family: 'employee_base', record: baseEmployee(seed, person, companies) };
  }
  for (let index = 0; wants('job_base') && index < counts.job_base; index += 1) {
    yield { family: 'job_base', record: jobAt(seed, index, companies) };
  }
  for (let index = 0; wants('employee_post') && index < counts.employee_post; index += 1) {
    yield { family: 'employee_post', record: postAt(seed, index, companies) };
  }
}
