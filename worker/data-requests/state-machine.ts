// State transitions of data requests, and the time of the next step.
import { dataRequestRetentionDays } from '../../shared/api/data-requests.ts';
import type { Phase, RequestRow } from '../db/schema.ts';
import type { Env } from '../env.ts';
import { Pseudonyms } from '../gateway/refusal-list/pseudonyms.ts';
import type { Upstream } from '../gateway/upstream/upstream.ts';
import type { RowStore } from './ingest/index.ts';
import type { Change, DataRequestRepository } from './repository.ts';

/** The job of a new data request waits so long for the reservation of its credits. */
export const GRACE_MS = 30_000;
/** Milliseconds between polls of the provider, and between attempts of a failed step. */
const retryWaitsMs: readonly number[] = [
  1_000, 2_000, 4_000, 8_000, 15_000, 30_000, 60_000, 120_000, 300_000,
];
/** After this number of attempts, which take hours, the interval is {@link SLOW_RETRY_MS}. */
const MAX_FAST_ATTEMPTS = 100;
const SLOW_RETRY_MS = 900_000;

export const ROW_RETENTION_MS = dataRequestRetentionDays * 86_400_000;

/** Final phases: only notifications follow. */
export const endedPhases: readonly Phase[] = ['ready', 'failed', 'cancelled', 'unclear'];
/** Phases in which the provider may have the data request, and it has not ended. */
export const openPhases: readonly Phase[] = ['sending', 'submitted', 'running', 'ingesting'];

/**
 * Whether the data request has ended, or how long to wait for the next step. `isLarge`: it has made hundreds of calls, so that
 * the next step needs a separate invocation.
 */
export type StepResult = { over: true } | { over: false; waitMs: number; isLarge?: boolean };
export const DONE: StepResult = { over: true };
export const CONTINUE: StepResult = { over: false, waitMs: 0 };
export const CONTINUE_APART: StepResult = { over: false, waitMs: 0, isLarge: true };

/** Listeners of data requests. Higher-level folders implement them; jobs/ connects them. */
export interface DataRequestEvents {
  /**
   * Handles the end of a data request that was not cancelled. The row's phase says how it ended.
   * It may run again after a crash, so it must be idempotent. If it throws, the step is retried.
   * @param now - milliseconds since 1970
   */
  onEnded: (env: Env, row: RequestRow, now: number) => Promise<void>;
}

export interface DataRequestContext {
  env: Env;
  now: () => number;
  /**
   * Returns the provider in use.
   * @throws if none is configured
   */
  upstream: () => Promise<Upstream>;
  /** Cached records that one step delivers. Default: as many as the limits of an invocation allow */
  cachedPerStep?: number;
}

export interface StoredContext extends DataRequestContext {
  repository: DataRequestRepository;
}

/** What the steps of a data request share. */
export interface StepContext extends StoredContext {
  cachedPerStep: number;
  events: DataRequestEvents;
  /** Extends the lease of the data request's job. @returns false if it is lost */
  extendLease: (ms: number) => Promise<boolean>;
}

export function getRowStore(env: Env): RowStore {
  return { bucket: env.ROWS, db: env.DB, loadPseudonyms: () => Pseudonyms.load(env) };
}

function getRetryWait(attempts: number): number {
  return attempts >= MAX_FAST_ATTEMPTS
    ? SLOW_RETRY_MS
    : (retryWaitsMs[Math.min(attempts, retryWaitsMs.length - 1)] ?? SLOW_RETRY_MS);
}

/**
 * Updates a data request if it is in one of some phases.
 * @returns whether it was in one of them
 */
export const transition = (
  { repository, now }: StoredContext,
  { id }: RequestRow,
  from: readonly Phase[],
  change: Change,
): Promise<boolean> => repository.transition(id, from, { updatedAt: now(), attempts: 0, ...change });

/** Plans another attempt of the same step, with back-off. */
export async function retryLater(
  context: StoredContext,
  row: RequestRow,
  change: Change = {},
): Promise<StepResult> {
  const waitMs = getRetryWait(row.attempts);
  await transition(context, row, [row.phase], { attempts: row.attempts + 1, ...change });
  return { over: false, waitMs };
}
