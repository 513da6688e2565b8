// Fills a column of a sheet and measures calls, credits and time.
import * as z from 'zod';

/** Rows of the column. Every id occurs about three times, like companies in lists of people. */
export const CELL_COUNT = 1_000;
export const DISTINCT_IDS = 300;
/** Duration of a provider call. */
export const LATENCY_MS = 200;
/** Custom functions that Google runs concurrently for one user. */
export const CONCURRENCY = 30;

/** Creates the ids, none of which is cached. */
export function createColumnKeys(): string[] {
  return Array.from({ length: CELL_COUNT }, (_, row) => String(50_000_000 + ((row * 7) % DISTINCT_IDS)));
}

/** The cost of filling the column once. */
export const fillSchema = z.object({
  /** Calls from the sheet. */
  calls: z.number(),
  /** Calls to the provider. */
  bought: z.number(),
  credits: z.number(),
  ms: z.number(),
});
export type Fill = z.infer<typeof fillSchema>;

/** The first fill, and a second one, as when the sheet is opened again. */
export const fillsSchema = z.object({ first: fillSchema, again: fillSchema });
export type Fills = z.infer<typeof fillsSchema>;

/**
 * Fills the column twice.
 * @param fill - fills it once and returns the number of calls from the sheet
 * @param count - returns the provider's usage so far
 */
export async function measureFills(
  fill: () => Promise<number>,
  count: () => Promise<{ calls: number; credits: number }>,
): Promise<Fills> {
  const measureFill = async (): Promise<Fill> => {
    const before = await count();
    const started = performance.now();
    const calls = await fill();
    const ms = performance.now() - started;
    const after = await count();
    return { calls, bought: after.calls - before.calls, credits: after.credits - before.credits, ms };
  };
  return { first: await measureFill(), again: await measureFill() };
}
