// The route builders and request context of the add-on's API.
import type { CallSource, RecordedSource } from '../../../shared/sources.ts';
import type { Env } from '../../env.ts';
import type { Caller } from '../../gateway/auth/tokens.ts';
import type { GatewayContext } from '../../gateway/context.ts';
import { getLedger } from '../../gateway/ledger/ledger-object.ts';
import type { Upstream } from '../../gateway/upstream/upstream.ts';
import { ProblemError } from '../../http/problem-error.ts';
import type { RequestSummary } from '../../http/request-log.ts';
import { type Route as AnyRoute, createRouteBuilder, type Surface } from '../route.ts';

/** Context of an add-on request. */
export interface RouteContext {
  env: Env;
  request: Request;
  caller: Caller;
  now: number;
  /** Generates a UUID. */
  newId: () => string;
  /** Updates the token's remaining credits from the ledger. null if no cap is set. */
  updateRemaining: (credits: number | null) => void;
  /**
   * Creates the context of gateway calls.
   * @param source - default: what the add-on sends
   * @throws ProblemError `not_configured`
   */
  getGatewayContext: (source?: CallSource | RecordedSource) => Promise<GatewayContext>;
  /**
   * Returns the configured provider.
   * @throws ProblemError `not_configured`
   */
  getProvider: () => Promise<Upstream>;
  addToLog: (summary: RequestSummary) => void;
}

export type Route = AnyRoute<RouteContext>;

/** Fits 1,000 keys of maximum length. */
const MAX_BODY_BYTES = 4 * 1024 * 1024;

/** Maximum size of a page of rows. Apps Script accepts 50 MB per response and runs for at most 6 minutes. */
export const MAX_ROWS_BYTES = 4 * 1024 * 1024;

/** Fits a query of maximum length in any script. */
const SMALL_BODY_BYTES = 128 * 1024;

/** Settings of the routes that take lists of keys. */
export const lookupSurface: Surface = {
  maxBodyBytes: MAX_BODY_BYTES,
  tooLargeFix: 'Send at most 1,000 keys in one call.',
  problems: ['unauthorised'],
  notFound: (name, value) => new ProblemError('not_found', `There is no ${name} ${value}.`),
};

export const route = createRouteBuilder<RouteContext>(lookupSurface);

/** Creates a route of the add-on for small bodies, without lists of keys. */
export const smallRoute = createRouteBuilder<RouteContext>({
  ...lookupSurface,
  maxBodyBytes: SMALL_BODY_BYTES,
  tooLargeFix: `Send at most ${SMALL_BODY_BYTES / 1024} KB.`,
});

/** Builds the cache stamp. It changes when a record is erased or the provider changes. */
export function buildStamp({ identity }: { identity: string }, { erasureVersion }: Caller): string {
  return `${identity}.${erasureVersion}`;
}

/**
 * Counts an action of a team in its ledger.
 * @param name - of the counter; no token has this id
 * @throws ProblemError `rate_limited`
 */
export async function countForTeam(
  { env, caller, now }: RouteContext,
  name: string,
  limit: number,
  what: string,
): Promise<void> {
  const lease = await getLedger(env, caller.teamId).lease(name, { calls: 1, limit, usages: [] });
  if ('refused' in lease) throw new ProblemError(lease.refused);
  if (lease.granted > 0) return;
  throw new ProblemError('rate_limited', `Your team has sent ${limit} ${what} within a minute.`, undefined, {
    'Retry-After': String(Math.max(1, Math.ceil((lease.endsAt - now) / 1000))),
  });
}
