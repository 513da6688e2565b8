// GET /sheets/v1/requests/{id}/events: live progress for a browser, which can send no token here: a ticket opens it.
import type { Handler } from 'hono';
import { streamProgress } from '../../data-requests/progress-events.ts';
import { DataRequestRepository } from '../../data-requests/repository.ts';
import { toRequestView } from '../../data-requests/view.ts';
import type { Env } from '../../env.ts';
import type { Platform } from '../../gateway/platform.ts';
import { parseProviderMessage } from '../../gateway/query.ts';
import { isLoopback } from '../../gateway/upstream/configured-upstream.ts';
import { ProblemError } from '../../http/problem-error.ts';
import { sha256Hex } from '../../lib/hash.ts';

/** Where Google serves sidebars from: a host of its own for each page. */
const SIDEBAR_ORIGIN = /^https:\/\/[\w-]+\.googleusercontent\.com$/;

/** What a page in a sandbox says for its origin; the playground's sidebar is one. */
const OPAQUE_ORIGIN = 'null';

/**
 * Only the sidebar's pages may read the events; in development also pages of this machine, and the playground's sidebar.
 * @returns the header that says so
 */
export function getCorsHeaders(
  { ENVIRONMENT }: Pick<Env, 'ENVIRONMENT'>,
  origin: string | undefined,
): Record<string, string> {
  if (origin === undefined) return {};
  const local =
    ENVIRONMENT === 'development' &&
    (origin === OPAQUE_ORIGIN || isLoopback(URL.parse(origin)?.hostname ?? ''));
  return SIDEBAR_ORIGIN.test(origin) || local ? { 'access-control-allow-origin': origin } : {};
}

/**
 * Makes the handler of a request's events.
 * @throws ProblemError `not_found` without a good ticket
 */
export function createEventsHandler<E extends Env>({ now, after }: Platform<E>): Handler<{ Bindings: E }> {
  return async (c) => {
    const id = c.req.param('id') ?? '';
    const ticket = c.req.query('ticket') ?? '';
    const store = new DataRequestRepository(c.env.DB);
    const headers = { vary: 'origin', ...getCorsHeaders(c.env, c.req.header('origin')) };
    if (!(await store.redeemTicket(await sha256Hex(ticket), id, now()))) {
      throw new ProblemError(
        'not_found',
        'This ticket opens nothing.',
        'Ask for a new ticket: each opens the events once.',
        headers,
      );
    }
    const look = async () => {
      const row = await store.get(id);
      return row === undefined
        ? undefined
        : toRequestView(row, await store.listFiles([id]), parseProviderMessage);
    };
    return new Response(streamProgress({ now, after, getView: look, signal: c.req.raw.signal }), {
      headers: { ...headers, 'content-type': 'text/event-stream', 'cache-control': 'no-store' },
    });
  };
}
