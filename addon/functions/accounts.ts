// CDAPI_PEOPLE, CDAPI_JOBS and their counts: people or open jobs at a column of companies.
import {
  type AccountList,
  accountFamilies,
  defaultRowsPerAccount,
  maxAccountRows,
  maxAccounts,
  maxCountedAccounts,
  maxRowsPerAccount,
} from '../../shared/accounts.ts';
import type { AccountsRequest, AccountsResponse } from '../../shared/api/accounts.ts';
import type { Query } from '../../shared/api/query.ts';
import type { Connection } from '../../shared/connection.ts';
import { namesPerson, normaliseWebsiteOrEmail } from '../../shared/keys/email.ts';
import { formatKey } from '../../shared/keys/index.ts';
import { explainProblem, getCellError } from '../../shared/problems.ts';
import { requireFormulaConnection } from '../client/connection.ts';
import { call } from '../client/gateway.ts';
import { createFailure } from '../client/http.ts';
import { isLoading, isUnfinishedValue } from '../lib/cell-errors.ts';
import { type Cell, createCellConverter, formatDate } from '../lib/dates.ts';
import { createGuard } from '../lib/json.ts';
import {
  isBlank,
  PREVIEW_OPTIONS,
  parseCount,
  parseFields,
  parseOptions,
  QUERY_OPTIONS,
  toRows,
} from './arguments/options.ts';
import { parseQuery } from './arguments/query.ts';
import {
  createRefusedTable,
  type Fetched,
  type FetchedTable,
  getRemainingMs,
  loadCached,
  loadTable,
  toLimitProblem,
} from './fetching.ts';

const COMPANY_HEADING = 'company';
const NO_COMPANIES =
  'There are no companies: name a cell, or a column of websites, ids or names such as A2:A100.';
const LOADING = 'A company is still loading: the formula waits for it.';
const TOO_LOW = 'These rows cost more than max_credits: raise it, or name fewer companies.';

const everything: Query = { es_dsl: { query: { match_all: {} } } };

/** The companies of a range, as typed, and as the gateway gets them. */
interface Companies {
  /** Company by text. Undefined for a private e-mail address. */
  byText: Map<string, string | undefined>;
  distinct: string[];
}

const toText = (cell: unknown): string => (isBlank(cell) ? '' : String(cell).trim());

/**
 * Reads the companies of a range. An e-mail address becomes the domain of its company, so that the address stays in the sheet.
 * Errors of other formulas, such as #NOT_FOUND, are left out.
 * @throws Error if a cell is loading, or there is no company
 */
function parseCompanies(argument: unknown): Companies {
  const texts = toRows(argument).flat().map(toText);
  if (texts.some(isLoading)) throw new Error(LOADING);
  const byText: Companies['byText'] = new Map();
  for (const text of texts) {
    if (text === '' || isUnfinishedValue(text)) continue;
    const domain = namesPerson(text) ? normaliseWebsiteOrEmail(text) : undefined;
    byText.set(text, domain?.ok === false ? undefined : domain ? formatKey(domain) : text);
  }
  const distinct = [...new Set(byText.values())].filter((company) => company !== undefined);
  if (distinct.length === 0) throw new Error(NO_COMPANIES);
  return { byText, distinct };
}

const lastingProblems: readonly unknown[] = [undefined, 'not_found', 'invalid_key', 'ambiguous_name'];

function addAnswer(table: FetchedTable, { columns, accounts }: AccountsResponse): void {
  table.heading = [COMPANY_HEADING, ...columns.map(({ name }) => name)];
  const blanks = columns.slice(1).map(() => '');
  for (const { company, rows, problem } of accounts) {
    table.rows.push(...rows.map((row) => [company, ...row]));
    if (problem !== undefined) table.rows.push([company, getCellError(problem), ...blanks]);
    if (!lastingProblems.includes(problem)) table.isComplete = false;
  }
}

/** Returns the number of companies of a call. */
const getCallSize = ({
  per_company: rows = defaultRowsPerAccount,
}: Pick<AccountsRequest, 'per_company'>): number => Math.min(maxAccounts, Math.floor(maxAccountRows / rows));

/** Fetches the rows of all companies, in calls of the size that the gateway accepts. Throws if the first call fails. */
function fetchTable(
  connection: Connection,
  list: AccountList,
  request: Omit<AccountsRequest, 'companies'> & Query,
  companies: readonly string[],
  maxCredits: number | undefined,
  isAsking: boolean,
): FetchedTable {
  const size = getCallSize(request);
  const table: FetchedTable = { heading: [], rows: [], isComplete: true };
  let left = maxCredits;
  for (let at = 0; at < companies.length; at += size) {
    const waitMs = getRemainingMs();
    const answer =
      at > 0 && waitMs === 0
        ? createFailure('pending')
        : call(connection, 'listAtCompanies', {
            params: { list },
            body: {
              ...request,
              companies: companies.slice(at, at + size),
              wait_ms: waitMs,
              ...(left === undefined ? {} : { max_credits: left }),
            },
          });
    const code = answer.ok ? undefined : toLimitProblem(answer.code, isAsking);
    if (!answer.ok && at === 0) {
      if (code === 'confirm_price')
        return createRefusedTable(code === answer.code ? answer.message : explainProblem(code));
      throw new Error(code === 'price_changed' ? TOO_LOW : answer.message);
    }
    if (!answer.ok) {
      const word = getCellError(code === 'price_changed' ? 'max_credits_reached' : (code ?? answer.code));
      const blanks = table.heading.slice(2).map(() => '');
      table.rows.push(...companies.slice(at).map((company) => [company, word, ...blanks]));
      table.isComplete = false;
      break;
    }
    addAnswer(table, answer.body);
    table.stamp = answer.body.stamp;
    if (left !== undefined) left = Math.max(0, left - answer.body.credits.spent);
  }
  return table;
}

