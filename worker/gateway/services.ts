// The services that routes use: one object per isolate.
import type { Context, MiddlewareHandler } from 'hono';
import type { RequestIdVariables } from 'hono/request-id';
import { type CallSource, type RecordedSource, spreadsheetHeader } from '../../shared/sources.ts';
import type { Env } from '../env.ts';
import { logError } from '../http/log.ts';
import { type TimingEnv, Timings } from '../http/server-timing.ts';
import {
  type AuthenticatedEnv,
  authenticate,
  type ChangeTest,
  TokenCache,
  type TokenReader,
} from './auth/authenticate.ts';
import { type Caller, requireRead } from './auth/tokens.ts';
import { AnswerCache, MemoryCache } from './cache/answer-cache.ts';
import { type RecordKey, toCacheName } from './cache/cache-keys.ts';
import type { Envelope } from './cache/envelope.ts';
import type { KvTexts } from './cache/kv-texts.ts';
import { MAX_PREFETCH_AGE_MS, type Prefetch, prefetchTexts } from './cache/prefetch.ts';
import type { GatewayContext } from './context.ts';
import { getLedger } from './ledger/ledger-object.ts';
import { computeRemainingCredits } from './ledger/remaining-credits.ts';
import type { CallUsage } from './ledger/types.ts';
import { createUsage } from './ledger/usage-buffer.ts';
import type { Platform } from './platform.ts';
import type { AutomationBudget, Lane, Payer } from './provider-call.ts';
import {
  type Admission,
  type RateLimitedEnv,
  RateLimiter,
  rateLimit,
  updateRemaining,
} from './rate-limit/rate-limit.ts';
import { cancelCalls, deleteAnswer, fetchCalls } from './single-flight/client.ts';
import { createProviderResolver } from './upstream/provider-resolver.ts';
import type { CallHeaders, Upstream } from './upstream/upstream.ts';

/** Hono environment of a request that is authenticated and within its rate limit. */
export interface GatewayEnv<E extends Env = Env> {
  Bindings: E;
  Variables: RateLimitedEnv['Variables'] &
    TimingEnv['Variables'] &
    RequestIdVariables &
    Partial<{
      /** Set if the request has called the provider. */
      callHeaders: CallHeaders;
      /** Set if the request had to wait for its admission. Only its route may read it: a refused caller never gets there. */
      prefetch: Prefetch;
    }>;
}

/** Reads the keys of the records that a request needs, from a request that may yet be refused. */
export type KeyReader = (c: Context) => Promise<readonly RecordKey[]>;

export interface Services<E extends Env = Env> extends Platform<E> {
  tokenCache: TokenCache;
  /**
   * Creates the middleware that authenticates a request and applies its rate limit.
   * @param isChange - requests whose token is verified in the database
   * @param readKeys - records to read from KV while a request waits for its admission. Default: none
   */
  requireCaller: (readToken: TokenReader, isChange: ChangeTest, readKeys?: KeyReader) => Admission;
  /** Creates the middleware that applies the rate limit of a caller that was authenticated in another way. */
  admitCaller: (findCaller: (c: Context) => Promise<AuthenticatedEnv['Variables']>) => MiddlewareHandler;
  /** Rate limit and balance of the provider's account, as this isolate last learned. */
  getProviderAccount: () => Pick<CallHeaders, 'limitPerS' | 'balance'>;
  /** Finds a record of a provider in the memory of this isolate. A hit needs nothing else of a context, which costs more. */
  findInMemory: (identity: string, key: RecordKey, now: number) => Envelope | undefined;
  /** Records usage of the drop-in API, which has neither a source nor a spreadsheet. */
  recordUsage: (c: Context, usage: CallUsage) => void;
  /** Evicts answers from the memory of this isolate. */
  evictAnswers: (identity: string, names: readonly string[]) => void;
  /**
   * Returns the provider in use, without a promise once it is known.
   * @throws ProblemError `not_configured`
   */
  getUpstream: (env: E) => Upstream | Promise<Upstream>;
  /**
   * Creates the gateway context of a request.
   * @param source - see {@link Payer}; sample rows save nothing
   * @throws ProblemError `not_configured`
   */
  createContext: (
    c: Context<GatewayEnv<E>>,
    lane: Lane,
    source?: CallSource | RecordedSource,
  ) => GatewayContext | Promise<GatewayContext>;
}

