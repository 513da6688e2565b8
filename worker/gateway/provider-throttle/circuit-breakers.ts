// The circuit breakers in front of the provider: one for each team and purpose.
import { CircuitBreaker } from './circuit-breaker.ts';
import { type BreakerState, type CallerKey, getSourceKey, type Report } from './types.ts';

/** When the provider fails for so many teams, the others probe it before they send more. */
const TEAMS_THAT_WARN_OTHERS = 2;

const severities: Readonly<Record<BreakerState, number>> = { closed: 0, half_open: 1, open: 2 };

interface Entry {
  source: CallerKey;
  breaker: CircuitBreaker;
}

/**
 * The circuit breakers. What one team sees stops that team alone, because it chooses its questions. What two teams see makes
 * the others careful.
 */
export class CircuitBreakers {
  readonly #random: () => number;
  readonly #startedAt: number;
  readonly #entries = new Map<string, Entry>();

  /** @param random - returns a number from 0 up to 1 */
  constructor(random: () => number, now: number) {
    this.#random = random;
    this.#startedAt = now;
  }

  /** Returns the most severe state of all breakers, and when it began. */
  getState(now: number): { state: BreakerState; since: number } {
    this.#deleteForgotten(now);
    return [...this.#entries.values()]
      .map(({ breaker }) => breaker.getState(now))
      .reduce((worst, other) => (severities[other.state] > severities[worst.state] ? other : worst), {
        state: 'closed',
        since: this.#startedAt,
      });
  }

  mayPass(source: CallerKey, now: number): boolean {
    return this.#get(source, now).countAllowed(now) > 0;
  }

  /** Tells whether the provider has recently failed for a source itself. */
  isDown(source: CallerKey, now: number): boolean {
    return this.#get(source, now).isDown(now);
  }

  /** Tells whether any call may not pass now. */
  isAnyOpen(now: number): boolean {
    return [...this.#entries.values()].some(({ breaker }) => breaker.countAllowed(now) === 0);
  }

  getRetryAt(source: CallerKey, now: number): number {
    return this.#get(source, now).getRetryAt(now);
  }

  recordGrant(source: CallerKey, now: number): void {
    this.#get(source, now).recordGrant(now);
  }

  /**
   * Records how a call went.
   * @param grantedAt - when the call was granted
   */
  recordOutcome({ outcome, call }: Report, grantedAt: number, now: number): void {
    if (call === undefined) {
      // The permit may have been a probe of any source; a second probe does no harm.
      for (const { breaker } of this.#entries.values()) breaker.recordProbe(outcome, grantedAt, now);
      return;
    }
    const isConfirmed = this.#countOthersDown(call, now) > 0;
    this.#get(call, now).recordOutcome(outcome, call.question, grantedAt, now, isConfirmed);
  }

  #get(source: CallerKey, now: number): CircuitBreaker {
    const key = getSourceKey(source);
    const known = this.#entries.get(key)?.breaker;
    const isKnown = known?.isForgotten(now) === false;
    if (!isKnown) this.#deleteForgotten(now);
    const breaker = isKnown ? known : new CircuitBreaker(this.#random, now);
    if (!isKnown) this.#entries.set(key, { source: { ...source }, breaker });
    if (this.#countOthersDown(source, now) >= TEAMS_THAT_WARN_OTHERS) breaker.expectFailures(now);
    return breaker;
  }

  /** Counts the other teams for which the provider fails. */
  #countOthersDown({ team, purpose }: CallerKey, now: number): number {
    return [...this.#entries.values()].filter(
      ({ source, breaker }) => source.team !== team && source.purpose === purpose && breaker.isDown(now),
    ).length;
  }

  #deleteForgotten(now: number): void {
    for (const [key, { breaker }] of this.#entries) if (breaker.isForgotten(now)) this.#entries.delete(key);
  }
}
