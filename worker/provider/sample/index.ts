// The whole sample: companies, their employees, job postings and posts, one record after the other.
import { companyAt } from './companies.ts';
import { JOBS_PER_TWO_COMPANIES, jobAt } from './jobs.ts';
import { baseEmployee } from './people/base.ts';
import { cleanEmployee } from './people/clean.ts';
import { EMPLOYEES_PER_COMPANY } from './people/person.ts';
import { profileAt } from './people/profile.ts';
import type { EmployeeBase, EmployeeClean, EmployeePost, JobBase } from './people-types.ts';
import { POSTS_PER_TWO_COMPANIES, postAt } from './posts.ts';
import type { CompanyBase, CompanyClean } from './types.ts';

export { SAMPLE_SEED } from './companies.ts';

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

/** More companies than this the sample cannot have. */
export const MOST_COMPANIES = 2_000_000;

/** Which sample is wanted. */
export interface SampleOptions {
  /** a whole number; other seeds give other records */
  seed: number;
  /** how many companies, 1 to 2,000,000; the other families follow in proportion */
  companies: number;
  /** only these families; all when left out */
  families?: readonly SampleFamily[];
}

/**
 * How many records of each family a sample has.
 *
 * @param companies how many companies
 * @returns the counts; for 2,000 companies 10,000 employees, 5,000 job postings and 3,000 posts
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
 * Makes a sample record by record: companies, then employees, job postings and posts. Nothing but a few thousand
 * facts is kept in memory, however large the sample is.
 *
 * @param options which sample is wanted
 * @returns a generator of records; both variants of a company or employee follow each other
 * @throws `RangeError` when the number of companies is out of range
 */
export function* sample(options: SampleOptions): Generator<SampleRecord, void, undefined> {
  const { seed, companies } = options;
  if (!Number.isInteger(companies) || companies < 1 || companies > MOST_COMPANIES) {
    throw new RangeError(`a sample has 1 to ${MOST_COMPANIES} companies, not ${companies}`);
  }
  const wanted: ReadonlySet<SampleFamily> = new Set(options.families ?? SAMPLE_FAMILIES);
  const counts = sampleCounts(companies);
  const wants = (...families: SampleFamily[]) => families.some((family) => wanted.has(family));

  for (let index = 0; wants('company_clean', 'company_base') && index < companies; index += 1) {
    const { clean, base } = companyAt(seed, index);
    if (wants('company_clean')) yield { family: 'company_clean', record: clean };
    if (wants('company_base')) yield { family: 'company_base', record: base };
  }
  const employees = counts.employee_clean;
  for (let index = 0; wants('employee_clean', 'employee_base') && index < employees; index += 1) {
    const profile = profileAt(seed, index, companies);
    if (wants('employee_clean')) yield { family: 'employee_clean', record: cleanEmployee(profile) };
    if (wants('employee_base')) yield { family: 'employee_base', record: baseEmployee(profile) };
  }
  for (let index = 0; wants('job_base') && index < counts.job_base; index += 1) {
    yield { family: 'job_base', record: jobAt(seed, index, { companies }) };
  }
  for (let index = 0; wants('employee_post') && index < counts.employee_post; index += 1) {
    yield { family: 'employee_post', record: postAt(seed, index, { employees, companies }) };
  }
}
