// References in formulas after inserting, deleting and renaming.
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { renameInFormula, shiftFormula } from '../../../../addon/dev/host/sheets/formula-references.ts';

const insertRows = { axis: 'row', at: 3, count: 2 } as const;
const deleteRows = { axis: 'row', at: 3, count: -2 } as const;
const insertColumns = { axis: 'column', at: 2, count: 1 } as const;
const deleteColumns = { axis: 'column', at: 2, count: -1 } as const;

test.each([
  ['=A2+A3', insertRows, '=A2+A5'],
  ['=SUM($A$1:$B$4)', insertRows, '=SUM($A$1:$B$6)'],
  ['=SUM(A3:A)', insertRows, '=SUM(A5:A)'],
  ['=SUM(A:A)', insertRows, '=SUM(A:A)'],
  ['=SUM(2:4)', insertRows, '=SUM(2:6)'],
  ['=SUM($4:$5)', insertRows, '=SUM($6:$7)'],
  ['="A5" & A5', insertRows, '="A5" & A7'],
  ['=Mine!A5+Other!A5', insertRows, '=Mine!A7+Other!A5'],
  ['=LOG10(A5)+A5B', insertRows, '=LOG10(A7)+A5B'],
  ['=SUM(A3:A)+SUM(A5:C)', deleteRows, '=SUM(A3:A)+SUM(A3:C)'],
  ['=A2+A3+A5', deleteRows, '=A2+#REF!+A3'],
  ['=SUM(A1:A6)', deleteRows, '=SUM(A1:A4)'],
  ['=SUM(A2:A3)', deleteRows, '=SUM(A2:A2)'],
  ['=SUM(A3:A4)', deleteRows, '=SUM(#REF!)'],
  ['=A1+B1+$C$1', insertColumns, '=A1+C1+$D$1'],
  ['=SUM(A:C)', insertColumns, '=SUM(A:D)'],
  ['=SUM(2:4)', insertColumns, '=SUM(2:4)'],
  ['=A1+B1+C1', deleteColumns, '=A1+#REF!+B1'],
  ['=Z1', insertColumns, '=AA1'],
])('shifts %s by %o to %s', (formula, shift, expected) => {
  expect(shiftFormula(formula, true, 'Mine', shift)).toBe(expected);
});

test('shifts only references to the shifted sheet', () => {
  expect(shiftFormula("=A5+'Bob''s'!A5", false, "Bob's", insertRows)).toBe("=A5+'Bob''s'!A7");
});

test.each([
  ['=Old!A1+A1+"Old!A1"', 'Old', 'New', '=New!A1+A1+"Old!A1"'],
  ["='It''s'!A:B", "It's", 'Two words', "='Two words'!A:B"],
  ['=SUM(Old!A1:B2)+Other!A1', 'Old', null, '=SUM(#REF!)+Other!A1'],
])('updates %s when %s is renamed to %s: %s', (formula, from, to, expected) => {
  expect(renameInFormula(formula, from, to)).toBe(expected);
});

const corner = fc
  .tuple(
    fc.constantFrom('', '$'),
    fc.constantFrom('A', 'C', 'Z', 'AB'),
    fc.constantFrom('', '$'),
    fc.integer({ min: 1, max: 40 }),
  )
  .map((parts) => parts.join(''));
const shiftOf = fc.record({
  axis: fc.constantFrom('row', 'column'),
  at: fc.integer({ min: 1, max: 40 }),
  count: fc.integer({ min: 1, max: 9 }),
});

test('restores every reference when an insertion is deleted again', () => {
  fc.assert(
    fc.property(fc.array(corner, { minLength: 1, maxLength: 4 }), shiftOf, (cells, shift) => {
      const formula = `=SUM(${cells.join(',')},Mine!${cells.join('+')})&"${cells.join()}"`;
      const shifted = shiftFormula(formula, true, 'Mine', shift);
      expect(shiftFormula(shifted, true, 'Mine', { ...shift, count: -shift.count })).toBe(formula);
    }),
    { seed: 5, numRuns: 500 },
  );
});
