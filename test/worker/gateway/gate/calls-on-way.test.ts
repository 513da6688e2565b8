// The calls on their way: granted, not yet reported, not yet lost.
import { describe, expect, it } from 'vitest';
import { CallsOnWay } from '../../../../worker/gateway/gate/calls-on-way.ts';
import { START } from './gates.ts';

describe('calls on their way', () => {
  it('are those that were granted less those that have ended', () => {
    const calls = new CallsOnWay();
    calls.granted(3, START);
    calls.granted(1, START + 5);
    expect([calls.ended(START, START + 10), calls.ended(START + 5, START + 10)]).toEqual([true, true]);
    expect(calls.count(START + 10)).toBe(2);
  });

  it('are not those that nobody knows of', () => {
    const calls = new CallsOnWay();
    calls.granted(1, START);
    expect([calls.ended(START - 1, START), calls.ended(START, START), calls.ended(START, START)]).toEqual([
      false,
      true,
      false,
    ]);
    expect(calls.count(START)).toBe(0);
  });

  it('are lost a minute after they were granted, each for itself', () => {
    const calls = new CallsOnWay();
    calls.granted(2, START);
    calls.granted(1, START + 30_000);
    calls.ended(START, START + 1_000);
    expect([59_999, 60_000, 90_000].map((ms) => calls.count(START + ms))).toEqual([2, 1, 0]);
    expect(calls.ended(START, START + 90_000)).toBe(false);
  });

  it('know the one that is on its way for longest', () => {
    const calls = new CallsOnWay();
    expect(calls.oldest(START)).toBe(START);
    calls.granted(1, START);
    calls.granted(1, START + 30_000);
    expect([calls.oldest(START + 30_000), calls.oldest(START + 60_000)]).toEqual([START, START + 30_000]);
  });
});
