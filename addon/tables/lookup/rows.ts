// Rows of a looked-up column: their keys, lookups and outcomes.

import type { LookupRequest, LookupRow } from '../../../shared/api/lookup.ts';
import type { MatchCandidate } from '../../../shared/api/match.ts';
import { getSubject } from '../../../shared/families/index.ts';
import type { NotKey } from '../../../shared/keys/index.ts';
import { countNotKeys } from '../../../shared/keys/not-keys.ts';
import { once } from '../../../shared/lib/once.ts';
import { splitIntoBatches } from '../../../shared/lib/split-into-batches.ts';
import { maxLookupKeys, maxMatchNames } from '../../../shared/limits.ts';
import { isMatchFamily } from '../../../shared/matching/families.ts';
import { type CellError, explainProblem, getCellError } from '../../../shared/problems.ts';
import { getValueAt, parseFieldPath } from '../../../shared/query/field-paths.ts';
import { isPassingError } from '../../lib/cell-errors.ts';
import { blankEntry, type Entry, existingEntry, isSameCell, textEntry } from '../../sheet/entries.ts';
import { describeNotKeys } from '../../texts/not-keys.ts';
import { formatCount, t } from '../../texts/texts.ts';
import { type BodyCells, cutBody, readRowsBelow, type TableLocation } from '../locate.ts';
import type { TableRecord } from '../registry.ts';
import { formatOriginNote, toOriginEntry } from '../rows/layout.ts';
import { openWrittenRows } from '../rows/write-rows.ts';
import type { RowScope } from '../runs/run-store.ts';
import {
  hasKey,
  hasNames,
  isEmptyCell,
  isUnfinishedRow,
  type LookupKey,
  listKeyColumns,
  toText,
} from './keys.ts';

export type TableLookup = Omit<LookupRequest, 'by'> & { by: LookupRequest['by'] | 'name' };

export type TableLookupRow = LookupRow & {
  /** Explains its problem instead of the usual text. */
  sentence?: string;
  /** Adds to the text of its problem. */
  hint?: string;
  /** Candidates of an uncertain name, and the id of the company of a certain one. */
  candidates?: MatchCandidate[];
  companyId?: string;
};

const LOOK_UP_NAMES =
  'To look names up, choose “Company names” under “Cells hold” in the sidebar’s tab Enrich.';

/** A cell that shows a temporary failure counts as empty and is looked up again. */
const isMissing = (cell: unknown): boolean => isEmptyCell(cell) || isPassingError(toText(cell));

/** Reads the rows of a lookup table, down to the last key. */
export const readLookupBody = (table: TableRecord, location: TableLocation): BodyCells =>
  cutBody(readRowsBelow(location), { gaps: true, isRow: (line) => hasKey(table, line) });

/** Lists the columns that a run writes, as indexes in the table. */
export function listWrittenColumns({ columns }: TableRecord, fields: readonly string[]): number[] {
  const wanted = new Set(fields);
  return columns.flatMap(({ role, path }, at) =>
    role === 'key' || (role === 'value' && !wanted.has(path)) ? [] : [at],
  );
}

/** Creates a check whether a row was looked up before: it has values, or was written without. */
function createFilledCheck(table: TableRecord, location: TableLocation, written: readonly number[]) {
  const openLog = once(() => openWrittenRows(table, location));
  return (line: readonly unknown[]): boolean =>
    written.some((column) => !isEmptyCell(line[column])) || openLog().matches(line, written);
}

/**
 * Lists the rows in scope that have a key, as indexes in the body. Cells of keys that are still loading or show an error
 * are listed in `unfinished`: they are neither looked up nor written.
 * @param fields - a row without any of these values counts as blank
 */
