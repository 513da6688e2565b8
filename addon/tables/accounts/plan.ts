// Counts people or open jobs at companies of a column, and estimates the price of their rows.

import { findAccountList } from '../../../shared/accounts.ts';
import type { AccountsEstimateResponse } from '../../../shared/api/accounts.ts';
import type { Connection } from '../../../shared/connection.ts';
import { previewPageSize } from '../../../shared/families/previews.ts';
import type { NotKey } from '../../../shared/keys/index.ts';
import { defined } from '../../../shared/lib/defined.ts';
import { splitIntoBatches } from '../../../shared/lib/split-into-batches.ts';
import { getPreviewPrice } from '../../../shared/operations.ts';
import { callAll } from '../../client/gateway.ts';
import { unwrap } from '../../client/http.ts';
import { createError } from '../../lib/addon-error.ts';
import type { AccountsSource, SearchOrder, SearchPlan } from '../../server/api/index.ts';
import { warnAboutNotKeys } from '../lookup/rows.ts';
import { digestPlan } from '../rows/overwrite.ts';
import { PAGE_WAIT_MS } from '../runs/run-store.ts';
import { getStepSize, readCompanies } from './companies.ts';

/** Calls of an estimate. Companies of later calls count with their maximum, because each takes a search. */
const MAX_ESTIMATES = 4;

export type AccountsCount = Pick<
  SearchPlan,
  'total' | 'without' | 'rows' | 'credits' | 'companies' | 'isMaximum' | 'warnings'
> & { digest: string };

/** Counts matches of a company with an unknown number as the maximum. */
const countRows = ({ accounts }: AccountsEstimateResponse, { perCompany }: AccountsSource): number =>
  accounts.reduce((sum, { rows, problem }) => sum + (problem === 'pending' ? perCompany : rows), 0);

/**
 * Counts the records at the companies of an order. Free. Calls have the companies of the run's steps, because the companies
 * of a call share preview pages.
 * @throws AddonError if the family has no such list, or the gateway refuses
 */
export function countAccounts(
  { family, query, maxAgeS }: Pick<SearchOrder, 'family' | 'query'> & { maxAgeS?: number },
  source: AccountsSource,
  connection: Connection,
): AccountsCount {
  const list = findAccountList(family);
  if (list === undefined) throw createError('bad_call', 'Choose people or jobs to search at companies.');
  const { companies, notKeys } = readCompanies(source);
  if (companies.length === 0)
    throw createError('bad_call', 'The column has no companies: choose another one.');
  const batches = splitIntoBatches(companies, getStepSize(source));
  const requests = batches.slice(0, MAX_ESTIMATES).map((batch) => ({
    ...query,
    companies: batch,
    per_company: source.perCompany,
    wait_ms: PAGE_WAIT_MS,
    ...defined({ max_age_s: maxAgeS }),
  }));
  const counted = callAll(connection, 'estimateAtCompanies', requests, { params: { list } }).map(unwrap);
  const accounts = counted.flatMap((each) => each.accounts);
  // The gateway knows more texts that are no name, such as long ones.
  const refused = accounts.filter(({ problem }) => problem === 'invalid_key').length;
  const uncounted = batches.slice(MAX_ESTIMATES).map((batch) => batch.length * source.perCompany);
  const isMaximum = uncounted.length > 0 || accounts.some(({ problem }) => problem === 'pending');
  return {
    total: accounts.reduce((sum, { total }) => sum + total, 0),
    without: [],
    rows: [...counted.map((each) => countRows(each, source)), ...uncounted].reduce((sum, n) => sum + n, 0),
    credits:
      counted.reduce((sum, { credits }) => sum + credits, 0) +
      uncounted.reduce((sum, rows) => sum + Math.ceil(rows / previewPageSize), 0) * getPreviewPrice(family),
    companies: { all: companies.length - refused, found: accounts.filter(({ total }) => total > 0).length },
    ...(isMaximum ? { isMaximum } : {}),
    warnings: warnAboutNotKeys([...notKeys, ...Array<NotKey>(refused).fill('other')]),
    digest: digestPlan(companies),
  };
}
