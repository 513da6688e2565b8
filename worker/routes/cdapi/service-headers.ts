// Adds the service's headers to every response of the drop-in API (provider API, "Headers").
import type { Context } from 'hono';
import type { GatewayEnv, ProviderHeaderVariables } from '../../gateway/services.ts';
import type { CallHeaders } from '../../gateway/upstream/upstream.ts';
import type { RequestVariables } from '../../http/request-log.ts';

interface ResponseVariables {
  Variables: Pick<RequestVariables, 'requestId'> &
    Partial<Pick<GatewayEnv['Variables'], 'lease'> & ProviderHeaderVariables>;
}

/**
 * Adds rate limit headers, a correlation id, and the credits left for a team without a cap: those of the provider's account.
 * The limit is the lower of the token's and the provider's, so that a client within it is never rejected. Cached responses do
 * not count.
 * @param headers - of the response
 * @param account - rate limit and balance of the provider's account, as far as they are known
 */
export function addServiceHeaders(
  c: Context<ResponseVariables>,
  headers: Headers,
  { limitPerS, balance }: Pick<CallHeaders, 'limitPerS' | 'balance'>,
): void {
  const providerHeaders = c.get('callHeaders');
  headers.set('x-correlation-id', providerHeaders?.correlationId ?? c.get('requestId'));
  const allowance = c.get('lease')?.allowance;
  if (allowance === undefined) return;
  const { limit: callsPerWindow, windowS, usedUp, left, remaining: credits } = allowance;
  if (credits === null && balance !== undefined && headers.has('x-cache'))
    headers.set('x-credits-remaining', String(balance));
  const tokenPerS = Math.max(1, Math.floor(callsPerWindow / windowS));
  const limit = Math.min(tokenPerS, limitPerS ?? tokenPerS);
  const remaining = Math.min(limit, providerHeaders?.remainingPerS ?? limit, usedUp ? left : limit);
  headers.set('x-ratelimit-limit-second', String(limit));
  headers.set('x-ratelimit-remaining-second', String(remaining));
}
