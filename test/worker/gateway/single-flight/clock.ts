// Time that stands still until a test moves it.

/** The whole second at which every test begins: milliseconds since 1970. */
export const START = Date.UTC(2026, 8, 1);

interface Timer {
  at: number;
  ring: () => void;
}

export class Clock {
  now = START;
  readonly #timers = new Set<Timer>();

  /** Timers that run. */
  get timers(): number {
    return this.#timers.size;
  }

  /** When the next timer rings. */
  get next(): number | undefined {
    const [first] = [...this.#timers].sort((a, b) => a.at - b.at);
    return first?.at;
  }

  after(ms: number, signal?: AbortSignal): Promise<void> {
    if (!(ms > 0)) throw new Error(`a timer of ${ms} ms`);
    return new Promise((resolve) => {
      const timer = { at: this.now + ms, ring: resolve };
      this.#timers.add(timer);
      signal?.addEventListener('abort', () => {
        this.#timers.delete(timer);
        resolve();
      });
    });
  }

  /** Moves on to a time, and lets the timers ring that are due by then. */
  moveTo(time: number): void {
    this.now = time;
    for (const timer of this.#timers) {
      if (timer.at > time) continue;
      this.#timers.delete(timer);
      timer.ring();
    }
  }

  /** Forgets all timers: whoever set them is gone. */
  clear(): void {
    this.#timers.clear();
  }
}
