// Moved columns, sorted ranges and copied sheets.
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { type Shift, shiftLayer, shiftNumbers } from '../../../../addon/dev/host/sheets/layers.ts';
import { createSmallWorkbook, runAndRecord } from './host.ts';

const VALUES = [
  ['name', 'n', ''],
  ['b', 2, '=B2*$B$2'],
  ['a', 10, '=B3'],
  ['', '', ''],
  ['c', 1, ''],
];
const BOOK = createSmallWorkbook({
  values: VALUES.map((row) => row.map((cell) => (String(cell).startsWith('=') ? '' : cell))),
  formulas: VALUES.map((row) => row.map((cell) => (String(cell).startsWith('=') ? String(cell) : ''))),
  notes: [[], ['note of b']],
  styles: { background: [[], [], ['#ff0000']] },
});

/** Returns the first cells of the sheet with their formulas. */
async function readAfter(body: string, columns = 3) {
  const { sheet } = await runAndRecord(body, BOOK);
  return [0, 1, 2, 3, 4].map((row) =>
    Array.from(
      { length: columns },
      (_, at) => sheet?.formulas?.[row]?.[at] || (sheet?.values[row]?.[at] ?? ''),
    ),
  );
}

test('moved columns take their cells along, and references follow them', async () => {
  const moved = await readAfter('sheet.moveColumns(sheet.getRange("B1"), 1)');
  expect(moved.slice(0, 3)).toEqual([
    ['n', 'name', ''],
    [2, 'b', '=A2*$A$2'],
    [10, 'a', '=A3'],
  ]);
});

test.each(['sheet.getRange("A:A"), 1', 'sheet.getRange("A:A"), 2', 'sheet.getRange("A:A"), 5'])(
  'refuses to move columns nowhere or outside: %s',
  async (args) => {
    await expect(runAndRecord(`sheet.moveColumns(${args})`, BOOK)).rejects.toThrow();
  },
);

test.each([
  [1, ['a', 'b', 'c', '']],
  [2, ['c', 'b', 'a', '']],
])('sorts by column %i with blank cells last', async (column, names) => {
  const sorted = await readAfter(`sheet.getRange('A2:C5').sort(${column})`, 1);
  expect(sorted.flat()).toEqual(['name', ...names]);
});

test('a sort takes notes, formats and relative references along', async () => {
  const { sheet } = await runAndRecord("sheet.getRange('A2:C5').sort(1)", BOOK);
  expect(sheet?.notes?.[2]?.[0]).toBe('note of b');
  expect(sheet?.styles?.background?.[1]?.[0]).toBe('#ff0000');
  expect(sheet?.formulas?.slice(1, 3).map((row) => row[2])).toEqual(['=B2', '=B3*$B$2']);
});

test('a copied sheet has the cells of its original, another id and another name', async () => {
  const { book } = await runAndRecord(
    'sheet.copyTo(book); sheet.getRange("A1").setValue("changed"); sheet.copyTo(book)',
    BOOK,
  );
  expect(book.sheets.map(({ name }) => name)).toEqual(['S', 'Copy of S', 'Copy of S 2']);
  expect(book.sheets.map(({ values }) => values[0]?.[0])).toEqual(['changed', 'name', 'changed']);
  expect(new Set(book.sheets.map(({ id }) => id)).size).toBe(3);
});

test('every moved line has the number where its cells are', () => {
  const line = fc.integer({ min: 1, max: 8 });
  fc.assert(
    fc.property(line, line, fc.integer({ min: 1, max: 9 }), (at, end, to) => {
      fc.pre(at <= end && (to < at || to > end + 1));
      const shift: Shift = { axis: 'column', at, count: end - at + 1, to };
      const layer = [Array.from({ length: 8 }, (_, index) => index + 1)];
      shiftLayer(layer, shift, 0);
      const numbers = layer[0]?.map((old) => shiftNumbers([old], shift)[0]);
      expect(numbers).toEqual([1, 2, 3, 4, 5, 6, 7, 8]);
    }),
  );
});
