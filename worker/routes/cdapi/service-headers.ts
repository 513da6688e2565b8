// Adds the service's headers to every response of the drop-in API (provider API, "Headers").
import type { Context } from 'hono';
import { formatPolicy } from '../../gateway/rate-limit/rate-limit.ts';
import type { GatewayEnv, ProviderHeaderVariables } from '../../gateway/services.ts';
import type { CallHeaders } from '../../gateway/upstream/upstream.ts';
import type { RequestVariables } from '../../http/request-log.ts';

interface ResponseVariables {
  Variables: Pick<RequestVariables, 'requestId'> &
    Partial<Pick<GatewayEnv['Variables'], 'lease'> & ProviderHeaderVariables>;
}

/** Rate limit and balance of the provider's account, as far as they are known. */
type ProviderAccount = Pick<CallHeaders, 'limitPerS' | 'balance'>;

/**
 * Builds the rate limit headers that many responses share; none without a lease. The limit is the lower of the token's and the
 * provider's, so that a client within it is never rejected. Cached responses do not count.
 */
export function buildLimitHeaders(
  c: Context<ResponseVariables>,
  { limitPerS }: ProviderAccount,
): Readonly<Record<string, string>> {
  const allowance = c.get('lease')?.allowance;
  if (allowance === undefined) return {};
  const { limit: callsPerWindow, windowS, usedUp, left } = allowance;
  const tokenPerS = Math.max(1, Math.floor(callsPerWindow / windowS));
  const limit = Math.min(tokenPerS, limitPerS ?? tokenPerS);
  const remaining = Math.min(limit, c.get('callHeaders')?.remainingPerS ?? limit, usedUp ? left : limit);
  return {
    'x-ratelimit-limit-second': String(limit),
    'x-ratelimit-remaining-second': String(remaining),
    'RateLimit-Policy': formatPolicy(allowance),
  };
}

/**
 * Adds a correlation id, the rate limit unless the response has it, and the credits left for a team without a cap: those of
 * the provider's account.
 * @param headers - of the response
 */
export function addServiceHeaders(
  c: Context<ResponseVariables>,
  headers: Headers,
  account: ProviderAccount,
): void {
  headers.set('x-correlation-id', c.get('callHeaders')?.correlationId ?? c.get('requestId'));
  const { balance } = account;
  const credits = c.get('lease')?.allowance?.remaining;
  if (credits === null && balance !== undefined && headers.has('x-cache'))
    headers.set('x-credits-remaining', String(balance));
  if (headers.has('x-ratelimit-limit-second')) return;
  for (const [name, value] of Object.entries(buildLimitHeaders(c, account))) headers.set(name, value);
}
