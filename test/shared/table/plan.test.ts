// Upserts: matching records with rows, and comparing cells.
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { toIdText } from '../../../shared/table/cells.ts';
import { compareRow, matchRows } from '../../../shared/table/plan.ts';

const records = (...ids: string[]) => ids.map((id) => ({ id }));

describe('matching', () => {
  it.each([
    ['no rows', [], [], ['1', '2']],
    [
      'rows in another order',
      ['2', '1'],
      [
        ['1', [1]],
        ['2', [0]],
      ],
      [],
    ],
    [
      'ids that are numbers, and blanks around them',
      [1, ' 2 '],
      [
        ['1', [0]],
        ['2', [1]],
      ],
      [],
    ],
    ['rows of others, and rows without an id', ['9', '', null, '2'], [['2', [3]]], ['1']],
    [
      'an id in several rows',
      ['1', '2', '1'],
      [
        ['1', [0, 2]],
        ['2', [1]],
      ],
      [],
    ],
  ])('works with %s', (_, ids, present, added) => {
    const matches = matchRows(records('1', '2'), ids);
    expect(matches.existing.map(({ record, rows }) => [record.id, rows])).toEqual(present);
    expect(matches.added).toEqual(records(...added));
  });

  it('assigns every record and never matches an empty id', () => {
    const id = fc.constantFrom<string[]>('', '1', '2', '3');
    fc.assert(
      fc.property(fc.array(id), fc.array(id), (incoming, ids) => {
        const { existing, added } = matchRows(records(...incoming), ids);
        expect(existing.length + added.length).toBe(incoming.length);
        for (const { record, rows } of existing) {
          expect(rows.map((row) => ids[row])).toEqual(ids.filter((each) => each === record.id));
        }
        for (const record of added) expect(record.id === '' || !ids.includes(record.id)).toBe(true);
      }),
    );
  });
});

describe('comparing a row', () => {
  const compare = (entries: unknown[], cells: unknown[], columns = [0, 1, 2], marked: number[] = []) =>
    compareRow(entries, cells, {
      columns,
      idColumn: 0,
      isEqual: Object.is,
      isMarked: (column) => marked.includes(column),
    });

  it.each([
    ['unchanged cells', ['1', 'a', 5], ['1', 'a', 5], [], []],
    ['a new row', ['1', 'a', 5], [], [0, 1, 2], []],
    ['changed cells', ['1', 'b', ''], ['1', 'a', 5], [1, 2], []],
    ['an id with spaces', ['1', 'a', 5], [' 1', 'a', 5], [], []],
    ['marked cells, of which one changes again', ['1', 'b', 5], ['1', 'a', 5], [1], [2]],
  ])('%s', (_, entries, cells, changed, unmarked) => {
    const marked = unmarked.length > 0 ? [1, 2] : [];
    expect(compare(entries, cells, undefined, marked)).toEqual({ changed, unmarked });
  });

  it('ignores columns that are not writable', () => {
    expect(compare(['1', 'b', 6], ['1', 'a', 5], [0, 2])).toEqual({ changed: [2], unmarked: [] });
  });
});

it('normalises ids', () => {
  expect([7, ' 7', '7', null, undefined].map(toIdText)).toEqual(['7', '7', '7', '', '']);
});
