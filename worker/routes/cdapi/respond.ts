// Responds to the requests of the drop-in API: the service's headers and errors, an id, and the log line.
import type { Context, Env as HonoEnv } from 'hono';
import type { Env } from '../../env.ts';
import { formatRest } from '../../gateway/rate-limit/rate-limit.ts';
import type { GatewayEnv, Services } from '../../gateway/services.ts';
import { findRefusal } from '../../http/maintenance.ts';
import { finishRequest } from '../../http/request-log.ts';
import { createErrorResponse } from './responses.ts';
import { computeLimit, setLimitHeaders } from './service-headers.ts';

/** A handler without middleware: a cache hit takes only microseconds, and needs no promise. */
export type DropInHandler<E extends HonoEnv> = (c: Context<E>) => Response | Promise<Response>;

/**
 * Completes a handler of the drop-in API.
 * @returns the handler of the route, which never throws
 */
export function createResponder<E extends Env>(services: Services<E>) {
  const { now } = services;
  const finish = (c: Context<GatewayEnv<E>>, response: Response, startedAt: number): Response => {
    const { headers, status } = response;
    // A response with data already has this header and the rate limit.
    const cacheStatus = headers.get('x-cache');
    const endedAt = now();
    const allowance = c.get('lease')?.allowance;
    const call = c.get('callHeaders');
    headers.set('x-correlation-id', call?.correlationId ?? c.get('requestId'));
    if (cacheStatus === null) setLimitHeaders(headers, computeLimit(c, services));
    // A team without a cap may spend what the provider's account has.
    else if (allowance?.remaining === null) {
      const { balance } = services.getProviderAccount();
      if (balance !== undefined) headers.set('x-credits-remaining', String(balance));
    }
    if (allowance !== undefined) headers.set('RateLimit', formatRest(allowance, endedAt));
    finishRequest(c, response, startedAt, endedAt, cacheStatus === 'hit' && status === 200);
    return response;
  };
  return (handle: DropInHandler<GatewayEnv<E>>): DropInHandler<GatewayEnv<E>> =>
    (c) => {
      const startedAt = now();
      // A caller must not choose the id, because the log contains it.
      const id = crypto.randomUUID();
      c.set('requestId', id);
      const fail = (error: unknown): Response => {
        if (!(error instanceof Error)) throw error;
        c.error = error;
        return createErrorResponse(error, c.req.raw, id);
      };
      const respond = (): Response | Promise<Response> => {
        try {
          const refusal = findRefusal(c.env, c.req.path);
          if (refusal !== undefined) return fail(refusal);
          const response = handle(c);
          return response instanceof Promise ? response.catch(fail) : response;
        } catch (error) {
          return fail(error);
        }
      };
      const response = respond();
      return response instanceof Promise
        ? response.then((settled) => finish(c, settled, startedAt))
        : finish(c, response, startedAt);
    };
}
