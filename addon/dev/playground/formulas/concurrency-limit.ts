// Limits how many formulas run at once and queues the others, as in Sheets.
import type { Evaluate } from './custom-functions.ts';

/**
 * Wraps an evaluation with a concurrency limit.
 * @param limit - maximum number of concurrent evaluations
 */
export function limitConcurrency(limit: number, evaluate: Evaluate): Evaluate {
  const queue: (() => void)[] = [];
  let running = 0;
  return async (...args) => {
    if (running >= limit) await new Promise<void>((resolve) => queue.push(resolve));
    else running += 1;
    try {
      return await evaluate(...args);
    } finally {
      const next = queue.shift();
      if (next === undefined) running -= 1;
      else next();
    }
  };
}
