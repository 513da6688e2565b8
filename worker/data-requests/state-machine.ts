// State machine of data requests: phases, transitions, and when the next step is due.
import { dataRequestRetentionDays } from '../../shared/api/data-requests.ts';
import type { Phase, RequestRow } from '../db/schema.ts';
import type { Env } from '../env.ts';
import type { Upstream } from '../gateway/upstream/upstream.ts';
import type { RowStore } from './ingest/index.ts';
import type { Change, DataRequestRepository } from './repository.ts';

/** Slack before the sweep wakes a request whose step is overdue. */
export const GRACE_MS = 30_000;
/** Milliseconds between polls, and between tries of a failed step. */
const retryWaitsMs: readonly number[] = [
  1_000, 2_000, 4_000, 8_000, 15_000, 30_000, 60_000, 120_000, 300_000,
];
/** After so many turns, which take hours, polling slows down. */
const MAX_FAST_TURNS = 100;
const SLOW_RETRY_MS = 900_000;

/** How long rows are kept, from the creation of their request. */
export const ROW_RETENTION_MS = dataRequestRetentionDays * 86_400_000;

/** Phases of ended requests. Only caching and the caller's webhook may be left. */
export const endedPhases: readonly Phase[] = ['ready', 'failed', 'cancelled', 'unclear'];
/** Phases in which the provider may have the request. */
export const openPhases: readonly Phase[] = ['sending', 'submitted', 'running', 'ingesting'];

/** Result of a step: the request needs no more steps, or the next one is due after a wait. */
export type StepResult = { isDone: true } | { isDone: false; waitMs: number };
export const DONE: StepResult = { isDone: true };
export const CONTINUE: StepResult = { isDone: false, waitMs: 0 };

/** Environment, clock and provider of data requests. */
export interface DataRequestContext {
  env: Env;
  /** Milliseconds since 1970. */
  now: () => number;
  /**
   * Resolves the provider.
   * @throws where none is configured
   */
  upstream: () => Promise<Upstream>;
}

/** Returns the store of result rows. */
export function getRowStore({ ROWS: bucket, DB: db }: Env): RowStore {
  return { bucket, db };
}

function getRetryWait(turns: number): number {
  return turns >= MAX_FAST_TURNS
    ? SLOW_RETRY_MS
    : (retryWaitsMs[Math.min(turns, retryWaitsMs.length - 1)] ?? SLOW_RETRY_MS);
}

/** Changes the phase of requests together with the time by which the next step is due. */
export class DataRequestStateMachine {
  readonly repository: DataRequestRepository;
  readonly now: () => number;

  /** @param now - milliseconds since 1970 */
  constructor(store: DataRequestRepository, now: () => number) {
    this.repository = store;
    this.now = now;
  }

  /**
   * Changes a request that is in one of some phases. The next step is due after the wait.
   * @returns false where the request is in another phase: nothing changed
   */
  transition(row: RequestRow, from: readonly Phase[], change: Change, waitMs = 0): Promise<boolean> {
    const at = this.now();
    return this.repository.transition(row.id, from, {
      updatedAt: at,
      dueAt: at + waitMs + GRACE_MS,
      turns: 0,
      ...change,
    });
  }

  /** Retries the same step after a wait that grows with each try. */
  async retryLater(row: RequestRow, change: Change = {}): Promise<StepResult> {
    const waitMs = getRetryWait(row.turns);
    await this.transition(row, [row.phase], { turns: row.turns + 1, ...change }, waitMs);
    return { isDone: false, waitMs };
  }

  /** Returns the wait until another worker's lease on the request ends; undefined where it has ended. */
  remainingLease({ dueAt }: RequestRow): StepResult | undefined {
    const left = (dueAt ?? 0) - this.now();
    return left > 0 ? { isDone: false, waitMs: left } : undefined;
  }
}
