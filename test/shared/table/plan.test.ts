// Plans of writes: matching records with rows, and choosing cells.
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { toIdText } from '../../../shared/table/cells.ts';
import { type Incoming, matchRows, type PlanRules, placeRows, planRows } from '../../../shared/table/plan.ts';

const records = (...ids: string[]) => ids.map((id) => ({ id }));

describe('matching', () => {
  it.each([
    ['no rows', [], [], ['1', '2']],
    ['rows in another order', ['2', '1'], ['1 in 1', '2 in 0'], []],
    ['ids that are numbers, and blanks around them', [1, ' 2 '], ['1 in 0', '2 in 1'], []],
    ['rows of others, and rows without an id', ['9', '', null, '2'], ['2 in 3'], ['1']],
    ['an id in several rows', ['1', '2', '1'], ['1 in 0', '1 in 2', '2 in 1'], []],
  ])('works with %s', (_, ids, present, added) => {
    const matches = matchRows(records('1', '2'), ids);
    expect(matches.existing.map(({ record, row }) => `${record.id} in ${row}`)).toEqual(present);
    expect(matches.added).toEqual(records(...added));
  });

  it('assigns every record, merges those with the same id, and never matches an empty id', () => {
    const id = fc.constantFrom<string[]>('', '1', '2', '3');
    fc.assert(
      fc.property(fc.array(id), fc.array(id), (incoming, ids) => {
        const { existing, added } = matchRows(records(...incoming), ids);
        const distinct = new Set(incoming.filter((each) => each !== ''));
        const known = [...distinct].filter((each) => ids.includes(each));
        expect(new Set(existing.map(({ record }) => record.id))).toEqual(new Set(known));
        expect(existing.every(({ record, row }) => ids[row] === record.id)).toBe(true);
        const blank = incoming.filter((each) => each === '').length;
        expect(added.length).toBe(distinct.size - known.length + blank);
      }),
    );
  });

  it('places records in consecutive rows, and the others below', () => {
    const { existing, added } = placeRows(records('1', '2', '3'), 4, 6);
    expect(existing.map(({ record, row }) => `${record.id} in ${row}`)).toEqual(['1 in 4', '2 in 5']);
    expect(added).toEqual(records('3'));
  });
});

describe('planning a row', () => {
  const plan = (
    entries: Incoming<unknown>['entries'],
    cells: readonly unknown[] | undefined,
    rules: Partial<PlanRules<unknown, unknown>> = {},
  ) => {
    const record = { id: '1', entries };
    const matches =
      cells === undefined ? { existing: [], added: [record] } : { existing: [{ record, row: 3 }], added: [] };
    const [row] = planRows(
      matches,
      { read: () => cells ?? [], end: 7 },
      { mode: 'update', columns: [0, 1, 2], idColumn: 0, isEqual: Object.is, ...rules },
    );
    return row && { row: row.row, columns: row.columns, changed: row.changed, unmarked: row.unmarked };
  };
  const isMarked = (_: number, column: number): boolean => column > 0;

  it.each([
    ['unchanged cells', ['1', 'a', 5], ['1', 'a', 5], {}, [], []],
    ['changed cells', ['1', 'b', ''], ['1', 'a', 5], {}, [1, 2], []],
    ['an id with spaces', ['1', 'a', 5], [' 1', 'a', 5], {}, [], []],
    ['marked cells, of which one changes again', ['1', 'b', 5], ['1', 'a', 5], { isMarked }, [1], [2]],
    ['columns that are not written', ['1', 'b', 6], ['1', 'a', 5], { columns: [0, 2] }, [2], []],
    ['cells without an entry', ['1', undefined, 6], ['1', 'a', 5], {}, [2], []],
    ['cells of a person', ['1', 'b', 6], ['1', 'a', 5], { isKept: isMarked }, [], []],
    ['blank cells of a person', ['1', 'b', 6], ['1', '', 5], { isKept: isMarked }, [1], []],
    ['changes that do not decide', ['1', 'b', 5], ['1', 'a', 5], { decisive: [2] }, [], []],
    ['changes that go with one that decides', ['1', 'b', 6], ['1', 'a', 5], { decisive: [2] }, [1, 2], []],
    ['a row to replace', ['1', 'a', 5], ['2', 'a', 6], { mode: 'replace' }, [0, 1, 2], []],
    ['an incomplete row of the run', ['1', 'a', 5], ['1', '', 6], { mode: 'append', base: 3 }, [1], []],
  ] as const)('%s', (_, entries, cells, rules, changed, unmarked) => {
    expect(plan(entries, cells, rules)).toMatchObject({ row: 3, changed, unmarked });
  });

  it('writes all cells of new rows', () => {
    expect(plan(['1', undefined, 5], undefined)).toEqual({
      row: 7,
      columns: [0, 2],
      changed: [0, 2],
      unmarked: [],
    });
  });

  it('leaves rows alone that were there before rows are appended', () => {
    expect(plan(['1', 'a', 5], ['1', '', ''], { mode: 'append', base: 4 })).toBeUndefined();
  });

  it('never touches a cell of a person, whatever the mode', () => {
    const cell = fc.constantFrom<unknown[]>('', 'a', 'b');
    const rules = fc.record({
      mode: fc.constantFrom('append', 'update', 'replace'),
      kept: fc.array(fc.constantFrom<number[]>(1, 2)),
    });
    fc.assert(
      fc.property(fc.tuple(cell, cell), fc.tuple(cell, cell), rules, (entries, cells, { mode, kept }) => {
        const isKept = (_: number, column: number): boolean => kept.includes(column);
        const { columns = [] } = plan(['1', ...entries], ['1', ...cells], { mode, base: 0, isKept }) ?? {};
        for (const column of [1, 2] as const) {
          const [had, comes] = [cells[column - 1], entries[column - 1]];
          if (kept.includes(column) && had !== '' && had !== comes) expect(columns).not.toContain(column);
        }
      }),
    );
  });
});

it('normalises ids', () => {
  expect([7, ' 7', '7', null, undefined].map(toIdText)).toEqual(['7', '7', '7', '', '']);
});
