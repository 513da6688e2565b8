// The route builder and request context of the admin API.
import type { DrizzleD1Database } from 'drizzle-orm/d1';
import type { AdminDetails } from '../../../shared/api/admin-roles.ts';
import type { Env } from '../../env.ts';
import type { Upstream } from '../../gateway/upstream/upstream.ts';
import { ProblemError } from '../../http/problem-error.ts';
import type { Admin } from '../../operations/admin-tokens.ts';
import { type Route as AnyRoute, createRouteBuilder } from '../route.ts';
import { requireRole } from './authenticate.ts';

export interface Actor extends Admin {
  /** Id of the console's session; null for the admin API. */
  sessionId: string | null;
}

/** Context of an admin request. */
export interface RouteContext {
  env: Env;
  orm: DrizzleD1Database;
  now: number;
  request: Request;
  /** Who makes the request. */
  actor: Actor;
  /** A cryptographic random source. */
  randomBytes: (length: number) => Uint8Array;
  /**
   * Returns the configured provider.
   * @throws ProblemError `not_configured`
   */
  getProvider: () => Promise<Upstream>;
  /** Evicts cached answers of a provider from this isolate, by name. */
  evictAnswers: (identity: string, names: readonly string[]) => void;
}

export type Route = AnyRoute<RouteContext> & AdminDetails;

const MAX_BODY_BYTES = 64 * 1024;
const MAX_LIST_BYTES = 1024 * 1024;

/** Creates the problem for an unknown id. */
export function notFound(): ProblemError {
  return new ProblemError(
    'not_found',
    'This id does not exist.',
    'Check the id in the list of these objects.',
  );
}

/** Requires that an id exists. @throws ProblemError `not_found` */
export function requireFound<T>(found: T | undefined): T {
  if (found === undefined) throw notFound();
  return found;
}

const createBuilder = (maxBodyBytes: number) =>
  createRouteBuilder<RouteContext, AdminDetails>(
    {
      maxBodyBytes,
      tooLargeFix: `Send at most ${maxBodyBytes / 1024} KB.`,
      problems: ['unauthorised', 'forbidden_scope', 'not_configured'],
      notFound,
    },
    ({ actor }, { roles }) => requireRole(actor.role, roles),
  );

export const route = createBuilder(MAX_BODY_BYTES);

/** Creates routes that take lists. */
export const listRoute = createBuilder(MAX_LIST_BYTES);
