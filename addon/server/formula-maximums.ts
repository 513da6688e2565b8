// The cells that formulas refer to, and the highest prices of formulas whose price is not known before they run.
import {
  type AccountList,
  accountFamilies,
  defaultRowsPerAccount,
  maxAccountRows,
  maxAccounts,
} from '../../shared/accounts.ts';
import { isFamily } from '../../shared/families/index.ts';
import { previewMaxPage, previewPageSize } from '../../shared/families/previews.ts';
import type { MatchFamily } from '../../shared/matching/families.ts';
import { getPreviewPrice } from '../../shared/operations.ts';
import { toColumnNumber } from '../../shared/table/columns.ts';
import { isUnfinishedValue } from '../lib/cell-errors.ts';
import type { CellPosition, Sheet } from '../sheet/area.ts';
import { CALL, splitArguments } from '../sheet/formula-calls.ts';
import { formulaAt, maskQuoted, type SheetCells, valueAt } from '../sheet/formula-cells.ts';
import { listCalls } from '../sheet/formula-groups.ts';
import { type CellColumn, parseCellColumn, toSheetName } from '../sheet/lookup-calls.ts';
import { getComparisonPrice } from '../tables/lookup/names.ts';

/** A sheet with formulas of the add-on. */
export interface ReadSheet {
  sheet: Sheet;
  name: string;
  cells: SheetCells;
}

/** Reads the cells of a column for a formula in a sheet, one in each row. */
export type KeyReader = (own: ReadSheet, cells: CellColumn) => unknown[][];

/** Creates a reader that reads each sheet once. @param known - sheets that were read already */
export function createKeyReader(known: readonly ReadSheet[]): KeyReader {
  const values = new Map(known.map(({ name, cells }) => [name, cells.values]));
  const readValues = (name: string): unknown[][] => {
    const sheet = SpreadsheetApp.getActiveSpreadsheet().getSheetByName(name);
    const read = values.get(name) ?? sheet?.getDataRange().getValues() ?? [];
    values.set(name, read);
    return read;
  };
  return (own, { sheet, column, from, to }) => {
    const rows = sheet === '' ? own.cells.values : readValues(toSheetName(sheet));
    const at = toColumnNumber(column.replace('$', '')) - 1;
    return rows.slice(from - 1, to).map((row) => [row[at] ?? '']);
  };
}

const FREE_CALLS: ReadonlySet<string> = new Set(
  ['SEARCH', 'COUNT', 'COST', 'CREDITS', 'FIELDS', 'STATUS'].map((name) => `CDAPI_${name}`),
);

export const isFreeFormula = (formula: string): boolean =>
  listCalls(formula).every((name) => FREE_CALLS.has(name));

const TEXT = /^"(?:[^"]|"")*"$/;

/** Reads an argument that is a text; empty if it is left out, undefined if it is something else. */
export const readText = (argument: string): string | undefined =>
  argument === '' || TEXT.test(argument) ? argument.slice(1, -1).replace(/""/g, '"') : undefined;

/** Returns the data set of the candidates of names. @param options - as in the formula */
export const getMatchFamily = (options: string): MatchFamily =>
  /multi-source/i.test(options) ? 'company_multi_source' : 'company_clean';

const ONE_CELL = /^\$?([A-Z]{1,3})\$?([1-9]\d{0,6})$/i;
const MAX_CREDITS = /\bmax_credits\s*=\s*(\d+)/gi;
const CELL = /\$?\b([A-Z]{1,3})\$?([1-9]\d{0,6})\b/gi;

/** Returns the sum of the max_credits of a formula, also in other cells; undefined if a call has none. */
function findMaxCredits({ cells }: ReadSheet, formula: string): number | undefined {
  const calls = listCalls(formula).filter((name) => !FREE_CALLS.has(name));
  const others = [...maskQuoted(formula).matchAll(CELL)].map(([, letters = '', row]) =>
    String(valueAt(cells, { row: Number(row), column: toColumnNumber(letters) })),
  );
  const limits = [...[formula, ...others].join(' ').matchAll(MAX_CREDITS)].map(([, most]) => Number(most));
  return limits.length === calls.length ? limits.reduce((sum, most) => sum + most, 0) : undefined;
}

/** The only call of a formula, with its arguments as in the formula. */
export interface OnlyCall {
  name: string;
  args: readonly string[];
}

/** Returns the rows for each company, and the companies of a call of the formula; undefined if the limit is no number. */
export function readAccountLimit({
  args: [, , , limit = ''],
}: OnlyCall): { rows: number; size: number } | undefined {
  const rows = limit === '' ? defaultRowsPerAccount : Number(limit);
  return rows > 0 ? { rows, size: Math.min(maxAccounts, Math.floor(maxAccountRows / rows)) } : undefined;
}

