// Clock, timers and randomness. Tests and development inject their own.
import type { Env } from '../env.ts';
import type { Upstream } from './upstream/upstream.ts';

/** The runtime services of an isolate. */
export interface Platform<E extends Env = Env> {
  /** Milliseconds since 1970. */
  now: () => number;
  /** Resolves after some milliseconds, or as soon as the signal aborts. */
  sleep: (ms: number, signal?: AbortSignal) => Promise<void>;
  /** At least 0 and less than 1: for jitter, never for secrets. */
  random: () => number;
  /** Provides the sandbox, which serves calls if no provider is configured. Absent in deployments. */
  sandbox?: (env: E) => Upstream | Promise<Upstream>;
}

/** Clock, timers and randomness of the runtime. */
export const systemPlatform: Platform = {
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
