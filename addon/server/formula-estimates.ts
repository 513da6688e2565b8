// What formulas of people, jobs, company names and previews would spend now, by estimates of the gateway.
import { type AccountList, accountFamilies } from '../../shared/accounts.ts';
import type { Query } from '../../shared/api/query.ts';
import type { Connection } from '../../shared/connection.ts';
import { isFamily } from '../../shared/families/index.ts';
import { namesPerson } from '../../shared/keys/email.ts';
import { splitIntoBatches } from '../../shared/lib/split-into-batches.ts';
import { maxMatchNames } from '../../shared/limits.ts';
import { call, callAll } from '../client/gateway.ts';
import { unwrap } from '../client/http.ts';
import { PREVIEW_OPTIONS, parseOptions } from '../functions/arguments/options.ts';
import { parseQuery } from '../functions/arguments/query.ts';
import { formatDate } from '../lib/dates.ts';
import { getComparisonPrice } from '../tables/lookup/names.ts';
import {
  getMatchFamily,
  type KeyReader,
  listKeyTexts,
  type OnlyCall,
  type ReadSheet,
  readAccountLimit,
  readPreviewPages,
  readText,
} from './formula-maximums.ts';

const MAX_CALLS = 4;
const WAIT_MS = 5_000;

const sum = (numbers: readonly number[]): number => numbers.reduce((all, each) => all + each, 0);

const everything: Query = { es_dsl: { query: { match_all: {} } } };

function estimateAccounts(
  list: AccountList,
  call: OnlyCall,
  companies: string[],
  connection: Connection,
): number | undefined {
  const [, query = ''] = call.args;
  const limit = readAccountLimit(call);
  const words = readText(query);
  if (limit === undefined || words === undefined) return undefined;
  const parsed =
    words === '' ? everything : parseQuery(accountFamilies[list], words, formatDate, { anyFields: true });
  const requests = splitIntoBatches(companies, limit.size).map((some) => ({
    ...parsed,
    companies: some,
    per_company: limit.rows,
    wait_ms: WAIT_MS,
  }));
  if (requests.length > MAX_CALLS) return undefined;
  return sum(
    callAll(connection, 'estimateAtCompanies', requests, { params: { list } }).map(
      (answer) => unwrap(answer).credits,
    ),
  );
}

function estimateNames({ args }: OnlyCall, names: string[], connection: Connection): number | undefined {
  const [, country = '', city = '', options = ''] = args;
  if (readText(country) !== '' || readText(city) !== '' || readText(options) === undefined) return undefined;
  const family = getMatchFamily(options);
  const requests = splitIntoBatches(names, maxMatchNames).map((some) => ({
    family,
    companies: some.map((name) => ({ name })),
    wait_ms: WAIT_MS,
  }));
  if (requests.length > MAX_CALLS) return undefined;
  return sum(
    callAll(connection, 'estimateMatch', requests).map((answer) => {
      const { is_exact: isExact, found, unfinished } = unwrap(answer);
      return isExact ? 0 : getComparisonPrice({ family }, found + unfinished);
    }),
  );
}

function estimatePages({ args }: OnlyCall, connection: Connection): number | undefined {
  const [family, query, options] = [args[0], args[1], args[4]].map((argument = '') => readText(argument));
  const pages = readPreviewPages({ args });
  if (family === undefined || !isFamily(family) || pages === undefined) return undefined;
  if (query === undefined || options === undefined) return undefined;
  const parsed = parseQuery(family, query, formatDate, parseOptions(options, PREVIEW_OPTIONS));
  return unwrap(call(connection, 'estimatePreview', { body: { family, ...parsed, pages, wait_ms: WAIT_MS } }))
    .credits;
}

/**
 * Estimates what a formula with one call would spend. Free.
 * @returns undefined if its arguments can't be read here, or the estimate fails
 */
export function estimateCall(
  own: ReadSheet,
  call: OnlyCall,
  read: KeyReader,
  connection: Connection,
): number | undefined {
  try {
    if (call.name === 'CDAPI_PREVIEW') return estimatePages(call, connection);
    const texts = listKeyTexts(own, call, read) ?? [];
    // The formulas shorten e-mail addresses before they send them.
    if (texts.length === 0 || texts.some(namesPerson)) return undefined;
    if (call.name === 'CDAPI_PEOPLE') return estimateAccounts('people', call, texts, connection);
    if (call.name === 'CDAPI_JOBS') return estimateAccounts('jobs', call, texts, connection);
    return call.name === 'CDAPI_MATCH' ? estimateNames(call, texts, connection) : undefined;
  } catch {
    // The highest price is still known, and the formula explains a wrong query itself.
    return undefined;
  }
}
