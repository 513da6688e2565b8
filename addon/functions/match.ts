// CDAPI_MATCH: the company with a name.
import type { LookupRow } from '../../shared/api/lookup.ts';
import type { MatchRequest, MatchResponse, NamedCompany } from '../../shared/api/match.ts';
import type { Connection } from '../../shared/connection.ts';
import { namesPerson } from '../../shared/keys/email.ts';
import { defined } from '../../shared/lib/defined.ts';
import { formatConfidence } from '../../shared/lib/format-count.ts';
import { maxCompanyNameLength, maxMatchNames } from '../../shared/limits.ts';
import { explainProblem, getCellError, type ProblemCode } from '../../shared/problems.ts';
import { toIdCell } from '../../shared/table/cells.ts';
import { openCache } from '../client/cache.ts';
import { requireFormulaConnection } from '../client/connection.ts';
import { call } from '../client/gateway.ts';
import { createFailure } from '../client/http.ts';
import { isLoading, isUnfinishedValue } from '../lib/cell-errors.ts';
import { type Cell, createCellConverter } from '../lib/dates.ts';
import { createGuard } from '../lib/json.ts';
import { isBlank, MATCH_OPTIONS, parseOptions, toRows } from './arguments/options.ts';
import { fetchWithinLimit, getRemainingMs, isLate, toLimitProblem } from './fetching.ts';

const HEADING = ['name', 'website', 'id', 'confidence', 'note'];
const NO_NAMES = 'There are no names: name a cell, or a column of company names such as A2:A100.';
const LOADING = 'A cell is still loading: the formula waits for its value.';
const OTHER_HEIGHT = 'Names, countries and cities must have the same number of rows.';
const NOTE_CANDIDATES = 3;

const variants = {
  clean: 'company_clean',
  base: 'company_base',
  'multi-source': 'company_multi_source',
} as const;

/** Returns the family of a variant. @throws Error that lists the variants */
function parseVariant(name = 'clean'): MatchRequest['family'] {
  const found = Object.entries(variants).find(([variant]) => variant === name);
  if (found === undefined)
    throw new Error(
      `variant=${name.slice(0, 40)} is not available here: use ${Object.keys(variants).join(' or ')}.`,
    );
  return found[1];
}

type Row = MatchResponse['matches'][number];

const isRow = createGuard<Row>({ state: 'string', candidates: 'list' });

/** Reads one column, or one value for all rows. */
function readColumn(argument: unknown, height: number): string[] {
  const cells = toRows(argument).map(([cell]) => (isBlank(cell) ? '' : cell));
  if (cells.some(isLoading)) throw new Error(LOADING);
  if (cells.length !== height && cells.length !== 1) throw new Error(OTHER_HEIGHT);
  return Array.from({ length: height }, (_, at) => String(cells[cells.length === 1 ? 0 : at]).trim());
}

/** An empty place, an error such as #N/A or a text that is no place does not narrow the search down. */
function toPlace(name: 'country' | 'city', text: string): Partial<NamedCompany> {
  const line = text.replace(/\s+/g, ' ');
  return line === '' || line.length > maxCompanyNameLength || isUnfinishedValue(line) ? {} : { [name]: line };
}

/** Reads the company of each row. The text of an empty row, or of one with an error such as #NOT_FOUND, is passed on. */
function parseCompanies(names: unknown, countries: unknown, cities: unknown): (NamedCompany | string)[] {
  const height = toRows(names).length;
  const [typedNames, typedCountries, typedCities] = [names, countries, cities].map((argument) =>
    readColumn(argument, height),
  );
  const companies = Array.from({ length: height }, (_, at) => {
    const [name = '', country = '', city = ''] = [typedNames?.[at], typedCountries?.[at], typedCities?.[at]];
    if (name === '' || isUnfinishedValue(name)) return name;
    if (name.length > maxCompanyNameLength || namesPerson(name)) return getCellError('invalid_key');
    if (namesPerson(country) || namesPerson(city)) return getCellError('invalid_key');
    return { name, ...toPlace('country', country), ...toPlace('city', city) };
  });
  if (companies.every((company) => company === '')) throw new Error(NO_NAMES);
  return companies;
}

/**
 * Matches companies that are not cached, as long as there is time, and caches each answer. Throws if the first call fails.
 * @returns a row or problem for each
 */
