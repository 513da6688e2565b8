// CDAPI_SEARCH: ids of matching records, down a column; CDAPI_COUNT: their number.
import type { SearchResponse } from '../../shared/api/search.ts';
import { defaultSearchIds, maxSearchIds } from '../../shared/limits.ts';
import { getCellError } from '../../shared/problems.ts';
import { toIdCell } from '../../shared/table/cells.ts';
import { requireFormulaConnection } from '../client/connection.ts';
import { call } from '../client/gateway.ts';
import { type GatewayResult, unwrap } from '../client/http.ts';
import { type Cell, formatAsOfNow, formatDate } from '../lib/dates.ts';
import { parseCount, parseFamily, parseOptions, QUERY_OPTIONS } from './arguments/options.ts';
import { parseQuery, parseSort } from './arguments/query.ts';
import { getRemainingMs } from './fetching.ts';

const PAGE = 1000;

/**
 * Lists the ids of matching records, over several pages.
 * @param limit - the number of ids
 * @param sort - a sort order of the family
 * @param options - `any_fields`, `refresh=1`
 * @returns one id per row; `#NOT_FOUND` if nothing matches. If a later page fails or time runs out, the last row holds
 * the error word, such as `#PENDING` or `#RATE_LIMIT`
 * @throws Error if the first page fails, or the query names an unknown field
 */
export function CDAPI_SEARCH(
  family: unknown,
  query: unknown,
  limit?: unknown,
  sort?: unknown,
  options?: unknown,
): Cell[][] {
  const name = parseFamily(family);
  const parsedQuery = parseQuery(name, query, formatDate, parseOptions(options, QUERY_OPTIONS));
  const order = parseSort(name, parsedQuery, sort);
  const maxIds = parseCount(limit, 'The limit', maxSearchIds, defaultSearchIds);
  const request = {
    family: name,
    ...parsedQuery,
    items_per_page: Math.min(PAGE, maxIds),
    ...(order === undefined ? {} : { sort: order }),
  };
  const connection = requireFormulaConnection();
  const ids: string[] = [];
  let after: string | null = null;
  let word: string | undefined;
  do {
    const answer: GatewayResult<SearchResponse> = call(connection, 'search', {
      body: {
        ...request,
        wait_ms: getRemainingMs(),
        ...(after === null ? {} : { after }),
      },
    });
    if (!answer.ok) {
      if (after === null) throw new Error(answer.message);
      word = getCellError(answer.code);
      break;
    }
    ids.push(...answer.body.ids.map(String));
    after = answer.body.ids.length === 0 ? null : answer.body.after;
    if (after !== null && ids.length < maxIds && getRemainingMs() === 0) word = getCellError('pending');
  } while (after !== null && ids.length < maxIds && word === undefined);
  const rows: Cell[][] = ids.slice(0, maxIds).map((id) => [toIdCell(id)]);
  if (word !== undefined) rows.push([word]);
  if (rows.length > 0) return rows;
  return [[getCellError('not_found')]];
}

/**
 * Counts matching records.
 * @param _refresh - any change makes Sheets run the formula again
 * @param options - `any_fields`, `refresh=1`
 * @returns the number and the time; if nothing matches, also the count without each condition
 * @throws Error if the count fails, or the query names an unknown field
 */
export function CDAPI_COUNT(
  family: unknown,
  query: unknown,
  _refresh?: unknown,
  options?: unknown,
): Cell[][] {
  const name = parseFamily(family);
  const parsedQuery = parseQuery(name, query, formatDate, parseOptions(options, QUERY_OPTIONS));
  const answer = call(requireFormulaConnection(), 'search', {
    body: {
      family: name,
      ...parsedQuery,
      items_per_page: 1,
      explain_empty: true,
      wait_ms: getRemainingMs(),
    },
  });
  const { total, without = [] } = unwrap(answer);
  const loosened = without.map(({ condition, total: more }) => `, without ${condition}: ${more}`);
  return [[total, formatAsOfNow() + loosened.join('')]];
}
