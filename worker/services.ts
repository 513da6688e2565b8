// What the routes reach the gateway's rooms through: one object, made once for an isolate.
import type { Context, MiddlewareHandler } from 'hono';
import type { Env } from './env.ts';
import { authenticate, Callers, type TokenOf } from './gateway/authenticate.ts';
import { AnswerCache, AnswerMemory } from './gateway/cache.ts';
import type { Lane } from './gateway/call.ts';
import { ConfigurationError, configuredUpstream } from './gateway/configure.ts';
import type { Edges } from './gateway/edges.ts';
import { askFlights, forgetInFlight } from './gateway/flight/client.ts';
import { lifetimeOf } from './gateway/freshness.ts';
import { configuredRate } from './gateway/gate/pace.ts';
import { type Limited, limit } from './gateway/limit.ts';
import type { Rooms } from './gateway/rooms.ts';
import type { Upstream } from './gateway/upstream.ts';
import { ProblemError } from './problem-error.ts';
import { serverTiming, type Timed } from './server-timing.ts';

/** A request whose caller is known and within the rate limit. */
export interface Entered<E extends Env = Env> {
  Bindings: E;
  Variables: Limited['Variables'] & Timed['Variables'];
}

/** Edges, and the rooms made of them. */
export interface Services<E extends Env = Env> extends Edges<E> {
  /** What this isolate knows of tokens. */
  callers: Callers;
  /** The first rooms of a request, in order: who asks, and how often. */
  enter: (tokenOf: TokenOf) => MiddlewareHandler[];
  /** Forgets answers of a provider in this isolate, by their names. */
  forget: (identity: string, names: readonly string[]) => void;
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
  const configured = rememberConfigured();
  const provider = async (env: E): Promise<Upstream> => {
    const upstream = (await configured(env)) ?? (await edges.embedded?.(env));
    if (upstream === undefined) throw new ProblemError('not_configured');
    return upstream;
  };
  return {
    ...edges,
    callers,
    enter: (tokenOf) => [serverTiming(edges.now), authenticate(edges.now, tokenOf, callers), limited],
    forget: (identity, names) => {
      for (const name of names) memory.delete(`${identity}:${name}`);
    },
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
        ask: async (ask) => {
          const rows = await c.get('timings').measure('flight', () => askFlights(env, ask));
          const left = [...rows.values()].flatMap((row) =>
            'remaining' in row ? [row.remaining ?? null] : [],
          );
          // Many were held at once: the least of what was left after each is what is left.
          const [first] = left.toSorted((one, other) => (one ?? Infinity) - (other ?? Infinity));
          if (first !== undefined) c.get('heardRemaining')(first);
          return rows;
        },
        forgetPage: async (name) => {
          // The flight first: what it still writes would come back.
          await forgetInFlight(env, identity, name);
          await cache.forgetPage(name);
        },
        note: c.get('note'),
        waitUntil: (work) => c.executionCtx.waitUntil(work),
        remaining: c.get('remaining') ?? null,
        backgroundRefresh,
      };
    },
  };
}

/** The settings that decide which provider there is. */
const settings = [
  'ENVIRONMENT',
  'CDAPI_BASE_URL',
  'CDAPI_KEY',
  'FRESH_FOR',
  'KEEP_FOR',
  'PROVIDER_RATE_PER_S',
] as const satisfies (keyof Env)[];

/** Makes the function that reads the provider from the settings, and again only when they change. */
function rememberConfigured(): (env: Env) => Promise<Upstream | undefined> {
  let known:
    | { read: Record<(typeof settings)[number], string | undefined>; upstream: Upstream | undefined }
    | undefined;
  return async (env) => {
    const before = known;
    if (before !== undefined && settings.every((name) => before.read[name] === env[name])) {
      return before.upstream;
    }
    const upstream = await configured(env);
    const { ENVIRONMENT, CDAPI_BASE_URL, CDAPI_KEY, FRESH_FOR, KEEP_FOR, PROVIDER_RATE_PER_S } = env;
    const read = { ENVIRONMENT, CDAPI_BASE_URL, CDAPI_KEY, FRESH_FOR, KEEP_FOR, PROVIDER_RATE_PER_S };
    known = { read, upstream };
    return upstream;
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
