// Rows of people or open jobs at companies, and their price.
import {
  type AccountList,
  accountFamilies,
  accountFields,
  defaultRowsPerAccount,
} from '../../../shared/accounts.ts';
import type {
  AccountsEstimateResponse,
  AccountsRequest,
  AccountsResponse,
} from '../../../shared/api/accounts.ts';
import type { Column } from '../../../shared/api/common.ts';
import { previewPageSize } from '../../../shared/families/previews.ts';
import { getPreviewPrice } from '../../../shared/operations.ts';
import type { GatewayContext } from '../../gateway/context.ts';
import { requireConfirmation } from '../../gateway/estimate.ts';
import { selectColumns, toRow } from '../../gateway/preview.ts';
import { priceChangedError } from '../../http/problem-error.ts';
import { buyRecordPages, throwIfRevoked } from '../record-pages.ts';
import { planAccounts } from './plan.ts';

/** A response without its stamp, which the route adds. */
export type AccountsResult = Omit<AccountsResponse, 'stamp'>;

const selectAccountColumns = (
  list: AccountList,
  { fields, any_fields: anyFields }: AccountsRequest,
): Column[] => selectColumns(accountFamilies[list], fields ?? accountFields[list], anyFields);

/**
 * Estimates the price of a list. Free.
 * @throws ProblemError if the query or a field is invalid
 */
export async function estimateAccounts(
  list: AccountList,
  request: AccountsRequest,
  context: GatewayContext,
): Promise<AccountsEstimateResponse> {
  selectAccountColumns(list, request);
  const { accounts, pages, cached, credits } = await planAccounts(list, request, context);
  const uncounted = accounts.filter(({ problem }) => problem === 'pending').length;
  const pagesPerCompany = Math.ceil((request.per_company ?? defaultRowsPerAccount) / previewPageSize);
  return {
    accounts: accounts.map(({ ids, ...account }) => ({ ...account, rows: ids.length })),
    rows: pages.reduce((sum, { ids }) => sum + ids.length, 0),
    pages: pages.length,
    cached,
    to_fetch: pages.length - cached,
    credits: credits + uncounted * pagesPerCompany * getPreviewPrice(accountFamilies[list]),
  };
}

/**
 * Lists people or open jobs at companies. A company that fails does not affect the others.
 * @throws ProblemError if the query or a field is invalid; `price_changed` above `max_credits`, `confirm_price` above the
 *   limit of formulas: nothing is bought then
 */
export async function listAccounts(
  list: AccountList,
  request: AccountsRequest,
  context: GatewayContext,
): Promise<AccountsResult> {
  const columns = selectAccountColumns(list, request);
  const plan = await planAccounts(list, request, context);
  const { max_credits: confirmed } = request;
  if (confirmed !== undefined && plan.credits > confirmed) throw priceChangedError(confirmed, plan.credits);
  requireConfirmation(plan.credits, request, context);
  const isUncounted = plan.accounts.some(({ problem }) => problem === 'pending');
  const pages = request.only_complete === true && isUncounted ? [] : plan.pages;
  const bought = await buyRecordPages(pages, plan.deadline, request.cancel_id, context);
  const { records, problems, spent, saved } = bought;
  throwIfRevoked(bought);
  return {
    columns,
    accounts: plan.accounts.map(({ ids, ...account }) => {
      const failed = ids.find((id) => problems.has(id));
      const problem = account.problem ?? (failed === undefined ? undefined : problems.get(failed));
      return {
        ...account,
        ...(problem === undefined ? {} : { problem }),
        rows: ids.flatMap((id) => (records.has(id) ? [toRow(records.get(id), columns)] : [])),
      };
    }),
    credits: { spent, saved, remaining: context.remaining },
  };
}
