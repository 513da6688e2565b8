// Looks up companies by name: their price, and their records as rows of a lookup.
import type { LookupResponse } from '../../../shared/api/lookup.ts';
import type { MatchCandidate, MatchResponse } from '../../../shared/api/match.ts';
import type { Connection } from '../../../shared/connection.ts';
import { previewPageSize } from '../../../shared/families/previews.ts';
import { defined } from '../../../shared/lib/defined.ts';
import { formatConfidence } from '../../../shared/lib/format-count.ts';
import { maxMatchCandidates } from '../../../shared/limits.ts';
import { isMatchFamily } from '../../../shared/matching/families.ts';
import { getPreviewPrice, getRecordPrice } from '../../../shared/operations.ts';
import { call, callAll } from '../../client/gateway.ts';
import { createFailure, type GatewayResult } from '../../client/http.ts';
import { formatCount, formatNumber, t } from '../../texts/texts.ts';
import { parseNameKey } from './keys.ts';
import type { TableLookup, TableLookupRow } from './rows.ts';

/** Names of the smallest step. Each step compares only the candidates of the names in it. */
const MIN_STEP = 10;

/** Distinct names whose price is asked for. It takes several searches a name. */
const MAX_PRICED_NAMES = 100;

const PRICE_WAIT_MS = 5_000;

/** The price of names, the part of it that comparing them costs, and whether they will cost exactly that. */
interface NamesPrice {
  credits: number;
  comparison: number;
  isExact: boolean;
}

const addPrices = (prices: readonly NamesPrice[]): NamesPrice => ({
  credits: prices.reduce((sum, { credits }) => sum + credits, 0),
  comparison: prices.reduce((sum, { comparison }) => sum + comparison, 0),
  isExact: prices.every(({ isExact }) => isExact),
});

/** Computes the highest price of matching names: a record and the comparison of all candidates for each, in small steps. */
function toHighestPrice(request: TableLookup): NamesPrice {
  const { family, keys } = request;
  const comparison = getComparisonPrice(request, keys.length);
  return { credits: keys.length * getRecordPrice(family) + comparison, comparison, isExact: false };
}

/** Returns the highest price of names. @param requests - the names of each step */
export const priceNamesAtMost = (requests: readonly TableLookup[]): NamesPrice =>
  addPrices(requests.map(toHighestPrice));

/**
 * Prices the matching of names by what the gateway has cached: exactly if no comparison has to be bought.
 * @param requests - the names of each step of the run, so that the same pages are compared
 */
export function priceNames(connection: Connection, requests: readonly TableLookup[]): NamesPrice {
  const highest = requests.map(toHighestPrice);
  const names = new Set(requests.flatMap(({ keys }) => keys));
  if (names.size === 0 || names.size > MAX_PRICED_NAMES) return addPrices(highest);
  const answers = callAll(
    connection,
    'estimateMatch',
    requests.flatMap(({ family, keys, max_age_s }) =>
      isMatchFamily(family)
        ? { family, companies: keys.map(parseNameKey), wait_ms: PRICE_WAIT_MS, ...defined({ max_age_s }) }
        : [],
    ),
  );
  return addPrices(
    highest.map((most, at) => {
      const answer = answers[at];
      const family = requests[at]?.family;
      if (!answer?.ok || family === undefined) return most;
      const { is_exact: isExact, records, found, unfinished } = answer.body;
      if (isExact) return { credits: records, comparison: 0, isExact };
      const comparison = getComparisonPrice({ family }, found);
      if (unfinished > 0 || records + comparison > most.credits) return most;
      return { credits: records + comparison, comparison, isExact };
    }),
  );
}

type Match = MatchResponse['matches'][number];

/** Computes the price of comparing the candidates of names, in small steps. */
export const getComparisonPrice = ({ family }: Pick<TableLookup, 'family'>, names: number): number =>
  Math.ceil(names / MIN_STEP) *
  Math.ceil((MIN_STEP * maxMatchCandidates) / previewPageSize) *
  getPreviewPrice(family);

/** Explains a price of names: `30 for up to 3 records, 20 to compare names`. Its parts add up to it. */
export function explainNamesPrice(
  { family }: Pick<TableLookup, 'family'>,
  { credits, comparison }: Pick<NamesPrice, 'credits' | 'comparison'>,
): string {
  const forRecords = credits - comparison;
  const records = forRecords / getRecordPrice(family);
  const parts = [
    [forRecords, t('for up to {records}', { records: formatCount(records, 'record') })],
    [comparison, t('to compare names')],
  ] as const;
  return parts
    .filter(([part]) => part > 0)
    .map(([part, use]) => `${formatNumber(part)} ${use}`)
    .join(', ');
}

const describeCandidates = (candidates: readonly MatchCandidate[]): string =>
  `Candidates: ${candidates.map(({ id, name = '', country = '', confidence }) => [name, country, `id ${id}`, formatConfidence(confidence)].filter((text) => text !== '').join(', ')).join('; ')}.`;

const NO_COMPANY_FOUND = 'No company has this name. Check the spelling, or type its website instead.';

/** Builds the row of a name that matches no company for certain. */
export function toUnmatchedRow(key: string, candidates: MatchCandidate[], credits = 0): TableLookupRow {
  return candidates.length === 0
    ? { key, status: 'not_found', problem: 'not_found', credits, sentence: NO_COMPANY_FOUND }
    : {
        ...{ key, status: 'failed', problem: 'ambiguous_name', credits },
        hint: describeCandidates(candidates),
        candidates,
      };
}

function toRow(match: Match, key: string): TableLookupRow {
  const { state, record, status = 'failed', problem, credits = 0, fetched_at, candidates } = match;
  if (record !== undefined) {
    return { key, status, record, credits, ...defined({ fetched_at, companyId: candidates[0]?.id }) };
  }
  if (problem !== undefined)
    return { key, status: problem === 'pending' ? 'pending' : 'failed', problem, credits };
  return toUnmatchedRow(key, state === 'ambiguous' ? candidates : [], credits);
}

/** Matches names and buys the records of the matches. */
export function lookupNames(
  connection: Connection,
  { family, keys, by: _, ...request }: TableLookup,
): GatewayResult<Pick<LookupResponse, 'credits'> & { rows: TableLookupRow[] }> {
  if (!isMatchFamily(family)) return createFailure('invalid_request');
  const answer = call(connection, 'matchNames', {
    body: { ...request, family, companies: keys.map(parseNameKey) },
  });
  if (!answer.ok) return answer;
  const rows = answer.body.matches.map((match, at) => toRow(match, keys[at] ?? ''));
  return { ok: true, body: { credits: answer.body.credits, rows } };
}
