// Writes people or open jobs at companies, some companies per step.

import { accountColumn, findAccountList } from '../../../shared/accounts.ts';
import type { AccountsResponse } from '../../../shared/api/accounts.ts';
import type { Connection } from '../../../shared/connection.ts';
import { hasPreviewField } from '../../../shared/families/previews.ts';
import { getCellError, type ProblemCode, problems } from '../../../shared/problems.ts';
import { call } from '../../client/gateway.ts';
import { unwrap } from '../../client/http.ts';
import { isSpendingOn } from '../../client/spending.ts';
import { AddonError, createError } from '../../lib/addon-error.ts';
import type { AccountsSource } from '../../server/api/index.ts';
import { fingerprint } from '../../sheet/entries.ts';
import { translateProblem } from '../../texts/problems.ts';
import { requireTable } from '../located-table.ts';
import {
  type AccountsState,
  buildLimits,
  buildMaxAge,
  PAGE_WAIT_MS,
  type RunRecord,
  type SearchState,
} from '../runs/run-store.ts';
import { SPENDING_OFF, writeFetchedRows } from '../search/step.ts';
import { findAccounts, getStepSize, readCompanies, toStoredAccounts } from './companies.ts';

const CHANGED = 'The companies changed while this ran. Start again: nothing is paid twice.';

/** A run pauses after so many steps in a row without an answer of every company. */
const MAX_IDLE_STEPS = 6;

/** The report of a run names so many companies without rows. */
const MAX_WITHOUT = 100;

const createProblemError = (code: ProblemCode): AddonError =>
  new AddonError(code, translateProblem({ code }));

function fetchAccounts(
  run: RunRecord,
  state: SearchState,
  { source }: AccountsState,
  companies: string[],
  connection: Connection,
): AccountsResponse {
  if (!isSpendingOn()) throw createError('spending_off', SPENDING_OFF);
  const { table } = requireTable(run.tableId);
  const list = findAccountList(table.family);
  if (list === undefined) throw createError('gone', 'The search of this table is missing.');
  const fields = table.columns.flatMap(({ path }) => (hasPreviewField(table.family, path) ? path : []));
  const answer = call(connection, 'listAtCompanies', {
    params: { list },
    body: {
      ...(state.query ?? table.query ?? { text: '' }),
      companies,
      per_company: source.perCompany,
      only_complete: true,
      fields: [...new Set(fields)],
      ...buildMaxAge(run, state.maxAgeS),
      ...buildLimits(run),
      wait_ms: PAGE_WAIT_MS,
    },
  });
  const body = unwrap(answer);
  run.credits += body.credits.spent;
  run.saved += body.credits.saved;
  const failed = body.accounts
    .flatMap(({ problem }) => problem ?? [])
    .find((code) => problems[code].policy.ends !== 'row');
  // The step is repeated when the run resumes. What it bought is free then.
  if (failed !== undefined) throw createProblemError(failed);
  return body;
}

/** Creates the state of a search at companies. */
export function createAccountsState(source: AccountsSource): AccountsState {
  const { companies } = readCompanies(source);
  return { source: toStoredAccounts(source), cursor: 0, digest: fingerprint(companies), idleSteps: 0 };
}

/**
 * Fetches the rows of the next companies and writes them. Modifies the run; the caller saves it.
 * @returns whether there are more companies
 * @throws AddonError if the gateway or the sheet refuses, or the companies changed; the run keeps its position but records
 *   what it paid
 */
export function stepAccounts(
  run: RunRecord,
  state: SearchState,
  accounts: AccountsState,
  connection: Connection,
): boolean {
  const { companies } = readCompanies(findAccounts(run.tableId, accounts.source) ?? accounts.source);
  if (fingerprint(companies) !== accounts.digest) throw createError('gone', CHANGED);
  const batch = companies.slice(accounts.cursor, accounts.cursor + getStepSize(accounts.source));
  const { columns, accounts: answers, credits } = fetchAccounts(run, state, accounts, batch, connection);
  // The next step repeats the same companies: other ones would share other pages, which are not bought yet.
  if (answers.some(({ problem }) => problem === 'pending')) {
    accounts.idleSteps += 1;
    if (accounts.idleSteps % MAX_IDLE_STEPS === 0) throw createProblemError('pending');
    return true;
  }
  const cursor = accounts.cursor + batch.length;
  const hasMore = cursor < companies.length;
  const fetched = {
    columns: [{ name: accountColumn, type: 'text' as const }, ...columns],
    rows: answers.flatMap(({ company, rows }) => rows.map((row) => [company, ...row])),
    credits,
  };
  writeFetchedRows(run, state, fetched, !hasMore);
  for (const { company, problem } of answers) {
    const word = problem === undefined || problem === 'invalid_key' ? undefined : getCellError(problem);
    if (word === undefined) continue;
    run.failed[word] = (run.failed[word] ?? 0) + 1;
    run.without = [...(run.without ?? []), company].slice(0, MAX_WITHOUT);
  }
  Object.assign(accounts, { cursor, idleSteps: 0 });
  run.total = hasMore ? Math.max(run.total, run.done) : run.done;
  return hasMore;
}
