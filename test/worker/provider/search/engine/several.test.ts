// Which of several values counts in an order.
import { describe, expect, it } from 'vitest';
import { chooseLarge, chooseNumber } from '../../../../../worker/provider/search/engine/several.ts';

const GREATEST = 2n ** 63n - 1n;

describe('of several numbers', () => {
  it.each([
    ['min', [3, 1, 2], 1, 1],
    ['max', [3, 1, 2], 3, 3],
    ['sum', [0.5, 1, 2], 3.5, 3.5],
    ['avg', [2, 2, 3], 7 / 3, 2],
    ['avg', [1, 2], 1.5, 2],
    ['avg', [-1, -2], -1.5, -1],
    ['median', [9, 1, 4], 4, 4],
    ['median', [1, 4], 2.5, 3],
    ['median', [-2, 5, -1, 9], 2, 2],
  ] as const)('%s of %j is %d, of whole numbers %d', (mode, values, real, whole) => {
    expect(chooseNumber(Float64Array.from(values), mode, false)).toBe(real);
    expect(chooseNumber(Float64Array.from(values), mode, true)).toBe(whole);
  });

  it('the sum adds up the least first', () => {
    const values = [450_359_962_737_049.7, 5.8, -1.9, -2];
    expect(chooseNumber(Float64Array.from(values), 'sum', false)).toBe(450_359_962_737_051.56);
  });
});

describe('of several large whole numbers', () => {
  it.each([
    ['min', [GREATEST, 1n], 1n],
    ['max', [1n, GREATEST], GREATEST],
    ['sum', [2n ** 60n, 1n], 2n ** 60n + 1n],
    ['sum', [GREATEST, 1n], -(2n ** 63n)],
    ['avg', [2n, 2n, 3n], 2n],
    ['avg', [GREATEST, 1n], -(2n ** 62n)],
    ['median', [1n, 9n, 4n], 4n],
    ['median', [GREATEST, 1n], 2n ** 62n],
  ] as const)('%s of %s is %s', (mode, values, chosen) => {
    expect(chooseLarge(BigInt64Array.from(values), mode)).toBe(chosen);
  });
});