/**
 * Lists people or open jobs at companies.
 * @returns a heading row, then the rows of each company, beside its name as typed; a company without rows has the reason
 * @throws Error if an argument is invalid, or the first call fails
 */
function showAccounts(list: AccountList, ...args: readonly unknown[]): Cell[][] {
  const [companiesArgument, query, fieldsArgument, limit, optionsArgument] = args;
  const { byText, distinct: companies } = parseCompanies(companiesArgument);
  const refused = [...byText.keys()].filter((text) => byText.get(text) === undefined);
  const { maxCredits, ...read } = parseOptions(optionsArgument, PREVIEW_OPTIONS);
  const family = accountFamilies[list];
  const parsedQuery = isBlank(query) ? everything : parseQuery(family, query, formatDate, read);
  const fields = parseFields(fieldsArgument);
  const request = {
    ...parsedQuery,
    per_company: parseCount(limit, 'The limit', maxRowsPerAccount, defaultRowsPerAccount),
    ...(fields === undefined ? {} : { fields }),
  };
  const connection = requireFormulaConnection();
  const calls = Math.ceil(companies.length / getCallSize(request));
  const table = loadTable(
    connection,
    ['accounts', list, companies, request],
    { own: maxCredits, calls, purpose: 'to see people and jobs' },
    (...limit) => fetchTable(connection, list, request, companies, ...limit),
  );
  const toCell = createCellConverter();
  const blanks = table.heading.slice(2).map(() => '');
  const refusedRows = refused.map((text) => [text, getCellError('invalid_key'), ...blanks]);
  return [[...table.heading], ...[...table.rows, ...refusedRows].map((row) => row.map(toCell))];
}

/** Lists people at companies, by their current job. See {@link showAccounts}. */
export const CDAPI_PEOPLE = (...args: readonly unknown[]): Cell[][] => showAccounts('people', ...args);

/** Lists open jobs at companies. See {@link showAccounts}. */
export const CDAPI_JOBS = (...args: readonly unknown[]): Cell[][] => showAccounts('jobs', ...args);

/** Counts of companies: a number, or the word of a problem. */
interface FetchedCounts extends Fetched {
  counts: Record<string, number | string>;
}

const isCounts = createGuard<FetchedCounts>({ counts: 'object' });

/** Counts the matches of all companies, in calls of the size that the gateway accepts. Throws if the first call fails. */
function fetchCounts(
  connection: Connection,
  list: AccountList,
  query: Query,
  companies: readonly string[],
): FetchedCounts {
  const fetched: FetchedCounts = { counts: {}, isComplete: true };
  for (let at = 0; at < companies.length; at += maxCountedAccounts) {
    const batch = companies.slice(at, at + maxCountedAccounts);
    const answer = call(connection, 'countAtCompanies', {
      params: { list },
      body: {
        ...query,
        companies: batch,
        wait_ms: getRemainingMs(),
      },
    });
    if (!answer.ok) {
      if (at === 0) throw new Error(answer.message);
      fetched.isComplete = false;
      for (const company of batch) fetched.counts[company] = getCellError(answer.code);
      continue;
    }
    fetched.stamp = answer.body.stamp;
    for (const { company, total, problem } of answer.body.accounts) {
      fetched.counts[company] = problem === undefined ? total : getCellError(problem);
      if (!lastingProblems.includes(problem)) fetched.isComplete = false;
    }
  }
  return fetched;
}

/**
 * Counts people or open jobs at companies.
 * @returns one number for each cell of the range; blank cells and errors of other formulas stay as they are
 * @throws Error if an argument is invalid, or the first call fails
 */
function showCounts(list: AccountList, ...args: readonly unknown[]): Cell[][] {
  const [companiesArgument, query, optionsArgument] = args;
  const { byText, distinct } = parseCompanies(companiesArgument);
  const options = parseOptions(optionsArgument, QUERY_OPTIONS);
  const parsedQuery = isBlank(query)
    ? everything
    : parseQuery(accountFamilies[list], query, formatDate, options);
  const connection = requireFormulaConnection();
  const { counts } = loadCached(connection, ['counts', list, distinct, parsedQuery], isCounts, () =>
    fetchCounts(connection, list, parsedQuery, distinct),
  );
  return toRows(companiesArgument).map((row) =>
    row.map((cell) => {
      const text = toText(cell);
      if (!byText.has(text)) return text;
      return counts[byText.get(text) ?? ''] ?? getCellError('invalid_key');
    }),
  );
}

/** Counts people at companies, by their current job. See {@link showCounts}. */
export const CDAPI_PEOPLE_COUNT = (...args: readonly unknown[]): Cell[][] => showCounts('people', ...args);

/** Counts open jobs at companies. See {@link showCounts}. */
export const CDAPI_JOBS_COUNT = (...args: readonly unknown[]): Cell[][] => showCounts('jobs', ...args);
