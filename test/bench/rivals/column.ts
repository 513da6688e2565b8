// A column of a sheet: what is in it, and what filling it takes.
import * as z from 'zod';

/** Rows of the column; every id stands in it about three times, as companies do in lists of people. */
export const CELL_COUNT = 1_000;
export const DISTINCT_IDS = 300;
/** The provider takes this long for an answer. */
export const LATENCY_MS = 200;
/** Custom functions that Google runs at once for one user. */
export const CONCURRENCY = 30;

/** The ids, none of which is remembered. */
export function createColumnKeys(): string[] {
  return Array.from({ length: CELL_COUNT }, (_, row) => String(50_000_000 + ((row * 7) % DISTINCT_IDS)));
}

/** What one filling of the column took. */
export const fillSchema = z.object({
  /** Calls that leave the sheet. */
  calls: z.number(),
  /** Calls that reach the provider. */
  bought: z.number(),
  credits: z.number(),
  ms: z.number(),
});
export type Fill = z.infer<typeof fillSchema>;

/** Filled for the first time, and again, as a sheet is when it is opened anew. */
export const fillsSchema = z.object({ first: fillSchema, again: fillSchema });
export type Fills = z.infer<typeof fillsSchema>;

/**
 * Fills the column twice.
 * @param fill - does it once, and returns how many calls left the sheet
 * @param count - what reached the provider so far
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
