// The provider's rate limit.

/** Limits the calls of each clock second, over all operations. Provider API, "Credits and limits". */
export class RateLimiter {
  #second = 0;
  #calls = 0;

  /**
   * Counts a call.
   * @param perS - calls per second
   * @returns the remaining calls of this second; -1 if the limit is exceeded
   */
  take(perS: number): number {
    const second = Math.floor(Date.now() / 1000);
    if (second !== this.#second) this.#calls = 0;
    this.#second = second;
    if (this.#calls >= perS) return -1;
    this.#calls += 1;
    return perS - this.#calls;
  }
}
