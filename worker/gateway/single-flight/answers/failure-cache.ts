// What failed a moment ago is told to all who ask, so that a failing provider is not asked by everyone.
import { LRUCache } from 'lru-cache';
import type { Outage } from '../calls/call-queue.ts';
import type { CallEnding } from '../calls/waiter.ts';
import type { CallProblem, CallResult } from '../types.ts';

const FAILURE_MS = 3_000;
/** In characters, of which each failure takes a hundred beside the provider's words. */
const MAX_SIZE = 1_000_000;
const OWN_SIZE = 100;

/** How a call failed. */
export type CallFailure = Extract<CallEnding, { outcome: 'failed' }>;

/** The failures of a flight, by the call's name. Forgotten with the object. */
export class FailureCache {
  readonly #failures: LRUCache<string, CallFailure>;

  /** @param now - milliseconds since 1970 */
  constructor(now: () => number) {
    this.#failures = new LRUCache({ maxSize: MAX_SIZE, ttl: FAILURE_MS, perf: { now }, ttlResolution: 0 });
  }

  /** @returns how the call failed, if that was a moment ago; telling it again costs nothing */
  get(name: string): CallFailure | undefined {
    const failure = this.#failures.get(name);
    if (failure === undefined) return undefined;
    const { callHeaders, ...told } = failure;
    return { ...told, credits: 0 };
  }

  set(name: string, failure: CallFailure): void {
    this.#failures.set(name, failure, { size: OWN_SIZE + (failure.answer?.body.length ?? 0) });
  }
}

/** The failure of a call that gets no turn. */
export function toOutageFailure(outage: Outage): CallFailure {
  return { outcome: 'failed', credits: 0, ...outage };
}

/** A call that brought nothing and cost nothing. */
export function toFailedResult(name: string, problem: CallProblem): CallResult {
  return { name, outcome: 'failed', credits: 0, problem };
}
