// Refuses a purchase that costs more than the caller approved.

import { ProblemError } from '../../http/problem-error.ts';
import { formatCount } from '../../lib/format.ts';

/**
 * Creates the problem `price_changed`: nothing was bought.
 * @param shown - credits that the caller approved
 * @param now - current price in credits
 */
export function priceChangedError(shown: number, now: number): ProblemError {
  return new ProblemError(
    'price_changed',
    `The price changed from ${formatCount(shown)} to ${formatCount(now)} credits.`,
  );
}
