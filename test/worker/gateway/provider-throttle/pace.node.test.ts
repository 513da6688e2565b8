// The pace: never exceeded, fully used, and lowered for a while after a 429.
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { Pace, readConfiguredRate } from '../../../../worker/gateway/provider-throttle/pace.ts';
import { ProblemError } from '../../../../worker/http/problem-error.ts';
import { START } from '../single-flight/clock.ts';

const createPace = (perS: number, random = 0): Pace => new Pace(() => random, perS, undefined);

describe('readConfiguredRate', () => {
  it.each(['0', '-1', '2.5', '10000', 'five', ' 5', '1e3'])('rejects %j', (text) => {
    expect(() => readConfiguredRate({ PROVIDER_RATE_PER_S: text })).toThrow(ProblemError);
  });
});

describe('estimateGrantAt', () => {
  it('predicts when a call is granted', () => {
    const delays = fc.array(fc.nat(700), { maxLength: 12 });
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 6 }), delays, fc.nat(30), (perS, gaps, ahead) => {
        const pace = createPace(perS);
        let now = START;
        for (const gap of gaps) {
          now += gap;
          if (pace.countAllowed(now) > 0) pace.recordGrants(1, now);
        }
        const expected = pace.estimateGrantAt(ahead, now);
        let granted = 0;
        for (let at = now; ; at += 1) {
          const turns = pace.countAllowed(at);
          if (granted + turns > ahead) {
            expect(expected).toBe(at);
            return;
          }
          if (turns > 0) pace.recordGrants(turns, at);
          granted += turns;
        }
      }),
      { numRuns: 60 },
    );
  });
});

describe('setLimit', () => {
  it('applies at once, even below the granted calls', () => {
    const pace = createPace(5);
    pace.recordGrants(5, START);
    expect(pace.setLimit(8)).toBe(true);
    expect(pace.countAllowed(START)).toBe(3);
    expect(pace.setLimit(2)).toBe(true);
    expect([0, 999, 1_000].map((ms) => pace.countAllowed(START + ms))).toEqual([0, 0, 2]);
  });
});

describe('recordRateLimit', () => {
  it('grants nothing until Retry-After is over', () => {
    const pace = createPace(5);
    pace.recordRateLimit(START, 3_000, START + 100);
    expect([101, 3_099, 3_100].map((ms) => pace.countAllowed(START + ms) > 0)).toEqual([false, false, true]);
    expect(pace.estimateGrantAt(0, START + 200)).toBe(START + 3_100);
  });

  it('grants nothing until the next second plus jitter', () => {
    const early = createPace(5, 0);
    early.recordRateLimit(START, undefined, START + 300);
    expect([999, 1_000].map((ms) => early.countAllowed(START + ms) > 0)).toEqual([false, true]);
    const late = createPace(5, 0.999);
    late.recordRateLimit(START, undefined, START + 300);
    expect([1_000, 1_248, 1_249].map((ms) => late.countAllowed(START + ms) > 0)).toEqual([
      false,
      false,
      true,
    ]);
  });

  it('limits a Retry-After of a year to an hour', () => {
    const pace = createPace(5);
    pace.recordRateLimit(START, 365 * 86_400_000, START);
    expect(pace.countAllowed(START + 3_600_000)).toBeGreaterThan(0);
  });

  it('lowers the pace by a fifth each time and raises it step by step', () => {
    const pace = createPace(50);
    for (const second of [1, 2, 3])
      pace.recordRateLimit(START + second * 1_000, undefined, START + second * 1_000 + 100);
    const after = START + 3_100;
    expect(pace.getRate(after)).toBe(25);
    expect([1_999, 2_000, 4_000, 8_000, 10_000, 60_000].map((ms) => pace.getRate(after + ms))).toEqual([
      25, 30, 35, 45, 50, 50,
    ]);
    for (let at = after + 1; at < after + 100; at += 1) pace.recordRateLimit(at, undefined, at);
    expect(pace.getRate(after + 100)).toBe(1);
  });

  it('lowers the pace once for calls that were in flight', () => {
    const pace = createPace(50);
    pace.recordRateLimit(START, undefined, START + 500);
    for (const grantedAt of [10, 499, 500]) pace.recordRateLimit(START + grantedAt, undefined, START + 600);
    expect(pace.getRate(START + 600)).toBe(40);
  });
});
