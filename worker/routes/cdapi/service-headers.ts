// The rate limit of the drop-in API's responses (provider API, "Headers").
import { type Allowance, formatPolicy } from '../../gateway/rate-limit/rate-limit.ts';
import type { CallHeaders } from '../../gateway/upstream/upstream.ts';

/**
 * Computes the rate limit of a response, which many share. It is the lower of the token's and the provider's, so that a client
 * within it is never rejected. Cached responses do not count.
 * @param allowance - of the token; undefined without a lease
 * @param call - headers of the response's call, if there was one
 * @param account - of the provider, as far as it is known
 */
export function computeLimit(
  allowance: Allowance | undefined,
  call: Pick<CallHeaders, 'remainingPerS'> | undefined,
  { limitPerS }: Pick<CallHeaders, 'limitPerS'>,
) {
  if (allowance === undefined) return undefined;
  const { limit: callsPerWindow, windowS, usedUp, left } = allowance;
  const tokenPerS = Math.max(1, Math.floor(callsPerWindow / windowS));
  const perS = Math.min(tokenPerS, limitPerS ?? tokenPerS);
  const leftPerS = Math.min(perS, call?.remainingPerS ?? perS, usedUp ? left : perS);
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
