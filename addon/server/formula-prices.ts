// Prices of formulas: what another run would spend now, and the age of the records.
import type { EstimateResponse, LookupRequest } from '../../shared/api/lookup.ts';
import type { Connection } from '../../shared/connection.ts';
import { type Family, families } from '../../shared/families/index.ts';
import type { NotKey } from '../../shared/keys/index.ts';
import { countNotKeys } from '../../shared/keys/not-keys.ts';
import { getCellError } from '../../shared/problems.ts';
import { openCache } from '../client/cache.ts';
import { requireFormulaConnection } from '../client/connection.ts';
import { callAll } from '../client/gateway.ts';
import { unwrap } from '../client/http.ts';
import { maySheetSpend } from '../client/spending.ts';
import { chunkKeys, listDistinctKeys, listRejected, parseKeys } from '../functions/arguments/keys.ts';
import { parseFields, parseOptions, RECORD_OPTIONS } from '../functions/arguments/options.ts';
import { buildRowSet } from '../functions/lookup.ts';
import { isRecordFormula, recordFormulas, resolveVariant } from '../functions/record-formulas.ts';
import { isCellError, isLoading, isSheetsError } from '../lib/cell-errors.ts';
import type { CellPosition } from '../sheet/area.ts';
import { formulaAt, valueAt } from '../sheet/formula-cells.ts';
import type { FormulaGroup } from '../sheet/formula-groups.ts';
import { readLookup } from '../sheet/formula-results.ts';
import type { LookupCall } from '../sheet/lookup-calls.ts';
import type { LookupState } from './api/index.ts';
import { estimateCall } from './formula-estimates.ts';
import {
  createKeyReader,
  findHighestPrice,
  findMaximum,
  isFreeFormula,
  type KeyReader,
  parseOnlyCall,
  type ReadSheet,
  readKeyArgument,
  readOptions,
} from './formula-maximums.ts';

interface KeyedLookup {
  request: Omit<LookupRequest, 'keys'>;
  keys: Set<string>;
  /** Texts that are no keys, and what they are instead. */
  rejected: Map<string, NotKey>;
}

/** Returns what formulas spend from; undefined if formulas are not connected. */
export function findPayer(): Connection | undefined {
  try {
    return requireFormulaConnection();
  } catch {
    return undefined;
  }
}

/**
 * Collects the keys of lookups. Lookups of the same records share them.
 * @param readKeys - returns the cells of a lookup's keys
 * @throws Error if a lookup has invalid options
 */
export function collectKeys<C extends Pick<LookupCall, 'name' | 'options'>>(
  calls: readonly C[],
  readKeys: (call: C) => unknown[][],
): KeyedLookup[] {
  const lookups = new Map<string, KeyedLookup>();
  for (const call of calls) {
    const { variant, maxAgeS } = parseOptions(call.options.slice(1, -1), RECORD_OPTIONS);
    const { by } = recordFormulas[call.name];
    const family = resolveVariant(recordFormulas[call.name], variant);
    const request = { family, by, ...(maxAgeS === undefined ? {} : { max_age_s: maxAgeS }) };
    const name = JSON.stringify(request);
    const lookup = lookups.get(name) ?? { request, keys: new Set(), rejected: new Map() };
    lookups.set(name, lookup);
    const rows = parseKeys(readKeys(call), family, by);
    for (const key of listDistinctKeys(rows)) lookup.keys.add(key);
    for (const { given, is } of listRejected(rows)) lookup.rejected.set(given, is);
  }
  return [...lookups.values()];
}

/** Splits lookups into requests of the size that the gateway accepts. */
const toRequests = (lookups: readonly KeyedLookup[]): LookupRequest[] =>
  lookups.flatMap(({ request, keys }) => chunkKeys([...keys]).map((chunk) => ({ ...request, keys: chunk })));

const sumOf = (estimates: readonly EstimateResponse[], name: 'cached' | 'credits' | 'distinct'): number =>
  estimates.reduce((sum, estimate) => sum + estimate[name], 0);

