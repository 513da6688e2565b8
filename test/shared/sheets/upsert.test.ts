// How records get into the rows of a sheet: which are updated in place, which are added, and which cells change.
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { compareRow, matchRows, toIdText } from '../../../shared/sheets/upsert.ts';

const records = (...ids: string[]) => ids.map((id) => ({ id }));

describe('records and rows', () => {
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
  ])('meet where there are %s', (_, ids, present, added) => {
    const matches = matchRows(records('1', '2'), ids);
    expect(matches.existing.map(({ record, rows }) => [record.id, rows])).toEqual(present);
    expect(matches.added).toEqual(records(...added));
  });

  it('without an id have no row, and none is lost', () => {
    const id = fc.constantFrom<string[]>('', '1', '2', '3');
    fc.assert(
      fc.property(fc.array(id), fc.array(id), (coming, ids) => {
        const { existing, added } = matchRows(records(...coming), ids);
        expect(existing.length + added.length).toBe(coming.length);
        for (const { record, rows } of existing) {
          expect(rows.map((row) => ids[row])).toEqual(ids.filter((own) => own === record.id));
        }
        for (const record of added) expect(record.id === '' || !ids.includes(record.id)).toBe(true);
      }),
    );
  });
});

describe('the cells of a row', () => {
  const compare = (entries: unknown[], cells: unknown[], columns = [0, 1, 2], marked: number[] = []) =>
    compareRow(entries, cells, {
      columns,
      idColumn: 0,
      isEqual: Object.is,
      isMarked: (column) => marked.includes(column),
    });

  it.each([
    ['as they should be', ['1', 'a', 5], ['1', 'a', 5], [], []],
    ['of a new row', ['1', 'a', 5], [], [0, 1, 2], []],
    ['of a row that differs', ['1', 'b', ''], ['1', 'a', 5], [1, 2], []],
    ['with the id as somebody typed it', ['1', 'a', 5], [' 1', 'a', 5], [], []],
    ['marked before: some change again', ['1', 'b', 5], ['1', 'a', 5], [1], [2]],
  ])('%s', (_, entries, cells, changed, unmarked) => {
    const marked = unmarked.length > 0 ? [1, 2] : [];
    expect(compare(entries, cells, undefined, marked)).toEqual({ changed, unmarked });
  });

  it('in columns that are not written stay', () => {
    expect(compare(['1', 'b', 6], ['1', 'a', 5], [0, 2])).toEqual({ changed: [2], unmarked: [] });
  });
});

it('an id has one spelling', () => {
  expect([7, ' 7', '7', null, undefined].map(toIdText)).toEqual(['7', '7', '7', '', '']);
});
