// The price that a person approved with a click: nothing is bought for more, or for other rows.
import { isSpendingOn } from '../../client/spending.ts';
import { AddonError } from '../../lib/addon-error.ts';
import { fingerprint } from '../../sheet/entries.ts';

/** Enough prints, each of four letters, that two plans never share a digest by chance. */
const PARTS = 4;

/**
 * Makes the digest of a plan.
 * @param parts - the rows, keys and columns that its price is for
 */
export function digestPlan(parts: readonly unknown[]): string {
  const all = [isSpendingOn(), ...parts];
  return Array.from({ length: PARTS }, (_, part) => fingerprint([part, ...all])).join('');
}

/** The refusal of a click whose plan is no longer the one that the person saw. */
export function createPriceChangedError({ rows, credits }: { rows: number; credits: number }): AddonError {
  const what = rows === 1 ? '1 row' : `${rows} rows`;
  const price = credits === 1 ? '1 credit' : `${credits} credits`;
  return new AddonError(
    'price_changed',
    `The rows or the price changed: it is now ${what} for ${price}. Check and confirm again.`,
  );
}
