// When an engine's answer counts as Lucene's.
import { describe, expect, it } from 'vitest';
import { compareAnswer, type FullAnswer } from './answers.ts';

const lucene: FullAnswer = { query: 3, ids: ['7', '8', '9'], scores: [2, 1.99, 1] };

function differs(ids: string[], scores?: number[]): string | undefined {
  return compareAnswer({ query: 3, ids, ...(scores !== undefined && { scores }) }, lucene).differs;
}

describe('an answer', () => {
  it("is Lucene's with the same hits, and scores within 2.5 % if it has any", () => {
    expect(compareAnswer({ ...lucene, scores: [2.02, 1.99, 1] }, lucene)).toEqual({
      query: 3,
      total: 3,
      furthest: expect.closeTo(0.01, 9),
    });
    expect(differs(['9', '8', '7'])).toBeUndefined();
  });

  it('may have hits of nearly the same score in another order, and no others', () => {
    expect(differs(['8', '7', '9'], [1.99, 2, 1])).toBeUndefined();
    expect(differs(['9', '7', '8'], [1, 2, 1.99])).toBe('order');
  });

  it('differs where a hit lacks, is another or is there twice', () => {
    expect(differs(['7', '8'])).toBe('total');
    expect(differs(['7', '8', '1'])).toBe('set');
    expect(differs(['7', '8', '8'])).toBe('set');
  });

  it('differs where a score is further off, is missing or is none', () => {
    expect(differs(['7', '8', '9'], [2.06, 1.99, 1])).toBe('scores');
    expect(differs(['7', '8', '9'], [2, 1.99])).toBe('scores');
    expect(compareAnswer(lucene, { ...lucene, scores: [0, 0, 0] }).differs).toBe('scores');
  });

  it('of scores that are all zero has them equal', () => {
    const zero = { ...lucene, scores: [0, 0, 0] };
    expect(compareAnswer(zero, zero)).toEqual({ query: 3, total: 3, furthest: 0 });
  });
});
