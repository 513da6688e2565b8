// Measures durations for the header `server-timing` (W3C Server Timing).

/** Durations of one request, milliseconds by name. */
export class Timings {
  readonly #now: () => number;
  readonly #started: number;
  #durations: Map<string, number> | undefined;

  constructor(now: () => number) {
    this.#now = now;
    this.#started = now();
  }

  /** Measures a task. Adds up durations with the same name. */
  async measure<T>(name: string, work: () => Promise<T>): Promise<T> {
    const started = this.#now();
    try {
      return await work();
    } finally {
      this.#durations ??= new Map();
      this.#durations.set(name, (this.#durations.get(name) ?? 0) + this.#now() - started);
    }
  }

  /** Returns a duration in milliseconds; undefined if nothing with this name was measured. */
  get(name: string): number | undefined {
    return this.#durations?.get(name);
  }

  /** Formats the header: all durations, and the total since the request started. @returns undefined if no time has passed */
  format(now: number): string | undefined {
    const total = now - this.#started;
    const durations = Array.from(this.#durations ?? [], ([name, ms]) => `${name};dur=${ms}`);
    return total === 0 ? undefined : [...durations, `total;dur=${total}`].join(', ');
  }
}

export interface TimingEnv {
  Variables: { timings: Timings };
}
