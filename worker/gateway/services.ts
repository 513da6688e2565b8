// What the routes reach the gateway's rooms through: one object, made once for an isolate.
import type { Context, MiddlewareHandler } from 'hono';
import type { Env } from '../env.ts';
import { compose } from '../http/compose.ts';
import { logError } from '../http/log.ts';
import { serverTiming, type TimingEnv } from '../http/server-timing.ts';
import { authenticate, TokenCache, type TokenReader } from './auth/authenticate.ts';
import { AnswerCache, MemoryCache } from './cache/answer-cache.ts';
import type { GatewayContext } from './context.ts';
import { getLedger } from './ledger/ledger-object.ts';
import { computeRemainingCredits } from './ledger/remaining-credits.ts';
import type { Platform } from './platform.ts';
import type { Lane, Payer } from './provider-call.ts';
import { type RateLimitedEnv, rateLimit } from './rate-limit/rate-limit.ts';
import { cancelCalls, deleteAnswer, fetchCalls } from './single-flight/client.ts';
import { createProviderResolver } from './upstream/provider-resolver.ts';
import type { CallHeaders, Upstream } from './upstream/upstream.ts';

/** A request whose caller is known and within the rate limit. */
export interface GatewayEnv<E extends Env = Env> {
  Bindings: E;
  Variables: RateLimitedEnv['Variables'] & TimingEnv['Variables'] & Partial<ProviderHeaderVariables>;
}

/** What the provider said beside its answer, where the request has just called it. */
export interface ProviderHeaderVariables {
  callHeaders: CallHeaders;
}

/** Edges, and the rooms made of them. */
export interface Services<E extends Env = Env> extends Platform<E> {
  /** What this isolate knows of tokens. */
  tokenCache: TokenCache;
  /** The first rooms of a request, in order: who asks, and how often. */
  requireCaller: (tokenOf: TokenReader) => MiddlewareHandler;
  /** Calls a second that the provider allows, as this isolate last heard; undefined until it has. */
  getProviderRateLimit: () => number | undefined;
  /** Forgets answers of a provider in this isolate, by their names. */
  evictAnswers: (identity: string, names: readonly string[]) => void;
  /**
   * The provider in use.
   * @throws ProblemError `not_configured`
   */
  getUpstream: (env: E) => Promise<Upstream>;
  /**
   * The rooms behind them, for one request.
   * @throws ProblemError `not_configured`
   */
  createContext: (c: Context<GatewayEnv<E>>, lane: Lane) => GatewayContext | Promise<GatewayContext>;
}

/**
 * Makes the services of an isolate.
 * @param platform - time, and the sandbox where there is one
 */
export function createServices<E extends Env>(platform: Platform<E>): Services<E> {
  const memory = new MemoryCache(platform.now);
  const callers = new TokenCache(platform.now);
  const limited = rateLimit(platform);
  const provider = createProviderResolver(platform);
  let providerPerS: number | undefined;
  return {
    ...platform,
    tokenCache: callers,
    getProviderRateLimit: () => providerPerS,
    requireCaller: (tokenOf) =>
      compose(serverTiming(platform.now), authenticate(platform.now, tokenOf, callers), limited),
    evictAnswers: (identity, names) => {
      for (const name of names) memory.delete(`${identity}:${name}`);
    },
    getUpstream: async (env) => provider(env),
    createContext: (c, lane) => {
      const { teamId: team, tokenId: token, backgroundRefresh } = c.get('caller');
      const make = ({ identity }: Upstream): GatewayContext =>
        createContext(c.env, platform, identity, memory, {
          payer: { team, token },
          lane,
          measure: (work) => c.get('timings').measure('flight', work),
          onRemaining: c.get('heardRemaining'),
          onCallHeaders: (callHeaders) => {
            providerPerS = callHeaders.limitPerS ?? providerPerS;
            c.set('callHeaders', callHeaders);
          },
          recordUsage: c.get('note'),
          waitUntil: (work) => c.executionCtx.waitUntil(work),
          remaining: c.get('remaining') ?? null,
          backgroundRefresh,
        });
      const upstream = provider(c.env);
      return upstream instanceof Promise ? upstream.then(make) : make(upstream);
    },
  };
}

/** Whose question it is, and what becomes of what the flights tell beside the answer. */
interface CallerContext
  extends Pick<
    GatewayContext,
    'payer' | 'lane' | 'recordUsage' | 'waitUntil' | 'remaining' | 'backgroundRefresh'
  > {
  /** Does some work of the flights, and measures it. */
  measure: <T>(work: () => Promise<T>) => Promise<T>;
  /** Takes up what the ledger said: credits that the payer may still spend. */
  onRemaining: (credits: number | null) => void;
  /** Takes up what the provider said beside an answer. */
  onCallHeaders: (callHeaders: CallHeaders) => void;
}

function createContext(
  env: Env,
  { now }: Pick<Platform, 'now'>,
  identity: string,
  memory: MemoryCache,
  { measure, onRemaining, onCallHeaders, ...asking }: CallerContext,
): GatewayContext {
  const cache = new AnswerCache(env.RECORDS, memory, identity, now);
  let { remaining } = asking;
  return {
    ...asking,
    get remaining() {
      return remaining;
    },
    cache,
    identity,
    now,
    fetchCalls: async (ask) => {
      const rows = await measure(() => fetchCalls(env, ask));
      const left = computeRemainingCredits(ask, rows);
      if (left !== undefined) {
        remaining = left;
        onRemaining(left);
      }
      for (const { callHeaders } of rows.values()) if (callHeaders !== undefined) onCallHeaders(callHeaders);
      return rows;
    },
    cancelCalls: (cancelId) => cancelCalls(env, identity, asking.payer.team, cancelId),
    deletePage: async (name) => {
      // The flight first: what it still writes would come back.
      await deleteAnswer(env, identity, name);
      await cache.deletePage(name);
    },
  };
}

/**
 * The rooms for work that no request waits for: people who look at a cell go first. Nobody is told what may still be spent;
 * the ledger refuses what may not.
 * @param payer - whose budget pays; whether the token is still good is for the caller to see
 * @param waitUntil - keeps work alive that outlives the answer
 * @throws ProblemError `not_configured`
 */
export async function createBackgroundContext<E extends Env>(
  env: E,
  platform: Platform<E>,
  payer: Payer,
  waitUntil: GatewayContext['waitUntil'],
): Promise<GatewayContext> {
  const { identity } = await createProviderResolver(platform)(env);
  return createContext(env, platform, identity, new MemoryCache(platform.now), {
    payer,
    lane: 'bulk',
    measure: (work) => work(),
    onRemaining: () => {},
    onCallHeaders: () => {},
    recordUsage: (usage) =>
      waitUntil(
        getLedger(env, payer.team)
          .recordUsage([{ ...usage, token: payer.token }])
          .catch((error: unknown) => logError('usage_not_handed_over', error)),
      ),
    waitUntil,
    remaining: null,
    backgroundRefresh: false,
  });
}
