// When a request is looked after next, and how its state is changed so that somebody does.
import { dataRequestRetentionDays } from '../../shared/api/data-requests.ts';
import type { Phase, RequestRow } from '../db/schema.ts';
import type { Env } from '../env.ts';
import type { Upstream } from '../gateway/upstream/upstream.ts';
import type { RowStore } from './ingest/index.ts';
import type { Change, DataRequestRepository } from './repository.ts';

/** What should have moved and has not for so long is woken. */
export const GRACE_MS = 30_000;
/** Milliseconds between looks at a request that is being worked on, and between tries of a step that failed. */
const retryWaitsMs: readonly number[] = [
  1_000, 2_000, 4_000, 8_000, 15_000, 30_000, 60_000, 120_000, 300_000,
];
/** After so many looks, hours have passed. */
const MAX_FAST_TURNS = 100;
const SLOW_RETRY_MS = 900_000;

/** Rows are kept so long, counted from when their request was made. */
export const ROW_RETENTION_MS = dataRequestRetentionDays * 86_400_000;

/** Phases from which nothing follows but word to the caller. */
export const endedPhases: readonly Phase[] = ['ready', 'failed', 'cancelled', 'unclear'];
/** The provider has it, as far as we know, and it has not ended. */
export const openPhases: readonly Phase[] = ['sending', 'submitted', 'running', 'ingesting'];

/** What is to be done next. */
export type StepResult = { over: true } | { over: false; waitMs: number };
export const DONE: StepResult = { over: true };
export const CONTINUE: StepResult = { over: false, waitMs: 0 };

/** What requests reach the world through. */
export interface DataRequestContext {
  env: Env;
  /** Milliseconds since 1970. */
  now: () => number;
  /**
   * The provider in use.
   * @throws where none is set
   */
  upstream: () => Promise<Upstream>;
}

/** Where the rows of requests are kept. */
export function getRowStore({ ROWS: bucket, DB: db }: Env): RowStore {
  return { bucket, db };
}

function getRetryWait(turns: number): number {
  return turns >= MAX_FAST_TURNS
    ? SLOW_RETRY_MS
    : (retryWaitsMs[Math.min(turns, retryWaitsMs.length - 1)] ?? SLOW_RETRY_MS);
}

/** The state of requests, with the times by which they should move on. */
export class DataRequestStateMachine {
  readonly repository: DataRequestRepository;
  readonly now: () => number;

  /** @param now - milliseconds since 1970 */
  constructor(store: DataRequestRepository, now: () => number) {
    this.repository = store;
    this.now = now;
  }

  /**
   * Changes a request that is in one of some phases; somebody is to look after it when the wait is over.
   * @returns whether it was
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

  /** Tries the same step again after a while. */
  async retryLater(row: RequestRow, change: Change = {}): Promise<StepResult> {
    const waitMs = getRetryWait(row.turns);
    await this.transition(row, [row.phase], { turns: row.turns + 1, ...change }, waitMs);
    return { over: false, waitMs };
  }

  /** How long nobody else is to touch a request: until somebody else's work on it must have ended. */
  remainingLease({ dueAt }: RequestRow): StepResult | undefined {
    const left = (dueAt ?? 0) - this.now();
    return left > 0 ? { over: false, waitMs: left } : undefined;
  }
}
