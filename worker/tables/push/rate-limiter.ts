// Client-side rate limit: Google allows a service account 60 reads and 60 writes a minute.

const MAX_CALLS = 60;
const WINDOW_MS = 60_000;

/** Rate limit of the reads or the writes of one service account. */
export class RateLimiter {
  /** Send times of the latest calls, past and planned, in milliseconds since 1970. */
  #reserved: number[] = [];

  /**
   * Reserves the next call, so that no minute has more than 60 of them.
   * @returns milliseconds to wait before sending
   */
  reserve(now: number): number {
    const [oldest] = this.#reserved.slice(-MAX_CALLS);
    const isFull = this.#reserved.length >= MAX_CALLS;
    const at = Math.max(now, this.#reserved.at(-1) ?? 0, isFull ? (oldest ?? 0) + WINDOW_MS : 0);
    this.#reserved = [...this.#reserved.slice(1 - MAX_CALLS), at];
    return at - now;
  }
}
