// Forecasts the spending of a month from its average so far.
import { startOfMonth, toDay } from '../../../gateway/ledger/periods.ts';
import type { Budget } from '../../../gateway/ledger/types.ts';

/** A month without this much of it has no meaningful average: one purchase at its beginning would be multiplied by hundreds. */
const MIN_ELAPSED_MS = 12 * 3_600_000;

/** What happens if spending continues at this month's average. */
export interface Forecast {
  /** Credits spent at the end of the month; null too early in the month. */
  month: number | null;
  /** Day on which the cap of the month is reached, `YYYY-MM-DD`; null if not in this month. */
  overCapOn: string | null;
}

/** Forecasts the present month (UTC). Top-ups are not considered. */
export function forecastMonth({ spent, caps }: Pick<Budget, 'spent' | 'caps'>, now: number): Forecast {
  const start = startOfMonth(now, 0);
  const end = startOfMonth(now, 1);
  const elapsed = now - start;
  const isEarly = elapsed < MIN_ELAPSED_MS;
  const month = isEarly ? null : Math.round((spent.month * (end - start)) / elapsed);
  const cap = caps.month;
  if (cap === null || spent.month <= 0) return { month, overCapOn: null };
  if (spent.month >= cap) return { month, overCapOn: toDay(now) };
  const reachedAt = start + (elapsed * cap) / spent.month;
  return { month, overCapOn: isEarly || reachedAt >= end ? null : toDay(reachedAt) };
}
