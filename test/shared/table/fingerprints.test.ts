// What was written, as fingerprints by row id and column id.
import { expect, it } from 'vitest';
import { hashText } from '../../../shared/lib/hash.ts';
import { WrittenRows } from '../../../shared/table/fingerprints.ts';

const fingerprint = (cells: readonly unknown[]): string =>
  hashText(JSON.stringify(cells)).toString(36).padStart(7, '0').slice(-4);
const ids = ['c1', 'c2', 'c3'];
const all = [0, 1, 2];

/** Parses stored fingerprints. */
const open = (text = '', columns = ids, idColumn = 'c1'): WrittenRows =>
  new WrittenRows(text, { columns, idColumn, counted: columns.map((_, at) => at), fingerprint });

/** Writes rows and stores them. */
function write(rows: readonly (readonly unknown[])[], idColumn?: string): string {
  const written = open('', ids, idColumn);
  for (const row of rows) written.add(row, all);
  return written.format();
}

it('rows are recognised after they were stored, in any order and with fewer columns', () => {
  const stored = open(
    write([
      [1, 'a', 'x'],
      [2, 'b', ''],
    ]),
  );
  expect(stored.matches([2, 'b', ''], all)).toBe(true);
  expect(stored.matches([1, 'a', 'y'], all)).toBe(false);
  expect(stored.matches([1, 'a', 'y'], [0, 1])).toBe(true);
  expect(open(stored.format(), ['c3', 'c1']).matches(['x', 1], [0])).toBe(true);
  expect(stored.matches([3, 'a', 'x'], all)).toBe(false);
});

it('a column that is added later was written blank', () => {
  const stored = open(write([[1, 'a', 'x']]), [...ids, 'c4']);
  expect(stored.matches([1, 'a', 'x', ''], [0, 1, 2, 3])).toBe(true);
  expect(stored.matches([1, 'a', 'x', 'mine'], [0, 1, 2, 3])).toBe(false);
});

it('cells that are not written keep their last fingerprint', () => {
  const stored = open(write([[1, 'a', 'x']]));
  stored.add([1, 'b', 'mine'], [0, 1]);
  expect(stored.matches([1, 'b', 'x'], all)).toBe(true);
  expect(stored.matches([1, 'b', 'mine'], all)).toBe(false);
});

it('rows without ids are recognised by all of their cells', () => {
  const rows = [
    [1, 'a', 'x'],
    [1, 'b', 'y'],
  ];
  const stored = open(write(rows, ''), ids, '');
  expect(stored.matches([1, 'a', 'x'], all)).toBe(true);
  expect(stored.matches([1, 'a', 'y'], all)).toBe(false);
});

it('20,000 rows take at most 160,000 characters, and a changed cell is still noticed', () => {
  const rows = Array.from({ length: 20_000 }, (_, at) => [at, `name ${at}`, at * 2]);
  const text = write(rows);
  expect(text.length).toBeLessThan(160_100);
  const stored = open(text);
  const isKnown = (row: readonly unknown[]): boolean => stored.matches(row, all);
  expect(rows.every(isKnown)).toBe(true);
  expect(rows.filter(([id, name]) => isKnown([id, `${String(name)}!`, 0])).length).toBeLessThan(20);
});
