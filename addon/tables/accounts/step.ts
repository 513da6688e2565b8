// Writes people or open jobs at companies, some companies per step.
import { accountColumn, findAccountList } from '../../../shared/accounts.ts';
import type { AccountsResponse } from '../../../shared/api/accounts.ts';
import type { Connection } from '../../../shared/connection.ts';
import { hasPreviewField } from '../../../shared/families/previews.ts';
import { getCellError, problems } from '../../../shared/problems.ts';
import { listAtCompanies } from '../../client/gateway-companies.ts';
import { isSpendingOn } from '../../client/spending.ts';
import { AddonError } from '../../lib/addon-error.ts';
import type { AccountsSource } from '../../server/api/index.ts';
import { fingerprint } from '../../sheet/entries.ts';
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
import { getStepSize, locateAccounts, readCompanies, toStoredAccounts } from './companies.ts';

const CHANGED = 'The companies changed while this ran. Start again: nothing is paid twice.';

/** Problems of a company itself. Others concern the whole run, which pauses. */
const companyProblems: readonly unknown[] = [undefined, 'not_found', 'invalid_key', 'pending'];

function fetchAccounts(
  run: RunRecord,
  state: SearchState,
  { source }: AccountsState,
  companies: string[],
  connection: Connection,
): AccountsResponse {
  if (!isSpendingOn()) throw new AddonError('spending_off', SPENDING_OFF);
  const { table } = requireTable(run.tableId);
  const list = findAccountList(table.family);
  if (list === undefined) throw new AddonError('gone', 'The search of this table is missing.');
  const fields = table.columns.flatMap(({ path }) => (hasPreviewField(table.family, path) ? path : []));
  const answer = listAtCompanies(connection, list, {
    ...(state.query ?? table.query ?? { text: '' }),
    companies,
    per_company: source.perCompany,
    fields: [...new Set(fields)],
    ...buildMaxAge(run, state.maxAgeS),
    ...buildLimits(run),
    wait_ms: PAGE_WAIT_MS,
  });
  if (!answer.ok) throw new AddonError(answer.code, answer.message);
  run.credits += answer.body.credits.spent;
  run.saved += answer.body.credits.saved;
  const failed = answer.body.accounts.find(({ problem }) => !companyProblems.includes(problem))?.problem;
  // The step is repeated when the run resumes. What it bought is free then.
  if (failed !== undefined) throw new AddonError(failed, `${problems[failed].title} ${problems[failed].fix}`);
  return answer.body;
}

/** Creates the state of a search at companies. */
export function createAccountsState(source: AccountsSource): AccountsState {
  const { companies } = readCompanies(source);
  return { source: toStoredAccounts(source), cursor: 0, digest: fingerprint(companies), skipped: [] };
}

/**
 * Fetches the rows of the next companies and writes them. Companies without an answer in time follow at the end. Modifies the
 * run; the caller saves it.
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
  const { companies } = readCompanies(locateAccounts(accounts.source));
  if (fingerprint(companies) !== accounts.digest) throw new AddonError('gone', CHANGED);
  const size = getStepSize(accounts.source);
  const isRetry = accounts.cursor >= companies.length;
  const batch = isRetry
    ? accounts.skipped.slice(0, size)
    : companies.slice(accounts.cursor, accounts.cursor + size);
  const { columns, accounts: answers, credits } = fetchAccounts(run, state, accounts, batch, connection);
  const late = answers.flatMap(({ company, problem }) => (problem === 'pending' ? company : []));
  if (isRetry && late.length === batch.length)
    throw new AddonError('pending', `${problems.pending.title} ${problems.pending.fix}`);
  const answered = answers.filter(({ problem }) => problem !== 'pending');
  writeFetchedRows(run, state, {
    columns: [{ name: accountColumn, type: 'text' }, ...columns],
    rows: answered.flatMap(({ company, rows }) => rows.map((row) => [company, ...row])),
    credits,
  });
  for (const { problem } of answered) {
    const word = problem === undefined ? undefined : getCellError(problem);
    if (word !== undefined) run.failed[word] = (run.failed[word] ?? 0) + 1;
  }
  if (isRetry) accounts.skipped = [...accounts.skipped.slice(batch.length), ...late];
  else {
    accounts.cursor += batch.length;
    accounts.skipped.push(...late);
  }
  const hasMore = accounts.cursor < companies.length || accounts.skipped.length > 0;
  run.total = hasMore ? Math.max(run.total, run.done) : run.done;
  return hasMore;
}
