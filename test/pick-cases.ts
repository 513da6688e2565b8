// Fewer tests and cases in `npm test`; `npm run test:all` runs all of them.
import { it } from 'vitest';

/** Whether this is the long tier, or a request for single files. */
export const isLong = process.env.LONG_TESTS !== '0';

/** @returns all cases in the long tier; otherwise as many as given, evenly spread, the first and, if there are several, the last among them */
export function pickCases<T>(cases: readonly T[], count: number): readonly T[] {
  if (isLong || cases.length <= count) return cases;
  const step = (cases.length - 1) / Math.max(1, count - 1);
  const picked = new Set(Array.from({ length: count }, (_, at) => Math.round(at * step)));
  return cases.filter((_, at) => picked.has(at));
}

/** Returns the number of runs of a property whose runs are slow: few in `npm test`, many in the long tier. */
export const pickRuns = (few: number, many: number): number => (isLong ? many : few);

/** Defines a test of the long tier in a file of the first one. */
export function longIt(name: string, run: () => Promise<void> | void): void {
  if (isLong) it(name, run);
}
