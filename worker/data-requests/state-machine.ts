// When a request is looked after next, and how its state is changed so that somebody does.
import { requestKeptDays } from '../../shared/api/data-requests.ts';
import type { Phase, RequestRow } from '../db/schema.ts';
import type { Env } from '../env.ts';
import type { Upstream } from '../gateway/upstream/upstream.ts';
import type { RowStore } from './ingest/index.ts';
import type { Change, RequestStore } from './repository.ts';

/** What should have moved and has not for so long is woken. */
export const GRACE_MS = 30_000;
/** Milliseconds between looks at a request that is being worked on, and between tries of a step that failed. */
const waitsMs: readonly number[] = [1_000, 2_000, 4_000, 8_000, 15_000, 30_000, 60_000, 120_000, 300_000];
/** After so many looks, hours have passed. */
const PATIENT_AFTER = 100;
const PATIENT_MS = 900_000;

/** Rows are kept so long, counted from when their request was made. */
export const KEPT_MS = requestKeptDays * 86_400_000;

/** Phases from which nothing follows but word to the caller. */
export const endPhases: readonly Phase[] = ['ready', 'failed', 'cancelled', 'unclear'];
/** The provider has it, as far as we know, and it has not ended. */
export const openPhases: readonly Phase[] = ['sending', 'submitted', 'running', 'ingesting'];

/** What is to be done next. */
export type Next = { over: true } | { over: false; waitMs: number };
export const OVER: Next = { over: true };
export const AT_ONCE: Next = { over: false, waitMs: 0 };

/** What requests reach the world through. */
export interface RequestRooms {
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
export function rowStore({ ROWS: bucket, DB: db }: Env): RowStore {
  return { bucket, db };
}

function waitOf(turns: number): number {
  return turns >= PATIENT_AFTER ? PATIENT_MS : (waitsMs[Math.min(turns, waitsMs.length - 1)] ?? PATIENT_MS);
}

/** The state of requests, with the times by which they should move on. */
export class RequestBook {
  readonly store: RequestStore;
  readonly now: () => number;

  /** @param now - milliseconds since 1970 */
  constructor(store: RequestStore, now: () => number) {
    this.store = store;
    this.now = now;
  }

  /**
   * Changes a request that is in one of some phases; somebody is to look after it when the wait is over.
   * @returns whether it was
   */
  move(row: RequestRow, from: readonly Phase[], change: Change, waitMs = 0): Promise<boolean> {
    const at = this.now();
    return this.store.move(row.id, from, {
      updatedAt: at,
      dueAt: at + waitMs + GRACE_MS,
      turns: 0,
      ...change,
    });
  }

  /** Tries the same step again after a while. */
  async later(row: RequestRow, change: Change = {}): Promise<Next> {
    const waitMs = waitOf(row.turns);
    await this.move(row, [row.phase], { turns: row.turns + 1, ...change }, waitMs);
    return { over: false, waitMs };
  }

  /** How long nobody else is to touch a request: until somebody else's work on it must have ended. */
  othersTurn({ dueAt }: RequestRow): Next | undefined {
    const left = (dueAt ?? 0) - this.now();
    return left > 0 ? { over: false, waitMs: left } : undefined;
  }
}
