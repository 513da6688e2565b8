// The circuit breaker in front of the provider.
import type { BreakerState, Report } from './types.ts';

/** Sliding window of outcomes. */
const WINDOW_S = 20;
/** The breaker does not open on fewer outcomes. */
const MIN_OUTCOMES = 10;
/** Share of failed outcomes in the window that opens the breaker. */
const FAILED_RATIO = 0.5;
/** How long the breaker stays open at first. Each failed probe doubles the time, up to the longest. */
const FIRST_OPEN_MS = 5_000;
const LONGEST_OPEN_MS = 60_000;
/** Longer times are shortened by up to this share, so that deployments do not all probe at once. */
const JITTER = 0.2;
/** A probe without a report after this time has failed, because its sender is gone. */
const PROBE_LOST_MS = 30_000;
/** Answered probes in a row that close the breaker. */
const PROBES_TO_CLOSE = 3;
/** While a probe is in flight, other callers retry after this time. */
const PROBE_ANSWER_MS = 1_000;

/**
 * A circuit breaker. Closed, it lets all calls pass. When at least half of the recent calls have failed it opens and lets none
 * pass. After a while it is half open: it lets one call at a time pass as a probe. Times are milliseconds since 1970.
 */
export class CircuitBreaker {
  readonly #random: () => number;
  #state: BreakerState = 'closed';
  #since: number;
  /** How long it is open this time, without jitter; and until when. */
  #openMs = FIRST_OPEN_MS;
  #openUntil = 0;
  /** When the probe in flight was granted. */
  #probeAt: number | undefined;
  #probesAnswered = 0;
  /** Outcomes by second. */
  readonly #outcomes = new Map<number, { all: number; failed: number }>();
  /** Outcomes of calls granted before this time are ignored: they were sent before the breaker last opened. */
  #countFrom = 0;

  /** @param random - returns a number from 0 up to 1 */
  constructor(random: () => number, now: number) {
    this.#random = random;
    this.#since = now;
  }

  /** Returns the state and when it began. */
  getState(now: number): { state: BreakerState; since: number } {
    this.#advance(now);
    return { state: this.#state, since: this.#since };
  }

  /** Returns how many calls may pass now. */
  countAllowed(now: number): number {
    this.#advance(now);
    if (this.#state === 'closed') return Number.POSITIVE_INFINITY;
    return this.#state === 'half_open' && this.#probeAt === undefined ? 1 : 0;
  }

  /** Returns when a call that may not pass should retry. */
  getRetryAt(now: number): number {
    this.#advance(now);
    return this.#state === 'open' ? this.#openUntil : now + PROBE_ANSWER_MS;
  }

  /** Records that calls have passed. */
  recordGrant(now: number): void {
    if (this.#state === 'half_open') this.#probeAt = now;
  }

  /**
   * Records how a call went. A 429 or an unused permit says nothing about the provider's health.
   * @param grantedAt - when the call was granted
   */
  recordOutcome(outcome: Report['outcome'], grantedAt: number, now: number): void {
    this.#advance(now);
    if (this.#state === 'half_open') this.#recordProbe(outcome, grantedAt, now);
    if (this.#state !== 'closed' || grantedAt < this.#countFrom) return;
    if (outcome !== 'answered' && outcome !== 'failed') return;
    const second = Math.floor(now / 1000);
    const counts = this.#outcomes.get(second) ?? { all: 0, failed: 0 };
    counts.all += 1;
    if (outcome === 'failed') counts.failed += 1;
    this.#outcomes.set(second, counts);
    if (this.#isFailing(second)) this.#open(now, FIRST_OPEN_MS);
  }

  #recordProbe(outcome: Report['outcome'], grantedAt: number, now: number): void {
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

  /** Applies the transitions that time alone causes. */
  #advance(now: number): void {
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
