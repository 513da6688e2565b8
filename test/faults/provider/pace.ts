// The provider's rate limit: so many calls in each second of the clock.

/** One ceiling for all operations, as the contract's "Credits and limits" has it. */
export class RateLimiter {
  readonly #now: () => number;
  #second = 0;
  #calls = 0;

  /** @param now - milliseconds since 1970 */
  constructor(now: () => number) {
    this.#now = now;
  }

  /**
   * Counts a call.
   * @param perS - calls in a second
   * @returns how many more this second takes; -1 where the call is too much
   */
  take(perS: number): number {
    const second = Math.floor(this.#now() / 1000);
    if (second !== this.#second) this.#calls = 0;
    this.#second = second;
    if (this.#calls >= perS) return -1;
    this.#calls += 1;
    return perS - this.#calls;
  }
}
