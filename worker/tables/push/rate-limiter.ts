// Keeps calls within so many a minute: a service account is one user to Google, which allows 60 reads and 60 writes a minute.

const MAX_CALLS = 60;
const WINDOW_MS = 60_000;

/** The pace of one kind of call of one service account. */
export class RateLimiter {
  /** When the last calls were or will be sent, in milliseconds since 1970. */
  #booked: number[] = [];

  /**
   * Books the next call, so that no minute has more than 60 of them.
   * @param now - milliseconds since 1970
   * @returns how long to wait with it, in milliseconds
   */
  reserve(now: number): number {
    const [oldest] = this.#booked.slice(-MAX_CALLS);
    const full = this.#booked.length >= MAX_CALLS;
    const at = Math.max(now, this.#booked.at(-1) ?? 0, full ? (oldest ?? 0) + WINDOW_MS : 0);
    this.#booked = [...this.#booked.slice(1 - MAX_CALLS), at];
    return at - now;
  }
}
