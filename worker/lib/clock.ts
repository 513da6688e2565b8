// Clock, timers and randomness. Tests and development inject their own.

export interface Clock {
  now: () => number;
  /** Resolves after some milliseconds, or as soon as the signal aborts. */
  sleep: (ms: number, signal?: AbortSignal) => Promise<void>;
  /** At least 0 and less than 1: for jitter, never for secrets. */
  random: () => number;
}

/** The clock of the runtime. */
export const systemClock: Clock = {
  now: () => Date.now(),
  sleep: (ms, signal) =>
    new Promise((resolve) => {
      const timer = setTimeout(resolve, ms);
      signal?.addEventListener('abort', () => {
        clearTimeout(timer);
        resolve();
      });
    }),
  random: () => Math.random(),
};
