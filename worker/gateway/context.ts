// The gateway as one caller uses it, and the environment of background jobs.
import type { Env } from '../env.ts';
import type { Scopes } from './auth/tokens.ts';
import type { AnswerCache } from './cache/answer-cache.ts';
import type { CallUsage } from './ledger/types.ts';
import type { Platform } from './platform.ts';
import type { Lane, Payer } from './provider-call.ts';
import type { CallResult, SingleFlightRequest } from './single-flight/types.ts';

/** What a lookup or a search needs: the caller, the cache and the single flight. */
export interface GatewayContext {
  cache: AnswerCache;
  identity: string;
  payer: Payer;
  scopes: Scopes;
  lane: Lane;
  now: () => number;
  /** @throws ProblemError `forbidden_scope` for a call that the scopes do not permit */
  fetchCalls: (request: SingleFlightRequest) => Promise<Map<string, CallResult>>;
  /** Cancels the unsent calls of a request by the payer's team. Returns how many there were. */
  cancelCalls: (cancelId: string) => Promise<number>;
  deletePage: (name: string) => Promise<void>;
  recordUsage: (usage: CallUsage) => void;
  /** Keeps work alive after the response. */
  waitUntil: (work: Promise<unknown>) => void;
  /** Credits that the caller may still spend, as the ledger last reported; null without a cap. */
  remaining: number | null;
  /**
   * Credits that a call of a formula without `max_credits` may cost: above, it buys nothing and answers `confirm_price`.
   * Absent for other callers, and without a limit.
   */
  formulaMaxCredits?: number | undefined;
  /** Does a lookup refresh stale records after its response? */
  backgroundRefresh: boolean;
}

export interface JobContext<E extends Env = Env> {
  env: E;
  platform: Platform<E>;
  /** Keeps work alive that outlives the job. */
  waitUntil: (work: Promise<unknown>) => void;
}