const SPREADSHEET_ID = /^[\w-]{10,100}$/;

/** Reads the id of the spreadsheet that a request comes from; undefined for programs. */
export function readSpreadsheet({ headers }: Request): string | undefined {
  const sent = headers.get(spreadsheetHeader) ?? '';
  return SPREADSHEET_ID.test(sent) ? sent : undefined;
}

export function createServices<E extends Env>(platform: Platform<E>): Services<E> {
  const memory = new MemoryCache(platform.now);
  const tokenCache = new TokenCache(platform.now);
  const limiter = new RateLimiter(platform);
  const resolveProvider = createProviderResolver(platform);
  let providerAccount: Pick<CallHeaders, 'limitPerS' | 'balance'> = {};

  async function prefetch(
    c: Context<GatewayEnv<E>>,
    readKeys: KeyReader,
    isVerified: Promise<boolean>,
  ): Promise<KvTexts> {
    try {
      const [{ identity }, keys] = await Promise.all([resolveProvider(c.env), readKeys(c)]);
      const cache = new AnswerCache(c.env.RECORDS, memory, identity, platform.now);
      const missing = keys.filter((key) => cache.getRecordFromMemory(key) === undefined);
      return await prefetchTexts(c.env.RECORDS, identity, missing, isVerified);
    } catch {
      // The route fails in the same way, if the caller is admitted.
      return new Map();
    }
  }
  return {
    ...platform,
    tokenCache,
    getProviderAccount: () => providerAccount,
    requireCaller: (readToken, isChange, readKeys) => {
      const start = (c: Context<GatewayEnv<E>>, isVerified: Promise<boolean>): void => {
        if (readKeys === undefined || c.get('prefetch') !== undefined) return;
        const startedAt = platform.now();
        c.set('prefetch', { startedAt, texts: prefetch(c, readKeys, isVerified) });
      };
      const limitRate = rateLimit(limiter, (c) => start(c, Promise.resolve(true)));
      const requireToken = authenticate(platform.now, readToken, tokenCache, isChange, (c, query) =>
        start(
          c,
          query.then(
            (caller) => caller !== undefined,
            () => false,
          ),
        ),
      );
      return (c, next) => {
        c.set('timings', new Timings(platform.now));
        return requireToken(c, () => limitRate(c, next));
      };
    },
    admitCaller: (findCaller) => {
      const limitRate = rateLimit(limiter);
      return async (c, next) => {
        c.set('timings', new Timings(platform.now));
        const { caller, lease } = await findCaller(c);
        c.set('caller', caller);
        c.set('lease', lease);
        await limitRate(c, next);
      };
    },
    findInMemory: (identity, key, now) => memory.get(`${identity}:${toCacheName(key)}`, now),
    recordUsage: (c, usage) => limiter.recordUsage(c, usage),
    evictAnswers: (identity, names) => {
      for (const name of names) memory.delete(`${identity}:${name}`);
    },
    getUpstream: resolveProvider,
    createContext: (c, lane, callSource) => {
      const caller = c.get('caller');
      const { teamId: team, tokenId: token, scopes, backgroundRefresh, formulaMaxCredits } = caller;
      // Calls of the add-on state their source; those of the drop-in API have no spreadsheet.
      const isAddOn = callSource !== undefined;
      const spreadsheet = isAddOn && caller.personId === null ? readSpreadsheet(c.req.raw) : undefined;
      const isSample = callSource === 'sample';
      const source = isSample ? 'table' : callSource;
      const create = ({ identity }: Upstream): GatewayContext =>
        createContext(c.env, platform, identity, memory, {
          prefetch: c.get('prefetch'),
          payer: { team, token, source, spreadsheet },
          scopes,
          lane,
          measure: (work) => c.get('timings').measure('upstream', work),
          onRemaining: (credits) => updateRemaining(c.get('lease'), credits),
          onCallHeaders: (callHeaders) => {
            providerAccount = { ...providerAccount, ...callHeaders };
            c.set('callHeaders', callHeaders);
          },
          recordUsage: (usage) => limiter.recordUsage(c, isSample ? { ...usage, saved: 0 } : usage),
          waitUntil: (work) => c.executionCtx.waitUntil(work),
          remaining: c.get('lease').allowance?.remaining ?? null,
          backgroundRefresh,
          formulaMaxCredits: callSource === 'formula' ? (formulaMaxCredits ?? undefined) : undefined,
        });
      const upstream = resolveProvider(c.env);
      return upstream instanceof Promise ? upstream.then(create) : create(upstream);
    },
  };
}

