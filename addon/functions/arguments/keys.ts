// Parses the keys of a formula: which record each row of a range identifies.

import type { Family, KeyFormat } from '../../../shared/families/index.ts';
import { formatKey, type NotKey, resolveKey } from '../../../shared/keys/index.ts';
import { splitIntoBatches } from '../../../shared/lib/split-into-batches.ts';
import { maxLookupKeys } from '../../../shared/limits.ts';
import { type CellError, getCellError } from '../../../shared/problems.ts';
import { isCellError, isLoadingKey } from '../../lib/cell-errors.ts';
import { isBlank, toRows } from './options.ts';

/** A cell that is no key: its text, what it is instead, and a sentence about it. */
export interface RejectedCell {
  given: string;
  is: NotKey;
  reason: string;
}

/** The key of a row: a key, an empty row, or an error word. */
export type RowKey =
  | { kind: 'blank' }
  | { kind: 'word'; word: CellError; rejected?: RejectedCell }
  | { kind: 'key'; text: string };

const NO_KEYS = 'There is nothing to look up: name a cell, or a column of cells such as A2:A100.';

const NOTHING_TO_LOOK_UP = 'This cell holds nothing to look up.';
const LOST_DIGITS = 'This number has lost digits. Format the column as plain text, and enter it again.';

const reject = (given: unknown, reason = NOTHING_TO_LOOK_UP, is: NotKey = 'other'): RowKey => ({
  kind: 'word',
  word: getCellError('invalid_key'),
  rejected: { given: String(given), is, reason },
});

/** The gateway parses keys again: the key that is sent must parse to the same key. */
function toRequestKey(family: Family, by: KeyFormat, text: string): RowKey {
  const key = resolveKey(family, by, text);
  if (!key.ok) return reject(text, key.reason, key.is);
  const formatted = formatKey(key);
  const again = resolveKey(family, by, formatted);
  const isSame = again.ok && again.kind === key.kind && again.value === key.value;
  return { kind: 'key', text: isSame ? formatted : text.trim() };
}

function parseKey(row: readonly unknown[], family: Family, by: KeyFormat): RowKey {
  if (row.every(isBlank)) return { kind: 'blank' };
  const [cell] = row;
  if (row.length !== 1) return reject(row.find((each) => !isBlank(each)));
  // An unsafe integer has lost digits, so it may be another record's id.
  if (typeof cell === 'number' && !Number.isSafeInteger(cell)) return reject(cell, LOST_DIGITS, 'number');
  if (typeof cell !== 'string' && typeof cell !== 'number') return reject(cell);
  const given = String(cell);
  if (isCellError(given)) return { kind: 'word', word: given };
  return isLoadingKey(given) ? reject(given) : toRequestKey(family, by, given);
}

/**
 * Parses the key of each row. An error word such as `#PENDING`, from a formula that the key refers to, is passed on.
 * Everything else that is not a key becomes `#INVALID_KEY`.
 * @param argument - a cell, or a range with one column
 * @throws Error if the argument is missing
 */
export function parseKeys(argument: unknown, family: Family, by: KeyFormat): RowKey[] {
  if (argument === undefined || argument === null) throw new Error(NO_KEYS);
  return toRows(argument).map((row) => parseKey(row, family, by));
}

export function listRejected(rows: readonly RowKey[]): RejectedCell[] {
  return rows.flatMap((row) => (row.kind === 'word' && row.rejected !== undefined ? [row.rejected] : []));
}

export function listDistinctKeys(rows: readonly RowKey[]): string[] {
  return [...new Set(rows.flatMap((row) => (row.kind === 'key' ? [row.text] : [])))];
}

export const chunkKeys = (keys: readonly string[]): string[][] => splitIntoBatches(keys, maxLookupKeys);
