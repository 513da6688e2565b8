// Counts calls that were granted and not yet reported.

/** A call without a report after this time is lost. It can't be in flight any more. */
const LOST_MS = 60_000;

export class CallsInFlight {
  /** Number of calls by grant time, oldest first. */
  readonly #calls = new Map<number, number>();
  #count = 0;

  count(now: number): number {
    for (const [grantedAt, calls] of this.#calls) {
      if (grantedAt > now - LOST_MS) break;
      this.#calls.delete(grantedAt);
      this.#count -= calls;
    }
    return this.#count;
  }

  add(calls: number, now: number): void {
    this.#calls.set(now, (this.#calls.get(now) ?? 0) + calls);
    this.#count += calls;
  }

  /** Returns when the oldest call in flight was granted; `now` if there is none. */
  getOldest(now: number): number {
    this.count(now);
    for (const grantedAt of this.#calls.keys()) return grantedAt;
    return now;
  }

  /**
   * Removes a call that has ended.
   * @returns false if it is unknown: lost, or granted before a restart
   */
  remove(grantedAt: number, now: number): boolean {
    this.count(now);
    const calls = this.#calls.get(grantedAt);
    if (calls === undefined) return false;
    if (calls === 1) this.#calls.delete(grantedAt);
    else this.#calls.set(grantedAt, calls - 1);
    this.#count -= 1;
    return true;
  }
}
