// What the routes of the add-on have in common.
import type { Env } from '../../env.ts';
import type { Rooms } from '../../gateway/rooms.ts';
import type { Caller } from '../../gateway/tokens.ts';
import type { Upstream } from '../../gateway/upstream.ts';
import type { Told } from '../../log.ts';
import { ProblemError } from '../../problem-error.ts';
import { type Route as AnyRoute, routesOf } from '../route.ts';

/** What a route reaches the world through. */
export interface Visit {
  env: Env;
  request: Request;
  caller: Caller;
  /** Credits that the token may still spend: null where no cap is set, undefined if unknown. */
  remaining: number | null | undefined;
  /**
   * The gateway's rooms.
   * @throws ProblemError `not_configured`
   */
  rooms: () => Promise<Rooms>;
  /**
   * The provider in use.
   * @throws ProblemError `not_configured`
   */
  provider: () => Promise<Upstream>;
  /** Has the log tell what came of it. */
  tell: (told: Told) => void;
}

export type Route = AnyRoute<Visit>;

/** 1,000 keys of the greatest length that a website can have fit. */
const MAX_BODY_BYTES = 4 * 1024 * 1024;

/** Makes a route of the add-on. */
export const route = routesOf<Visit>({
  maxBodyBytes: MAX_BODY_BYTES,
  smaller: 'Send fewer keys in one call; 1,000 always fit.',
  notFound: (name, value) => new ProblemError('not_found', `There is no ${name} ${value}.`),
});
