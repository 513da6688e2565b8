// Caches failures for a moment, so that a failing provider is not called again for every caller.
import type { Outage } from '../calls/call-queue.ts';
import type { CallEnding } from '../calls/waiter.ts';
import { SharedCache, SharedMemory } from '../shared-cache.ts';
import type { CallProblem, CallResult } from '../types.ts';

const TTL_MS = 3_000;
/** Of all objects in an isolate, in characters. */
const MAX_SIZE = 2_000_000;
/** Size of a failure without the provider's response. */
const BASE_SIZE = 100;

export type CallFailure = Extract<CallEnding, { outcome: 'failed' }>;

const memory = new SharedMemory<CallFailure>(MAX_SIZE);

/** Recent failures by cache name. They are lost with the object. */
export class FailureCache {
  readonly #failures: SharedCache<CallFailure>;

  constructor(now: () => number) {
    this.#failures = new SharedCache(memory, TTL_MS, now);
  }

  /** Returns a recent failure. It costs nothing a second time. */
  get(name: string): CallFailure | undefined {
    const failure = this.#failures.get(name);
    if (failure === undefined) return undefined;
    const { callHeaders: _, ...others } = failure;
    return { ...others, credits: 0 };
  }

  set(name: string, failure: CallFailure): void {
    this.#failures.set(name, failure, BASE_SIZE + (failure.answer?.body.length ?? 0));
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
