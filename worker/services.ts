// What the routes reach the gateway's rooms through: one object, made once for an isolate.
import type { Context, MiddlewareHandler } from 'hono';
import type { Env } from './env.ts';
import { authenticate, Callers, type TokenOf } from './gateway/authenticate.ts';
import { AnswerCache, AnswerMemory } from './gateway/cache.ts';
import type { Lane } from './gateway/call.ts';
import { ConfigurationError, configuredUpstream } from './gateway/configure.ts';
import type { Edges } from './gateway/edges.ts';
import { askFlights, eraseFromFlights } from './gateway/flight/client.ts';
import { lifetimeOf } from './gateway/freshness.ts';
import { configuredRate } from './gateway/gate/pace.ts';
import { type Limited, limit } from './gateway/limit.ts';
import type { Rooms } from './gateway/rooms.ts';
import type { Upstream } from './gateway/upstream.ts';
import { ProblemError } from './problem-error.ts';

/** A request whose caller is known and within the rate limit. */
export type Entered<E extends Env = Env> = Limited<E>;

/** Edges, and the rooms made of them. */
export interface Services<E extends Env = Env> extends Edges<E> {
  /** The first rooms of a request, in order: who asks, and how often. */
  enter: (tokenOf: TokenOf) => [MiddlewareHandler, MiddlewareHandler];
  /**
   * The provider in use.
   * @throws ProblemError `not_configured`
   */
  provider: (env: E) => Promise<Upstream>;
  /**
   * The rooms behind them, for one request.
   * @throws ProblemError `not_configured`
   */
  rooms: (c: Context<Entered<E>>, lane: Lane) => Promise<Rooms>;
}

/**
 * Makes the services of an isolate.
 * @param edges - time, and the embedded provider where there is one
 */
export function createServices<E extends Env>(edges: Edges<E>): Services<E> {
  const memory = new AnswerMemory(edges.now);
  const callers = new Callers(edges.now);
  const limited = limit(edges);
  const provider = async (env: E): Promise<Upstream> => {
    const upstream = (await configured(env)) ?? (await edges.embedded?.(env));
    if (upstream === undefined) throw new ProblemError('not_configured');
    return upstream;
  };
  return {
    ...edges,
    enter: (tokenOf) => [authenticate(edges.now, tokenOf, callers), limited],
    provider,
    rooms: async (c, lane) => {
      const { env } = c;
      const { identity } = await provider(env);
      const { teamId: team, tokenId: token, backgroundRefresh } = c.get('caller');
      const cache = new AnswerCache(env.RECORDS, memory, identity, edges.now);
      return {
        cache,
        identity,
        payer: { team, token },
        lane,
        now: edges.now,
        ask: (ask) => askFlights(env, ask),
        forgetPage: async (name) => {
          await Promise.all([cache.forgetPage(name), eraseFromFlights(env, identity, [], [name])]);
        },
        note: c.get('note'),
        waitUntil: (work) => c.executionCtx.waitUntil(work),
        remaining: c.get('remaining') ?? null,
        backgroundRefresh,
      };
    },
  };
}

async function configured(env: Env): Promise<Upstream | undefined> {
  try {
    // Flights and gate read these too, but have nobody to tell.
    lifetimeOf(env);
    configuredRate(env);
    return await configuredUpstream(env);
  } catch (error) {
    if (error instanceof ConfigurationError) throw new ProblemError('not_configured', error.message);
    throw error;
  }
}
