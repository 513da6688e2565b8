// Caches failures for a moment, so that a failing provider is not called again for every caller.
import { LRUCache } from 'lru-cache';
import type { Outage } from '../calls/call-queue.ts';
import type { CallEnding } from '../calls/waiter.ts';
import type { CallProblem, CallResult } from '../types.ts';

const TTL_MS = 3_000;
/** In characters. */
const MAX_SIZE = 1_000_000;
/** Size of a failure without the provider's response. */
const BASE_SIZE = 100;

/** How a call failed. */
export type CallFailure = Extract<CallEnding, { outcome: 'failed' }>;

/** Recent failures by cache name. They are lost with the object. */
export class FailureCache {
  readonly #failures: LRUCache<string, CallFailure>;

  /** @param now - milliseconds since 1970 */
  constructor(now: () => number) {
    this.#failures = new LRUCache({ maxSize: MAX_SIZE, ttl: TTL_MS, perf: { now }, ttlResolution: 0 });
  }

  /** Returns a recent failure. It costs nothing a second time. */
  get(name: string): CallFailure | undefined {
    const failure = this.#failures.get(name);
    if (failure === undefined) return undefined;
    const { callHeaders: _, ...others } = failure;
    return { ...others, credits: 0 };
  }

  set(name: string, failure: CallFailure): void {
    this.#failures.set(name, failure, { size: BASE_SIZE + (failure.answer?.body.length ?? 0) });
  }
}

/** Converts an outage, for a call that gets no permit. */
export function toOutageFailure(outage: Outage): CallFailure {
  return { outcome: 'failed', credits: 0, ...outage };
}

/** Creates the result of a call that failed without a charge. */
export function toFailedResult(name: string, problem: CallProblem): CallResult {
  return { name, outcome: 'failed', credits: 0, problem };
}
