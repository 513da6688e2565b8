// A column of a sheet: what is in it, and what filling it takes.
import * as z from 'zod';

/** Rows of the column; every id stands in it about three times, as companies do in lists of people. */
export const CELLS = 1_000;
export const DISTINCT = 300;
/** The provider takes this long for an answer. */
export const LATENCY_MS = 200;
/** Custom functions that Google runs at once for one user. */
export const AT_ONCE = 30;

/** The ids, none of which is remembered. */
export function columnKeys(): string[] {
  return Array.from({ length: CELLS }, (_, row) => String(50_000_000 + ((row * 7) % DISTINCT)));
}

/** What one filling of the column took. */
export const filledSchema = z.object({
  /** Calls that leave the sheet. */
  calls: z.number(),
  /** Calls that reach the provider. */
  bought: z.number(),
  credits: z.number(),
  ms: z.number(),
});
export type Filled = z.infer<typeof filledSchema>;

/** Filled for the first time, and again, as a sheet is when it is opened anew. */
export const twiceSchema = z.object({ first: filledSchema, again: filledSchema });
export type Twice = z.infer<typeof twiceSchema>;

/**
 * Fills the column twice.
 * @param fill - does it once, and returns how many calls left the sheet
 * @param count - what reached the provider so far
 */
export async function fillTwice(
  fill: () => Promise<number>,
  count: () => Promise<{ calls: number; credits: number }>,
): Promise<Twice> {
  const once = async (): Promise<Filled> => {
    const before = await count();
    const started = performance.now();
    const calls = await fill();
    const ms = performance.now() - started;
    const after = await count();
    return { calls, bought: after.calls - before.calls, credits: after.credits - before.credits, ms };
  };
  return { first: await once(), again: await once() };
}
