// Lets a limited number of formulas run at once: the others wait for their turn, as in Sheets.
import type { Evaluate } from './custom-functions.ts';

/**
 * Wraps an evaluation so that it waits while too many run.
 * @param limit - how many may run at once
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
