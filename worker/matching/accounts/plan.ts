// Plans a list of people or open jobs at companies: free searches find the ids, which are then packed into preview pages.
import { type AccountList, accountFamilies, defaultRowsPerAccount } from '../../../shared/accounts.ts';
import type { AccountCountsRequest, AccountsRequest } from '../../../shared/api/accounts.ts';
import { previewPageSize } from '../../../shared/families/previews.ts';
import { maxWaitMs } from '../../../shared/limits.ts';
import type { ProblemCode } from '../../../shared/problems.ts';
import { computeSince } from '../../gateway/cache/freshness.ts';
import type { GatewayContext } from '../../gateway/context.ts';
import { buildProviderQuery, throwSharedProblem } from '../../gateway/query.ts';
import { fetchPages, type PageResult } from '../../gateway/search-pages.ts';
import { planRecordPages, type RecordPages, splitIntoPages } from '../record-pages.ts';
import { createAccountQuery, parseCompany } from './query.ts';

/** The matches of one company. */
export interface AccountMatches {
  /** As requested. */
  company: string;
  total: number;
  /** The best matches, at most as many as requested. */
  ids: string[];
  problem?: ProblemCode;
}

/** The plan of a list. */
export interface AccountPlan extends RecordPages {
  /** In the order of the companies. */
  accounts: AccountMatches[];
  /** Milliseconds since 1970. */
  deadline: number;
}

function toMatches(company: string, answer: PageResult, limit: number): AccountMatches {
  if (answer.outcome === 'failed') {
    throwSharedProblem(answer);
    return { company, total: 0, ids: [], problem: answer.problem };
  }
  const {
    items: { value: items },
    headers,
  } = answer.page;
  const total = Number(headers['x-total-results'] ?? items.length);
  const ids = [...new Set(items.map(String))].slice(0, limit);
  return { company, total, ids, ...(ids.length === 0 ? { problem: 'not_found' as const } : {}) };
}

/** Searches for the best matches of each company. Free. */
async function findMatches(
  list: AccountList,
  request: AccountCountsRequest,
  limit: number,
  context: GatewayContext,
): Promise<AccountMatches[]> {
  const buildQuery = createAccountQuery(list, request);
  const searches = request.companies.map((text) => {
    const company = parseCompany(text);
    if (company === undefined) return 'invalid_key';
    const query = buildQuery(company);
    if (query === undefined) return 'ambiguous_name';
    const search = buildProviderQuery('search', accountFamilies[list], query);
    search.parameters.set('items_per_page', String(limit));
    return { ...search, since: 0 };
  });
  const sent = searches.filter((search) => typeof search === 'object');
  const options = { waitMs: request.wait_ms ?? maxWaitMs, cancelId: request.cancel_id };
  const answers = (await fetchPages(sent, options, context)).values();
  return request.companies.map((company, at) => {
    const search = searches[at];
    const answer = typeof search === 'object' ? answers.next().value : search;
    return typeof answer === 'object'
      ? toMatches(company, answer, limit)
      : { company, total: 0, ids: [], problem: answer ?? 'internal' };
  });
}

/**
 * Packs records into as few pages as possible. Full pages hold records of one company, so that they stay the same, and
 * cached, if other companies are added or removed. The other records share pages, in an order that does not depend on
 * the order of the companies.
 */
function packIds(accounts: readonly AccountMatches[]): string[][] {
  const seen = new Set<string>();
  const pages: string[][] = [];
  const rest: string[] = [];
  const byCompany = accounts.toSorted((a, b) => (a.company < b.company ? -1 : a.company > b.company ? 1 : 0));
  for (const { ids } of byCompany) {
    const unseen = ids.filter((id) => !seen.has(id));
    for (const id of unseen) seen.add(id);
    const full = unseen.length - (unseen.length % previewPageSize);
    pages.push(...splitIntoPages(unseen.slice(0, full)));
    rest.push(...unseen.slice(full));
  }
  pages.push(...splitIntoPages(rest));
  return pages.map((ids) => ids.toSorted((a, b) => Number(a) - Number(b)));
}

/**
 * Plans a list. Spends nothing.
 * @throws ProblemError `invalid_request` or `unknown_field` if the query is invalid
 */
export async function planAccounts(
  list: AccountList,
  request: AccountsRequest,
  context: GatewayContext,
): Promise<AccountPlan> {
  const startedAt = context.now();
  const limit = request.per_company ?? defaultRowsPerAccount;
  const accounts = await findMatches(list, request, limit, context);
  const since = computeSince(request.max_age_s, startedAt);
  const pages = await planRecordPages(accountFamilies[list], packIds(accounts), since, context);
  return { accounts, ...pages, deadline: startedAt + (request.wait_ms ?? maxWaitMs) };
}

/** The number of matches of a company. */
export type AccountCount = Omit<AccountMatches, 'ids'>;

/**
 * Counts the matches of each company. Spends nothing.
 * @throws ProblemError `invalid_request` or `unknown_field` if the query is invalid
 */
export async function countAccounts(
  list: AccountList,
  request: AccountCountsRequest,
  context: GatewayContext,
): Promise<AccountCount[]> {
  const accounts = await findMatches(list, request, 1, context);
  return accounts.map(({ company, total, problem }) => ({
    company,
    total,
    ...(problem === undefined || problem === 'not_found' ? {} : { problem }),
  }));
}
