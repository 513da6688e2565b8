// Lists of people or open jobs at companies: their families, default columns and limits.
import type { Family } from './families/index.ts';

export const accountLists = ['people', 'jobs'] as const;

export type AccountList = (typeof accountLists)[number];

export const accountFamilies = {
  people: 'employee_clean',
  jobs: 'job_base',
} as const satisfies Record<AccountList, Family>;

/** Preview fields that are shown by default. The last column identifies the full record. */
export const accountFields: Readonly<Record<AccountList, readonly string[]>> = {
  people: [
    'full_name',
    'job_title',
    'company_name',
    'department',
    'location_full',
    'websites_professional_network',
  ],
  jobs: ['title', 'company_name', 'location', 'created', 'id'],
};

/** Column with the company of each row, in front of the preview fields. */
export const accountColumn = 'company';

/** Path of the column with the number of matches of each company, which is no field of a record. */
export const countField = 'count';

/** The field of jobs that says whether they are open. Lists at companies have open jobs, unless the query names it. */
export const openJobsField = 'application_active';

export const findAccountList = (family: Family): AccountList | undefined =>
  accountLists.find((list) => accountFamilies[list] === family);

/** Maximum number of companies in a call. */
export const maxAccounts = 200;

/** Maximum number of companies in a call that only counts. */
export const maxCountedAccounts = 1000;

/** Maximum number of rows for each company. */
export const maxRowsPerAccount = 100;

/** Default number of rows for each company. */
export const defaultRowsPerAccount = 5;

/** Maximum number of rows of a call, so that it stays within the platform's limits. */
export const maxAccountRows = 2000;
