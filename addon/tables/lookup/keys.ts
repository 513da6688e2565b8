// The keys of a row: one for each key column, in the order in which they are tried.
import type { LookupRequest } from '../../../shared/api/lookup.ts';
import type { NamedCompany } from '../../../shared/api/match.ts';
import { namesPerson } from '../../../shared/keys/email.ts';
import { formatKey, type NotKey, resolveKey } from '../../../shared/keys/index.ts';
import { findUrlOwner } from '../../../shared/keys/profile.ts';
import { removeInvisible } from '../../../shared/keys/text.ts';
import { maxCompanyNameLength } from '../../../shared/limits.ts';
import { isUnfinishedKey, isUnfinishedValue } from '../../lib/cell-errors.ts';
import { toCompany } from '../accounts/companies.ts';
import { getKeySpelling, type TableRecord } from '../registry.ts';
import { NAME_HEADING } from './candidate-columns.ts';
import { type Comparison, foldName, type KnownNames, NO_COMPANY, noKnownNames } from './name-choices.ts';

/**
 * The normalized key of a cell. `invalid`: what the cell is instead, and a sentence about it; `rejected`: a person decided
 * that no record has this name; `compared`: the name was compared a moment ago.
 */
export type LookupKey =
  | { kind: 'blank' }
  | { kind: 'invalid'; is: NotKey; reason?: string }
  | { kind: 'rejected' }
  | { kind: 'compared'; text: string; comparison: Comparison }
  | { kind: 'key'; by: LookupRequest['by'] | 'name'; text: string };

export type RowKey = LookupKey & { heading: string };

export const toText = (cell: unknown): string => String(cell ?? '').trim();

export const isEmptyCell = (cell: unknown): boolean => removeInvisible(toText(cell)) === '';

/** Lists the indexes of columns with keys, in the order in which they are tried. Places only narrow names down. */
export function listKeyColumns({ columns }: TableRecord): number[] {
  return columns.flatMap(({ role, holds }, at) =>
    role === 'key' && holds !== 'country' && holds !== 'city' ? [at] : [],
  );
}

/** Checks whether keys of a table are company names that are compared. Counts take them as they are spelled. */
export const hasNames = (table: TableRecord): boolean =>
  table.kind !== 'count' &&
  listKeyColumns(table).some((at) => (table.columns[at]?.holds ?? table.by) === 'name');

/** Separates the parts of a name's key. Names have none. */
const SEPARATOR = '\n';

const toLine = (cell: unknown): string => toText(cell).replace(/\s+/g, ' ');

/** An error such as #N/A, a text that is no place, or an address does not narrow a name down. */
function toPlace(cell: unknown): string {
  const line = toLine(cell);
  return line.length > maxCompanyNameLength || isUnfinishedValue(line) || namesPerson(line) ? '' : line;
}

const toNameKey = (name: string, country: unknown, city: unknown): string =>
  [name, toPlace(country), toPlace(city)].join(SEPARATOR).trimEnd();

export function parseNameKey(key: string): NamedCompany {
  const [name = '', country = '', city = ''] = key.split(SEPARATOR);
  return { name, ...(country === '' ? {} : { country }), ...(city === '' ? {} : { city }) };
}

const PERSON = 'This may be the address of a person, which is not sent.';
const TOO_LONG = 'This text is too long for a company name.';
/** What a text is that can be no name either. */
const NO_NAMES: readonly NotKey[] = ['mail', 'page', 'profile', 'number'];

/** Parses a cell of a name column. People replace an uncertain name by the website or id of the company. */
function parseName(
  { family }: TableRecord,
  cell: unknown,
  [country, city]: readonly unknown[],
  { choices, comparisons }: KnownNames,
): LookupKey {
  const text = toLine(cell);
  const key = resolveKey(family, 'auto', text);
  // A text without URL may be a shorthand name, and is a name here.
  if (key.ok && (key.kind !== 'shorthand_name' || findUrlOwner(text) !== undefined))
    return { kind: 'key', by: key.kind, text: formatKey(key) };
  if (!key.ok && NO_NAMES.includes(key.is)) return { kind: 'invalid', is: key.is, reason: key.reason };
  if (text.length > maxCompanyNameLength) return { kind: 'invalid', is: 'other', reason: TOO_LONG };
  if (namesPerson(text)) return { kind: 'invalid', is: 'other', reason: PERSON };
  const name = toNameKey(text, country, city);
  const id = choices.get(foldName(name));
  if (id === NO_COMPANY) return { kind: 'rejected' };
  if (id !== undefined) return { kind: 'key', by: 'id', text: id };
  const comparison = comparisons.get(foldName(name));
  return comparison === undefined
    ? { kind: 'key', by: 'name', text: name }
    : { kind: 'compared', text: name, comparison };
}

