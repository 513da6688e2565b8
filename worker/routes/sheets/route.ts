// What the routes of the add-on have in common.
import type { Env } from '../../env.ts';
import type { Caller } from '../../gateway/auth/tokens.ts';
import type { GatewayContext } from '../../gateway/context.ts';
import type { Upstream } from '../../gateway/upstream/upstream.ts';
import type { RequestSummary } from '../../http/log.ts';
import { ProblemError } from '../../http/problem-error.ts';
import { type Route as AnyRoute, createRouteBuilder } from '../route.ts';

/** What a route reaches the world through. */
export interface RouteContext {
  env: Env;
  request: Request;
  caller: Caller;
  /** Milliseconds since 1970. */
  now: number;
  /** Makes an id that nobody has. */
  newId: () => string;
  /** Takes up what the ledger said: credits that the token may still spend; null where no cap is set. */
  updateRemaining: (credits: number | null) => void;
  /**
   * The gateway's rooms.
   * @throws ProblemError `not_configured`
   */
  getGatewayContext: () => Promise<GatewayContext>;
  /**
   * The provider in use.
   * @throws ProblemError `not_configured`
   */
  provider: () => Promise<Upstream>;
  /** Has the log tell what came of it. */
  addToLog: (told: RequestSummary) => void;
}

export type Route = AnyRoute<RouteContext>;

/** 1,000 keys of the greatest length that a website can have fit. */
const MAX_BODY_BYTES = 4 * 1024 * 1024;

/** The most bytes of a page of rows: Apps Script takes 50 MB an answer, and has 6 minutes for all. */
export const MAX_ROWS_BYTES = 4 * 1024 * 1024;

/** A query of the greatest length fits, whatever its script. */
const SMALL_BODY_BYTES = 128 * 1024;

const notFound = (name: string, value: string): ProblemError =>
  new ProblemError('not_found', `There is no ${name} ${value}.`);

/** Makes a route of the add-on. */
export const route = createRouteBuilder<RouteContext>({
  maxBodyBytes: MAX_BODY_BYTES,
  tooLargeFix: 'Send at most 1,000 keys in one call.',
  notFound,
});

/** Makes a route of the add-on that takes no lists of keys. */
export const smallRoute = createRouteBuilder<RouteContext>({
  maxBodyBytes: SMALL_BODY_BYTES,
  tooLargeFix: `Send at most ${SMALL_BODY_BYTES / 1024} KB to this address.`,
  notFound,
});