function fetchRows(
  connection: Connection,
  companies: readonly NamedCompany[],
  request: Omit<MatchRequest, 'companies'>,
  maxCredits: number | undefined,
  isAsking: boolean,
  cacheRows: (rows: readonly Row[], stamp: string) => void,
): (Row | ProblemCode)[] {
  const rows: (Row | ProblemCode)[] = [];
  let left = maxCredits;
  for (let at = 0; at < companies.length; at += maxMatchNames) {
    const batch = companies.slice(at, at + maxMatchNames);
    const waitMs = getRemainingMs();
    const answer =
      at > 0 && waitMs === 0
        ? createFailure('pending')
        : call(connection, 'matchNames', {
            body: {
              ...request,
              companies: batch,
              wait_ms: waitMs,
              ...(left === undefined ? {} : { max_credits: left }),
            },
          });
    if (!answer.ok) {
      const code = toLimitProblem(answer.code, isAsking);
      if (at === 0 && code !== 'confirm_price') throw new Error(answer.message);
      rows.push(...companies.slice(at).map(() => code));
      break;
    }
    const { matches, credits, stamp } = answer.body;
    rows.push(
      ...matches.map((row) => ({ ...row, ...defined({ problem: toLimitProblem(row.problem, isAsking) }) })),
    );
    if (!isLate()) cacheRows(matches, stamp);
    if (left !== undefined) left = Math.max(0, left - credits.spent);
  }
  return rows;
}

/** Describes a candidate of an uncertain name: `Acme GmbH (4711), Germany, 82% likely`. */
function describeCandidate({ id, name = 'id', country, confidence }: Row['candidates'][number]): string {
  return `${name} (${id})${country === undefined ? '' : `, ${country}`}, ${formatConfidence(confidence)}`;
}

function toCells(row: Row | ProblemCode | undefined, toCell: (value: unknown) => Cell): Cell[] {
  const problem = typeof row === 'object' ? row.problem : row;
  if (typeof row !== 'object' || problem !== undefined)
    return [
      getCellError(problem ?? 'internal'),
      '',
      '',
      '',
      problem === 'confirm_price' ? explainProblem(problem) : '',
    ];
  const [best] = row.candidates;
  if (row.state === 'match' && best !== undefined)
    return [
      toCell(best.name ?? row.name),
      toCell(best.website ?? ''),
      toIdCell(best.id),
      best.confidence,
      '',
    ];
  if (best === undefined) return [getCellError('not_found'), '', '', '', ''];
  const candidates = row.candidates.slice(0, NOTE_CANDIDATES).map(describeCandidate).join('; ');
  return ['', '', '', row.confidence, toCell(`Not certain: ${candidates}`)];
}

/** Converts a row for the cache. Rows with a problem are not cached. */
function toCachedRow(key: string, row: Row | ProblemCode | undefined): LookupRow[] {
  if (typeof row !== 'object' || row.problem !== undefined) return [];
  return [{ key, status: 'fetched', record: { ...row }, credits: 0 }];
}

/**
 * Finds the companies with names.
 * @param countries - one for all rows, or one for each
 * @param cities - one for all rows, or one for each
 * @param options - `threshold=0.9`, `no_previews`, `header`, `variant=base`, `max_credits=20`, `refresh=1`
 * @returns a row for each name: name, website and id of the company, the confidence, and a note if it is not certain
 * @throws Error if an argument is invalid, or the first call fails
 */
export function CDAPI_MATCH(
  names: unknown,
  countries?: unknown,
  cities?: unknown,
  options?: unknown,
): Cell[][] {
  const companies = parseCompanies(names, countries, cities);
  const { header, variant, maxCredits, threshold, noPreviews } = parseOptions(options, MATCH_OPTIONS);
  const request = {
    family: parseVariant(variant),
    ...(threshold === undefined ? {} : { threshold }),
    ...(noPreviews === true ? { previews: false } : {}),
  };
  const connection = requireFormulaConnection();
  const cache = openCache(connection);
  const byKey = new Map(
    companies.flatMap((company) => (typeof company === 'string' ? [] : [[JSON.stringify(company), company]])),
  );
  const set = ['match', request];
  const rows = new Map<string, Row | ProblemCode | undefined>();
  for (const [key, { record }] of cache.getRows(set, [...byKey.keys()]))
    if (isRow(record)) rows.set(key, record);
  const missing = [...byKey].filter(([key]) => !rows.has(key));
  if (missing.length > 0) {
    let cachedCount = 0;
    const cacheRows = (answers: readonly Row[], stamp: string): void => {
      const keys = missing.slice(cachedCount, cachedCount + answers.length);
      cachedCount += answers.length;
      cache.setStamp(stamp);
      cache.putRows(
        set,
        keys.flatMap(([key], at) => toCachedRow(key, answers[at])),
      );
    };
    const named = missing.map(([, company]) => company);
    const fetched = fetchWithinLimit(
      connection,
      maxCredits,
      Math.ceil(named.length / maxMatchNames),
      (...limit) => fetchRows(connection, named, request, ...limit, cacheRows),
      (answers) => answers.includes('confirm_price'),
    );
    missing.forEach(([key], at) => {
      rows.set(key, fetched[at]);
    });
  }
  const toCell = createCellConverter();
  const cells = companies.map((company) =>
    typeof company === 'string'
      ? [company, '', '', '', '']
      : toCells(rows.get(JSON.stringify(company)), toCell),
  );
  return header ? [[...HEADING], ...cells] : cells;
}