/**
 * Estimates the credits of lookups in one call of Google.
 * @throws AddonError if an estimate fails
 */
export const estimateCredits = (connection: Connection, lookups: readonly KeyedLookup[]): number =>
  sumOf(callAll(connection, 'estimate', toRequests(lookups)).map(unwrap), 'credits');

/** Each priced group takes about six calls of Google. */
const MAX_PRICED = 12;

/** Parses formulas as lookups of cells; undefined if one of them is another formula. */
function parseLookups({ cells }: ReadSheet, places: readonly CellPosition[]): LookupCall[] | undefined {
  const calls = places.map((place) => readLookup(cells, place));
  return calls.every((call) => call !== undefined) ? calls : undefined;
}

/** A lookup and its keys. Other functions around it are left out: they spend nothing. */
interface PricedLookup extends Pick<LookupCall, 'name' | 'options'> {
  keys: unknown[][];
}

function parsePricedLookup(own: ReadSheet, place: CellPosition, read: KeyReader): PricedLookup | undefined {
  const call = parseOnlyCall(formulaAt(own.cells, place));
  if (call === undefined || !isRecordFormula(call.name)) return undefined;
  const [keys, options] = [readKeyArgument(own, call, read), readOptions(own, call.args[2] ?? '')];
  return keys === undefined || options === undefined
    ? undefined
    : { name: call.name, options: `"${options}"`, keys };
}

/** Collects the keys of formulas; undefined if they can't be priced. */
function findKeys(
  own: ReadSheet,
  places: readonly CellPosition[],
  read: KeyReader,
): KeyedLookup[] | undefined {
  const calls = places.flatMap((place) => parsePricedLookup(own, place, read) ?? []);
  if (calls.length < places.length) return undefined;
  try {
    return collectKeys(calls, ({ keys }) => keys);
  } catch {
    // Formulas with invalid options fail, and cost nothing.
    return undefined;
  }
}

/** Counts the distinct keys of formulas whose cells show such a value. Loading and failed formulas show none. */
function countShown(
  own: ReadSheet,
  places: readonly CellPosition[],
  read: KeyReader,
  isCounted: (value: unknown) => boolean,
): number {
  const shown = places.filter((place) => {
    const value = valueAt(own.cells, place);
    return !isLoading(value) && !isSheetsError(value);
  });
  const calls = parseLookups(own, shown) ?? [];
  const starts = new Map(calls.map((call, at) => [call, shown[at]]));
  const lookups = collectKeys(calls, (call) => {
    const { row = 1, column = 1 } = starts.get(call) ?? {};
    return read(own, call).map((key, down) =>
      isCounted(valueAt(own.cells, { row: row + down, column })) ? key : [''],
    );
  });
  return lookups.reduce((sum, { keys }) => sum + keys.size, 0);
}

const isNotFound = (value: unknown): boolean => value === getCellError('not_found');

/** Finds when the oldest record of a group was bought, of those in the cache of this spreadsheet. */
function findOldest(
  connection: Connection,
  own: ReadSheet,
  group: FormulaGroup,
  lookups: readonly KeyedLookup[],
): string | undefined {
  const [call] = parseLookups(own, group.places.slice(0, 1)) ?? [];
  const [lookup] = lookups;
  const isLiteral = call !== undefined && (call.fields === '' || call.fields.startsWith('"'));
  if (!isLiteral || lookup === undefined || lookups.length > 1) return undefined;
  const { request, keys } = lookup;
  const fields = parseFields(call.fields.slice(1, -1)) ?? families[request.family].defaultFields;
  const rows = openCache(connection).getRows(buildRowSet(request, fields), [...keys]);
  const times = [...rows.values()].flatMap(({ fetched_at: at }) => (at === undefined ? [] : [at]));
  return times.sort()[0];
}

/** Lookups of groups: what they show and cost, and their data set if they have the same one. */
type LookupStates = Map<FormulaGroup, { lookup?: LookupState; credits: number; family?: Family }>;

