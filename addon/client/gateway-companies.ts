// Calls about many companies at once: people or jobs at them, and their names.

import type { AccountList } from '../../shared/accounts.ts';
import type {
  AccountCountsRequest,
  AccountCountsResponse,
  AccountsEstimateResponse,
  AccountsRequest,
  AccountsResponse,
} from '../../shared/api/accounts.ts';
import type { MatchEstimateResponse, MatchRequest, MatchResponse } from '../../shared/api/match.ts';
import type { Connection } from '../../shared/connection.ts';
import { send, sendAll } from './gateway.ts';
import { createGuard, type GatewayResult } from './http.ts';

const isAccounts = createGuard<AccountsResponse>({ columns: 'list', accounts: 'list' });
const isAccountsEstimate = createGuard<AccountsEstimateResponse>({ accounts: 'list', credits: 'number' });
const isCounts = createGuard<AccountCountsResponse>({ accounts: 'list' });
const isMatchEstimate = createGuard<MatchEstimateResponse>({ records: 'number', found: 'number' });
const isMatches = createGuard<MatchResponse>({ matches: 'list' });

/** Returns people or open jobs at companies. */
export function listAtCompanies(
  connection: Connection,
  list: AccountList,
  request: AccountsRequest,
): GatewayResult<AccountsResponse> {
  return send(connection, { method: 'post', path: `accounts/${list}`, body: request }, isAccounts);
}

/**
 * Counts people or open jobs at companies and estimates the price of their rows, in parallel. Free.
 * @param requests - at least one
 */
export function estimateAtCompanies(
  connection: Connection,
  list: AccountList,
  requests: readonly AccountsRequest[],
): GatewayResult<AccountsEstimateResponse>[] {
  const path = `accounts/${list}/estimate`;
  return sendAll(
    connection,
    requests.map((body) => ({ method: 'post' as const, path, body })),
    isAccountsEstimate,
  );
}

/** Counts people or open jobs at companies. Free. */
export function countAtCompanies(
  connection: Connection,
  list: AccountList,
  request: AccountCountsRequest,
): GatewayResult<AccountCountsResponse> {
  return send(connection, { method: 'post', path: `accounts/${list}/counts`, body: request }, isCounts);
}

/** Matches company names to records. */
export function matchNames(connection: Connection, request: MatchRequest): GatewayResult<MatchResponse> {
  return send(connection, { method: 'post', path: 'match', body: request }, isMatches);
}

/**
 * Estimates the price of matching company names, in parallel. Free.
 * @param requests - at least one
 */
export function estimateMatches(
  connection: Connection,
  requests: readonly MatchRequest[],
): GatewayResult<MatchEstimateResponse>[] {
  const path = 'match/estimate';
  return sendAll(
    connection,
    requests.map((body) => ({ method: 'post' as const, path, body })),
    isMatchEstimate,
  );
}
