// The headers that the service has on every answer, and so has the drop-in surface (contract, "Headers").

import type { GatewayEnv, ProviderHeaderVariables } from '../../gateway/services.ts';
import type { Middleware } from '../../http/compose.ts';
import type { RequestVariables } from '../../http/log.ts';

interface ResponseVariables {
  Variables: Pick<RequestVariables, 'requestId'> &
    Partial<Pick<GatewayEnv['Variables'], 'lease'> & ProviderHeaderVariables>;
}

/**
 * Makes the middleware that adds the ceiling of calls in a second, what is left of it, and an opaque id. The ceiling is the
 * lower of the token's own and the provider's: a client that keeps to it is refused by neither. An answer from memory uses
 * nothing of it.
 * @param providerPerS - calls a second that the provider allows; undefined where it is not known
 */
export function addServiceHeaders(providerPerS: () => number | undefined): Middleware<ResponseVariables> {
  return async (c, next) => {
    await next();
    const { headers } = c.res;
    const said = c.get('callHeaders');
    headers.set('x-correlation-id', said?.correlationId ?? c.get('requestId'));
    const allowance = c.get('lease')?.allowance;
    if (allowance === undefined) return;
    const { limit: quota, windowS, usedUp, left } = allowance;
    const own = Math.max(1, Math.floor(quota / windowS));
    const limit = Math.min(own, providerPerS() ?? own);
    const remaining = Math.min(limit, said?.remainingPerS ?? limit, usedUp ? left : limit);
    headers.set('x-ratelimit-limit-second', String(limit));
    headers.set('x-ratelimit-remaining-second', String(remaining));
  };
}