export function listRowsInScope(
  table: TableRecord,
  location: TableLocation,
  body: BodyCells,
  { rows, only }: RowScope,
  fields: readonly string[],
): { rows: number[]; unfinished: number[] } {
  const written = listWrittenColumns(table, fields);
  const values = written.filter((at) => table.columns[at]?.role === 'value');
  const isFilled = rows === 'filled' ? createFilledCheck(table, location, written) : undefined;
  const inside = (at: number): boolean =>
    only === undefined || only.some(({ from, count }) => at >= from && at < from + count);
  const all = body.values.flatMap((line, at) => {
    if (!hasKey(table, line) || !inside(at)) return [];
    if (rows === 'gaps' && !values.some((column) => isMissing(line[column]))) return [];
    if (rows === 'blank' && !values.every((column) => isMissing(line[column]))) return [];
    return isFilled === undefined || isFilled(line) ? [at] : [];
  });
  const unfinished = all.filter((at) => isUnfinishedRow(table, body.values[at] ?? []));
  const skipped = new Set(unfinished);
  return { rows: all.filter((at) => !skipped.has(at)), unfinished };
}

/** Warns about cells of keys without a value yet; empty if there are none. */
export function warnAboutUnfinished(count: number): string[] {
  if (count === 0) return [];
  return count === 1
    ? [t('1 cell is still loading or shows an error: it is skipped.')]
    : [t('{count} cells are still loading or show an error: they are skipped.', { count })];
}

/** Warns about cells that are no keys, and says what they are; empty if there are none. */
export const warnAboutNotKeys = (notKeys: readonly NotKey[]): string[] =>
  notKeys.length === 0
    ? []
    : [
        t('{cells} skipped: {notKeys}.', {
          cells: formatCount(notKeys.length, 'cell'),
          notKeys: describeNotKeys(countNotKeys(notKeys)),
        }),
      ];

/** Empty cells of own columns are written in groups, each by a call of Google's. */
const MAX_OWN_ROWS = 100;

const hasOwnColumns = ({ columns }: Pick<TableRecord, 'columns'>): boolean =>
  columns.some(({ isOwn }) => isOwn);

const getMaxKeys = (table: TableRecord): number => (hasNames(table) ? maxMatchNames : maxLookupKeys);

/** Stop can't take back calls that were sent, so a step that buys has few rows. */
const MAX_PAID_ROWS = 200;

/** Returns the maximum number of rows in a step. */
export const getMaxBatch = (table: TableRecord, isPaid = false): number =>
  Math.min(
    getMaxKeys(table),
    hasOwnColumns(table) ? MAX_OWN_ROWS : maxLookupKeys,
    isPaid ? MAX_PAID_ROWS : maxLookupKeys,
  );

/** Builds lookups of the distinct keys, at most 1,000 each, or 50 names. */
export function buildLookups(
  table: TableRecord,
  keys: readonly LookupKey[],
  fields: readonly string[],
  maxAgeS: number | undefined,
): TableLookup[] {
  const distinct = new Map<TableLookup['by'], Set<string>>();
  for (const key of keys) {
    if (key.kind === 'key') distinct.set(key.by, (distinct.get(key.by) ?? new Set()).add(key.text));
  }
  const size = getMaxKeys(table);
  return [...distinct].flatMap(([by, texts]) =>
    splitIntoBatches([...texts], size).map((some) => ({
      family: table.family,
      by,
      keys: some,
      fields: [...fields],
      ...(maxAgeS === undefined ? {} : { max_age_s: maxAgeS }),
    })),
  );
}

const SOURCES: Readonly<Partial<Record<LookupRow['status'], string>>> = {
  hit: 'already bought',
  stale: 'already bought, old',
  fetched: 'bought',
  coalesced: 'bought by another call',
};

/** The outcome of a row: its entries, and its error word. */
export interface RowOutcome {
  /** Undefined keeps a cell. */
  entries: (Entry | undefined)[];
  word: CellError | undefined;
  keepsValues: boolean;
  /** A value replaces another one. */
  isChanged: boolean;
  is?: NotKey;
  /** Origin of the values, or why there are none and what to do. */
  note: string;
}

/** Finds the column that shows errors and notes: the first of the written ones that is not a person's own. */
export const findFirstValue = ({ columns }: TableRecord, at: readonly number[]): number | undefined =>
  at.find((column) => columns[column]?.role === 'value' && columns[column]?.isOwn !== true);

