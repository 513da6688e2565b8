// Adds the service's headers to every response of the drop-in API (provider API, "Headers").

import { type Allowance, createPolicyHeader } from '../../gateway/rate-limit/rate-limit.ts';
import type { GatewayEnv, ProviderHeaderVariables } from '../../gateway/services.ts';
import type { CallHeaders } from '../../gateway/upstream/upstream.ts';
import type { Middleware } from '../../http/compose.ts';
import { setHeader } from '../../http/preset-headers.ts';
import type { RequestVariables } from '../../http/request-log.ts';

interface ResponseVariables {
  Variables: Pick<RequestVariables, 'requestId'> &
    Partial<Pick<GatewayEnv['Variables'], 'lease'> & ProviderHeaderVariables>;
}

/**
 * Creates the service's rate limit headers.
 * @param providerPerS - calls per second that the provider allows, or undefined if unknown
 * @param providerHeaders - of the provider's answer to this request, if it was called
 */
function createLimitHeaders(
  { limit: callsPerWindow, windowS, usedUp, left }: Allowance,
  providerPerS: number | undefined,
  providerHeaders: CallHeaders | undefined,
): Record<string, string> {
  const tokenPerS = Math.max(1, Math.floor(callsPerWindow / windowS));
  const limit = Math.min(tokenPerS, providerPerS ?? tokenPerS);
  const remaining = Math.min(limit, providerHeaders?.remainingPerS ?? limit, usedUp ? left : limit);
  return { 'x-ratelimit-limit-second': String(limit), 'x-ratelimit-remaining-second': String(remaining) };
}

/** Headers of an answer from memory, which takes no measurable time. */
const NO_DURATION = { 'server-timing': 'total;dur=0' };

/**
 * Predicts the headers that middlewares will set on an answer from memory. A wrong prediction costs time only.
 * @param providerPerS - calls per second that the provider allows, or undefined if unknown
 */
export function predictHeaders(
  allowance: Allowance | undefined,
  providerPerS: number | undefined,
): Readonly<Record<string, string>> {
  if (allowance === undefined) return NO_DURATION;
  return {
    ...createPolicyHeader(allowance),
    ...createLimitHeaders(allowance, providerPerS, undefined),
    ...NO_DURATION,
  };
}

/**
 * Creates the middleware that adds rate limit headers and a correlation id. The limit is the lower of the token's and the
 * provider's, so that a client within it is never rejected. Cached responses do not count.
 * @param providerPerS - calls per second that the provider allows, or undefined if unknown
 */
export function addServiceHeaders(providerPerS: () => number | undefined): Middleware<ResponseVariables> {
  return async (c, next) => {
    await next();
    const providerHeaders = c.get('callHeaders');
    c.res.headers.set('x-correlation-id', providerHeaders?.correlationId ?? c.get('requestId'));
    const allowance = c.get('lease')?.allowance;
    if (allowance === undefined) return;
    const headers = createLimitHeaders(allowance, providerPerS(), providerHeaders);
    for (const [name, value] of Object.entries(headers)) setHeader(c.res, name, value);
  };
}
