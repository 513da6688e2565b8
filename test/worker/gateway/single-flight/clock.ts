// A clock that stands still until a test moves it.

/** Start of every test, a whole second: milliseconds since 1970. */
export const START = Date.UTC(2026, 8, 1);

interface Timer {
  at: number;
  ring: () => void;
}

export class Clock {
  now = START;
  readonly #timers = new Set<Timer>();

  /** Number of running timers. */
  get timers(): number {
    return this.#timers.size;
  }

  /** When the next timer ends. */
  get next(): number | undefined {
    const times = [...this.#timers].map(({ at }) => at);
    return times.length === 0 ? undefined : Math.min(...times);
  }

  after(ms: number, until?: Promise<unknown>): Promise<void> {
    if (!(ms > 0)) throw new Error(`a timer of ${ms} ms`);
    return new Promise((resolve) => {
      const timer = { at: this.now + ms, ring: resolve };
      this.#timers.add(timer);
      const end = (): void => {
        this.#timers.delete(timer);
        resolve();
      };
      until?.then(end, end);
    });
  }

  /** Moves to a time and ends the timers that are due by then. */
  moveTo(time: number): void {
    this.now = time;
    for (const timer of this.#timers) {
      if (timer.at > time) continue;
      this.#timers.delete(timer);
      timer.ring();
    }
  }

  /** Deletes all timers. */
  clear(): void {
    this.#timers.clear();
  }
}