/** Estimates the lookups of groups, all at once. A failed estimate leaves its group out. */
export function findLookupStates(
  groups: readonly { own: ReadSheet; group: FormulaGroup }[],
  read: KeyReader,
): LookupStates {
  const states: LookupStates = new Map();
  const connection = findPayer();
  if (connection === undefined) return states;
  const priced = groups.slice(0, MAX_PRICED).flatMap(({ own, group }) => {
    const lookups = findKeys(own, group.places, read);
    return lookups === undefined ? [] : { own, group, lookups, requests: toRequests(lookups) };
  });
  const requests = priced.flatMap((each) => each.requests);
  const answers = callAll(connection, 'estimate', requests);
  for (const { own, group, lookups, requests } of priced) {
    const parts = answers.splice(0, requests.length).flatMap((answer) => (answer.ok ? answer.body : []));
    if (parts.length < requests.length) continue;
    const oldest = findOldest(connection, own, group, lookups);
    const found = countShown(own, group.places, read, (value) => !isCellError(value));
    const notFound = countShown(own, group.places, read, isNotFound);
    const [family, ...others] = new Set(lookups.map(({ request }) => request.family));
    const known = Math.max(sumOf(parts, 'cached'), found + notFound);
    const rejected = new Map(lookups.flatMap((each) => [...each.rejected]));
    const lookup = {
      ...(rejected.size === 0 ? {} : { notKeys: countNotKeys([...rejected.values()]) }),
      ...{ found, notFound, toBuy: Math.max(0, sumOf(parts, 'distinct') - known) },
      ...(oldest === undefined ? {} : { oldest }),
    };
    const most = findHighestPrice(own, group.places, read) ?? Number.POSITIVE_INFINITY;
    states.set(group, {
      // Results of other formulas have no known cells.
      ...(parseLookups(own, group.places) === undefined ? {} : { lookup }),
      credits: maySheetSpend(own.sheet.getSheetId()) ? Math.min(most, sumOf(parts, 'credits')) : 0,
      ...(family === undefined || others.length > 0 ? {} : { family }),
    });
  }
  return states;
}

/** Tells whether formulas never spend, or may not spend in their sheet. */
export function areFree({ sheet, cells }: ReadSheet, places: readonly CellPosition[]): boolean {
  return (
    !maySheetSpend(sheet.getSheetId()) || places.every((place) => isFreeFormula(formulaAt(cells, place)))
  );
}

/** Formulas whose calls are estimated one by one. */
const MAX_ESTIMATED = 4;

/** Prices formulas that are not lookups; null if the price of one is not known. */
function findPriceOfCalls(
  own: ReadSheet,
  places: readonly CellPosition[],
  read: KeyReader,
  connection: Connection,
): number | null {
  if (places.length > MAX_ESTIMATED) return findHighestPrice(own, places, read);
  const prices = places.map((place) => {
    const call = parseOnlyCall(formulaAt(own.cells, place));
    const most = findMaximum(own, place, read) ?? Number.POSITIVE_INFINITY;
    return Math.min(most, (call && estimateCall(own, call, read, connection)) ?? most);
  });
  const credits = prices.reduce((sum, price) => sum + price, 0);
  return Number.isFinite(credits) ? credits : null;
}

/** Prices another run of formulas; the sum of their highest prices if it can't be found out, null if one has none. */
export function findPrice(own: ReadSheet, places: readonly CellPosition[]): number | null {
  if (areFree(own, places)) return 0;
  const connection = findPayer();
  const read = createKeyReader([own]);
  const lookups = findKeys(own, places, read);
  if (connection === undefined) return findHighestPrice(own, places, read);
  if (lookups === undefined) return findPriceOfCalls(own, places, read, connection);
  const most = findHighestPrice(own, places, read) ?? Number.POSITIVE_INFINITY;
  return Math.min(most, estimateCredits(connection, lookups));
}
