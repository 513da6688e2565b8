// The price that a person approved with a click: nothing is bought for more, or for other rows.
import { sheetSpends } from '../../client/spending.ts';
import { Refusal } from '../../lib/addon-error.ts';
import { printOf } from '../../sheet/entries.ts';

/** Enough prints, each of four letters, that two plans never share a digest by chance. */
const PARTS = 4;

/**
 * Makes the digest of a plan.
 * @param parts - the rows, keys and columns that its price is for
 */
export function digestOf(parts: readonly unknown[]): string {
  const all = [sheetSpends(), ...parts];
  return Array.from({ length: PARTS }, (_, part) => printOf([part, ...all])).join('');
}

/** The refusal of a click whose plan is no longer the one that the person saw. */
export function priceChanged({ rows, credits }: { rows: number; credits: number }): Refusal {
  const what = rows === 1 ? '1 row' : `${rows} rows`;
  const price = credits === 1 ? '1 credit' : `${credits} credits`;
  return new Refusal(
    'price_changed',
    `The rows or the price changed: it is now ${what} for ${price}. Check and confirm again.`,
  );
}
