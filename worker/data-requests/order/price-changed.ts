// Refuses a purchase whose price is higher than the one that the caller was shown.

import { ProblemError } from '../../http/problem-error.ts';
import { formatCount } from '../../lib/format.ts';

/**
 * Makes the problem `price_changed`: nothing was bought.
 * @param shown - credits that the caller agreed to
 * @param now - credits that it costs now
 */
export function priceChangedError(shown: number, now: number): ProblemError {
  return new ProblemError(
    'price_changed',
    `The price changed from ${formatCount(shown)} to ${formatCount(now)} credits.`,
  );
}