/** Reads the cells that narrow the names of a row down. */
function readPlaces({ columns }: TableRecord, line: readonly unknown[]): unknown[] {
  return (['country', 'city'] as const).map(
    (place) => line[columns.findIndex(({ holds }) => holds === place)],
  );
}

/**
 * Reads the keys of a row.
 * @param line - its values, in the order of the table's columns
 * @param known - decisions and comparisons; default: none
 */
export function readRowKeys(
  table: TableRecord,
  line: readonly unknown[],
  known: KnownNames = noKnownNames,
): RowKey[] {
  return listKeyColumns(table).map((at): RowKey => {
    const { holds, heading = '' } = table.columns[at] ?? {};
    const by = holds === undefined || holds === 'country' || holds === 'city' ? getKeySpelling(table) : holds;
    const cell = line[at];
    if (isEmptyCell(cell)) return { kind: 'blank', heading };
    // Of several keys, others can replace one that shows an error.
    if (isUnfinishedKey(cell)) return { kind: 'invalid', is: 'other', heading };
    if (table.kind === 'count') {
      const read = toCompany(toText(cell), NAME_HEADING.test(heading));
      return 'is' in read
        ? { kind: 'invalid', is: read.is, heading }
        : { kind: 'key', by: 'auto', text: read.company, heading };
    }
    if (by === 'name') return { ...parseName(table, cell, readPlaces(table, line), known), heading };
    const key = resolveKey(table.family, by, toText(cell));
    return key.ok
      ? { kind: 'key', by: key.kind, text: formatKey(key), heading }
      : { kind: 'invalid', is: key.is, reason: key.reason, heading };
  });
}

/**
 * Uses comparisons only if no other name of a step has to be compared. Otherwise all of its names are compared together
 * again: pages are cached for the same names, so that the same step costs nothing.
 * @param rows - the keys of the rows of a step
 */
export function settleComparisons(rows: readonly (readonly RowKey[])[]): RowKey[][] {
  const isMixed = rows.flat().some((key) => key.kind === 'key' && key.by === 'name');
  const settle = (key: RowKey): RowKey => {
    if (key.kind !== 'compared') return key;
    const { text, heading } = key;
    if (isMixed) return { kind: 'key', by: 'name', text, heading };
    const { companyId } = key.comparison;
    return companyId === undefined ? key : { kind: 'key', by: 'id', text: companyId, heading };
  };
  return rows.map((keys) => keys.map(settle));
}

/** Returns the name of a row, without regard to decisions and comparisons; undefined if it has none. */
export function readNameKey(table: TableRecord, line: readonly unknown[]): string | undefined {
  const named = readRowKeys(table, line).find((key) => key.kind === 'key' && key.by === 'name');
  return named?.kind === 'key' ? named.text : undefined;
}

/** Checks whether a row has a key in any of its columns. */
export const hasKey = (table: TableRecord, line: readonly unknown[]): boolean =>
  listKeyColumns(table).some((at) => !isEmptyCell(line[at]));

/**
 * Checks whether the keys of a row are still loading or show errors. One that loads may be the best; of several keys, others
 * can replace one that shows an error.
 */
export function isUnfinishedRow(table: TableRecord, line: readonly unknown[]): boolean {
  const cells = listKeyColumns(table).flatMap((at) => (isEmptyCell(line[at]) ? [] : [line[at]]));
  return (
    cells.every(isUnfinishedKey) ||
    cells.some((cell) => /(?:\.\.\.|…)$/.test(toText(cell)) && isUnfinishedKey(cell))
  );
}
