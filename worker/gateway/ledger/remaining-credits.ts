// What a payer may still spend after its calls have ended.
import type { CallResult, SingleFlightRequest } from '../single-flight/types.ts';

/**
 * Computes the credits that are left after calls, from what the ledger said when it held their prices. A call that cost
 * less than was held for it, such as one that found nothing, gives the rest back at once, before the ledger has booked it.
 * @param rows - the answer for each call, by its name
 * @returns null where no cap is set; undefined where nothing was held for the caller
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
    // A pending call goes on and will be charged, unless it was withdrawn when the answer was due.
    charged += row.outcome === 'pending' && cancelId === undefined ? price : row.credits;
    if (row.reserved === undefined) continue;
    const { remaining, held } = row.reserved;
    if (remaining === null) return null;
    before = Math.max(before ?? 0, remaining + held);
    after = Math.min(after, remaining);
    released += price - row.credits;
  }
  // Others may spend at the same time, so the smaller of two upper bounds is told.
  return before === undefined ? undefined : Math.max(0, Math.min(before - charged, after + released));
}
