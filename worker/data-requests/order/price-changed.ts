// The problem of a purchase whose price is higher than the confirmed one.
import { formatNumber } from '../../../shared/lib/format-count.ts';
import { ProblemError } from '../../http/problem-error.ts';

/**
 * Creates the problem `price_changed`.
 * @param confirmed - price in credits that the caller confirmed
 * @param current - price in credits now
 */
export function priceChangedError(confirmed: number, current: number): ProblemError {
  return new ProblemError(
    'price_changed',
    `The price changed from ${formatNumber(confirmed)} to ${formatNumber(current)} credits.`,
  );
}
