// Resolves the days of a report.
import { DAY_MS } from '../../../../shared/lib/durations.ts';
import { startOfDay, toDay } from '../../../gateway/ledger/periods.ts';
import { invalidRequest } from '../../../http/problem-error.ts';

/**
 * Resolves the first and last day of a report, and their number.
 * @param days - the requested ones, `YYYY-MM-DD`
 * @param limits - number of days where none is requested, and at most
 * @throws ProblemError `invalid_request`
 */
export function resolveDays(
  days: { from?: string | undefined; to?: string | undefined },
  limits: { default: number; max: number },
  now: number,
): { from: string; to: string; count: number } {
  const to = days.to ?? toDay(now);
  const from = days.from ?? toDay(startOfDay(to) - (limits.default - 1) * DAY_MS);
  const count = (startOfDay(to) - startOfDay(from)) / DAY_MS + 1;
  if (count < 1) throw invalidRequest('to', 'is before from');
  if (count > limits.max) throw invalidRequest('from', `a report spans at most ${limits.max} days`);
  return { from, to, count };
}
