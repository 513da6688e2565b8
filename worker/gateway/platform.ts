// What the gateway's rooms reach the world through; tests and development replace it.
import type { Env } from '../env.ts';
import type { Upstream } from './upstream/upstream.ts';

/** The edges of an isolate. */
export interface Platform<E extends Env = Env> {
  /** Milliseconds since 1970. */
  now: () => number;
  /** Resolves after so many milliseconds, or at once when the signal says that nobody waits any more. */
  after: (ms: number, signal?: AbortSignal) => Promise<void>;
  /** From 0 up to 1, evenly: for jitter, never for secrets. */
  random: () => number;
  /** The provider to use where none is set; deployed there is none. */
  sandbox?: (env: E) => Upstream | Promise<Upstream>;
}

/** The edges of the real platform. */
export const systemPlatform: Platform = {
  now: () => Date.now(),
  after: (ms, signal) =>
    new Promise((resolve) => {
      const timer = setTimeout(resolve, ms);
      signal?.addEventListener('abort', () => {
        clearTimeout(timer);
        resolve();
      });
    }),
  random: () => Math.random(),
};
