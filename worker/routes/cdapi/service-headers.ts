// The rate limit of the drop-in API's responses (provider API, "Headers").
import type { Context } from 'hono';
import type { Env } from '../../env.ts';
import { formatPolicy } from '../../gateway/rate-limit/rate-limit.ts';
import type { GatewayEnv, Services } from '../../gateway/services.ts';

/**
 * Computes the rate limit of a response, which many share; undefined without a lease. It is the lower of the token's and the
 * provider's, so that a client within it is never rejected. Cached responses do not count.
 */
export function computeLimit<E extends Env>(
  c: Context<GatewayEnv<E>>,
  { getProviderAccount }: Pick<Services<E>, 'getProviderAccount'>,
) {
  // A refused caller has no lease.
  const allowance = c.get('lease')?.allowance;
  if (allowance === undefined) return undefined;
  const { limitPerS } = getProviderAccount();
  const { limit: callsPerWindow, windowS, usedUp, left } = allowance;
  const tokenPerS = Math.max(1, Math.floor(callsPerWindow / windowS));
  const perS = Math.min(tokenPerS, limitPerS ?? tokenPerS);
  const leftPerS = Math.min(perS, c.get('callHeaders')?.remainingPerS ?? perS, usedUp ? left : perS);
  return { perS, leftPerS, policy: formatPolicy(allowance) };
}

export type SharedLimit = ReturnType<typeof computeLimit>;

/** Sets the headers of a rate limit, if there is one. */
export function setLimitHeaders(headers: Headers, limit: SharedLimit): void {
  if (limit === undefined) return;
  headers.set('x-ratelimit-limit-second', String(limit.perS));
  headers.set('x-ratelimit-remaining-second', String(limit.leftPerS));
  headers.set('RateLimit-Policy', limit.policy);
}
