// CDAPI_COST: what a lookup would spend now.
import type { Cell } from '../cells.ts';
import { readConnection } from '../connection.ts';
import { estimateAll } from '../gateway.ts';
import { isBlank, readFamily } from './arguments.ts';
import { asOfNow } from './clock.ts';
import { distinctKeys, readKeys } from './keys.ts';
import { chunksOf } from './records.ts';

/**
 * Tells what a lookup of some keys would spend: different ones that are not remembered, times the price.
 * @param keys - a cell or a range of one column
 * @param family - left out: clean companies by website, as CDAPI_ENRICH looks them up
 * @param _refresh - when it changes, Sheets asks again
 * @returns the credits; how many keys would be bought, and as of when
 * @throws Error with one sentence, where it can't be told for all of them
 */
export function CDAPI_COST(keys: unknown, family?: unknown, _refresh?: unknown): Cell[][] {
  const name = readFamily(family, 'company_clean');
  const by = isBlank(family) ? 'website' : 'auto';
  const distinct = distinctKeys(readKeys(keys, name, by));
  let credits = 0;
  let toBuy = 0;
  if (distinct.length > 0) {
    const requests = chunksOf(distinct).map((chunk) => ({ family: name, by, keys: chunk }) as const);
    for (const answer of estimateAll(readConnection(), requests)) {
      if (!answer.ok) throw new Error(answer.sentence);
      credits += answer.body.credits;
      toBuy += answer.body.to_fetch;
    }
  }
  return [[credits, `${toBuy} of ${distinct.length} to buy, ${asOfNow()}`]];
}