/** Tells whether a cell shows a value of a record: not empty, and no error word. */
const hasValue = (cell: unknown): boolean => !/^(?:#|$)/.test(String(cell ?? ''));

/** Tells whether a failed row keeps its previous values. Erased records lose theirs. */
function keepsPreviousValues(
  table: TableRecord,
  line: readonly unknown[],
  isOurs: boolean,
  row: LookupRow | undefined,
) {
  const has = table.columns.some(({ role }, at) => role === 'value' && hasValue(line[at]));
  return isOurs && has && row !== undefined && row.problem !== 'erased';
}

/** Says what to put into a cell that is no key, unless its reason says so. */
function formatNextStep(table: TableRecord, is: NotKey): string {
  if (is === 'mail' || is === 'page' || is === 'other') return '';
  const { by, family } = table;
  if (is === 'name' && isMatchFamily(family) && !hasNames(table)) return LOOK_UP_NAMES;
  const subject = getSubject(family).label.toLowerCase();
  if (by === 'id') return 'Put the ID here.';
  return `Put the ${subject}’s ${by === 'url' ? 'profile link' : 'website'} here.`;
}

/**
 * Builds the outcome of a row.
 * @param line - the current values in the order of the table's columns
 * @param row - the response for its key; undefined if the key is invalid
 * @param how - `isOurs`: the row was not changed manually; `at`: the columns that are written; `heading`: of the column with
 *   the key, if there are several; `invalid`: the cell that is no key
 */
export function buildOutcome(
  table: TableRecord,
  line: readonly unknown[],
  row: TableLookupRow | undefined,
  {
    isOurs,
    at,
    toEntry,
    heading,
    invalid,
  }: {
    isOurs: boolean;
    at: readonly number[];
    toEntry: (value: unknown, path: string) => Entry;
    heading?: string | undefined;
    invalid?: Extract<LookupKey, { kind: 'invalid' }> | undefined;
  },
): RowOutcome {
  const { record } = row ?? {};
  const source = (row && SOURCES[row.status]) ?? '';
  const code = row?.problem ?? 'invalid_key';
  const word = record === undefined ? getCellError(code) : undefined;
  const notKey = row === undefined ? invalid : undefined;
  const problem =
    (notKey?.reason && `${notKey.reason} ${formatNextStep(table, notKey.is)}`.trim()) ??
    row?.sentence ??
    explainProblem(code, row?.suggestion);
  const hint = row?.hint === undefined ? '' : ` ${row.hint}`;
  const found = heading === undefined ? source : `${source}, by ${heading}`;
  const status = word === undefined ? found : `${word} ${problem}${hint}`;
  const keep = record === undefined && keepsPreviousValues(table, line, isOurs, row);
  const origin = { retrievedAt: row?.fetched_at, source, credits: row?.credits ?? 0 };
  const firstValue = findFirstValue(table, at);
  const entries = table.columns.map(({ role, path, isOwn = false }, column): Entry | undefined => {
    if (!at.includes(column) || (isOwn && !isEmptyCell(line[column]))) return undefined;
    if (role === 'status') return textEntry(status);
    if (keep) return existingEntry(line[column]);
    if (record === undefined) {
      return column === firstValue && word !== undefined ? textEntry(word) : blankEntry;
    }
    return toOriginEntry(role, origin) ?? toEntry(getValueAt(record, parseFieldPath(path) ?? []), path);
  });
  const isChanged = table.columns.some(({ role }, column) => {
    const [cell, entry] = [line[column], entries[column]];
    return role === 'value' && hasValue(cell) && entry !== undefined && !isSameCell(cell, entry);
  });
  return {
    entries,
    word,
    keepsValues: keep,
    isChanged: record !== undefined && isChanged,
    ...(notKey === undefined ? {} : { is: notKey.is }),
    note: record === undefined ? `${problem}${hint}` : formatOriginNote(origin),
  };
}

/** Explains why a table can't be kept filled: cause and next step. Undefined if it can. */
export function findFillObstacle(table: TableRecord): string | undefined {
  if (table.frozen) return t('This table is frozen, so it can’t be filled.');
  if (hasNames(table))
    return t(
      'Names are decided by a person, so new rows aren’t filled. Enrich by website to keep a column filled.',
    );
  if (hasOwnColumns(table))
    return t(
      'It fills columns of your own, so new rows aren’t filled. Enrich into new columns to keep them filled.',
    );
  if (listKeyColumns(table).length > 1)
    return t('It tries several columns, so new rows aren’t filled. Enrich by one column to keep it filled.');
  return undefined;
}