/** The caller's part of a context, and callbacks for what calls report. */
interface CallerContext
  extends Omit<GatewayContext, 'cache' | 'identity' | 'now' | 'fetchCalls' | 'cancelCalls' | 'deletePage'> {
  /** Absent in a background job. */
  prefetch?: Prefetch | undefined;
  measure: <T>(work: () => Promise<T>) => Promise<T>;
  /** Receives the credits that the payer may still spend. */
  onRemaining: (credits: number | null) => void;
  onCallHeaders: (callHeaders: CallHeaders) => void;
}

function createContext(
  env: Env,
  { now }: Pick<Platform, 'now'>,
  identity: string,
  memory: MemoryCache,
  { prefetch, measure, onRemaining, onCallHeaders, recordUsage, ...caller }: CallerContext,
): GatewayContext {
  const { source, spreadsheet, team } = caller.payer;
  const isUsable = prefetch !== undefined && now() < prefetch.startedAt + MAX_PREFETCH_AGE_MS;
  const cache = new AnswerCache(env.RECORDS, memory, identity, now, isUsable ? prefetch.texts : undefined);
  const context: GatewayContext = {
    ...caller,
    cache,
    identity,
    now,
    recordUsage: (usage) => recordUsage({ ...usage, source, spreadsheet }),
    fetchCalls: async (request) => {
      for (const call of request.calls) requireRead(caller, call);
      const results = await measure(() => fetchCalls(env, request));
      const left = computeRemainingCredits(request, results);
      if (left !== undefined) {
        context.remaining = left;
        onRemaining(left);
      }
      for (const { callHeaders } of results.values()) {
        if (callHeaders !== undefined) onCallHeaders(callHeaders);
      }
      return results;
    },
    cancelCalls: (cancelId) => cancelCalls(env, identity, team, cancelId),
    deletePage: async (name) => {
      // The single flight first: a pending write of it would restore the page in KV.
      await deleteAnswer(env, identity, name);
      await cache.deletePage(name);
    },
  };
  return context;
}

/**
 * Creates the context of a background job. Its calls have the priority of bulk work, and `remaining` is always null: the
 * ledger refuses what the payer may not spend.
 * @param caller - pays; its token is valid
 * @param budget - of the enrichment or schedule
 * @throws ProblemError `not_configured`
 */
export async function createBackgroundContext<E extends Env>(
  env: E,
  platform: Platform<E>,
  { teamId: team, tokenId: token, scopes }: Caller,
  waitUntil: GatewayContext['waitUntil'],
  budget: AutomationBudget,
): Promise<GatewayContext> {
  const { identity } = await createProviderResolver(platform)(env);
  return createContext(env, platform, identity, new MemoryCache(platform.now), {
    payer: { team, token, source: 'schedule', budget },
    scopes,
    lane: 'bulk',
    measure: (work) => work(),
    onRemaining: () => {},
    onCallHeaders: () => {},
    recordUsage: (usage) =>
      waitUntil(
        getLedger(env, team)
          .recordUsage([createUsage(token, usage)])
          .catch((error: unknown) => logError('usage_flush_failed', error)),
      ),
    waitUntil,
    remaining: null,
    backgroundRefresh: false,
  });
}
