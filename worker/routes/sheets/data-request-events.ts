// GET /sheets/v1/requests/{id}/events: live progress as server-sent events. Browsers can't send a token here, so a ticket
// authorises the stream.
import type { Handler } from 'hono';
import { streamProgress } from '../../data-requests/progress-events.ts';
import { DataRequestRepository } from '../../data-requests/repository.ts';
import { toRequestView } from '../../data-requests/view.ts';
import type { Env } from '../../env.ts';
import { AuthThrottle, getClientAddress } from '../../gateway/auth/auth-throttle.ts';
import type { Platform } from '../../gateway/platform.ts';
import { parseProviderMessage } from '../../gateway/query.ts';
import { isLoopback } from '../../gateway/upstream/configured-upstream.ts';
import { ProblemError } from '../../http/problem-error.ts';
import { sha256Hex } from '../../lib/hash.ts';

/** Origin of sidebars. Google serves each from a separate host. */
const SIDEBAR_ORIGIN = /^https:\/\/[\w-]+\.googleusercontent\.com$/;

/** Origin of sandboxed pages, such as the playground's sidebar. */
const OPAQUE_ORIGIN = 'null';

/**
 * Returns the CORS header. Allowed are the sidebar's pages, and in development local pages and the playground's sidebar.
 */
export function getCorsHeaders(
  { ENVIRONMENT }: Pick<Env, 'ENVIRONMENT'>,
  origin: string | undefined,
): Record<string, string> {
  if (origin === undefined) return {};
  const isLocal =
    ENVIRONMENT === 'development' &&
    (origin === OPAQUE_ORIGIN || isLoopback(URL.parse(origin)?.hostname ?? ''));
  return SIDEBAR_ORIGIN.test(origin) || isLocal ? { 'access-control-allow-origin': origin } : {};
}

/**
 * Creates the handler of a data request's event stream.
 * @throws ProblemError `not_found` without a valid ticket; `rate_limited` after too many invalid ones
 */
export function createEventsHandler<E extends Env>({ now, sleep }: Platform<E>): Handler<{ Bindings: E }> {
  const throttle = new AuthThrottle('ticket', now);
  return async (c) => {
    const id = c.req.param('id') ?? '';
    const ticket = c.req.query('ticket') ?? '';
    const address = getClientAddress(c.req.raw.headers);
    throttle.check(address);
    const store = new DataRequestRepository(c.env.DB);
    const headers = { vary: 'origin', ...getCorsHeaders(c.env, c.req.header('origin')) };
    if (!(await store.redeemTicket(await sha256Hex(ticket), id, now()))) {
      await throttle.recordFailure(c.env, address);
      throw new ProblemError(
        'not_found',
        'This ticket is not valid.',
        'Request a new ticket. Each ticket can be used once.',
        headers,
      );
    }
    const getView = async () => {
      const row = await store.get(id);
      return row === undefined
        ? undefined
        : toRequestView(row, await store.listFiles([id]), parseProviderMessage);
    };
    return new Response(streamProgress({ now, sleep, getView, signal: c.req.raw.signal }), {
      headers: { ...headers, 'content-type': 'text/event-stream', 'cache-control': 'no-store' },
    });
  };
}
