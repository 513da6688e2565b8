// Generates the sample: fictional companies with their employees, job postings and posts.
import { createBaseCompany, createCleanCompany } from './company-records.ts';
import { createBaseEmployee, createCleanEmployee } from './employee-records.ts';
import { EMPLOYEES_PER_COMPANY } from './person.ts';
import { createJob, createPost } from './postings.ts';

/** Ids of more companies would not fit. */
export const MOST_COMPANIES = 2_000_000;

/** Seed of the sandbox's sample data. */
export const SAMPLE_SEED = 20_261_101;

/** Each creates record number `index` of a family in a sample of so many companies. */
const creators = {
  company_clean: createCleanCompany,
  company_base: createBaseCompany,
  employee_clean: createCleanEmployee,
  employee_base: createBaseEmployee,
  job_base: createJob,
  employee_post: createPost,
};

export type SampleFamily = keyof typeof creators;

export type RecordsByFamily = { [Family in SampleFamily]: ReturnType<(typeof creators)[Family]> };

/** Families in the order in which their records are generated. Variants of a record follow each other. */
const variants = [
  ['company_clean', 'company_base'],
  ['employee_clean', 'employee_base'],
  ['job_base'],
  ['employee_post'],
] as const satisfies readonly (readonly SampleFamily[])[];
export const SAMPLE_FAMILIES: readonly SampleFamily[] = variants.flat();

/** One record with its family. */
export interface SampleRecord {
  family: SampleFamily;
  record: RecordsByFamily[SampleFamily];
}

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
  return {
    company_clean: companies,
    company_base: companies,
    employee_clean: companies * EMPLOYEES_PER_COMPANY,
    employee_base: companies * EMPLOYEES_PER_COMPANY,
    job_base: Math.ceil(companies * 2.5),
    employee_post: Math.ceil(companies * 1.5),
  };
}

/**
 * Generates companies, then employees, job postings and posts. Each record depends only on the seed, its index and
 * the number of companies, so the generator needs little memory.
 * @throws RangeError if the number of companies is out of range
 */
export function* generateSample(options: SampleOptions): Generator<SampleRecord, void, undefined> {
  const { seed, companies, families = SAMPLE_FAMILIES } = options;
  if (!Number.isInteger(companies) || companies < 1 || companies > MOST_COMPANIES)
    throw new RangeError(`A sample has 1 to ${MOST_COMPANIES} companies, not ${companies}.`);
  const counts = countSampleRecords(companies);
  for (const kind of variants) {
    const wanted = kind.filter((family) => families.includes(family));
    for (let index = 0; wanted.length > 0 && index < counts[kind[0]]; index += 1)
      for (const family of wanted) yield { family, record: creators[family](seed, index, companies) };
  }
}
