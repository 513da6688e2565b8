// Clock, timers and randomness. Tests and development inject their own.

export interface Clock {
  now: () => number;
  /** Resolves after some milliseconds, or as soon as another promise settles. */
  sleep: (ms: number, until?: Promise<unknown>) => Promise<void>;
  /** At least 0 and less than 1: for jitter, never for secrets. */
  random: () => number;
}

/** The clock of the runtime. */
export const systemClock: Clock = {
  now: () => Date.now(),
  sleep: (ms, until) =>
    new Promise((resolve) => {
      const timer = setTimeout(resolve, ms);
      const end = (): void => {
        clearTimeout(timer);
        resolve();
      };
      until?.then(end, end);
    }),
  random: () => Math.random(),
};
