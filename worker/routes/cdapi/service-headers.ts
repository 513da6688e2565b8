// Adds the service's headers to every response of the drop-in API (provider API, "Headers").

import type { GatewayEnv, ProviderHeaderVariables } from '../../gateway/services.ts';
import type { Middleware } from '../../http/compose.ts';
import type { RequestVariables } from '../../http/request-log.ts';

interface ResponseVariables {
  Variables: Pick<RequestVariables, 'requestId'> &
    Partial<Pick<GatewayEnv['Variables'], 'lease'> & ProviderHeaderVariables>;
}

/**
 * Creates the middleware that adds rate limit headers and a correlation id. The limit is the lower of the token's and the
 * provider's, so that a client within it is never rejected. Cached responses do not count.
 * @param providerPerS - calls per second that the provider allows, or undefined if unknown
 */
export function addServiceHeaders(providerPerS: () => number | undefined): Middleware<ResponseVariables> {
  return async (c, next) => {
    await next();
    const { headers } = c.res;
    const providerHeaders = c.get('callHeaders');
    headers.set('x-correlation-id', providerHeaders?.correlationId ?? c.get('requestId'));
    const allowance = c.get('lease')?.allowance;
    if (allowance === undefined) return;
    const { limit: callsPerWindow, windowS, usedUp, left } = allowance;
    const tokenPerS = Math.max(1, Math.floor(callsPerWindow / windowS));
    const limit = Math.min(tokenPerS, providerPerS() ?? tokenPerS);
    const remaining = Math.min(limit, providerHeaders?.remainingPerS ?? limit, usedUp ? left : limit);
    headers.set('x-ratelimit-limit-second', String(limit));
    headers.set('x-ratelimit-remaining-second', String(remaining));
  };
}
