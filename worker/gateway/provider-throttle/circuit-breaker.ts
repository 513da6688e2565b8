// The circuit breaker of one team for one purpose.
import type { BreakerState, Report } from './types.ts';

/** Sliding window of outcomes. */
const WINDOW_MS = 20_000;
/** The breaker does not open on fewer outcomes. */
const MIN_OUTCOMES = 10;
/** The same while the provider fails for another team, too. */
const MIN_CONFIRMED_OUTCOMES = 3;
/** Share of failed outcomes in the window that opens the breaker. */
const FAILED_RATIO = 0.5;
const MAX_OUTCOMES = 1_000;
/** How long the breaker stays open at first. Each failed probe doubles the time, up to the longest. */
export const FIRST_OPEN_MS = 5_000;
const LONGEST_OPEN_MS = 60_000;
/** Longer times are shortened by up to this share, so that deployments do not all probe at once. */
const JITTER = 0.2;
/** A probe without a report after this time has failed, because its sender is gone. */
const PROBE_LOST_MS = 30_000;
/** Answered probes in a row that close the breaker. */
const PROBES_TO_CLOSE = 3;
/** While a probe is in flight, other callers retry after this time. */
const PROBE_ANSWER_MS = 1_000;
/** A failure says nothing about the provider any more after this time. */
const FAILURE_COUNTS_MS = 2 * LONGEST_OPEN_MS;
/** A breaker without an outcome in this time is forgotten. */
const FORGET_MS = 600_000;

/**
 * A circuit breaker. Closed, it lets all calls pass. When at least half of the recent questions have failed it opens and lets
 * none pass. After a while it is half open: it lets one call at a time pass as a probe.
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
  /** The last outcome of each question, oldest first. A repeated question counts once. */
  readonly #outcomes = new Map<string, { at: number; hasFailed: boolean }>();
  /** Outcomes of calls granted before this time are ignored: they were sent before the breaker last opened. */
  #countFrom = 0;
  #failedAt = Number.NEGATIVE_INFINITY;
  #usedAt: number;

  /** @param random - returns a number from 0 up to 1 */
  constructor(random: () => number, now: number) {
    this.#random = random;
    this.#since = now;
    this.#usedAt = now;
  }

  getState(now: number): { state: BreakerState; since: number } {
    this.#advance(now);
    return { state: this.#state, since: this.#since };
  }

  /** Tells whether the provider has recently failed so often that the breaker is not closed again. */
  isDown(now: number): boolean {
    return this.getState(now).state !== 'closed' && now < this.#failedAt + FAILURE_COUNTS_MS;
  }

  /** Tells whether nothing is known that a new breaker would not know. */
  isForgotten(now: number): boolean {
    return now >= this.#usedAt + FORGET_MS;
  }

  countAllowed(now: number): number {
    this.#advance(now);
    if (this.#state === 'closed') return Number.POSITIVE_INFINITY;
    return this.#state === 'half_open' && this.#probeAt === undefined ? 1 : 0;
  }

  getRetryAt(now: number): number {
    this.#advance(now);
    return this.#state === 'open' ? this.#openUntil : now + PROBE_ANSWER_MS;
  }

  recordGrant(now: number): void {
    if (this.#state === 'half_open') this.#probeAt = now;
  }

  /** Makes a closed breaker without recent outcomes half open, because the provider fails for others. */
  expectFailures(now: number): void {
    this.#deleteOldOutcomes(now);
    if (this.#state !== 'closed' || this.#outcomes.size > 0) return;
    this.#state = 'half_open';
    this.#since = now;
    this.#countFrom = now;
    this.#probesAnswered = 0;
  }

  /**
   * Records how a call went. A 429 or an unused permit says nothing about the provider's health.
   * @param question - hash of the question
   * @param grantedAt - when the call was granted
   * @param isConfirmed - whether the provider fails for another team, too
   */
  recordOutcome(
    outcome: Report['outcome'],
    question: string,
    grantedAt: number,
    now: number,
    isConfirmed = false,
  ): void {
    this.#advance(now);
    this.#usedAt = now;
    this.recordProbe(outcome, grantedAt, now);
    if (this.#state !== 'closed' || grantedAt < this.#countFrom) return;
    if (outcome !== 'answered' && outcome !== 'failed') return;
    this.#outcomes.delete(question);
    this.#outcomes.set(question, { at: now, hasFailed: outcome === 'failed' });
    if (this.#isFailing(now, isConfirmed ? MIN_CONFIRMED_OUTCOMES : MIN_OUTCOMES)) {
      this.#open(now, FIRST_OPEN_MS);
    }
  }

  /** Records the end of a call if it is the probe. */
  recordProbe(outcome: Report['outcome'], grantedAt: number, now: number): void {
    if (this.#state !== 'half_open' || grantedAt !== this.#probeAt) return;
    this.#probeAt = undefined;
    if (outcome === 'failed') this.#open(now, this.#openMs * 2);
    if (outcome !== 'answered') return;
    this.#probesAnswered += 1;
    if (this.#probesAnswered < PROBES_TO_CLOSE) return;
    this.#state = 'closed';
    this.#since = now;
  }

  #isFailing(now: number, minOutcomes: number): boolean {
    this.#deleteOldOutcomes(now);
    const failed = [...this.#outcomes.values()].filter(({ hasFailed }) => hasFailed).length;
    return this.#outcomes.size >= minOutcomes && failed >= this.#outcomes.size * FAILED_RATIO;
  }

  #deleteOldOutcomes(now: number): void {
    for (const [question, { at }] of this.#outcomes) {
      if (at > now - WINDOW_MS && this.#outcomes.size <= MAX_OUTCOMES) break;
      this.#outcomes.delete(question);
    }
  }

  #open(at: number, openMs: number): void {
    const jitter = openMs === FIRST_OPEN_MS ? 0 : JITTER * this.#random();
    this.#state = 'open';
    this.#since = at;
    this.#failedAt = at;
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
