// Computes the credits that remain after calls.
import type { CallResult, SingleFlightRequest } from '../single-flight/types.ts';

/**
 * Computes the credits that a payer may still spend after its calls. Starts from the ledger's answers to the reservations,
 * because a call that cost less, such as one that found nothing, is settled later.
 * @param rows - results by call name
 * @returns null without a cap; undefined if nothing was reserved
 */
export function computeRemainingCredits(
  { calls, cancelId }: Pick<SingleFlightRequest, 'calls' | 'cancelId'>,
  rows: ReadonlyMap<string, CallResult>,
): number | null | undefined {
  let before: number | undefined;
  let after = Number.POSITIVE_INFINITY;
  let charged = 0;
  let released = 0;
  for (const { name, credits: price } of calls) {
    const row = rows.get(name);
    if (row === undefined) continue;
    // A pending call continues and will be charged, unless it was cancelled at the deadline.
    charged += row.outcome === 'pending' && cancelId === undefined ? price : row.credits;
    if (row.reserved === undefined) continue;
    const { remaining, credits } = row.reserved;
    if (remaining === null) return null;
    before = Math.max(before ?? 0, remaining + credits);
    after = Math.min(after, remaining);
    released += price - row.credits;
  }
  // Others may spend concurrently, so the smaller of two upper bounds is correct.
  return before === undefined ? undefined : Math.max(0, Math.min(before - charged, after + released));
}
