// Approval of a price: a click buys only what its plan showed.
import { isSpendingOn } from '../../client/spending.ts';
import { AddonError } from '../../lib/addon-error.ts';
import { fingerprint } from '../../sheet/entries.ts';

/** Four fingerprints of four letters make collisions of two plans practically impossible. */
const PARTS = 4;

/**
 * Digests a plan.
 * @param parts - the rows, keys and columns that its price is for
 */
export function digestPlan(parts: readonly unknown[]): string {
  const all = [isSpendingOn(), ...parts];
  return Array.from({ length: PARTS }, (_, part) => fingerprint([part, ...all])).join('');
}

/** Creates the error for a click whose plan is outdated. */
export function createPriceChangedError({ rows, credits }: { rows: number; credits: number }): AddonError {
  const what = rows === 1 ? '1 row' : `${rows} rows`;
  const price = credits === 1 ? '1 credit' : `${credits} credits`;
  return new AddonError(
    'price_changed',
    `The sheet or the price has changed: it is now ${what} for ${price}. Check and confirm again.`,
  );
}
