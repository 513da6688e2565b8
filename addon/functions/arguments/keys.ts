// Reads the keys of a formula: which record each row of a range names.
import type { Family, KeySpelling } from '../../../shared/families/index.ts';
import { resolveKey } from '../../../shared/keys/index.ts';
import { type CellWord, cellWord, isProblemCode, problems } from '../../../shared/problems.ts';
import { isBlank, toRows } from './options.ts';

/**
 * What a row of keys holds: a key, nothing, or a word that says why there is none. `given` is what stands there and is no
 * key.
 */
export type RowKey =
  | { kind: 'blank' }
  | { kind: 'word'; word: CellWord; given?: string }
  | { kind: 'key'; text: string };

const NO_KEYS = 'There is nothing to look up: name a cell, or a column of cells such as A2:A100.';

const words: ReadonlySet<string> = new Set(
  Object.keys(problems)
    .filter(isProblemCode)
    .map((code) => cellWord(code)),
);

const isWord = (text: string): text is CellWord => words.has(text);

const toInvalidKey = (given: unknown): RowKey => ({
  kind: 'word',
  word: cellWord('invalid_key'),
  given: String(given),
});

/** Keys are read once more behind the call: what is sent must be read as what was meant. */
function toRequestKey(family: Family, by: KeySpelling, text: string): string | undefined {
  const key = resolveKey(family, by, text);
  if (!key.ok) return undefined;
  const again = resolveKey(family, by, key.value);
  return again.ok && again.kind === key.kind && again.value === key.value ? key.value : text.trim();
}

function parseKey(row: readonly unknown[], family: Family, by: KeySpelling): RowKey {
  if (row.every(isBlank)) return { kind: 'blank' };
  const [cell] = row;
  if (row.length !== 1) return toInvalidKey(row.find((each) => !isBlank(each)));
  // A number beyond what it can tell apart stands for somebody else's id.
  if (typeof cell === 'number' && !Number.isSafeInteger(cell)) return toInvalidKey(cell);
  if (typeof cell !== 'string' && typeof cell !== 'number') return toInvalidKey(cell);
  const given = String(cell);
  if (isWord(given)) return { kind: 'word', word: given };
  const text = toRequestKey(family, by, given);
  return text === undefined ? toInvalidKey(given) : { kind: 'key', text };
}

/**
 * Reads the keys of a formula, one of each row. A word such as `#PENDING`, where another formula's failed row is the key,
 * stays that word; everything else that is no key is `#INVALID_KEY`.
 * @param argument - a cell, or a range of one column
 * @throws Error with one sentence, where nothing was given
 */
export function parseKeys(argument: unknown, family: Family, by: KeySpelling): RowKey[] {
  if (argument === undefined || argument === null) throw new Error(NO_KEYS);
  return toRows(argument).map((row) => parseKey(row, family, by));
}

/** What stands in some rows and is no key, in their order. */
export function listInvalidKeys(rows: readonly RowKey[]): string[] {
  return rows.flatMap((row) => (row.kind === 'word' && row.given !== undefined ? [row.given] : []));
}

/** The different keys of some rows, in their order. */
export function listDistinctKeys(rows: readonly RowKey[]): string[] {
  return [...new Set(rows.flatMap((row) => (row.kind === 'key' ? [row.text] : [])))];
}
