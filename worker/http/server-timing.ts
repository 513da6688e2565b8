// Tells in an answer where its time went: `server-timing` (W3C Server Timing).
import type { Middleware } from './compose.ts';

/** The times of one request, milliseconds by name. */
export class Timings {
  readonly #now: () => number;
  readonly #started: number;
  #spent: Map<string, number> | undefined;

  /** @param now - milliseconds since 1970 */
  constructor(now: () => number) {
    this.#now = now;
    this.#started = now();
  }

  /** Measures some work; what is measured under one name is summed up. */
  async measure<T>(name: string, work: () => Promise<T>): Promise<T> {
    const started = this.#now();
    try {
      return await work();
    } finally {
      this.#spent ??= new Map();
      this.#spent.set(name, (this.#spent.get(name) ?? 0) + this.#now() - started);
    }
  }

  /** @returns the header's value: what was measured, and the time since the request was taken up */
  toString(): string {
    const total = `total;dur=${this.#now() - this.#started}`;
    if (this.#spent === undefined) return total;
    return [...Array.from(this.#spent, ([name, ms]) => `${name};dur=${ms}`), total].join(', ');
  }
}

/** What this adds to a request. */
export interface TimingEnv {
  Variables: { timings: Timings };
}

/**
 * Makes the middleware that hands out the timings of a request; whoever sends the answer tells them.
 * @param now - milliseconds since 1970
 */
export function serverTiming(now: () => number): Middleware<TimingEnv> {
  return (c, next) => {
    c.set('timings', new Timings(now));
    return next();
  };
}