/** Computes the price of full pages for all companies: pages hold records of several companies. */
function priceAccounts(list: AccountList, call: OnlyCall, companies: number | undefined): number | undefined {
  const limit = readAccountLimit(call);
  if (companies === undefined || limit === undefined) return undefined;
  const { rows, size } = limit;
  const pages = (count: number): number => Math.ceil((count * rows) / previewPageSize);
  const all = Math.floor(companies / size) * pages(size) + pages(companies % size);
  return all * getPreviewPrice(accountFamilies[list]);
}

function priceMatches({ args }: OnlyCall, names: number | undefined): number | undefined {
  // Only constant options are known here.
  const [, , , options = ''] = args;
  if (names === undefined || readText(options) === undefined) return undefined;
  const family = getMatchFamily(options);
  return /\bno_previews\b/i.test(options) ? 0 : getComparisonPrice({ family }, names);
}

/** Returns the number of pages of a preview; undefined if it is no number. */
export function readPreviewPages({ args: [, , , text = ''] }: Pick<OnlyCall, 'args'>): number | undefined {
  const pages = text === '' ? 1 : Math.ceil(Number(text));
  return pages > 0 ? Math.min(pages, previewMaxPage) : undefined;
}

/** Computes the price of all pages of a preview, if its data set and number of pages are in the formula. */
function pricePreview(call: OnlyCall): number | undefined {
  const family = readText(call.args[0] ?? '') ?? '';
  const pages = readPreviewPages(call);
  return isFamily(family) && pages !== undefined ? pages * getPreviewPrice(family) : undefined;
}

type CallPrice = (call: OnlyCall, keys: number | undefined) => number | undefined;

const CALL_PRICES: Readonly<Partial<Record<string, CallPrice>>> = {
  CDAPI_PEOPLE: (...call) => priceAccounts('people', ...call),
  CDAPI_JOBS: (...call) => priceAccounts('jobs', ...call),
  CDAPI_MATCH: priceMatches,
  CDAPI_PREVIEW: pricePreview,
};

/** Reads an argument that is a text, or cells in a column; undefined if it is something else. */
export function readKeyArgument(
  own: ReadSheet,
  { args: [argument = ''] }: OnlyCall,
  read: KeyReader,
): unknown[][] | undefined {
  const text = readText(argument);
  if (argument !== '' && text !== undefined) return [[text]];
  // Fixed rows, as in A$2:A$9, are the same cells.
  const cells = parseCellColumn(argument.replace(/\$(?=\d)/g, ''));
  return cells && read(own, cells);
}

/** Lists the different cells of the first argument; undefined if it can't be read. */
export function listKeyTexts(own: ReadSheet, call: OnlyCall, read: KeyReader): string[] | undefined {
  const texts = readKeyArgument(own, call, read)?.map(([cell]) => String(cell ?? '').trim());
  return texts && [...new Set(texts.filter((text) => text !== '' && !isUnfinishedValue(text)))];
}

/** Reads the options of a call, which are a text or a cell of the same sheet; undefined for others. */
export function readOptions({ cells }: ReadSheet, argument: string): string | undefined {
  const text = readText(argument);
  if (text !== undefined) return text;
  const [, letters, row] = ONE_CELL.exec(argument) ?? [];
  return letters === undefined
    ? undefined
    : String(valueAt(cells, { row: Number(row), column: toColumnNumber(letters) }));
}

/** Parses a formula with one call of the add-on, also inside other functions; undefined for others. */
export function parseOnlyCall(formula: string): OnlyCall | undefined {
  const masked = maskQuoted(formula);
  const [call, ...others] = masked.matchAll(CALL);
  if (call === undefined || others.length > 0) return undefined;
  const { texts: args = [] } = splitArguments(formula, masked, call.index + call[0].length) ?? {};
  return { name: (call[1] ?? '').toUpperCase(), args };
}

/** Computes the price of a formula that is one call; undefined for others. */
function priceCall(own: ReadSheet, formula: string, read: KeyReader): number | undefined {
  const call = parseOnlyCall(formula);
  return call && CALL_PRICES[call.name]?.(call, listKeyTexts(own, call, read)?.length);
}

/** Returns the most that a formula may spend: what all of its records cost, or its max_credits if that is less. */
export function findMaximum(own: ReadSheet, place: CellPosition, read: KeyReader): number | undefined {
  const formula = formulaAt(own.cells, place);
  const prices = [findMaxCredits(own, formula), priceCall(own, formula, read)].flatMap((most) => most ?? []);
  return prices.length === 0 ? undefined : Math.min(...prices);
}

/** Returns the most that formulas may spend together; null if that of one is not known. */
export function findHighestPrice(
  own: ReadSheet,
  places: readonly CellPosition[],
  read: KeyReader,
): number | null {
  const prices = places.map((place) => findMaximum(own, place, read));
  return prices.reduce<number | null>(
    (sum, most) => (sum === null || most === undefined ? null : sum + most),
    0,
  );
}
