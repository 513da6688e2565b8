// The criteria of a search for a person: the name, and the present or past companies.
import type { Employment, PersonSearchTerms } from '../../../shared/api/admin-person-searches.ts';
import { normaliseWebsiteOrEmail } from '../../../shared/keys/index.ts';
import { compareNames } from '../../../shared/matching/compare.ts';
import { minConfidence } from '../../../shared/matching/decide.ts';
import { normaliseName } from '../../../shared/matching/normalise.ts';
import { ProblemError } from '../../http/problem-error.ts';
import { createHandleTest, createNameTest, type NameTest } from './person-names.ts';

/** A job of a person. */
export interface Job {
  title: string | undefined;
  company: string | undefined;
  /** Host of the company's website. */
  website: string | undefined;
  isCurrent: boolean;
}

export interface Criteria {
  /** Absent: every name. */
  fitsName: NameTest | undefined;
  /** The name that is compared; the words before the `@` if only an address is known. */
  name: string | null;
  /** Names and hosts. Empty: every company. */
  companies: string[];
  isAt: (job: Job) => boolean;
}

type CompanyTest = (job: Job) => boolean;

/** A subdomain is that of the same company. */
const isSameHost = (one: string, other: string): boolean =>
  one === other || one.endsWith(`.${other}`) || other.endsWith(`.${one}`);

function createCompanyNameTest(name: string): CompanyTest {
  const wanted = normaliseName(name);
  return ({ company }) =>
    company !== undefined && compareNames(wanted, normaliseName(company)) >= minConfidence;
}

function createHostTest(host: string): CompanyTest {
  const [label = ''] = host.split('.');
  const hasSimilarName = createCompanyNameTest(label);
  return (job) => (job.website === undefined ? hasSimilarName(job) : isSameHost(job.website, host));
}

/** Reads the words before the `@`, without a tag: `jane doe` of `jane.doe+news@example.com`. */
const readHandle = (email: string): string =>
  email
    .replace(/[+@].*/, '')
    .replaceAll(/[^\p{L}\p{M}]+/gu, ' ')
    .trim();

/**
 * Reads the terms of a search.
 * @throws ProblemError `invalid_request` if they name neither a person nor a company, or a company alone
 */
export function readCriteria({ name = '', company = '', email = '' }: PersonSearchTerms): Criteria {
  const companies = new Map<string, CompanyTest>();
  const website = normaliseWebsiteOrEmail(company);
  if (website.ok) companies.set(website.value, createHostTest(website.value));
  else if (company !== '') companies.set(company, createCompanyNameTest(company));
  const host = normaliseWebsiteOrEmail(email);
  if (host.ok) companies.set(host.value, createHostTest(host.value));
  const handle = readHandle(email);
  const ofHandle = createHandleTest(handle);
  const fitsName = createNameTest(name) ?? ofHandle;
  if (name === '' && email === '')
    throw new ProblemError(
      'invalid_request',
      'A company alone names no person.',
      'Enter a name or an e-mail address, too.',
    );
  if (fitsName === undefined && companies.size === 0)
    throw new ProblemError(
      'invalid_request',
      'This address names neither a person nor a company.',
      'Enter the name of the person, and the company if it is known.',
    );
  return {
    fitsName,
    name: fitsName === undefined ? null : name || handle,
    companies: [...companies.keys()],
    isAt: (job) => [...companies.values()].some((isCompany) => isCompany(job)),
  };
}

/** Compares the jobs of a person with the companies. @returns the most recent job there, or else the present one */
export function compareJobs(
  { companies, isAt }: Criteria,
  jobs: readonly Job[],
): { employment: Employment | null; job: Job | undefined } {
  const current = jobs.find(({ isCurrent }) => isCurrent) ?? jobs[0];
  if (companies.length === 0) return { employment: null, job: current };
  if (jobs.length === 0) return { employment: 'unknown', job: undefined };
  const there = jobs.filter(isAt);
  const job = there.find(({ isCurrent }) => isCurrent) ?? there[0];
  if (job === undefined) return { employment: 'elsewhere', job: current };
  return { employment: job.isCurrent ? 'current' : 'past', job };
}
