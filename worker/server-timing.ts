// Tells in an answer where its time went: `server-timing` (W3C Server Timing).
import { createMiddleware } from 'hono/factory';

/** The times of one request, milliseconds by name. */
export class Timings {
  readonly #now: () => number;
  readonly #spent = new Map<string, number>();

  /** @param now - milliseconds since 1970 */
  constructor(now: () => number) {
    this.#now = now;
  }

  /** Measures some work; what is measured under one name is summed up. */
  async measure<T>(name: string, work: () => Promise<T>): Promise<T> {
    const started = this.#now();
    try {
      return await work();
    } finally {
      this.#spent.set(name, (this.#spent.get(name) ?? 0) + this.#now() - started);
    }
  }

  /** @returns the header's value; empty where nothing was measured */
  toString(): string {
    return [...this.#spent].map(([name, ms]) => `${name};dur=${ms}`).join(', ');
  }
}

/** What this adds to a request. */
export interface Timed {
  Variables: { timings: Timings };
}

/**
 * Makes the middleware that hands out the timings of a request and sets the header.
 * @param now - milliseconds since 1970
 */
export function serverTiming(now: () => number) {
  return createMiddleware<Timed>(async (c, next) => {
    const timings = new Timings(now);
    c.set('timings', timings);
    await timings.measure('total', next);
    c.res.headers.set('server-timing', timings.toString());
  });
}
