// Whether the provider is well enough to be called at all.
import type { BreakerState, Report } from './types.ts';

/** Outcomes that count, in seconds of the clock. */
const WINDOW_S = 20;
/** Fewer say nothing. */
const MIN_OUTCOMES = 10;
/** Of the outcomes in the window. */
const FAILED_RATIO = 0.5;
/** How long calls are held back at first; each failed probe doubles it, up to the longest. */
const FIRST_OPEN_MS = 5_000;
const LONGEST_OPEN_MS = 60_000;
/** A longer time is cut by up to this part, so that several deployments do not all probe at once. */
const JITTER = 0.2;
/** A probe that nobody reported by then has failed: whoever sent it is gone. */
const PROBE_LOST_MS = 30_000;
/** So many probes in a row must be answered. */
const PROBES_TO_CLOSE = 3;
/** While a probe is on its way, others are told to ask again after this time. */
const PROBE_ANSWER_MS = 1_000;

/**
 * The breaker. Closed, all calls pass; when at least half of the recent ones failed it opens, and none does; after a
 * while it is half open: one call at a time, the probe, passes and shows whether the provider is back. Times are
 * milliseconds since 1970.
 */
export class CircuitBreaker {
  readonly #random: () => number;
  #state: BreakerState = 'closed';
  #since: number;
  /** How long it is open this time, before jitter; and until when. */
  #openMs = FIRST_OPEN_MS;
  #openUntil = 0;
  /** When the probe on its way was granted. */
  #probeAt: number | undefined;
  #probesAnswered = 0;
  /** By second of the clock. */
  readonly #outcomes = new Map<number, { all: number; failed: number }>();
  /** Calls that were granted before it last opened tell nothing new. */
  #countFrom = 0;

  /** @param random - from 0 up to 1 */
  constructor(random: () => number, now: number) {
    this.#random = random;
    this.#since = now;
  }

  /** What it is, and since when. */
  getState(now: number): { state: BreakerState; since: number } {
    this.#catchUp(now);
    return { state: this.#state, since: this.#since };
  }

  /** @returns how many calls may pass at this moment */
  countAllowed(now: number): number {
    this.#catchUp(now);
    if (this.#state === 'closed') return Number.POSITIVE_INFINITY;
    return this.#state === 'half_open' && this.#probeAt === undefined ? 1 : 0;
  }

  /** @returns when to ask again if there was no room */
  getRetryAt(now: number): number {
    this.#catchUp(now);
    return this.#state === 'open' ? this.#openUntil : now + PROBE_ANSWER_MS;
  }

  /** Takes down that a call passed. */
  recordGrant(now: number): void {
    if (this.#state === 'half_open') this.#probeAt = now;
  }

  /**
   * Hears how a call went. 429 and unused permits say nothing about the provider's health.
   * @param grantedAt - when the call was granted
   */
  recordOutcome(outcome: Report['outcome'], grantedAt: number, now: number): void {
    this.#catchUp(now);
    if (this.#state === 'half_open') this.#heardProbe(outcome, grantedAt, now);
    if (this.#state !== 'closed' || grantedAt < this.#countFrom) return;
    if (outcome !== 'answered' && outcome !== 'failed') return;
    const second = Math.floor(now / 1000);
    const counts = this.#outcomes.get(second) ?? { all: 0, failed: 0 };
    counts.all += 1;
    if (outcome === 'failed') counts.failed += 1;
    this.#outcomes.set(second, counts);
    if (this.#isFailing(second)) this.#open(now, FIRST_OPEN_MS);
  }

  #heardProbe(outcome: Report['outcome'], grantedAt: number, now: number): void {
    if (grantedAt !== this.#probeAt) return;
    this.#probeAt = undefined;
    if (outcome === 'failed') this.#open(now, this.#openMs * 2);
    if (outcome !== 'answered') return;
    this.#probesAnswered += 1;
    if (this.#probesAnswered < PROBES_TO_CLOSE) return;
    this.#state = 'closed';
    this.#since = now;
  }

  #isFailing(second: number): boolean {
    let all = 0;
    let failed = 0;
    for (const [at, counts] of this.#outcomes) {
      if (at <= second - WINDOW_S) this.#outcomes.delete(at);
      else {
        all += counts.all;
        failed += counts.failed;
      }
    }
    return all >= MIN_OUTCOMES && failed >= all * FAILED_RATIO;
  }

  #open(at: number, openMs: number): void {
    const jitter = openMs === FIRST_OPEN_MS ? 0 : JITTER * this.#random();
    this.#state = 'open';
    this.#since = at;
    this.#openMs = Math.min(openMs, LONGEST_OPEN_MS);
    this.#openUntil = at + Math.ceil(this.#openMs * (1 - jitter));
    this.#countFrom = this.#openUntil;
    this.#probesAnswered = 0;
    this.#outcomes.clear();
  }

  /** Does what was due since it was last looked at. */
  #catchUp(now: number): void {
    if (this.#state === 'half_open' && this.#probeAt !== undefined && now >= this.#probeAt + PROBE_LOST_MS) {
      const lostAt = this.#probeAt + PROBE_LOST_MS;
      this.#probeAt = undefined;
      this.#open(lostAt, this.#openMs * 2);
    }
    if (this.#state === 'open' && now >= this.#openUntil) {
      this.#state = 'half_open';
      this.#since = this.#openUntil;
    }
  }
}
