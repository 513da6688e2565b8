// Which calls were granted and not yet reported.

/** A call that is not reported by then is taken as lost: it can't be on its way any more. */
export const LOST_MS = 60_000;

/** The calls on their way, by when they were granted. Times are milliseconds since 1970. */
export class CallsInFlight {
  /** Oldest first. */
  readonly #calls = new Map<number, number>();
  #count = 0;

  /** @returns how many there are */
  count(now: number): number {
    for (const [grantedAt, calls] of this.#calls) {
      if (grantedAt > now - LOST_MS) break;
      this.#calls.delete(grantedAt);
      this.#count -= calls;
    }
    return this.#count;
  }

  /** Takes down that calls were granted. */
  add(calls: number, now: number): void {
    this.#calls.set(now, (this.#calls.get(now) ?? 0) + calls);
    this.#count += calls;
  }

  /** @returns when the one was granted that is on its way for longest; `now` if there is none */
  getOldest(now: number): number {
    this.count(now);
    for (const grantedAt of this.#calls.keys()) return grantedAt;
    return now;
  }

  /**
   * Takes down that a call has ended.
   * @returns false if it was not known to be on its way: it was lost, or granted before a restart
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
