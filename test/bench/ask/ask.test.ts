// The sentences of the ask bench: every expected form is valid input, and right forms are counted as right.
import { describe, expect, it } from 'vitest';
import { toForm } from '../../../worker/assistant/form.ts';
import { type AskCase, askCases } from './requests.ts';
import { addScore, createFigures } from './score.ts';

/** The form that a perfect model fills in. */
const fill = ({ sentence, family, conditions, leftOut }: AskCase, pick: number) =>
  toForm(
    {
      family,
      conditions: conditions.map(({ field, accepted }) => ({
        words: sentence,
        field,
        values: [...(accepted[Math.min(pick, accepted.length - 1)] ?? [])],
      })),
      left_out: leftOut.map((words) => ({ words, reason: 'no_field' })),
    },
    sentence,
  );

describe('the sentences', () => {
  it('are one hundred different ones about five families', () => {
    expect(new Set(askCases.map(({ sentence }) => sentence)).size).toBe(100);
    expect(new Set(askCases.map(({ family }) => family)).size).toBe(5);
  });

  it.each([0, 3])('have expected forms that a person can enter: accepted values %i', (pick) => {
    for (const each of askCases) {
      const form = fill(each, pick);
      expect(
        form.left_out.map(({ words }) => words),
        each.sentence,
      ).toEqual(each.leftOut);
      expect(
        form.conditions.map(({ name }) => name),
        each.sentence,
      ).toEqual(each.conditions.map(({ field }) => field));
    }
  });

  it('count as exact with any accepted values, and not with others', () => {
    for (const pick of [0, 3]) {
      const figures = createFigures();
      for (const each of askCases) addScore(figures, each, fill(each, pick));
      const { sentences, exact, expected, right, filled, unsayable, named } = figures;
      expect([sentences, exact, right, filled, named]).toEqual([100, 100, expected, expected, unsayable]);
    }
    const [first] = askCases;
    const figures = createFigures();
    if (first !== undefined) {
      const form = fill(first, 0);
      const [wrong, ...rest] = form.conditions.map((each) => ({ ...each, values: ['zoo', ''] }));
      addScore(figures, first, {
        ...form,
        conditions: wrong === undefined ? [] : [wrong, ...rest.slice(0, 1)],
      });
      addScore(figures, first, undefined);
    }
    expect(figures).toMatchObject({ sentences: 2, exact: 0, expected: 6, filled: 2, right: 0, named: 1 });
  });
});
