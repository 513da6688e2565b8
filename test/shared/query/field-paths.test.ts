// Field paths.
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createProjection, getValueAt, parseFieldPath } from '../../../shared/query/field-paths.ts';

const record = {
  name: 'Acme',
  funding_rounds: [{ last_round_type: 'Seed', investors: ['A', 'B'] }, { last_round_type: 'Series A' }],
  empty: [],
  nothing: null,
};

const getValue = (path: string): unknown => getValueAt(record, parseFieldPath(path) ?? []);

describe('a path', () => {
  it.each([
    ['name', 'Acme'],
    [' name ', 'Acme'],
    ['funding_rounds[0].last_round_type', 'Seed'],
    ['funding_rounds[1].last_round_type', 'Series A'],
    ['funding_rounds[0].investors[1]', 'B'],
    ['funding_rounds.last_round_type', ['Seed', 'Series A']],
    ['funding_rounds.investors', ['A', 'B']],
    ['funding_rounds[7].last_round_type', undefined],
    ['name.length', undefined],
    ['name[0]', undefined],
    ['empty.x', undefined],
    ['nothing.x', undefined],
    ['toString', undefined],
    ['__proto__', undefined],
    ['constructor.name', undefined],
  ])('%s returns %j', (path, expected) => {
    expect(getValue(path)).toEqual(expected);
  });

  it.each(['', '.', 'a.', '.a', 'a[', 'a]', 'a[x]', '[0]', 'a b', 'a[-1]', 'a,b'])(
    '%j is invalid',
    (path) => {
      expect(parseFieldPath(path)).toBeUndefined();
    },
  );

  it('never throws', () => {
    fc.assert(
      fc.property(fc.string(), fc.json(), (path, json) => {
        const steps = parseFieldPath(path);
        if (steps !== undefined) getValueAt(JSON.parse(json), steps);
      }),
    );
  });
});

it('a projection keeps only the top-level fields of its paths', () => {
  expect(
    Object.keys(
      createProjection(['nothing', 'funding_rounds[0].investors', 'absent', '__proto__', 'name'])(record),
    ),
  ).toEqual(['nothing', 'funding_rounds', 'name']);
});
