// CDAPI_COST: the current price of a lookup; CDAPI_FIELDS: the fields of a family.
import type { NotKey } from '../../shared/keys/index.ts';
import { requireFormulaConnection } from '../client/connection.ts';
import { call, callAll } from '../client/gateway.ts';
import { unwrap } from '../client/http.ts';
import { type Cell, formatAsOfNow } from '../lib/dates.ts';
import { chunkKeys, listDistinctKeys, listRejected, parseKeys, type RejectedCell } from './arguments/keys.ts';
import { isBlank, parseFamily, parseOptions, quote, REFRESH_OPTIONS } from './arguments/options.ts';

const OTHER_FAMILY =
  'For IDs and profile URLs name the family, as in =CDAPI_COST(A2:A100; "employee_clean").';

/** What to do about a cell that is no key. */
const nextSteps: Readonly<Partial<Record<NotKey, string>>> = {
  name: 'Find its website with =CDAPI_MATCH.',
  id: OTHER_FAMILY,
  profile: OTHER_FAMILY,
};

const describeRejected = ({ given, is, reason }: RejectedCell): string =>
  `${quote(given)} can’t be looked up. ${reason} ${nextSteps[is] ?? ''}`.trim();

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
  const unreadable = listRejected(rows);
  const [first] = unreadable;
  if (distinct.length === 0 && first !== undefined) throw new Error(describeRejected(first));
  let credits = 0;
  let toBuy = 0;
  if (distinct.length > 0) {
    const requests = chunkKeys(distinct).map((chunk) => ({ family: name, by, keys: chunk }) as const);
    for (const answer of callAll(requireFormulaConnection(), 'estimate', requests)) {
      const estimate = unwrap(answer);
      credits += estimate.credits;
      toBuy += estimate.to_fetch;
    }
  }
  const left =
    first === undefined ? '' : `${unreadable.length} can't be read, the first is ${quote(first.given)}, `;
  const buys = toBuy === 0 ? 'free: nothing to buy' : `${toBuy} of ${distinct.length} to buy`;
  return [[credits, `${buys}, ${left}${formatAsOfNow()}`]];
}

/**
 * Lists the known fields of a family's records.
 * @param options - `refresh=1`
 * @returns a heading row, then the path and type of each field
 * @throws Error if the fields can't be read
 */
export function CDAPI_FIELDS(family: unknown, options?: unknown): Cell[][] {
  parseOptions(options, REFRESH_OPTIONS);
  const answer = call(requireFormulaConnection(), 'getFields', { params: { family: parseFamily(family) } });
  return [['field', 'type'], ...unwrap(answer).columns.map(({ name, type }) => [name, type])];
}
