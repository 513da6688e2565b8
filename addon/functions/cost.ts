// CDAPI_COST: the current price of a lookup.
import type { Family, KeyFormat } from '../../shared/families/index.ts';
import { getLookupKinds } from '../../shared/operations.ts';
import { requireFormulaConnection } from '../client/connection.ts';
import { estimateAll } from '../client/gateway.ts';
import type { Cell } from '../lib/cells.ts';
import { formatAsOfNow } from '../lib/dates.ts';
import { chunkKeys, listDistinctKeys, listInvalidKeys, parseKeys } from './arguments/keys.ts';
import { isBlank, parseFamily, parseOptions, quote, REFRESH_OPTIONS } from './arguments/options.ts';

const NO_WEBSITE =
  'is not a website such as example.com. For ids, names and profile URLs name the family, as in =CDAPI_COST(A2:A100; "employee_clean").';

/** Explains why a key is invalid and what a valid one looks like. */
function describeInvalidKey(given: string, family: Family, by: KeyFormat): string {
  if (by === 'website') return `${quote(given)} ${NO_WEBSITE}`;
  const kinds = getLookupKinds(family).includes('shorthand_name')
    ? 'an id, a name or a profile URL'
    : 'an id';
  return `${quote(given)} is not a key of ${family}: use ${kinds}.`;
}

/**
 * Estimates what a lookup would spend: the distinct uncached keys times the price.
 * @param keys - a cell, or a range with one column
 * @param family - defaults to clean companies by website, as in CDAPI_ENRICH
 * @param _refresh - any change makes Sheets run the formula again
 * @param options - `refresh=1`
 * @returns the credits; and how many keys would be bought, with the time
 * @throws Error if the estimate fails, or no key is valid
 */
export function CDAPI_COST(keys: unknown, family?: unknown, _refresh?: unknown, options?: unknown): Cell[][] {
  parseOptions(options, REFRESH_OPTIONS);
  const name = parseFamily(family, 'company_clean');
  const by = isBlank(family) ? 'website' : 'auto';
  const rows = parseKeys(keys, name, by);
  const distinct = listDistinctKeys(rows);
  const unreadable = listInvalidKeys(rows);
  const [first] = unreadable;
  if (distinct.length === 0 && first !== undefined) throw new Error(describeInvalidKey(first, name, by));
  let credits = 0;
  let toBuy = 0;
  if (distinct.length > 0) {
    const requests = chunkKeys(distinct).map((chunk) => ({ family: name, by, keys: chunk }) as const);
    for (const answer of estimateAll(requireFormulaConnection(), requests)) {
      if (!answer.ok) throw new Error(answer.message);
      credits += answer.body.credits;
      toBuy += answer.body.to_fetch;
    }
  }
  const left =
    first === undefined ? '' : `${unreadable.length} can't be read, the first is ${quote(first)}, `;
  const buys = toBuy === 0 ? 'free: nothing to buy' : `${toBuy} of ${distinct.length} to buy`;
  return [[credits, `${buys}, ${left}${formatAsOfNow()}`]];
}
