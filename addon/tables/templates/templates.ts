// The templates: sheets with example rows and formulas.
import type { AccountList } from '../../../shared/accounts.ts';
import type { Query } from '../../../shared/api/query.ts';
import type { Family } from '../../../shared/families/index.ts';
import { getPreviewPrice, getRecordPrice } from '../../../shared/operations.ts';

/** What the formulas of a template buy. */
export type Examples =
  | { of: 'websites'; family: Family }
  | { of: 'search'; family: Family; query: Query; limit: number }
  | { of: 'accounts'; list: AccountList; query: Query };

export interface Template {
  id: string;
  title: string;
  summary: string;
  /** The most that its examples cost. */
  credits: number;
  examples: Examples;
  /** Formula that shows what the formulas would spend now; with `isMaximum`, what they may spend at most. */
  cost: string;
  isMaximum?: true;
  /** Widths of its columns from A, in pixels. */
  widths: readonly number[];
  /**
   * Rows from {@link FIRST_ROW}, with `|` between cells; those of headings start with `#`. `{r}` is the number of the
   * row, `{1}` to `{3}` are websites. Formulas that spend take their limit from C3, which is 0 in a new sheet.
   */
  rows: readonly string[];
}

/** The rows above hold the title, the limit and the price. */
export const FIRST_ROW = 6;

/** Cells for up to 20 accounts. The list stands beside them, so that its length does not matter. */
const ACCOUNTS = 'A7:A26';

/**
 * Lists rows at the accounts. Without a limit it says what to do; C3 limits the call also where Sheets runs it then. The
 * filter leaves out the first row, which has the names of the fields; a single row may be `#PENDING`.
 */
const listAtAccounts = (call: string): string[] => [
  `{1}||=IF(B3=0; "Type the price into B3 to list them."; LET(list; ${call}; 5; C3); IF(ROWS(list)=1; list; FILTER(list; SEQUENCE(ROWS(list))>1))))`,
  '{2}',
  '{3}',
];

const WAITING = 'Set B3 to run';

/** Shows the records of a call that spends up to C3. Without a limit, rows that it would buy say what to do. */
const showRecords = (call: string): string =>
  `=MAP(${call}; LAMBDA(found; IF(AND(B$3=0; found="#BUDGET"); "${WAITING}"; found)))`;

/** Fills blank names, marks websites that appear twice, and countries that differ. */
const CHECKS = `|=IF(B{r}="";IF(D{r}="${WAITING}";"";D{r});B{r})|=IF(COUNTIF(A$7:A$10;A{r})>1;"duplicate";"")|=IF(OR(C{r}="";E{r}="");"";IF(C{r}=E{r};"";"moved"))`;

/** Shared by templates, so that their price is asked for once. */
const COMPANIES: Examples = { of: 'websites', family: 'company_clean' };

export const templates: readonly Template[] = [
  {
    id: 'prospects',
    title: 'Prospect list',
    summary: 'Companies that match your filters. Counting and listing is free, their details cost credits.',
    credits: 10 * getRecordPrice('company_base'),
    examples: {
      of: 'search',
      family: 'company_base',
      query: { filters: { country: 'United States' } },
      limit: 10,
    },
    // The names found are the argument that makes Sheets run it again after a purchase.
    cost: '=CDAPI_COST(A13:A22; "company_base"; B13:B22)',
    widths: [200, 200, 250, 230, 170, 200],
    rows: [
      '#Filter|Value',
      'industry||Words, such as software',
      'country|United States',
      'employees_count_gte||At least this many employees',
      'Matches|=CDAPI_COUNT("company_base"; A7:B9)',
      '',
      '#ID|Name|Website|Industry|Size|Country',
      '=CDAPI_SEARCH("company_base"; A7:B9; 10)|' +
        showRecords(
          'CDAPI_COMPANY(A13:A22; "name, website, industry, size, headquarters_country_parsed"; C3)',
        ),
    ],
  },
  {
    id: 'leads',
    title: 'Inbound leads',
    summary: 'The companies behind e-mail addresses and websites from your forms.',
    credits: 3 * getRecordPrice('company_clean'),
    examples: COMPANIES,
    cost: '=CDAPI_COST(A7:A10; ; B7:B10)',
    widths: [200, 200, 230, 170, 150, 100],
    rows: [
      '#E-mail or website|Company|Industry|Size|Country|Founded',
      `anna@{1}|${showRecords('CDAPI_ENRICH(A7:A10; "name, industry, size_range, location_hq_country, founded"; C3)')}`,
      '{2}',
      '{3}',
      'ben@{1}',
    ],
  },
  {
    id: 'people',
    title: 'Decision makers',
    summary: 'Five decision makers at each account.',
    credits: 3 * getPreviewPrice('employee_clean'),
    examples: { of: 'accounts', list: 'people', query: { text: 'is_decision_maker:1' } },
    cost: `=COUNTA(${ACCOUNTS})*${getPreviewPrice('employee_clean')}`,
    isMaximum: true,
    widths: [200, 100, 200, 200, 250, 200],
    rows: [
      '#Account||Company|Name|Job title|Country',
      ...listAtAccounts(
        `CDAPI_PEOPLE(${ACCOUNTS}; "is_decision_maker:1"; "full_name, job_title, location_country"`,
      ),
    ],
  },
  {
    id: 'jobs',
    title: 'Hiring signals',
    summary: 'Open jobs at each account: who is growing, and where.',
    credits: 3 * getPreviewPrice('job_base'),
    examples: { of: 'accounts', list: 'jobs', query: { es_dsl: { query: { match_all: {} } } } },
    cost: `=COUNTA(${ACCOUNTS})*${getPreviewPrice('job_base')}`,
    isMaximum: true,
    widths: [200, 100, 200, 320, 200, 150],
    rows: [
      '#Account||Company|Job title|Location|Created',
      ...listAtAccounts(`CDAPI_JOBS(${ACCOUNTS}; ; "title, location, created"`),
    ],
  },
  {
    id: 'hygiene',
    title: 'Data hygiene',
    summary: 'Fills blank names, and finds duplicates and companies that moved.',
    credits: 3 * getRecordPrice('company_clean'),
    examples: COMPANIES,
    cost: '=CDAPI_COST(A7:A10; ; D7:D10)',
    widths: [200, 200, 150, 200, 150, 200, 110, 110],
    rows: [
      '#Website|Company|Country|Name found|Country found|Company, filled|Duplicate|Moved',
      `{1}|||${showRecords('CDAPI_ENRICH(A7:A10; "name, location_hq_country"; C3)')}|${CHECKS}`,
      `{2}||Iceland||${CHECKS}`,
      `{3}|My own name|||${CHECKS}`,
      `{1}||||${CHECKS}`,
    ],
  },
];
