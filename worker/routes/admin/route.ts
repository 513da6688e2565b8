// What the routes of the admin have in common.
import type { Env } from '../../env.ts';
import type { Upstream } from '../../gateway/upstream/upstream.ts';
import { ProblemError } from '../../http/problem-error.ts';
import { type Route as AnyRoute, createRouteBuilder } from '../route.ts';

export { invalidRequest } from '../route.ts';

/** What a route reaches the world through. */
export interface RouteContext {
  env: Env;
  /** Milliseconds since 1970. */
  now: number;
  request: Request;
  /** From a cryptographic source. */
  randomBytes: (length: number) => Uint8Array;
  /**
   * The provider in use.
   * @throws ProblemError `not_configured`
   */
  provider: () => Promise<Upstream>;
  /** Forgets answers of a provider in this isolate, by their names. */
  forget: (identity: string, names: readonly string[]) => void;
}

export type Route = AnyRoute<RouteContext>;

const MAX_BODY_BYTES = 64 * 1024;

/** An id that nobody has. */
export function notFound(): ProblemError {
  return new ProblemError(
    'not_found',
    'There is nothing under this id.',
    'Look the id up in the list it is from.',
  );
}

/** Makes a route of the admin. */
export const route = createRouteBuilder<RouteContext>({
  maxBodyBytes: MAX_BODY_BYTES,
  tooLargeFix: `Send at most ${MAX_BODY_BYTES / 1024} KB to this address.`,
  notFound,
});
