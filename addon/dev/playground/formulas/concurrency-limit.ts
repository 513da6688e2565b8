// Limits how many formulas run at once and queues the others, as in Sheets.
import type { Evaluate } from './custom-functions.ts';

/**
 * Wraps an evaluation with a concurrency limit.
 * @param limit - maximum number of concurrent evaluations
 */
export function atMost(limit: number, evaluate: Evaluate): Evaluate {
  const turns: (() => void)[] = [];
  let running = 0;
  return async (...call) => {
    if (running >= limit) await new Promise<void>((turn) => turns.push(turn));
    else running += 1;
    try {
      return await evaluate(...call);
    } finally {
      const next = turns.shift();
      if (next === undefined) running -= 1;
      else next();
    }
  };
}
