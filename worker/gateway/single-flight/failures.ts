// What failed a moment ago is told to all who ask, so that a failing provider is not asked by everyone.
import { LRUCache } from 'lru-cache';
import type { Ending } from './job.ts';
import type { Outage } from './turns.ts';
import type { FlightProblem, FlightRow } from './types.ts';

const FAILURE_MS = 3_000;
/** In characters, of which each failure takes a hundred beside the provider's words. */
const MAX_SIZE = 1_000_000;
const OWN_SIZE = 100;

/** How a call failed. */
export type Failure = Extract<Ending, { outcome: 'failed' }>;

/** The failures of a flight, by the call's name. Forgotten with the object. */
export class Failures {
  readonly #failures: LRUCache<string, Failure>;

  /** @param now - milliseconds since 1970 */
  constructor(now: () => number) {
    this.#failures = new LRUCache({ maxSize: MAX_SIZE, ttl: FAILURE_MS, perf: { now }, ttlResolution: 0 });
  }

  /** @returns how the call failed, if that was a moment ago; telling it again costs nothing */
  get(name: string): Failure | undefined {
    const failure = this.#failures.get(name);
    if (failure === undefined) return undefined;
    const { callHeaders, ...told } = failure;
    return { ...told, credits: 0 };
  }

  set(name: string, failure: Failure): void {
    this.#failures.set(name, failure, { size: OWN_SIZE + (failure.answer?.body.length ?? 0) });
  }
}

/** The failure of a call that gets no turn. */
export function down(outage: Outage): Failure {
  return { outcome: 'failed', credits: 0, ...outage };
}

/** A call that brought nothing and cost nothing. */
export function failed(name: string, problem: FlightProblem): FlightRow {
  return { name, outcome: 'failed', credits: 0, problem };
}
